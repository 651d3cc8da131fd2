package stat

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// R 4.2.2: bw.nrd0(x), and mean(dnorm(t, x, bw)) at five places.
func TestDensity(t *testing.T) {
	d := Density([]float64{44.1, 43.2, 45.7, 44.8, 47.9, 42.6, 44.0, 43.9, 51.2, 44.4, 45.1, 43.3}, 5)
	if math.Abs(d.Bandwidth-0.612904374295) > 1e-11 {
		t.Errorf("bandwidth %v, want 0.612904374295", d.Bandwidth)
	}
	for i, want := range []float64{0.129343802663, 0.245476973915, 0.0232058627408, 0.00944494780716, 0.0542420780176} {
		if math.Abs(d.Y[i]-want) > 1e-11 {
			t.Errorf("at %v: %v, want %v", d.X[i], d.Y[i], want)
		}
	}
	if d.X[0] != 42.6 || d.X[4] != 51.2 {
		t.Errorf("it reaches from %v to %v, want what was observed, 42.6 to 51.2", d.X[0], d.X[4])
	}
}

// Most values of a coarse clock are one, and differ in the last bit: quartiles
// would give a bandwidth of 1e-16 and a density of 1e15.
func TestDensityOfACoarseClock(t *testing.T) {
	xs := []float64{3.1, 3.1, 3.25, 3.25}
	for range 12 {
		xs = append(xs, 3.2)
	}
	for range 7 {
		xs = append(xs, 3.2000000000000006)
	}
	d := Density(xs, 100)
	if math.Abs(d.Bandwidth-0.016063711944) > 1e-10 { // R: 0.9 * sd(x) * 23^-0.2
		t.Errorf("bandwidth %v, want 0.0161, of the standard deviation alone", d.Bandwidth)
	}
	for i, y := range d.Y {
		if !(y >= 0 && y < 30) {
			t.Errorf("density %v at %v", y, d.X[i])
		}
	}
}

func TestDensityRefusals(t *testing.T) {
	for name, xs := range odd {
		d := Density(xs, 50)
		if (d.Refused == "") != (len(d.Y) == 50) {
			t.Errorf("%s: %d places, refused %q", name, len(d.Y), d.Refused)
		}
		for _, y := range d.Y {
			if math.IsNaN(y) || math.IsInf(y, 0) || y < 0 {
				t.Errorf("%s: density %v", name, y)
			}
		}
	}
	if d := Density(make([]float64, 9), 50); d.Refused != "a density takes 10 values, and this is 9 values" {
		t.Errorf("nine values: %q", d.Refused)
	}
}

// The whole of a density is at most one, what lies beyond the data being cut
// off; and a change of unit changes nothing else.
func TestDensityIsOneAndHasAUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(1, 100), 10, 60).Draw(t, "xs")
		d := Density(xs, 401)
		if d.Refused != "" {
			return
		}
		whole := 0.0
		for i := 1; i < len(d.X); i++ {
			whole += (d.Y[i] + d.Y[i-1]) / 2 * (d.X[i] - d.X[i-1])
		}
		if whole > 1+1e-3 || whole < 0.4 && d.Bandwidth*100 < d.X[400]-d.X[0] {
			t.Fatalf("the whole is %v, bandwidth %v", whole, d.Bandwidth)
		}
		scaled := make([]float64, len(xs))
		for i, x := range xs {
			scaled[i] = 1024 * x
		}
		e := Density(scaled, 401)
		if math.Abs(e.Bandwidth/d.Bandwidth-1024) > 1e-6 || math.Abs(e.Y[200]*1024-d.Y[200]) > 1e-9*d.Y[200]+1e-300 {
			t.Fatalf("in another unit: bandwidth %v and %v, height %v and %v", e.Bandwidth, d.Bandwidth, e.Y[200], d.Y[200])
		}
	})
}
