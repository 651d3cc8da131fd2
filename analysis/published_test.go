package analysis

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// pipelining is the study of two ways of talking to a server, with the
// published numbers of 2004 and no data of today.
func pipelining(t *testing.T) Input {
	in := Input{
		Experiment: "pipelining",
		Factors: []session.Factor{
			{Name: "communication", Levels: []string{"queue", "batched", "threaded"}}, {Name: "sessions", Levels: []string{"1", "2"}, Numeric: true},
			{Name: "workers", Levels: []string{"2", "8", "32"}, Numeric: true}, {Name: "placement", Levels: []string{"one-cpu", "two-cpus", "apart"}, HardToChange: true},
		},
		Metrics:   []session.Metric{{Name: "elapsed", Unit: "ms", Better: "lower", From: "json"}},
		Published: &Published{Source: "2004, sums of ten runs"},
	}
	for i, row := range table(t, "published.csv") {
		n, _ := strconv.Atoi(row["n"])
		in.Published.Rows = append(in.Published.Rows, PublishedRow{
			Machine: row["machine"], Levels: map[string]string{"communication": row["communication"], "sessions": row["sessions"], "workers": ""},
			Metric: row["metric"], Value: number(t, row["value"]), Unit: row["unit"], Aggregate: row["aggregate"], N: n, Line: i + 2,
		})
	}
	return in
}

const uni, dual, slow = "uni-celeron-1700", "dual-p4-700-domino-host", "dual-pii-350"

// pipeliningClaims are those of the study of 2004.
func pipeliningClaims() []Claim {
	c := func(text string) *expr.Comparison { c := comparison(text); return &c }
	two := sel("workers=2 communication=queue,threaded")
	placement := []string{"placement"}
	return []Claim{
		{Name: "D1", Metric: "elapsed", Compare: c("communication=queue / communication=threaded"), AllPairs: true, Where: sel("workers=2"), ForEach: placement, Expect: expect("ratio < 1")},
		{Name: "D2", Metric: "elapsed", Compare: c("communication=queue sessions=2 / other"), Where: two, ForEach: placement, Expect: expect("ratio < 1")},
		{Name: "D3", Metric: "elapsed", Compare: c("sessions=2 / sessions=1"), Where: sel("communication=queue workers=2"), ForEach: placement, Expect: expect("ratio within 0.90..1.11")},
		{Name: "D4", Metric: "elapsed", Compare: c("communication=threaded sessions=1 / other"), Where: append(two, sel("placement=apart,two-cpus")...), ForEach: placement, Machines: []string{uni, dual}, Expect: expect("ratio > 1")},
		{Name: "D5", Metric: "elapsed", Compare: c("communication=threaded sessions=2 / other"), Where: append(slices.Clone(two), sel("placement=one-cpu")...), Machines: []string{slow}, Expect: expect("ratio > 1")},
		{Name: "D6", Metric: "elapsed", Compare: c("sessions=1 / sessions=2"), Where: sel("communication=threaded workers=2"), ForEach: placement, Expect: expect("ratio on both sides of 1")},
		{Name: "D7", Metric: "elapsed", Compare: c("communication=threaded sessions=2 / communication=queue sessions=2"), Against: c("communication=threaded sessions=1 / communication=queue sessions=1"), Where: sel("workers=2"), ForEach: placement, Expect: expect("ratio > 1")},
		{Name: "D8", AllOf: []string{"D8-best", "D8-threaded"}},
		{Name: "D8-best", Metric: "elapsed", Compare: c("communication=queue sessions=1 / other"), Where: two, ForEach: placement, Expect: expect("ratio < 1.10")},
		{Name: "D8-threaded", Metric: "elapsed", Compare: c("communication=queue sessions=1 / communication=threaded"), AllPairs: true, Where: sel("workers=2"), ForEach: placement, Expect: expect("ratio < 1")},
		{Name: "D9", Untested: "a fact of the old schedule"},
	}
}

// The verdicts that the study's own arithmetic gives.
func TestClaimsOnPublishedNumbers(t *testing.T) {
	in := pipelining(t)
	in.Claims = pipeliningClaims()
	r := Analyze(in)
	want := map[string]struct {
		verdict Verdict
		words   string
		values  map[string]float64
	}{
		"D1":          {Holds, "holds on 3 of 3 machines", map[string]float64{uni: 42423.0 / 47722, dual: 40155.0 / 51767}},
		"D2":          {Holds, "holds on 3 of 3 machines", nil},
		"D3":          {Fails, "fails: holds on 2 of 3 machines", map[string]float64{uni: 1 / 1.240, dual: 1 / 1.068, slow: 1 / 1.052}},
		"D4":          {Holds, "holds on 2 of 2 machines", map[string]float64{uni: 1.127, dual: 1.024}},
		"D5":          {Holds, "holds on 1 of 1 machine", map[string]float64{slow: 1.163}},
		"D6":          {Holds, "holds on 3 of 3 machines", map[string]float64{uni: 1.127, dual: 1.024, slow: 0.860}},
		"D7":          {Holds, "holds on 3 of 3 machines", map[string]float64{uni: 1.395 / 1.267, dual: 1.377 / 1.321, slow: 1.553 / 1.270}},
		"D8":          {Fails, "fails: holds on 2 of 3 machines", nil},
		"D8-best":     {Fails, "fails: holds on 2 of 3 machines", map[string]float64{uni: 1.240, dual: 1.068, slow: 1.052}},
		"D8-threaded": {Holds, "holds on 3 of 3 machines", nil},
		"D9":          {NotStated, "not stated", nil},
	}
	for _, c := range r.Claims {
		w := want[c.Claim.Name]
		if c.PublishedVerdict != w.verdict || c.PublishedWords() != w.words {
			t.Errorf("%s: %s, %q, want %s, %q: %v", c.Claim.Name, c.PublishedVerdict, c.PublishedWords(), w.verdict, w.words, c.PublishedParts)
		}
		for _, p := range c.PublishedParts {
			if v, ok := w.values[p.Machine]; ok && !near(p.Value, v, 1e-3) {
				t.Errorf("%s on %s: %v, want %.3f", c.Claim.Name, p.Machine, p.Value, v)
			}
		}
		if c.Verdict != NotJudged {
			t.Errorf("%s: %s without any data of today", c.Claim.Name, c.Verdict)
		}
	}
}

func publishedValue(t *testing.T, r *Result, stat, selection string) Estimate {
	t.Helper()
	e, err := r.PublishedValue(Query{Metric: "elapsed", Stat: stat, Selection: sel(selection)})
	if err != nil {
		t.Fatalf("PublishedValue(%s %s): %v", stat, selection, err)
	}
	return e
}

func TestPublishedValues(t *testing.T) {
	r := Analyze(pipelining(t))
	tests := []struct{ stat, selection, text string }{
		{"", "machine=uni-celeron-1700 communication=queue sessions=1", "4242.3 ms"},
		{"value", "machine=uni-celeron-1700 communication=queue sessions=1", "42423 ms"},
		{"sum", "machine=uni-celeron-1700 communication=queue sessions=1 workers=2 placement=apart", "42423 ms"},
		{"mean", "machine=uni-celeron-1700 communication=queue sessions=1", "4242.3 ms"},
		{"n", "machine=uni-celeron-1700 communication=queue sessions=1", "10"},
		{"median", "machine=uni-celeron-1700 communication=queue sessions=1", "n/a (the earlier study states a sum of 10 runs, from which no median can be had)"},
		{"", "communication=queue sessions=1", "n/a (several machines were published: name machine=dual-p4-700-domino-host, machine=dual-pii-350 or machine=uni-celeron-1700)"},
		{"", "machine=dual-pii-350 communication=queue", "n/a (sessions is open: name sessions=1 or sessions=2)"},
		{"", "machine=dual-pii-350 communication=batched", "n/a (not stated)"},
	}
	for _, tt := range tests {
		e := publishedValue(t, r, tt.stat, tt.selection)
		if got := e.Text(); got != tt.text {
			t.Errorf("%s %s: %q, want %q", tt.stat, tt.selection, got, tt.text)
		}
		if !math.IsNaN(e.Lo) || !math.IsNaN(e.Hi) {
			t.Errorf("%s %s: an interval [%v, %v] was made up", tt.stat, tt.selection, e.Lo, e.Hi)
		}
	}
	if _, err := r.PublishedValue(Query{Metric: "elapsed", Selection: sel("machine=vax")}); err == nil {
		t.Error("an unknown published machine is no error")
	}
}

func TestPublishedNumbersHaveNoInterval(t *testing.T) {
	r := Analyze(pipelining(t))
	e := publishedValue(t, r, "", "machine=dual-pii-350 communication=queue sessions=1")
	if got, want := e.IntervalText(), "n/a (an earlier study's number: a sum of 10 runs; it states no spread, and none is made up)"; got != want {
		t.Errorf("IntervalText = %q, want %q", got, want)
	}
}

func TestPublishedRatios(t *testing.T) {
	in := pipelining(t)
	tests := []struct {
		text string
		want float64
		why  string
	}{
		{"sessions=1 / sessions=2 where communication=queue machine=uni-celeron-1700", 1.240, ""},
		{"sessions=1 / sessions=2 where communication=threaded machine=dual-pii-350 workers=2", 0.860, ""},
		{"communication=threaded / communication=queue where sessions=1,2 machine=uni-celeron-1700", 1.329, ""}, // geometric mean
		{"communication=threaded / communication=queue where sessions=1", math.NaN(), "several machines"},
		{"communication=threaded / communication=queue where machine=dual-pii-350", math.NaN(), "sessions is open"},
		{"workers=8 / workers=2 where communication=queue sessions=1 machine=dual-pii-350", math.NaN(), "does not tell the sides apart"},
	}
	r := Analyze(in)
	for _, tt := range tests {
		e, err := r.PublishedRatio("elapsed", comparison(tt.text))
		if err != nil {
			t.Fatalf("%s: %v", tt.text, err)
		}
		if !near(e.Value, tt.want, 1e-3) || !strings.Contains(e.Refused, tt.why) || !math.IsNaN(e.Lo) {
			t.Errorf("%s: %v %q, want %v %q", tt.text, e.Value, e.Refused, tt.want, tt.why)
		}
	}
	in.Published.Rows[0].N = 0
	e, err := Analyze(in).PublishedRatio("elapsed", comparison("sessions=1 / sessions=2 where communication=queue machine=uni-celeron-1700"))
	if err != nil || !strings.Contains(e.Refused, "number of runs that is not stated") {
		t.Errorf("a sum of unknown runs: %v %q, %v", e.Value, e.Refused, err)
	}
}

func TestPublishedRanks(t *testing.T) {
	all, err := Analyze(pipelining(t)).PublishedNumbers("elapsed")
	if err != nil || len(all) != 12 {
		t.Fatalf("%d numbers, %v", len(all), err)
	}
	var order []string
	for _, n := range all[8:] {
		order = append(order, n.Levels["communication"][:1]+n.Levels["sessions"])
	}
	if got := strings.Join(order, "<"); got != "q2<q1<t1<t2" || all[11].Rank != 4 || all[11].Machine != slow {
		t.Errorf("order on the slow machine %s, want q2<q1<t1<t2", got)
	}
}

func TestPublishedFormulasAndUnits(t *testing.T) {
	in := Input{
		Factors:   []session.Factor{{Name: "clients", Levels: []string{"1", "4"}, Numeric: true}},
		Constants: []session.Constant{{Name: "calls", Value: "1000"}},
		Metrics: []session.Metric{
			{Name: "completion", Unit: "s"}, {Name: "accumulated", Unit: "s"}, {Name: "per_call", Unit: "ms"}, {Name: "evenness", Unit: "1"}, {Name: "lost", Unit: "B"},
		},
		Formulas: map[string]*expr.Expr{
			"per_call": expression("completion * 1000 / calls"), "evenness": expression("accumulated / (clients * completion)"),
		},
		Published: &Published{Rows: []PublishedRow{
			{Levels: map[string]string{"clients": "4"}, Metric: "completion", Value: 5500, Unit: "ms"},
			{Levels: map[string]string{"clients": "4"}, Metric: "accumulated", Value: 20, Unit: "s"},
			{Levels: map[string]string{"clients": "4"}, Metric: "lost", Value: 20, Unit: "s"},
		}},
		Claims: []Claim{
			{Name: "even", Metric: "evenness", Where: sel("clients=4"), Expect: expect("value within 0.90..1.00")},
			{Name: "slow", Metric: "completion", Where: sel("clients=4"), Expect: expect("value < 5.5")},
			{Name: "tail", Metric: "completion", Stat: "p99", Where: sel("clients=4"), Expect: expect("value < 50")},
			{Name: "bound", Always: expression("completion <= accumulated")},
			{Name: "lost", Metric: "lost", Where: sel("clients=4"), Expect: expect("value < 50")},
		},
	}
	r := Analyze(in)
	for i, want := range []Verdict{Holds, Fails, NotStated, Holds, NotStated} {
		if got := r.Claims[i].PublishedVerdict; got != want {
			t.Errorf("%s: %s, want %s: %v", r.Claims[i].Claim.Name, got, want, r.Claims[i].PublishedParts)
		}
	}
	per, err := r.PublishedValue(Query{Metric: "per_call", Selection: sel("clients=4")})
	if err != nil || !near(per.Value, 5.5, 1e-12) || per.Unit != "ms" {
		t.Errorf("per call %v %s %q, %v, want 5.5 ms", per.Value, per.Unit, per.Refused, err)
	}
	even, _ := r.PublishedValue(Query{Metric: "evenness", Selection: sel("clients=4")})
	if !near(even.Value, 20/22.0, 1e-12) {
		t.Errorf("evenness %v, want 20/22", even.Value)
	}
}

func TestConvert(t *testing.T) {
	for _, tt := range []struct {
		x        float64
		from, to string
		want     float64
	}{
		{42423, "ms", "s", 42.423}, {5.5, "ms", "us", 5500}, {2, "min", "s", 120}, {12, "%", "1", 0.12}, {3, "KiB", "B", 3072}, {5, "widgets", "widgets", 5},
	} {
		if got, ok := convert(tt.x, tt.from, tt.to); !ok || !near(got, tt.want, 1e-15) {
			t.Errorf("convert(%v %s to %s) = %v, %v, want %v", tt.x, tt.from, tt.to, got, ok, tt.want)
		}
	}
	if _, ok := convert(1, "ms", "B"); ok {
		t.Error("milliseconds were turned into bytes")
	}
}

// Both sides of 1 may lie at two levels of one machine.
func TestBothSidesOnPublishedLevels(t *testing.T) {
	in := pipelining(t)
	in.Published.Rows = in.Published.Rows[:4]
	in.Published.Rows[2].Value = 30000 // threaded over one session: faster than over two
	in.Claims = []Claim{{Name: "c", Metric: "elapsed", Compare: ptr(comparison("sessions=1 / sessions=2")), ForEach: []string{"communication"}, Expect: expect("ratio on both sides of 1")}}
	if c := Analyze(in).Claims[0]; c.PublishedVerdict != Holds || len(c.PublishedParts) != 2 {
		t.Errorf("%s %v", c.PublishedVerdict, c.PublishedParts)
	}
}
