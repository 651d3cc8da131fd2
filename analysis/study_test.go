package analysis

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// study builds datasets in memory: sessions of a crossing of factors, with
// numbers from a function.
type study struct {
	factors    []session.Factor
	metrics    []session.Metric
	treatments [][]string
	sessions   []*session.Session
	in         Input
}

// newStudy crosses factors, each written "name: a b c", the first slowest. A
// name that ends in ! is hard to change.
func newStudy(metric session.Metric, factors ...string) *study {
	s := &study{metrics: []session.Metric{metric}, treatments: [][]string{{}}}
	for _, f := range factors {
		name, levels, _ := strings.Cut(f, ": ")
		hard := strings.HasSuffix(name, "!")
		factor := session.Factor{Name: strings.TrimSuffix(name, "!"), Levels: strings.Fields(levels), HardToChange: hard}
		s.factors = append(s.factors, factor)
		var next [][]string
		for _, t := range s.treatments {
			for _, l := range factor.Levels {
				next = append(next, append(slices.Clone(t), l))
			}
		}
		s.treatments = next
	}
	return s
}

var elapsedMS = session.Metric{Name: "elapsed", Unit: "ms", Better: "lower", From: "json", Key: "elapsed_ms"}

// trialAt says where a simulated number stands.
type trialAt struct {
	block, position int
	levels          []string
	control         string
}

// outcome is what a simulated attempt gives; the zero Status is ok.
type outcome struct {
	value  float64
	status string
}

// run adds a session of blocks in the given order; of gives each trial's
// outcome. Positions within a block turn from block to block, so that no
// treatment is always first.
func (s *study) run(id, machine, order string, blocks int, of func(trialAt) outcome) *session.Session {
	ses := &session.Session{Sealed: true, Info: session.Info{
		Format: 1, Session: id, Experiment: "sim", Machine: machine, Purpose: "measure", Order: order, Blocks: blocks,
		Factors: s.factors, Metrics: s.metrics, Parts: []session.Part{{Part: 1, FirstTrial: 1, Started: "2026-11-30T10:00:00Z"}},
	}}
	for i, levels := range s.treatments {
		ses.Treatments = append(ses.Treatments, session.Treatment{Number: i + 1, Levels: levels, Identity: "id1"})
	}
	k := len(s.treatments)
	if order == "sequential" {
		for i := range k {
			for b := range blocks {
				s.add(ses, b+1, 0, i, "", of)
			}
		}
	} else {
		for b := range blocks {
			for p := range k {
				s.add(ses, b+1, b+1, (p+b)%k, "", of)
			}
		}
	}
	s.sessions = append(s.sessions, ses)
	return ses
}

// add appends one planned trial with one attempt. b is the round that the
// outcome is asked for, block the block that is recorded.
func (s *study) add(ses *session.Session, b, block, treatment int, control string, of func(trialAt) outcome) {
	n := len(ses.Plan) + 1
	p := session.Planned{Trial: n, Phase: "measured", Block: block, Position: n, Treatment: treatment + 1, Control: control, Levels: s.treatments[treatment]}
	ses.Plan = append(ses.Plan, p)
	o := of(trialAt{b, n, p.Levels, control})
	if o.status == "" {
		o.status = session.OK
	}
	if o.status == "unrun" {
		return
	}
	values := make([]float64, len(s.metrics))
	for i := range values {
		values[i] = math.NaN()
	}
	if judged(o.status) {
		values[0] = o.value
	}
	ses.Rows = append(ses.Rows, session.Row{
		Planned: p, Session: ses.Session, Machine: ses.Machine, Attempt: 1, Part: 1, Status: o.status, Metrics: values,
		Started: time.Date(2026, 11, 30, 10, 0, n, 0, time.UTC),
	})
}

// input is the study as an Input, without an experiment file.
func (s *study) input() Input {
	in := s.in
	in.Experiment, in.Factors, in.Metrics = "sim", s.factors, s.metrics
	in.Data = &session.Dataset{Sessions: s.sessions, Started: len(s.sessions)}
	return in
}

func (s *study) result() *Result { return Analyze(s.input()) }

// value is a function of treatments alone, with noise of a fixed pattern
// whose mean over five blocks is zero on the log scale.
func withNoise(of func(levels []string) float64, sd float64) func(trialAt) outcome {
	pattern := []float64{-1.2, 0.3, 1.1, -0.6, 0.4}
	return func(at trialAt) outcome {
		seed := 0
		for _, l := range at.levels {
			for _, c := range l {
				seed += int(c)
			}
		}
		return outcome{value: of(at.levels) * math.Exp(sd*pattern[(at.block*(1+seed%4)+seed)%5])}
	}
}

func sel(text string) expr.Selection {
	s, err := expr.ParseSelection(text)
	if err != nil {
		panic(err)
	}
	return s
}

func comparison(text string) expr.Comparison {
	c, err := expr.ParseComparison(text)
	if err != nil {
		panic(err)
	}
	return c
}

func expression(text string) *expr.Expr {
	e, err := expr.Parse(text)
	if err != nil {
		panic(err)
	}
	return e
}

// expect reads "ratio < 1", "value within 2..3", "ratio on both sides of 1".
func expect(text string) *Expect {
	e := &Expect{Src: text}
	words := strings.Fields(text)
	e.Of, e.Op = words[0], words[1]
	switch e.Op {
	case "on":
		e.Op = "both-sides"
	case "within":
		lo, hi, _ := strings.Cut(words[2], "..")
		e.Lo, _ = strconv.ParseFloat(lo, 64)
		e.Hi, _ = strconv.ParseFloat(hi, 64)
	default:
		e.Bound, _ = strconv.ParseFloat(words[2], 64)
	}
	return e
}

// near compares with a relative tolerance.
func near(got, want, tolerance float64) bool {
	if math.IsNaN(want) {
		return math.IsNaN(got)
	}
	return math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))
}

// table reads a CSV file of testdata as rows by column.
func table(t testing.TB, name string) []map[string]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, head := range rows[0] {
			m[head] = row[i]
		}
		all = append(all, m)
	}
	return all
}

func number(t testing.TB, text string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// mustCompare compares or fails.
func mustCompare(t *testing.T, r *Result, metric, text string) Comparison {
	t.Helper()
	c, err := r.Compare(metric, comparison(text))
	if err != nil {
		t.Fatalf("Compare(%q): %v", text, err)
	}
	return c
}

func mustValue(t *testing.T, r *Result, stat, metric, selection string) Estimate {
	t.Helper()
	e, err := r.Value(Query{Metric: metric, Stat: stat, Selection: sel(selection)})
	if err != nil {
		t.Fatalf("Value(%s %s %s): %v", stat, metric, selection, err)
	}
	return e
}

func hasWarning(e Estimate, code string) bool {
	for _, w := range e.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}

func ids(n int) string { return fmt.Sprintf("202611%02dT100000Z-m", n) }
