package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"fieldbook/internal/defect"
)

// Replicates is the default number of bootstrap resamples: with it the ranks
// of the 95 % and 90 % bounds are whole.
const Replicates = 9999

const (
	minBootstrap = 10
	fewBootstrap = 20
	// maxEnumeration bounds the number of resamples of AllIndices.
	maxEnumeration = 100_000
)

// Statistic computes a number from the units with the given indices, one of
// which may occur several times. It must not keep the slice.
type Statistic func(indices []int) float64

// Bootstrap is a statistic with its resampling distribution and the intervals
// that follow from it.
type Bootstrap struct {
	T0         float64 // of the units themselves
	SE, Bias   float64
	Percentile Estimate
	Basic      Estimate // percentile interval reflected at T0
	BCa        Estimate // bias-corrected and accelerated
	Z0, A      float64  // bias correction and acceleration of BCa
	Levels     [2]float64
	Replicates []float64 // in the order of the resamples
	Warnings   []Warning
	Refused    string
}

// RandomIndices are b resamples of n units with replacement, each from its
// own substream of the seed.
func RandomIndices(n, b int, seed uint64) [][]int {
	out := make([][]int, b)
	units := newRange(n)
	for r := range out {
		out[r] = make([]int, n)
		units.resample(substream(seed, uint64(r)), out[r])
	}
	return out
}

// resample fills a slice with indices of units.
func (b bounded) resample(g *rand.PCG, indices []int) {
	for i := range indices {
		indices[i] = b.from(g)
	}
}

// AllIndices are all n^n resamples of n units, or a reason why they are too
// many: more than 100,000.
func AllIndices(n int) (indices [][]int, refused string) {
	total := math.Pow(float64(n), float64(n))
	if n < 1 || total > maxEnumeration {
		return nil, fmt.Sprintf("%d units have too many resamples to list", n)
	}
	row := make([]int, n)
	for range int(total) {
		indices = append(indices, slices.Clone(row))
		for i := 0; i < n; i++ { // count up
			if row[i]++; row[i] < n {
				break
			}
			row[i] = 0
		}
	}
	return indices, ""
}

// BootstrapCI resamples n units by the given indices (RandomIndices, for one)
// and gives percentile, basic and BCa intervals (Efron, JASA 82, 1987;
// Davison & Hinkley, Bootstrap Methods, 1997). A unit is what was randomized:
// a whole block, or a whole trial with all its calls. With few units these
// intervals are too narrow: below ten they are refused, below twenty doubted.
func BootstrapCI(n int, statistic Statistic, indices [][]int, conf float64) Bootstrap {
	return bootstrap(n, statistic, len(indices), func() []float64 { return replicate(statistic, indices) }, conf)
}

// RandomBootstrap is BootstrapCI with RandomIndices(n, resamples, seed), each
// drawn when its turn comes: the same numbers without the memory for all.
func RandomBootstrap(n int, statistic Statistic, resamples int, seed uint64, conf float64) Bootstrap {
	return bootstrap(n, statistic, resamples, func() []float64 {
		units := newRange(n)
		return inParallel(resamples, func() func(r int) float64 {
			indices := make([]int, n)
			return func(r int) float64 {
				units.resample(substream(seed, uint64(r)), indices)
				return statistic(indices)
			}
		})
	}, conf)
}

func bootstrap(n int, statistic Statistic, resamples int, replicates func() []float64, conf float64) Bootstrap {
	why := firstOf(badConfidence(conf), atLeast(n, minBootstrap, "unit"), atLeast(resamples, 100, "resample"))
	if why != "" {
		return refusedBootstrap(n, conf, why)
	}
	b := Bootstrap{T0: statistic(identity(n)), Replicates: replicates()}
	if why := badInput(append([]float64{b.T0}, b.Replicates...)); why != "" {
		return refusedBootstrap(n, conf, "the statistic cannot be computed for every resample: "+why)
	}
	m, v := meanVariance(b.Replicates)
	b.SE, b.Bias = math.Sqrt(v), m-b.T0
	s := sorted(b.Replicates)
	lo, hi := (1-conf)/2, (1+conf)/2
	b.Percentile = b.interval(n, conf, normalInterpolated(s, lo), normalInterpolated(s, hi), "percentile bootstrap")
	b.Basic = b.interval(n, conf, 2*b.T0-b.Percentile.Hi, 2*b.T0-b.Percentile.Lo, "basic bootstrap")
	b.bca(n, statistic, s, conf)
	if n < fewBootstrap {
		b.Warnings = append(b.Warnings, Warning{FewBlocks, plural(n, "unit") + " are few: bootstrap intervals are too narrow"})
	}
	return b
}

func refusedBootstrap(n int, conf float64, why string) Bootstrap {
	nan := math.NaN()
	e := refused("bootstrap", n, conf, "%s", why)
	return Bootstrap{T0: nan, SE: nan, Bias: nan, Percentile: e, Basic: e, BCa: e, Z0: nan, A: nan,
		Levels: [2]float64{nan, nan}, Refused: why}
}

func (b *Bootstrap) interval(n int, conf, lo, hi float64, method string) Estimate {
	return Estimate{Value: b.T0, Lo: lo, Hi: hi, Confidence: conf, N: n,
		Method: fmt.Sprintf("%s, %d resamples", method, len(b.Replicates))}
}

// identity is 0, 1, ..., n-1.
func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// replicate computes the statistic of each resample.
func replicate(statistic Statistic, indices [][]int) []float64 {
	return inParallel(len(indices), func() func(r int) float64 {
		return func(r int) float64 { return statistic(slices.Clone(indices[r])) }
	})
}

// inParallel computes n replicates. The work is shared out, since it is all
// the time that a bootstrap takes; each result has its own place, so that
// their order does not depend on the number of processors. worker gives each
// goroutine a function of its own.
func inParallel(n int, worker func() func(r int) float64) []float64 {
	out := make([]float64, n)
	workers := min(runtime.GOMAXPROCS(0), n)
	var wait sync.WaitGroup
	var panics defect.Carrier
	for w := range workers {
		wait.Go(func() {
			defer panics.Catch()
			one := worker()
			for r := w; r < n; r += workers {
				out[r] = one(r)
			}
		})
	}
	wait.Wait()
	panics.Raise()
	return out
}

// normalInterpolated is the quantile of sorted replicates at (B+1)·p, between
// two of them on the scale of normal quantiles (Davison & Hinkley 1997, eq.
// 5.8), and the outermost one beyond.
func normalInterpolated(s []float64, p float64) float64 {
	b := float64(len(s))
	rank := (b + 1) * p
	k := math.Trunc(rank * (1 + 1e-12)) // 0.025·10000 may fall short of 250 by rounding
	switch {
	case k < 1:
		return s[0]
	case k >= b:
		return s[len(s)-1]
	case k >= rank:
		return s[int(k)-1]
	}
	z, z1, z2 := normalQuantile(p), normalQuantile(k/(b+1)), normalQuantile((k+1)/(b+1))
	lo, hi := s[int(k)-1], s[int(k)]
	return lo + (z-z1)/(z2-z1)*(hi-lo)
}

// bca fills the bias-corrected and accelerated interval from the sorted
// replicates. Adjusted levels that the replicates do not reach are clamped.
func (b *Bootstrap) bca(n int, statistic Statistic, s []float64, conf float64) {
	below, _ := slices.BinarySearch(s, b.T0)
	b.Z0 = normalQuantile(float64(below) / float64(len(s)))
	b.A = acceleration(n, statistic, b.T0)
	if math.IsInf(b.Z0, 0) || math.IsNaN(b.A) {
		b.BCa = refused("BCa bootstrap", n, conf, "all resamples lie on one side of the estimate, or it does not vary")
		b.Levels = [2]float64{math.NaN(), math.NaN()}
		return
	}
	for i, z := range []float64{normalQuantile((1 - conf) / 2), normalQuantile((1 + conf) / 2)} {
		b.Levels[i] = normalCDF(b.Z0 + (b.Z0+z)/(1-b.A*(b.Z0+z)))
	}
	b.BCa = b.interval(n, conf, normalInterpolated(s, b.Levels[0]), normalInterpolated(s, b.Levels[1]), "BCa bootstrap")
	least := 1 / float64(len(s)+1)
	if b.Levels[0] < least || b.Levels[1] > 1-least {
		b.BCa.warn(Clamped, "the adjusted levels lie beyond the %d resamples", len(s))
	}
}

// acceleration is ΣL³/(6(ΣL²)^1.5) over the jackknife values of the units.
func acceleration(n int, statistic Statistic, t0 float64) float64 {
	var cubes, sum2 compensated
	for i := range n {
		kept := slices.Delete(identity(n), i, i+1)
		l := float64(n-1) * (t0 - statistic(kept))
		cubes.add(cubed(l))
		sum2.add(l * l)
	}
	return cubes.value() / (6 * math.Pow(sum2.value(), 1.5))
}

// cubed is x³, rounded once.
func cubed(x float64) float64 {
	square := x * x
	rest := math.FMA(x, x, -square)
	c := square * x
	return c + (math.FMA(square, x, -c) + rest*x)
}

// compensated is a sum that carries the rounding of its additions (Neumaier,
// ZAMM 54, 1974).
type compensated struct{ sum, rest float64 }

func (c *compensated) add(x float64) {
	t := c.sum + x
	if math.Abs(c.sum) >= math.Abs(x) {
		c.rest += (c.sum - t) + x
	} else {
		c.rest += (x - t) + c.sum
	}
	c.sum = t
}

func (c *compensated) value() float64 { return c.sum + c.rest }

// BootstrapT is the studentized bootstrap interval: the t interval with
// quantiles of resampled t statistics. studentized gives a statistic and its
// standard error for resampled units. Resamples without a standard error are
// left out; more than a twentieth of them is refused.
func BootstrapT(n int, studentized func(indices []int) (value, se float64), indices [][]int, conf float64) Estimate {
	const method = "studentized bootstrap"
	why := firstOf(badConfidence(conf), atLeast(n, minBootstrap, "unit"), atLeast(len(indices), 100, "resample"))
	if why != "" {
		return refused(method, n, conf, "%s", why)
	}
	t0, se := studentized(identity(n))
	z := replicate(func(i []int) float64 {
		t, s := studentized(i)
		if !(s > 0) {
			return math.NaN()
		}
		return (t - t0) / s
	}, indices)
	kept := slices.DeleteFunc(z, math.IsNaN)
	if dropped := len(indices) - len(kept); 20*dropped > len(indices) || !(se > 0) {
		return refused(method, n, conf, "%d of %d resamples have no standard error", dropped, len(indices))
	}
	slices.Sort(kept)
	e := Estimate{Value: t0, Confidence: conf, N: n, Method: fmt.Sprintf("%s, %d resamples", method, len(kept)),
		Lo: t0 - se*normalInterpolated(kept, (1+conf)/2), Hi: t0 - se*normalInterpolated(kept, (1-conf)/2)}
	if n < fewBootstrap {
		e.warn(FewBlocks, "%s are few", plural(n, "unit"))
	}
	return e
}
