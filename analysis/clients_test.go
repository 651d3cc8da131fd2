package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/analysis/stat"
	"fieldbook/internal/session"
)

var fairness = session.Metric{Name: "fairness", Unit: "1", From: "clients", Reduce: "jain", Key: "calls", Per: "busy_ms"}

// served is a study of one treatment for each number of clients, in which
// client i of n takes busy(trial, i, n) ms for 100 calls. Clients start in the
// order that starts gives, a microsecond apart; nil: by number.
func served(levels string, blocks int, busy func(trial, i, n int) float64, starts func(trial, n int) []int) *study {
	s := newStudy(fairness, "clients: "+levels)
	s.factors[0].Numeric = true
	s.metrics = append(s.metrics,
		session.Metric{Name: "slowest", Unit: "ms", From: "clients", Reduce: "max", Key: "busy_ms"},
		session.Metric{Name: "done", Unit: "1", From: "clients", Reduce: "sum", Key: "calls"},
		session.Metric{Name: "span", Unit: "ms", From: "clients", Reduce: "span"},
		session.Metric{Name: "skew", Unit: "ms", From: "clients", Reduce: "start-skew"}, elapsedMS)
	ses := s.run(ids(1), "m", "randomized-blocks", blocks, func(trialAt) outcome { return outcome{value: 1} })
	rows := &ClientRows{Columns: []session.Column{{Name: "calls"}, {Name: "busy_ms", Unit: "ms"}}}
	for _, row := range ses.Rows {
		n := int(row.Levels[0][0] - '0')
		order := identity0(n)
		if starts != nil {
			order = starts(row.Trial, n)
		}
		for i := range n {
			ms := busy(row.Trial, i, n)
			start := int64(row.Trial)*1e9 + int64(slices.Index(order, i))*1000
			rows.Add(session.Client{Trial: row.Trial, Attempt: 1, Client: i, StartNS: start, FinishNS: start + int64(ms*1e6), Values: []float64{100, ms}})
		}
	}
	s.in.Clients = map[string]*ClientRows{ses.Session: rows}
	return s
}

func identity0(n int) []int {
	var all []int
	for i := range n {
		all = append(all, i)
	}
	return all
}

// unsteady are busy times around ms with a relative noise.
func unsteady(seed uint64, of func(trial, i, n int) float64, sd float64) func(trial, i, n int) float64 {
	return func(trial, i, n int) float64 {
		r := rand.New(rand.NewPCG(seed, uint64(trial*100+i)))
		return of(trial, i, n) * math.Exp(sd*r.NormFloat64())
	}
}

func even(int, int, int) float64 { return 50 }

func spreadOf(t *testing.T, s *study, metric, where string) []ClientSpread {
	t.Helper()
	all, err := s.result().ClientSpread(metric, sel(where))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The index of each trial by its plain formula, and from those mean and t
// interval of ln(1/J-1), written out.
func TestSpreadOverClientsIsThatOfTheFormulas(t *testing.T) {
	busy := unsteady(1, func(_, i, _ int) float64 { return 50 + 10*float64(i) }, 0.1)
	s := served("1 2 4", 12, busy, nil)
	all := spreadOf(t, s, "fairness", "")
	if len(all) != 2 || all[0].Clients != 2 || all[1].Clients != 4 || len(all[1].Trials) != 12 {
		t.Fatalf("%d treatments, want those of 2 and 4 clients with 12 trials each", len(all))
	}
	c := all[1]
	var y, ratio []float64
	for _, one := range c.Trials {
		sum, square := 0.0, 0.0
		for _, x := range one.Rates {
			sum, square = sum+x, square+x*x
		}
		y = append(y, math.Log(4*square/(sum*sum)-1))
		ratio = append(ratio, slices.Max(one.Rates)/slices.Min(one.Rates))
	}
	at := func(q float64) float64 { // of ln CV², one-sided
		m, v := average(y), 0.0
		for _, x := range y {
			v += (x - m) * (x - m) / 11
		}
		return m + stat.TQuantile(q, 11)*math.Sqrt(v/12)
	}
	for _, check := range []struct {
		what      string
		got, want float64
	}{
		{"CV", c.CV.Value, math.Exp(average(y) / 2)},
		{"CV from", c.CV.Lo, math.Exp(at(0.025) / 2)},
		{"CV to", c.CV.Hi, math.Exp(at(0.975) / 2)},
		{"one-sided limit of the CV", c.CVLimit, math.Exp(at(0.95) / 2)},
		{"J", c.Jain.Value, 1 / (1 + math.Exp(average(y)))},
		{"J from", c.Jain.Lo, 1 / (1 + math.Exp(at(0.975)))},
		{"largest over smallest", c.MaxMin.Value, stat.Quantile(ratio, 0.5)},
	} {
		if !near(check.got, check.want, 1e-9) {
			t.Errorf("%s is %v, want %v", check.what, check.got, check.want)
		}
	}
}

func TestTheSameClientFavouredIsFoundByItsNumber(t *testing.T) {
	slow := unsteady(2, func(_, i, _ int) float64 { return []float64{50, 50, 50, 60}[i] }, 0.02)
	shuffled := func(trial, n int) []int { return rand.New(rand.NewPCG(9, uint64(trial))).Perm(n) }
	c := spreadOf(t, served("4", 20, slow, shuffled), "fairness", "")[0]
	if c.ByNumber.P > 1e-6 || c.ByNumber.Slowest() != 3 || !slices.Equal(c.ByNumber.Favoured(), []int{0, 1, 2, 3}) {
		t.Errorf("by number p = %v, slowest %d, favoured or not %v; want client 3, which takes longer", c.ByNumber.P, c.ByNumber.Slowest(), c.ByNumber.Favoured())
	}
	if want := (1 / 60.0) / ((3/50.0 + 1/60.0) / 4); !near(c.ByNumber.Shares[3].Ratio.Value, want, 0.02) {
		t.Errorf("client 3 gets %v of the mean, want about %v", c.ByNumber.Shares[3].Ratio.Value, want)
	}
	if c.ByStart.P < 0.01 || len(c.ByStart.Favoured()) > 0 {
		t.Errorf("by the order of starting p = %v, favoured %v; want nothing seen", c.ByStart.P, c.ByStart.Favoured())
	}
}

func TestWhoStartsFirstFavouredIsFoundByTheOrderOfStarting(t *testing.T) {
	shuffled := func(trial, n int) []int { return rand.New(rand.NewPCG(9, uint64(trial))).Perm(n) }
	first := unsteady(3, func(trial, i, n int) float64 { return 50 + 8*float64(slices.Index(shuffled(trial, n), i)) }, 0.02)
	c := spreadOf(t, served("4", 20, first, shuffled), "fairness", "")[0]
	if c.ByStart.P > 1e-6 || c.ByStart.Slowest() != 3 || c.ByNumber.P < 0.01 {
		t.Errorf("by start p = %v, slowest place %d; by number p = %v; want the order of starting alone", c.ByStart.P, c.ByStart.Slowest(), c.ByNumber.P)
	}
}

// Friedman's test is that of stat.Friedman, counted where that is soon done and
// never below one in all rearrangements; the ratios are means with a t
// test, and they average to 1 over the clients.
func TestFavourAgainstItsParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, trials := rapid.IntRange(2, 5).Draw(t, "clients"), rapid.IntRange(5, 9).Draw(t, "trials")
		rows := make([][]float64, trials)
		for i := range rows {
			rows[i] = rapid.SliceOfN(rapid.Map(rapid.IntRange(1, 6), func(i int) float64 { return float64(i) }), n, n).Draw(t, "rates")
		}
		f, test := favourOf(rows), stat.Friedman(rows)
		ways := math.Pow(math.Gamma(float64(n+1)), float64(trials-1))
		want := math.Max(test.P, 1/ways)
		if p, why := stat.FriedmanExact(rows); why == "" && ways <= mostRearranged {
			want = p
		}
		if f.Refused != test.Refused || test.Refused == "" && !near(f.P, want, 1e-12) {
			t.Fatalf("Friedman %v %q, want %v %q", f.P, f.Refused, want, test.Refused)
		}
		total := 0.0
		for i, s := range f.Shares {
			total += s.Ratio.Value
			d := make([]float64, trials)
			for j, row := range rows {
				d[j] = row[i] / average(row)
			}
			if want := stat.PairedT(d, 1, confidence); !near(s.Ratio.Lo, want.Lo, 1e-9) || !stat.Constant(d) && !near(s.P, want.P, 1e-9) {
				t.Fatalf("client %d: from %v with p %v, want %v and %v", i, s.Ratio.Lo, s.P, want.Lo, want.P)
			}
		}
		if !near(total, float64(n), 1e-9) {
			t.Fatalf("the shares of %d clients add up to %v", n, total)
		}
	})
}

// Of two clients one is ahead in each of so many trials: that is once in
// 2^(trials-1), and no less.
func TestTwoClientsAlwaysInOneOrder(t *testing.T) {
	for _, trials := range []int{6, 40} {
		c := spreadOf(t, served("2", trials, func(_, i, _ int) float64 { return 50 + float64(i) }, nil), "fairness", "")[0]
		if want := math.Pow(2, float64(1-trials)); !near(c.ByNumber.P, want, 1e-15) || c.ByNumber.W < 1-1e-12 {
			t.Errorf("%d trials: p = %v, want %v", trials, c.ByNumber.P, want)
		}
	}
}

// Eight clients that are served alike with 10 % noise have an index of 0.9913
// on average, with 30 % one of about 0.925.
func TestJainOfNoiseAlone(t *testing.T) {
	for sd, want := range map[float64]float64{0.1: 0.9913, 0.3: 0.925} {
		c := spreadOf(t, served("8", 200, unsteady(4, even, sd), nil), "fairness", "")[0]
		mean := 0.0
		for _, one := range c.Trials {
			mean += stat.Jain(one.Rates) / 200
		}
		if math.Abs(c.NoiseJain-want) > 0.004 || math.Abs(c.NoiseJain-mean) > 0.004 {
			t.Errorf("noise %v: %v, want about %v; the trials have %v", sd, c.NoiseJain, want, mean)
		}
	}
	c := spreadOf(t, served("4", 100, unsteady(5, func(_, i, _ int) float64 { return 50 * float64(1+i) }, 0.05), nil), "fairness", "")[0]
	if c.NoiseJain < 0.99 || c.Jain.Value > 0.9 {
		t.Errorf("J = %v, from noise alone %v; favour is no noise", c.Jain.Value, c.NoiseJain)
	}
}

func TestClientsThatStarve(t *testing.T) {
	s := served("4", 10, unsteady(6, func(trial, i, _ int) float64 {
		if i == 2 && trial%5 == 0 {
			return 500
		}
		return 50
	}, 0.02), nil)
	c := spreadOf(t, s, "fairness", "")[0]
	if !slices.Equal(c.Starved, []Starved{{2, 2}}) {
		t.Errorf("starved %v, want client 2 in two trials", c.Starved)
	}
	rows := s.in.Clients[ids(1)]
	rows.Values[2*3] = 0 // client 3 of the first trial did no call
	c = spreadOf(t, s, "fairness", "")[0]
	if !slices.Equal(c.Starved, []Starved{{2, 2}, {3, 1}}) || !strings.Contains(c.MaxMin.Refused, "a client got nothing in trial 1") || math.IsNaN(c.ByNumber.P) {
		t.Errorf("starved %v, largest over smallest %q, favour %v", c.Starved, c.MaxMin.Refused, c.ByNumber.P)
	}
	if !math.IsNaN(c.NoiseJain) {
		t.Errorf("noise alone gives %v, and there is no logarithm of 0", c.NoiseJain)
	}
}

func TestWhatHasNoFairness(t *testing.T) {
	s := served("1 4", 6, unsteady(7, even, 0.1), nil)
	for metric, want := range map[string]string{
		"elapsed": "elapsed is one number a trial, and no metric over clients; it takes `from: clients`",
		"skew":    "skew is of the starts alone, and no client gets more or less of it; name a metric of what clients did",
		"spam":    `unknown metric "spam"; did you mean "span"?`,
	} {
		if _, err := s.result().ClientSpread(metric, nil); err == nil || err.Error() != want {
			t.Errorf("ClientSpread(%s): %v, want %s", metric, err, want)
		}
	}
	s.metrics[0].Per = ""
	if _, err := s.result().ClientSpread("fairness", nil); err == nil || !strings.Contains(err.Error(), "equal counts say nothing about fairness") {
		t.Errorf("ClientSpread of jain without a rate: %v", err)
	}
}

// Each client makes the same number of calls: that they are equal is no
// finding.
func TestSharesThatAreEqualByConstructionAreRefused(t *testing.T) {
	c := spreadOf(t, served("4", 6, unsteady(7, even, 0.1), nil), "done", "")[0]
	for _, why := range []string{c.Refused, c.Jain.Refused, c.CV.Refused, c.ByNumber.Refused, c.ByStart.Refused} {
		if !strings.HasPrefix(why, TrivialFairness+": all clients have the same calls in every trial") {
			t.Errorf("%q, want a refusal with %s", why, TrivialFairness)
		}
	}
	if c := spreadOf(t, served("4", 6, even, nil), "fairness", "")[0]; !strings.HasPrefix(c.Refused, TrivialFairness) {
		t.Errorf("a rate that never differs: %q", c.Refused)
	}
}

func TestRatesOfTimesAndSpans(t *testing.T) {
	s := served("4", 6, unsteady(8, even, 0.1), nil)
	rate := spreadOf(t, s, "fairness", "")[0]
	for _, metric := range []string{"slowest", "span"} {
		c := spreadOf(t, s, metric, "")[0]
		if !near(c.Jain.Value, rate.Jain.Value, 1e-6) {
			t.Errorf("J of %s is %v, want %v as of the rate, since each client makes 100 calls", metric, c.Jain.Value, rate.Jain.Value)
		}
	}
	if got := s.result().ClientMetric(); got != "fairness" {
		t.Errorf("the metric of clients is %q, want that with a rate", got)
	}
}

func TestTrialsWithoutAllClientsAreLeftOut(t *testing.T) {
	s := served("4", 8, unsteady(9, even, 0.1), nil)
	rows := s.in.Clients[ids(1)]
	rows.Values[1] = math.NaN() // client 0 of trial 1 reported no time
	rows.Client[7] = 2          // client 3 of trial 2 is missing
	s.sessions[0].Rows[2].Status = session.Failed
	c := spreadOf(t, s, "fairness", "")[0]
	if len(c.Trials) != 5 || c.LeftOut != 2 {
		t.Errorf("%d trials, %d left out; want 5 and 2", len(c.Trials), c.LeftOut)
	}
	rows.Start[4*4+1] = rows.Start[4*4] // two clients of trial 5 start at once
	c = spreadOf(t, s, "fairness", "")[0]
	if c.ByStart.Refused != "two clients started at once in trial 5: there is no order of starting" || c.ByNumber.Refused != "" {
		t.Errorf("by start %q, by number %q", c.ByStart.Refused, c.ByNumber.Refused)
	}
}

func TestFewTrialsHaveNoIntervalOverTrials(t *testing.T) {
	c := spreadOf(t, served("4", 4, unsteady(9, even, 0.1), nil), "fairness", "")[0]
	if !strings.Contains(c.Jain.Refused, "5 trials") || !math.IsNaN(c.CVLimit) || c.ByNumber.Refused == "" {
		t.Errorf("J %q, limit %v, favour %q; five trials are the least", c.Jain.Refused, c.CVLimit, c.ByNumber.Refused)
	}
	if got := spreadOf(t, served("1", 8, even, nil), "fairness", ""); len(got) != 0 {
		t.Errorf("%d treatments, want none: one client is alone", len(got))
	}
	if s := newStudy(fairness, "clients: 1 2"); s.result().HasClients() || s.result().ClientMetric() != "fairness" {
		t.Error("an experiment without data has clients")
	}
}
