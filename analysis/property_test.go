package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"fieldbook/internal/session"
)

// drawn is a study of two factors with some sessions of noisy numbers, among
// them failures, zeros and ties.
func drawn(t *rapid.T) *study {
	s := newStudy(elapsedMS, "version: old new", "size: 1 2")
	order := rapid.SampledFrom([]string{"randomized-blocks", "modulus", "sequential"}).Draw(t, "order")
	value := rapid.SampledFrom([]float64{1, 1.5, 2, 3.25, 7, 100})
	status := rapid.SampledFrom([]string{"", "", "", "", "", "", "", "", "", session.Failed, session.Invalid})
	for i := range rapid.IntRange(1, 3).Draw(t, "sessions") {
		s.run(ids(i+1), "m", order, rapid.IntRange(1, 8).Draw(t, "blocks"), func(trialAt) outcome {
			return outcome{value: value.Draw(t, "value"), status: status.Draw(t, "status")}
		})
	}
	return s
}

// answers are numbers that a report would show.
func answers(r *Result) []any {
	var all []any
	for _, stat := range []string{"mean", "median", "geomean", "p90", "sd", "n"} {
		e, _ := r.Value(Query{Metric: "elapsed", Stat: stat, Selection: sel("version=old size=1")})
		all = append(all, e)
	}
	for _, text := range []string{"version=new / version=old where size=1", "version=new / version=old where size=1,2"} {
		c, _ := r.Compare("elapsed", comparison(text))
		all = append(all, c)
	}
	pairs, _ := r.AllPairs("elapsed", nil)
	effects, _ := r.Effects("elapsed", nil)
	return append(all, pairs, effects, r.Claims, r.Counts())
}

func someClaims() []Claim {
	each := newOverOld("ratio < 1")
	each.ForEach = []string{"size"}
	over := newOverOld("ratio within 0.9..1.11")
	over.Over = []string{"size"}
	return []Claim{each, over, {Name: "v", Metric: "elapsed", Where: sel("version=old"), ForEach: []string{"size"}, Expect: expect("value < 5")}}
}

func same(a, b any) string {
	return cmp.Diff(a, b, cmpopts.EquateNaNs(), cmp.Exporter(func(reflect.Type) bool { return true }))
}

// The order of rows in a file and of sessions in a dataset is no information.
func TestOrderOfRowsAndSessionsChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		in := s.input()
		in.Claims = someClaims()
		before := answers(Analyze(in))
		g := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		shuffled := *in.Data
		shuffled.Sessions = nil
		for _, ses := range in.Data.Sessions {
			c := *ses
			c.Rows, c.Plan = slices.Clone(ses.Rows), slices.Clone(ses.Plan)
			g.Shuffle(len(c.Rows), func(i, j int) { c.Rows[i], c.Rows[j] = c.Rows[j], c.Rows[i] })
			g.Shuffle(len(c.Plan), func(i, j int) { c.Plan[i], c.Plan[j] = c.Plan[j], c.Plan[i] })
			shuffled.Sessions = append(shuffled.Sessions, &c)
		}
		g.Shuffle(len(shuffled.Sessions), func(i, j int) {
			shuffled.Sessions[i], shuffled.Sessions[j] = shuffled.Sessions[j], shuffled.Sessions[i]
		})
		in.Data = &shuffled
		if diff := same(before, answers(Analyze(in))); diff != "" {
			t.Fatalf("answers moved with the order of rows:\n%s", diff)
		}
	})
}

// Another unit of the same quantity changes values in proportion, and ratios,
// tests and verdicts not at all.
func TestScalingAMetricLeavesRatiosAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		factor := math.Pow(2, float64(rapid.IntRange(-8, 8).Draw(t, "power")))
		question := comparison("version=new / version=old where size=1")
		value := Query{Metric: "elapsed", Stat: "mean", Selection: sel("version=old size=1")}
		before, _ := s.result().Compare("elapsed", question)
		mean, _ := s.result().Value(value)
		for _, ses := range s.sessions {
			for i := range ses.Rows {
				ses.Rows[i].Metrics = []float64{ses.Rows[i].Metrics[0] * factor}
			}
		}
		after, _ := s.result().Compare("elapsed", question)
		scaled, _ := s.result().Value(value)
		for _, pair := range [][2]float64{
			{before.Ratio.Value, after.Ratio.Value}, {before.Ratio.Lo, after.Ratio.Lo}, {before.P, after.P},
			{before.Difference.Value * factor, after.Difference.Value}, {mean.Value * factor, scaled.Value},
		} {
			if !near(pair[0], pair[1], 1e-9) {
				t.Fatalf("times %v: %v became %v", factor, pair[0], pair[1])
			}
		}
	})
}

// The two sides of a comparison are symmetric: the inverse question has the
// inverse answer.
func TestInverseComparison(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawn(t).result()
		a, _ := r.Compare("elapsed", comparison("version=new / version=old where size=1,2"))
		b, _ := r.Compare("elapsed", comparison("version=old / version=new where size=1,2"))
		for _, pair := range [][2]float64{
			{a.Ratio.Value, 1 / b.Ratio.Value}, {a.Ratio.Lo, 1 / b.Ratio.Hi}, {a.HL.Value, 1 / b.HL.Value}, {a.P, b.P}, {a.SignFlipP, b.SignFlipP},
			{a.Difference.Value, -b.Difference.Value},
		} {
			if !near(pair[0], pair[1], 1e-9) {
				t.Fatalf("%v against %v", pair[0], pair[1])
			}
		}
	})
}

// Other names for levels, in the same order, change names alone.
func TestRelabellingLevelsChangesNoNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		before, _ := s.result().Compare("elapsed", comparison("version=new / version=old where size=1"))
		name := map[string]string{"old": "zebra", "new": "ant/1 = x"}
		s.factors[0].Levels = []string{"zebra", "ant/1 = x"}
		for _, ses := range s.sessions {
			ses.Factors = s.factors
			for i, p := range ses.Plan {
				ses.Plan[i].Levels = []string{name[p.Levels[0]], p.Levels[1]}
			}
		}
		after, err := s.result().Compare("elapsed", comparison(`version="ant/1 = x" / version=zebra where size=1`))
		if err != nil {
			t.Fatal(err)
		}
		for _, pair := range [][2]float64{{before.Ratio.Value, after.Ratio.Value}, {before.Ratio.Lo, after.Ratio.Lo}, {before.P, after.P}, {before.Difference.Value, after.Difference.Value}} {
			if !near(pair[0], pair[1], 1e-12) {
				t.Fatalf("%v became %v", pair[0], pair[1])
			}
		}
	})
}

// The same input gives the same result, whatever the order of maps.
func TestAnalysisIsDeterministic(t *testing.T) {
	in := factorialStudy(t).input()
	in.Claims = []Claim{{Name: "c", Metric: "time", Compare: ptr(comparison("sessions=2 / sessions=1")), ForEach: []string{"mode"}, Expect: expect("ratio within 0.97..1.03")}}
	in.Identity = map[string]string{}
	for _, m := range []string{"pipelined", "threaded"} {
		for _, s := range []string{"1", "2"} {
			in.Identity[m+levelSep+s] = "id1"
		}
	}
	all := func() string {
		r := Analyze(in)
		effects, _ := r.Effects("time", nil)
		pairs, _ := r.AllPairs("time", nil)
		return fmt.Sprintf("%+v", []any{r.Claims, effects, pairs, r.Counts(), r.Diagnostics(), r.Standings()})
	}
	first := all()
	for range 5 {
		if again := all(); again != first {
			t.Fatal("two analyses of one input differ")
		}
	}
}

// Two identical treatments: a claim of a difference is decided in about one
// of twenty studies, half of them by being supported.
func TestFalseVerdictsAreRare(t *testing.T) {
	if testing.Short() {
		t.Skip("2,000 simulated studies")
	}
	g := rand.New(rand.NewPCG(7, 7))
	count := map[Verdict]int{}
	for range 2000 {
		s := newStudy(elapsedMS, "version: old new")
		block := map[int]float64{}
		s.run(ids(1), "m", "randomized-blocks", 10, func(at trialAt) outcome {
			if _, ok := block[at.block]; !ok {
				block[at.block] = math.Exp(0.2 * g.NormFloat64())
			}
			return outcome{value: 100 * block[at.block] * math.Exp(0.03*g.NormFloat64())}
		})
		count[judgeOne(s, newOverOld("ratio < 1")).Verdict]++
	}
	// 2.5 % of 2000 are 50 on either side; the bounds are four standard errors.
	for _, v := range []Verdict{Supported, Refuted} {
		if n := count[v]; n < 22 || n > 78 {
			t.Errorf("%s in %d of 2000 studies of two identical treatments, want about 50", v, n)
		}
	}
}
