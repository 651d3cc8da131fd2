package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fieldbook/analysis/stat"
	"fieldbook/internal/session"
)

// twoVersions is one session of two treatments with lognormal noise, where the
// first takes base and the second base times ratio; numbers gives what each
// trial took, by treatment and block.
func twoVersions(seed uint64, blocks int, base, ratio float64) (r *Result, numbers map[string][]float64) {
	s := newStudy(session.Metric{Name: "elapsed", Unit: "ms", Better: "lower"}, "version: old new")
	rng := rand.New(rand.NewPCG(seed, 1))
	numbers = map[string][]float64{}
	s.run("20261101T100000Z-m", "m", "randomized-blocks", blocks, func(at trialAt) outcome {
		x := base * math.Exp(0.02*rng.NormFloat64())
		if at.levels[0] == "new" {
			x *= ratio
		}
		numbers[at.levels[0]] = append(numbers[at.levels[0]], x)
		return outcome{value: x}
	})
	return s.result(), numbers
}

func logRatios(of map[string][]float64) []float64 {
	var d []float64
	for i, x := range of["new"] {
		d = append(d, math.Log(x/of["old"][i]))
	}
	return d
}

// The change of a mean is Welch's comparison of the trials, and that of a
// ratio Welch's of the blocks' log ratios, computed from the numbers.
func TestShiftsAreWelchs(t *testing.T) {
	a, xs := twoVersions(1, 8, 100, 1.5)
	b, ys := twoVersions(2, 11, 103, 1.5)
	all, err := Shifts(a, b, Alike{}, nil)
	if err != nil || len(all) != 1 || len(all[0].Values) != 2 || len(all[0].Ratios) != 1 {
		t.Fatalf("Shifts = %+v, %v, want one metric with two values and one ratio", all, err)
	}
	var ps []float64
	for i, level := range []string{"old", "new"} {
		want := stat.WelchRatio(ys[level], xs[level], 0.95)
		got := all[0].Values[i]
		if got.Of != "version="+level || !nearly(got.Change.Value, want.Value) || !nearly(got.Change.Lo, want.Lo) || !nearly(got.Change.Hi, want.Hi) || !nearly(got.P, want.P) {
			t.Errorf("%s: change %v [%v, %v], p %v; Welch gives %v [%v, %v], p %v", got.Of, got.Change.Value, got.Change.Lo, got.Change.Hi, got.P, want.Value, want.Lo, want.Hi, want.P)
		}
		ps = append(ps, want.P)
	}
	want := stat.WelchT(logRatios(ys), logRatios(xs), 0.95)
	got := all[0].Ratios[0]
	if !nearly(math.Log(got.Change.Value), want.Value) || !nearly(math.Log(got.Change.Hi), want.Hi) || !nearly(got.P, want.P) || !nearly(got.Change.DF, want.DF) {
		t.Errorf("%s: change %v up to %v, df %v; Welch gives %v up to %v, df %v", got.Of, got.Change.Value, got.Change.Hi, got.Change.DF, math.Exp(want.Value), math.Exp(want.Hi), want.DF)
	}
	holm := stat.Holm(append(ps, want.P))
	if !nearly(all[0].Values[0].Holm, holm[0]) || !nearly(got.Holm, holm[2]) {
		t.Errorf("adjusted %v and %v, want %v and %v", all[0].Values[0].Holm, got.Holm, holm[0], holm[2])
	}
}

func nearly(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1e-3, math.Abs(b)) }

// Of pairs of sessions of one truth, at most a twentieth may seem to differ;
// one of 10 % at 2 % noise is found.
func TestShiftsOfOneTruthRarelyMove(t *testing.T) {
	pairs := 400
	if testing.Short() {
		pairs = 50
	}
	moved := 0
	for i := range uint64(pairs) {
		a, _ := twoVersions(2*i+10, 6, 100, 1.5)
		b, _ := twoVersions(2*i+11, 6, 100, 1.5)
		if all, _ := Shifts(a, b, Alike{}, nil); anyMoved(all) {
			moved++
		}
	}
	// 5 % of 400 and three standard errors
	if limit := 0.05*float64(pairs) + 3*math.Sqrt(0.0475*float64(pairs)); float64(moved) > limit {
		t.Errorf("%d of %d pairs of sessions of one truth moved, want at most %.0f", moved, pairs, limit)
	}
	a, _ := twoVersions(1, 6, 100, 1.5)
	b, _ := twoVersions(2, 6, 100, 1.65)
	all, _ := Shifts(a, b, Alike{}, nil)
	if all[0].Values[0].Moved() || !all[0].Values[1].Moved() || !all[0].Ratios[0].Moved() {
		t.Errorf("the second treatment takes 10 %% more: moved %v %v, ratio %v", all[0].Values[0].Moved(), all[0].Values[1].Moved(), all[0].Ratios[0].Moved())
	}
}

// sessionsOf are sessions of one truth with something in common to all trials
// of each, of 5 % where the noise of a trial is 2 %.
func sessionsOf(seed uint64, n int) (list []*Result) {
	rng := rand.New(rand.NewPCG(seed, 9))
	for i := range uint64(n) {
		r, _ := twoVersions(1000*seed+i, 6, 100*math.Exp(0.05*rng.NormFloat64()), 1.5)
		list = append(list, r)
	}
	return list
}

// Where sessions differ by more than their trials tell, two of one truth move
// without others to judge by, and rarely with them; a change that is far
// larger is found.
func TestShiftsBetweenSessionsThatDiffer(t *testing.T) {
	pairs := 300
	if testing.Short() {
		pairs = 60
	}
	alone, among := 0, 0
	for i := range uint64(pairs) {
		list := sessionsOf(i+1, 8)
		if all, _ := Shifts(list[0], list[1], Alike{}, nil); anyMoved(all) {
			alone++
		}
		if all, _ := Shifts(list[0], list[1], Alike{A: list[2:]}, nil); anyMoved(all) {
			among++
		}
	}
	if limit := 0.05*float64(pairs) + 3*math.Sqrt(0.0475*float64(pairs)); 2*alone < pairs || float64(among) > limit {
		t.Errorf("of %d pairs %d moved by the noise within, want most; %d by that between sessions, want at most %.0f", pairs, alone, among, limit)
	}
	list := sessionsOf(1, 10)
	slow, _ := twoVersions(77, 6, 100, 3)
	all, _ := Shifts(list[0], slow, Alike{A: list[1:]}, nil)
	if all[0].Values[0].Moved() || !all[0].Values[1].Moved() || !all[0].Ratios[0].Moved() {
		t.Errorf("the second treatment takes twice as long: moved %v %v, ratio %v", all[0].Values[0].Moved(), all[0].Values[1].Moved(), all[0].Ratios[0].Moved())
	}
}

// The interval is that of the difference of two sessions, √2 times the pooled
// standard deviation of the others, computed from their numbers.
func TestShiftsTakeTheSpreadOfAlikeSessions(t *testing.T) {
	list := sessionsOf(3, 9)
	means := func(list []*Result) (logs []float64) {
		for _, r := range list {
			v, err := r.Value(Query{Metric: "elapsed", Stat: "geomean", Selection: r.selectionOf([]string{"old"})})
			if err != nil {
				t.Fatal(err)
			}
			logs = append(logs, math.Log(v.Value))
		}
		return logs
	}
	ofA, ofB := means(list[2:6]), means(list[6:])
	squares := 3*math.Pow(sdOf(ofA), 2) + 2*math.Pow(sdOf(ofB), 2)
	sd := math.Sqrt(squares / 5)
	all, err := Shifts(list[0], list[1], Alike{A: list[2:6], B: list[6:]}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := all[0].Values[0]
	half := stat.TQuantile(0.975, 5) * math.Sqrt2 * sd
	if got.Others != 7 || !nearly(got.Spread, sd) || !nearly(got.Change.Hi, got.Change.Value*math.Exp(half)) || !nearly(got.Change.Lo, got.Change.Value*math.Exp(-half)) {
		t.Errorf("change %v [%v, %v] by %d others that spread by %v, want half %v and spread %v", got.Change.Value, got.Change.Lo, got.Change.Hi, got.Others, got.Spread, half, sd)
	}
	few, _ := Shifts(list[0], list[1], Alike{A: list[2:5]}, nil)
	within, _ := Shifts(list[0], list[1], Alike{}, nil)
	if got := few[0].Values[0]; got.Others != 0 || got.P != within[0].Values[0].P || got.Change.Hi != within[0].Values[0].Change.Hi {
		t.Errorf("three other sessions are taken for enough: %+v", got)
	}
}

func anyMoved(all []MetricShifts) bool {
	return slices.ContainsFunc(all, func(m MetricShifts) bool {
		return slices.ContainsFunc(slices.Concat(m.Values, m.Ratios), Shift.Moved)
	})
}

func TestShiftsOfCountsThatNeverVary(t *testing.T) {
	of := func(x float64) *Result {
		s := newStudy(session.Metric{Name: "calls", Unit: "1"}, "version: old new")
		s.run("20261101T100000Z-m", "m", "randomized-blocks", 4, func(trialAt) outcome { return outcome{value: x} })
		return s.result()
	}
	for _, tt := range []struct {
		a, b  float64
		moved bool
	}{{100, 100, false}, {100, 101, true}, {0, 0, false}, {0, 1, true}} {
		all, err := Shifts(of(tt.a), of(tt.b), Alike{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := all[0].Values[0].Moved(); got != tt.moved {
			t.Errorf("from %v to %v: moved is %v, change %s", tt.a, tt.b, got, all[0].Values[0].Change.Text())
		}
	}
}

func TestShiftsRefuseWhatDoesNotMeanTheSame(t *testing.T) {
	a, _ := twoVersions(1, 4, 100, 1.5)
	other := newStudy(session.Metric{Name: "elapsed", Unit: "s"}, "version: old newest")
	other.run("20261101T100000Z-m", "m", "randomized-blocks", 4, func(trialAt) outcome { return outcome{value: 1} })
	all, err := Shifts(a, other.result(), Alike{}, nil)
	if err != nil || all[0].Refused != "its unit is ms on one side and s on the other" {
		t.Errorf("Shifts between ms and s = %+v, %v", all, err)
	}
	other.metrics[0].Unit = "ms"
	all, err = Shifts(a, other.result(), Alike{}, nil)
	if err != nil || !slices.Equal(all[0].OnlyA, []string{"version=new"}) || !slices.Equal(all[0].OnlyB, []string{"version=newest"}) || len(all[0].Values) != 1 {
		t.Errorf("Shifts with one treatment in common = %+v, %v", all, err)
	}
	third := newStudy(session.Metric{Name: "elapsed", Unit: "ms"}, "size: old new")
	third.run("20261101T100000Z-m", "m", "randomized-blocks", 4, func(trialAt) outcome { return outcome{value: 1} })
	if _, err := Shifts(a, third.result(), Alike{}, nil); err == nil {
		t.Error("Shifts of other factors gave no error")
	}
	if all, _ := Shifts(a, a, Alike{}, []string{"none"}); len(all) != 0 {
		t.Errorf("Shifts of no metric = %+v", all)
	}
}

// sdOf is the standard deviation, from its definition.
func sdOf(xs []float64) float64 {
	squares := 0.0
	for _, x := range xs {
		squares += math.Pow(x-average(xs), 2)
	}
	return math.Sqrt(squares / float64(len(xs)-1))
}
