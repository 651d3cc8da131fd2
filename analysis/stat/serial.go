package stat

import "math"

// minSerial is the least length of a series for the tests of this file.
const minSerial = 20

// SerialTest is a test that neighbours in a series are unrelated.
type SerialTest struct {
	Statistic float64
	Z, P      float64 // normal approximation, two-sided
	Above     int     // RunsTest: values above the median
	Below     int     // and below
	Refused   string
}

// RunsTest counts runs above and below the median, values equal to it left
// out (Wald & Wolfowitz, Ann. Math. Stat. 11, 1940). Few runs mean drift or
// slow change, many mean alternation. It refuses fewer than 20 values.
func RunsTest(xs []float64) SerialTest {
	t := SerialTest{Statistic: math.NaN(), Z: math.NaN(), P: math.NaN()}
	if t.Refused = badSeries(xs); t.Refused != "" {
		return t
	}
	c := median(xs)
	runs, last := 0.0, 0.0
	for _, x := range xs {
		s := sign(x - c)
		switch s {
		case 1:
			t.Above++
		case -1:
			t.Below++
		default:
			continue
		}
		if s != last {
			runs++
		}
		last = s
	}
	t.Statistic = runs
	a, b := float64(t.Above), float64(t.Below)
	n := a + b
	mean := 1 + 2*a*b/n
	variance := 2 * a * b * (2*a*b - n) / (n * n * (n - 1))
	t.Z = (runs - mean) / math.Sqrt(variance)
	t.P = normalTwoSided(t.Z)
	return t
}

// badSeries says why a series cannot be tested, or nothing.
func badSeries(xs []float64) string {
	return firstOf(badInput(xs), atLeast(len(xs), minSerial, "value"), constantSeries(xs))
}

// RankVonNeumann is the ratio of the squared differences of neighbours to the
// squared deviations, of ranks: 2 for unrelated values, less where neighbours
// are alike (Bartels, JASA 77, 1982). It refuses fewer than 20 values.
func RankVonNeumann(xs []float64) SerialTest {
	t := SerialTest{Statistic: math.NaN(), Z: math.NaN(), P: math.NaN()}
	if t.Refused = badSeries(xs); t.Refused != "" {
		return t
	}
	r := Ranks(xs)
	steps := 0.0
	for i := 1; i < len(r); i++ {
		steps += (r[i] - r[i-1]) * (r[i] - r[i-1])
	}
	t.Statistic = steps / sumSquares(r)
	t.Z = (t.Statistic - 2) / math.Sqrt(20/(5*float64(len(xs))+7))
	t.P = normalTwoSided(t.Z)
	return t
}

// ShiftTest is Pettitt's test for a single shift in a series.
type ShiftTest struct {
	At      int     // values before the shift, where it is most likely
	U, P    float64 // statistic and approximate p-value
	Refused string
}

// Pettitt looks for one shift of level (Appl. Stat. 28, 1979), by
// |2 Σ rank - k(n+1)|. It refuses fewer than 20 values.
func Pettitt(xs []float64) ShiftTest {
	t := ShiftTest{U: math.NaN(), P: math.NaN()}
	if t.Refused = badSeries(xs); t.Refused != "" {
		return t
	}
	n := float64(len(xs))
	sum := 0.0
	t.U = 0
	for k, r := range Ranks(xs) {
		sum += r
		if u := math.Abs(2*sum - float64(k+1)*(n+1)); u > t.U {
			t.At, t.U = k+1, u
		}
	}
	t.P = math.Min(1, 2*math.Exp(-6*t.U*t.U/(n*n*n+n*n)))
	return t
}
