package figure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// study makes data for tests: a session of randomized blocks, in which the
// value of each trial is what of says, times a noise of the given size.
type study struct {
	factors  []session.Factor
	metric   session.Metric
	blocks   int
	sessions []string // machine of each
	noise    float64
	of       func(levels []string) float64
	twice    bool // each treatment runs under two labels, A and B
	edit     func(*session.Row)
}

// pipelining is a study like a real one: two factors, six treatments.
func pipelining() study {
	return study{
		factors: []session.Factor{
			{Name: "communication", Levels: []string{"queue", "batched", "threaded"}},
			{Name: "sessions", Levels: []string{"1", "2"}, Numeric: true},
		},
		metric: session.Metric{Name: "elapsed", Unit: "ms", Better: "lower", From: "json"},
		blocks: 12, sessions: []string{"epyc"}, noise: 0.04,
		of: func(l []string) float64 {
			return map[string]float64{"queue1": 44, "queue2": 43, "batched1": 15, "batched2": 18, "threaded1": 46, "threaded2": 29}[l[0]+l[1]]
		},
	}
}

// cross is all combinations of levels, the first factor slowest.
func cross(factors []session.Factor) [][]string {
	all := [][]string{nil}
	for _, f := range factors {
		var next [][]string
		for _, t := range all {
			for _, l := range f.Levels {
				next = append(next, append(append([]string{}, t...), l))
			}
		}
		all = next
	}
	return all
}

func (s study) input() analysis.Input {
	in := analysis.Input{
		Experiment: "test", Factors: s.factors, Metrics: []session.Metric{s.metric}, Data: &session.Dataset{},
	}
	r := rand.New(rand.NewPCG(7, 7))
	for i, machine := range s.sessions {
		in.Data.Sessions = append(in.Data.Sessions, s.session(i, machine, r))
	}
	in.Data.Started = len(in.Data.Sessions)
	return in
}

func (s study) session(n int, machine string, r *rand.Rand) *session.Session {
	start := time.Date(2026, 11, 30, 12, 4, 0, 0, time.UTC).Add(time.Duration(n) * time.Hour)
	name := start.Format("20060102T150405Z") + "-" + machine
	one := &session.Session{Sealed: true, Info: session.Info{
		Format: 1, Session: name, Experiment: "test", Machine: machine, Purpose: "measure", Order: "randomized-blocks",
		Blocks: s.blocks, Factors: s.factors, Metrics: []session.Metric{s.metric}, Parts: []session.Part{{Part: 1}},
	}}
	treatments := cross(s.factors)
	for i, levels := range treatments {
		one.Treatments = append(one.Treatments, session.Treatment{Number: i + 1, Levels: levels, Identity: fmt.Sprint(i)})
	}
	labels := []string{""}
	if s.twice {
		labels = []string{"A", "B"}
	}
	trial := 0
	for b := 1; b <= s.blocks; b++ {
		for p, k := range r.Perm(len(treatments) * len(labels)) {
			trial++
			levels := treatments[k/len(labels)]
			planned := session.Planned{Trial: trial, Phase: "measured", Block: b, Position: p + 1,
				Treatment: k/len(labels) + 1, Control: labels[k%len(labels)], Levels: levels}
			row := session.Row{Planned: planned, Session: name, Machine: machine, Attempt: 1, Part: 1,
				Started: start.Add(time.Duration(trial) * time.Second), Status: session.OK,
				Metrics: []float64{s.of(levels) * math.Exp(s.noise*r.NormFloat64())}}
			if s.edit != nil {
				s.edit(&row)
			}
			one.Plan = append(one.Plan, planned)
			one.Rows = append(one.Rows, row)
		}
	}
	return one
}

func (s study) result() *analysis.Result { return analysis.Analyze(s.input()) }

// mustDraw is a figure that must be there.
func mustDraw(t *testing.T, r *analysis.Result, s Spec) *Figure {
	t.Helper()
	f, err := Draw(r, s)
	if err != nil {
		t.Fatalf("Draw(%s) of %s: %v", s.Kind, s.Metric, err)
	}
	return f
}
