package stat

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// bruteFlips is the share of all assignments of signs with a sum as far from
// zero.
func bruteFlips(d []float64) float64 {
	observed, count := 0.0, 0.0
	for _, x := range d {
		observed += x
	}
	for mask := range 1 << len(d) {
		sum := 0.0
		for i, x := range d {
			if mask>>i&1 == 1 {
				x = -x
			}
			sum += x
		}
		if math.Abs(sum) >= math.Abs(observed) {
			count++
		}
	}
	return count / float64(int(1)<<len(d))
}

func TestSignFlipMatchesEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := differencesOf(t, 1, 12)
		p, exact := SignFlip(d, 1)
		if want := bruteFlips(d); !exact || !near(p, want, 1e-12) {
			t.Fatalf("SignFlip(%v) = %v, %v, want %v", d, p, exact, want)
		}
	})
}

func TestSignFlipKeepsScaleAndOrderOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := differencesOf(t, 1, 12)
		scale := rapid.SampledFrom([]float64{1e-9, 0.1, -1, 3, 1e6}).Draw(t, "scale")
		changed := rapid.Permutation(d).Draw(t, "order")
		for i := range changed {
			changed[i] *= scale
		}
		a, _ := SignFlip(d, 1)
		if b, _ := SignFlip(changed, 2); !near(a, b, 1e-12) {
			t.Fatalf("SignFlip(%v) = %v, but %v for %v", d, a, b, changed)
		}
	})
}

// Beyond 30 blocks signs are drawn: near the exact value, and the same for
// the same seed.
func TestSignFlipDrawsForManyBlocks(t *testing.T) {
	var d []float64
	for i := range 32 {
		d = append(d, math.Sin(float64(i))+0.2)
	}
	total := 0.0
	for _, x := range d {
		total += x
	}
	exact := 2 * shareReaching(d, math.Abs(total))
	p, isExact := SignFlip(d, Seed("a"))
	if again, _ := SignFlip(d, Seed("a")); again != p || isExact {
		t.Errorf("SignFlip gives %v and then %v (exact %v)", p, again, isExact)
	}
	if math.Abs(p-exact) > 4*math.Sqrt(exact/randomFlips) {
		t.Errorf("SignFlip draws %v, exact is %v", p, exact)
	}
}

func TestPermutationMatchesEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := few(t, "a", 1, 5), few(t, "b", 1, 5)
		got := Permutation(a, b, 1)
		all := append(append([]float64{}, a...), b...)
		var n, two, less, greater float64
		observed := average(a) - average(b)
		for mask := range 1 << len(all) {
			var left, right []float64
			for i, x := range all {
				if mask>>i&1 == 1 {
					left = append(left, x)
				} else {
					right = append(right, x)
				}
			}
			if len(left) != len(a) {
				continue
			}
			d := average(left) - average(right)
			n++
			two += heaviside(math.Abs(d) - math.Abs(observed) + 1e-9)
			less += heaviside(observed - d + 1e-9)
			greater += heaviside(d - observed + 1e-9)
		}
		if float64(got.N) != n || !near(got.P, two/n, 1e-12) || !near(got.PLess, less/n, 1e-12) || !near(got.PGreater, greater/n, 1e-12) {
			t.Fatalf("Permutation(%v, %v) = %+v, want %v, %v, %v of %v", a, b, got, two/n, less/n, greater/n, n)
		}
	})
}

func TestPermutationDrawsBeyondAMillion(t *testing.T) {
	var a, b []float64
	for i := range 14 {
		a, b = append(a, math.Cos(float64(i))), append(b, math.Cos(float64(i))+0.4)
	}
	got := Permutation(a, b, 7)
	welch := WelchT(a, b, 0.95)
	if got.Exact || got.N != 1+randomFlips || math.Abs(got.P-welch.P) > 0.02 {
		t.Errorf("%+v, Welch has p = %v", got, welch.P)
	}
	if again := Permutation(a, b, 7); again != got {
		t.Errorf("the same seed gives %+v and %+v", got, again)
	}
}

func TestSeedPinned(t *testing.T) {
	for name, want := range map[string]uint64{
		"":                        14695981039346656037,
		"elapsed ratio sign-flip": 12053604410965017511,
	} {
		if got := Seed(name); got != want {
			t.Errorf("Seed(%q) = %d, want %d: resampled numbers of published reports would change", name, got, want)
		}
	}
}

func TestSubstreamPinned(t *testing.T) {
	g := substream(Seed("x"), 3)
	var got [6]int
	for i := range got {
		got[i] = below(g, 10)
	}
	if want := [6]int{0, 1, 6, 4, 9, 7}; got != want {
		t.Errorf("the first draws are %v, want %v: resampled numbers of published reports would change", got, want)
	}
}

func TestBelowIsUniform(t *testing.T) {
	g := substream(1, 1)
	counts := make([]float64, 7)
	for range 70_000 {
		counts[below(g, 7)]++
	}
	chi := 0.0
	for _, c := range counts {
		chi += (c - 10_000) * (c - 10_000) / 10_000
	}
	if p := chiSquaredUpper(chi, 6); p < 1e-4 {
		t.Errorf("counts %v are not uniform, p = %v", counts, p)
	}
}
