package analysis

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"fieldbook/analysis/stat"
	"fieldbook/internal/experiment"
)

// each calls one for 0..n-1, shared out over the processors. What a study
// gives depends on its number alone, and has its own place.
func each[T any](n int, one func(study int) T) []T {
	out := make([]T, n)
	workers := runtime.GOMAXPROCS(0)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := w; i < n; i += workers {
				out[i] = one(i)
			}
		})
	}
	wait.Wait()
	return out
}

// frequency is the share, in percent, of those for which it holds.
func frequency[T any](all []T, holds func(T) bool) float64 {
	n := 0
	for _, x := range all {
		if holds(x) {
			n++
		}
	}
	return 100 * float64(n) / float64(len(all))
}

// orderRow is a row of the table of orders: one world at one number of
// blocks.
type orderRow struct {
	world      *world
	blocks     int
	cover      float64 // % of t intervals that hold the true ratio
	exact      float64 // % of Hodges-Lehmann intervals that do; NaN: too few blocks for one
	width      float64 // median half-width of the t interval, %
	exactWidth float64
	falsely    float64 // % of studies with a false verdict, in randomized blocks
	sequential float64 // the same, one treatment after the other and a plain Welch test
	modulus    float64 // the same, in the fixed order of a counter
}

// orderStudy is what one simulated study says under each order.
type orderStudy struct {
	cover, exact, falsely, sequential, modulus bool
	width, exactWidth                          float64
}

// simulateOrders fills a row of the table of orders.
func simulateOrders(t *testing.T, s *simulated, w *world, row uint64, blocks, simulations int) orderRow {
	studies := each(simulations, func(i int) orderStudy { return s.underOrders(t, w, generator(1, row, i), blocks) })
	by := func(f func(orderStudy) float64) float64 {
		xs := make([]float64, len(studies))
		for i, o := range studies {
			xs[i] = f(o)
		}
		if slices.ContainsFunc(xs, math.IsNaN) {
			return math.NaN()
		}
		return 100 * stat.Quantile(xs, 0.5)
	}
	out := orderRow{
		world: w, blocks: blocks,
		cover:      frequency(studies, func(o orderStudy) bool { return o.cover }),
		exact:      frequency(studies, func(o orderStudy) bool { return o.exact }),
		falsely:    frequency(studies, func(o orderStudy) bool { return o.falsely }),
		sequential: frequency(studies, func(o orderStudy) bool { return o.sequential }),
		modulus:    frequency(studies, func(o orderStudy) bool { return o.modulus }),
		width:      by(func(o orderStudy) float64 { return o.width }),
		exactWidth: by(func(o orderStudy) float64 { return o.exactWidth }),
	}
	if math.IsNaN(out.exactWidth) {
		out.exact = math.NaN()
	}
	return out
}

// underOrders lets one machine do the same to three orders of one study.
func (s *simulated) underOrders(t *testing.T, w *world, r *rand.Rand, blocks int) orderStudy {
	added, calls := w.draw(r, len(s.truth), blocks)
	seed := r.Uint64()
	run := func(order experiment.Order) recorded {
		return s.record(t, w, ids(1), order, seed, blocks, added, calls)
	}
	ratio := s.truth[s.compare[0]] / s.truth[s.compare[1]]
	randomized := s.analyze(run(experiment.RandomizedBlocks))
	out := orderStudy{falsely: decided(randomized), modulus: decided(s.analyze(run(experiment.Modulus)))}
	interval, exact := randomized.Claims[0].Parts[0].Estimate, s.exactInterval(t, randomized)
	out.cover, out.exact = holds(interval, ratio), holds(exact, ratio)
	out.width, out.exactWidth = halfWidth(interval), halfWidth(exact)
	out.sequential = plainWelch(run(experiment.Sequential), s.compare, ratio)
	return out
}

// exactInterval is the second judge of the first claim, which its verdict
// shows only where the two disagree.
func (s *simulated) exactInterval(t *testing.T, r *Result) Estimate {
	c := s.in.Claims[0]
	sides, err := r.sidesOf(c.Compare.Where, nil, c.Compare.Left, c.Compare.Right)
	if err != nil {
		t.Error(err)
		return Estimate{}
	}
	return Estimate{Estimate: through(r.ratioLine(r.newContrast(0, sides)).exact(confidence), math.Exp)}
}

// decided says whether the first claim was.
func decided(r *Result) bool {
	return r.Claims[0].Verdict == Supported || r.Claims[0].Verdict == Refuted
}

func holds(e Estimate, truth float64) bool { return e.Lo <= truth && truth <= e.Hi }

// halfWidth is that of a ratio's interval, on the log scale.
func halfWidth(e Estimate) float64 {
	if e.Refused != "" {
		return math.NaN()
	}
	return (math.Log(e.Hi) - math.Log(e.Lo)) / 2
}

// plainWelch is the test that a reader makes of numbers measured one
// treatment after the other: whether it sees a difference from the truth.
func plainWelch(r recorded, compare [2]int, ratio float64) bool {
	left, right := r.numbers(compare[0]), r.numbers(compare[1])
	for i := range left {
		left[i] /= ratio
	}
	test := stat.WelchT(left, right, confidence)
	return test.Refused == "" && test.P < alpha
}

// formRow is a row of the table of forms: one claim of a file in one world.
type formRow struct {
	form           string
	world          *world
	cover, falsely [2]float64 // by sitting: % of its parts' intervals that hold the truth, % of studies with a false verdict
}

// sitting is how a study of the table of forms is recorded.
type sitting struct {
	name             string
	sessions, blocks int // blocks of each session
}

var sittings = []sitting{{"10 blocks of one session", 1, 10}, {"3 sessions of 5 blocks, each with its own seed", 3, 5}}

// formStudy is what one simulated study says of each claim.
type formStudy struct {
	held, parts []int // by claim
	falsely     []bool
}

// simulateForms is what every claim of a file comes to in one world.
func simulateForms(t *testing.T, s *simulated, w *world, row uint64, at sitting, simulations int) (cover, falsely []float64) {
	studies := each(simulations, func(i int) formStudy {
		r := generator(2, row, i)
		var sessions []recorded
		for k := range at.sessions {
			added, calls := w.draw(r, len(s.truth), at.blocks)
			if at.sessions > 1 {
				day := 0.10 * r.NormFloat64()
				for t := range added {
					added[t] += day
				}
			}
			sessions = append(sessions, s.record(t, w, ids(k+1), experiment.RandomizedBlocks, r.Uint64(), at.blocks, added, calls))
		}
		return s.judgeForms(s.analyze(sessions...))
	})
	for c := range s.in.Claims {
		held, parts := 0, 0
		for _, o := range studies {
			held, parts = held+o.held[c], parts+o.parts[c]
		}
		cover = append(cover, 100*float64(held)/float64(parts))
		falsely = append(falsely, frequency(studies, func(o formStudy) bool { return o.falsely[c] }))
	}
	return cover, falsely
}

// judgeForms sets the verdicts of one study against the truth.
func (s *simulated) judgeForms(r *Result) formStudy {
	var out formStudy
	for _, c := range r.Claims {
		held := 0
		for _, p := range c.Parts {
			if holds(p.Estimate, s.truthOfPart(c.Claim)) {
				held++
			}
		}
		out.held, out.parts = append(out.held, held), append(out.parts, len(c.Parts))
		out.falsely = append(out.falsely, isFalse(c))
	}
	return out
}

// isFalse says whether a verdict is. A claim on its very bound can be neither
// supported nor refuted; of an equivalence what matters is that it is not
// supported, and a fit that is exact may be.
func isFalse(c ClaimResult) bool {
	switch {
	case c.Claim.Fit != "":
		return c.Verdict == Refuted
	case c.Claim.Expect != nil && c.Claim.Expect.Op == "within":
		return c.Verdict == Supported
	}
	return c.Verdict == Supported || c.Verdict == Refuted
}

// truthOfPart is what the intervals of a claim's parts should hold. The
// files put each bound on the truth; a fit is exact.
func (s *simulated) truthOfPart(c Claim) float64 {
	switch {
	case c.Fit != "":
		return 0
	case c.Expect == nil || c.Expect.Op == "both-sides":
		return 1
	case c.Expect.Op == "within":
		return c.Expect.Hi
	}
	return c.Expect.Bound
}
