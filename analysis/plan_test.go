package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"fieldbook/analysis/stat"
)

// pilot is a study of n blocks whose log ratio of new over old has noise of a
// fixed seed, with the claims given.
func pilot(n int, claims ...Claim) (*Result, []float64) {
	g := rand.New(rand.NewPCG(11, 2))
	var d []float64
	s := newStudy(elapsedMS, "version: old new")
	noise := map[int]float64{}
	s.run(ids(1), "m", "randomized-blocks", n, func(at trialAt) outcome {
		if _, ok := noise[at.block]; !ok {
			noise[at.block] = 0.05 * g.NormFloat64()
			d = append(d, noise[at.block])
		}
		if at.levels[0] == "new" {
			return outcome{value: 100 * math.Exp(noise[at.block])}
		}
		return outcome{value: 100}
	})
	s.in.Claims = claims
	return s.result(), d
}

func planned(text string) Claim {
	return Claim{Name: "c", Metric: "elapsed", Compare: ptr(comparison("version=new / version=old")), Expect: expect(text)}
}

// only is the one part of the only claim.
func only(t *testing.T, all []ClaimNeed) Need {
	t.Helper()
	if len(all) != 1 || len(all[0].Parts) != 1 {
		t.Fatalf("%+v, want one claim of one part", all)
	}
	return all[0].Parts[0]
}

// The number of blocks is the least at which the t interval is narrow enough,
// by trying them one after the other, at the upper limit of the pilot's
// standard deviation. R 4.2: s*sqrt(9/qchisq(0.2,9)) is 1.293 s.
func TestPlanForPrecision(t *testing.T) {
	r, d := pilot(10, planned("ratio < 1"))
	n := only(t, r.Plan(PlanGoal{Precision: 0.03}))
	sd := stat.Summarize(d).SD
	if !near(n.SD, sd, 1e-9) || !near(n.Upper, 1.2934*sd, 1e-3) || n.N != 10 || n.Unit != "block" {
		t.Errorf("%+v, want sd %v and its limit %v", n, sd, 1.2934*sd)
	}
	want := 3
	for ; stat.TQuantile(0.975, float64(want-1))*n.Upper/math.Sqrt(float64(want)) > math.Log(1.03); want++ {
	}
	if n.Blocks != want {
		t.Errorf("%d blocks, want %d", n.Blocks, want)
	}
	if half := stat.TQuantile(0.975, 9) * sd / math.Sqrt(10); !near(n.HalfWidth, math.Expm1(half), 1e-9) {
		t.Errorf("reached ±%v, want %v", n.HalfWidth, math.Expm1(half))
	}
}

// verdicts is in how many of 4,000 simulated experiments of n blocks the claim
// is supported, if the log ratio is theta and blocks have spread sd.
func verdicts(t *testing.T, c Claim, n int, theta, sd float64) float64 {
	t.Helper()
	g := rand.New(rand.NewPCG(5, uint64(n)))
	target := newTarget(c.Expect, math.Log)
	supported := 0
	for range 4000 {
		d := make([]float64, n)
		for i := range d {
			d[i] = theta + sd*g.NormFloat64()
		}
		l := pairedLine(d, "paired t over blocks")
		if target.judge(l.interval(confidence), l.interval(0.90)) == Supported {
			supported++
		}
	}
	return float64(supported) / 4000
}

// With the blocks planned, a simulated claim is decided as often as the power
// says, and with one fewer not.
func TestPlanForPowerHoldsInSimulation(t *testing.T) {
	for _, tt := range []struct {
		expect string
		effect float64
		theta  float64 // the truth that is planned for
		truth  string
	}{
		{"ratio < 1.1", 0, 0, "if there is no difference"},
		{"ratio < 1", 0.06, -math.Log(1.06), "if it is 6 % off its bound"},
		{"ratio > 1", 0.06, math.Log(1.06), "if it is 6 % off its bound"},
		{"ratio within 0.93..1.08", 0, 0, "if there is no difference"},
		{"ratio within 0.9..1.1", 0.03, math.Log(1.03), "if the difference is 3 %"},
		{"ratio within 1.1..1.3", 0, (math.Log(1.1) + math.Log(1.3)) / 2, "if it is amid its margin"},
	} {
		c := planned(tt.expect)
		r, _ := pilot(12, c)
		n := only(t, r.Plan(PlanGoal{Power: 0.8, Effect: tt.effect}))
		if n.Refused != "" || n.If != tt.truth {
			t.Errorf("%s: %+v, want a plan %s", tt.expect, n, tt.truth)
			continue
		}
		if got := verdicts(t, c, n.Blocks, tt.theta, n.Upper); got < 0.78 {
			t.Errorf("%s: %d blocks decide %.1f %% of experiments, want 80", tt.expect, n.Blocks, 100*got)
		}
		if got := verdicts(t, c, n.Blocks-1, tt.theta, n.Upper); n.Blocks > 5 && got > 0.82 {
			t.Errorf("%s: %d blocks already decide %.1f %%", tt.expect, n.Blocks-1, 100*got)
		}
	}
}

func TestPlanSaysWhyNot(t *testing.T) {
	always := Claim{Name: "c", Metric: "elapsed", Always: expression("elapsed > 0")}
	median := Claim{Name: "c", Metric: "elapsed", Stat: "median", Where: sel("version=new"), Expect: expect("value < 200")}
	value := Claim{Name: "c", Metric: "elapsed", Where: sel("version=new"), Expect: expect("value < 200")}
	precision, power := PlanGoal{Precision: 0.03}, PlanGoal{Power: 0.8}
	for _, tt := range []struct {
		blocks int
		claim  Claim
		goal   PlanGoal
		want   string
	}{
		{4, planned("ratio < 1"), precision, "a plan takes a pilot of 5 blocks, and there are 4"},
		{10, always, precision, "no number of them proves it"},
		{10, median, precision, "a median or percentile has no spread"},
		{10, planned("ratio < 1"), power, "its bound is no difference: name by --effect"},
		{10, value, power, "a value has no natural distance from its bound"},
		{10, planned("ratio within 0.9..1.1"), PlanGoal{Power: 0.8, Effect: 0.2}, "an effect of 20 % is no smaller than the margin"},
		{10, Claim{Name: "c", Untested: "too dear"}, precision, "too dear"},
		{10, planned("ratio < 1"), PlanGoal{Precision: 1e-5}, "more than 5000 blocks"},
	} {
		r, _ := pilot(tt.blocks, tt.claim)
		if n := only(t, r.Plan(tt.goal)); !strings.Contains(n.Refused, tt.want) || n.Blocks != 0 {
			t.Errorf("%+v, want a refusal with %q", n, tt.want)
		}
	}
}

// Where nothing is paired the rounds of all treatments are planned: at their
// number of trials a side the interval is as narrow as asked for.
func TestPlanWithoutBlocks(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 3))
	s := newStudy(elapsedMS, "version: old new")
	s.run(ids(1), "m", "sequential", 20, func(trialAt) outcome { return outcome{value: math.Exp(0.05 * g.NormFloat64())} })
	s.in.Claims = []Claim{planned("ratio < 2")}
	n := only(t, s.result().Plan(PlanGoal{Precision: 0.02}))
	if n.N != 20 || n.Blocks < 20 {
		t.Fatalf("%+v, want 20 rounds recorded", n)
	}
	each := n.Upper / math.Sqrt2 // of a trial: the variance of a difference of two
	if half := stat.TQuantile(0.975, 2*float64(n.Blocks-1)) * each * math.Sqrt(2/float64(n.Blocks)); math.Abs(math.Expm1(half)-0.02) > 0.0005 {
		t.Errorf("%d rounds give ±%.4f, want 0.02", n.Blocks, math.Expm1(half))
	}
}

// The parts of a claim and the one that takes most.
func TestPlanNamesTheWorstPart(t *testing.T) {
	s := newStudy(elapsedMS, "version: old new", "size: 1 2")
	s.run(ids(1), "m", "randomized-blocks", 10, withNoise(func([]string) float64 { return 100 }, 0.05))
	quiet := s.sessions[0]
	for i := range quiet.Rows { // size 2 is nearly without noise
		if row := &quiet.Rows[i]; row.Levels[1] == "2" {
			row.Metrics[0] = 100 + 0.01*float64(row.Block*row.Treatment%5)
		}
	}
	s.in.Claims = []Claim{{Name: "c", Metric: "elapsed", Compare: ptr(comparison("version=new / version=old")), ForEach: []string{"size"}, Expect: expect("ratio < 1.2")}}
	all := s.result().Plan(PlanGoal{Precision: 0.01})
	if len(all[0].Parts) != 2 || all[0].Worst != 0 || all[0].Parts[0].Part != "size=1" || all[0].Parts[1].Blocks != 3 {
		t.Errorf("%+v, want size=1 to take most", all)
	}
}

// Kalibera and Jones on a made-up experiment: samples have standard deviation
// 20 within trials, trials 5 among themselves; a sample costs 1, a trial 100,
// so that sqrt(100 * 400/25) = 40 samples a trial are the cheapest.
func TestSplitNoise(t *testing.T) {
	g := rand.New(rand.NewPCG(8, 1))
	var of []Sampled
	for range 4 {
		one := Sampled{Sample: 1, Trial: 100}
		for range 300 {
			centre := 100 + 5*g.NormFloat64()
			var xs []float64
			for range 50 {
				xs = append(xs, centre+20*g.NormFloat64())
			}
			one.Trials = append(one.Trials, xs)
		}
		of = append(of, one)
	}
	s := SplitNoise("rtt", of)
	if s.Refused != "" || math.Abs(s.Within-0.2) > 0.005 || math.Abs(s.Between-0.05) > 0.005 || math.Abs(s.Best-40) > 5 || s.Samples != 50 || s.Trials != 300 {
		t.Errorf("%+v, want 0.20 within, 0.05 between, 40 samples a trial", s)
	}
	if s := SplitNoise("rtt", []Sampled{{Trials: [][]float64{{1, 2}}}}); s.Refused == "" {
		t.Errorf("one trial: %+v", s)
	}
}

func TestSmallestMarginAndHalfWidth(t *testing.T) {
	r, d := pilot(10, planned("ratio < 1"))
	p := r.Claims[0].Parts[0]
	want := math.Exp(stat.TOST(d, -1, 1, 0.90).Smallest)
	if !near(p.SmallestMargin(), want, 1e-9) {
		t.Errorf("smallest margin %v, want %v", p.SmallestMargin(), want)
	}
	for _, e := range []Estimate{
		{Estimate: stat.Estimate{Value: 1, Lo: 0.8, Hi: 1.25}, Kind: Ratio},
		{Estimate: stat.Estimate{Value: 10, Lo: 8, Hi: 12.5}, Stat: "geomean"},
		{Estimate: stat.Estimate{Value: 0, Lo: -math.Log(1.25), Hi: math.Log(1.25)}, Kind: Slope},
		{Estimate: stat.Estimate{Value: 0, Lo: -0.2, Hi: 0.25}, Stat: "deviation"},
		{Estimate: stat.Estimate{Value: 100, Lo: 75, Hi: 125}, Stat: "mean"},
	} {
		if got := e.RelativeHalfWidth(); !near(got, 0.25, 1e-12) {
			t.Errorf("%v %s: half-width %v, want 0.25", e.Kind, e.Stat, got)
		}
	}
}
