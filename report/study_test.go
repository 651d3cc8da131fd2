package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// study makes data for tests: sessions of randomized blocks, in which the
// value of each trial is what of says, times some noise.
type study struct {
	name      string
	title     string
	question  string
	factors   []session.Factor
	metrics   []session.Metric
	blocks    int
	machines  []string // one session each
	noise     float64
	of        func(levels []string) float64
	edit      func(*session.Row)
	claims    []analysis.Claim
	published *analysis.Published
	stale     map[string]bool // by levels joined with "\x1f"
}

// pipelining is a study like a real one: two factors, six treatments.
func pipelining() study {
	means := map[string]float64{"queue1": 44, "queue2": 43, "batched1": 15, "batched2": 18, "threaded1": 46, "threaded2": 29}
	return study{
		name: "pipelining", title: "One queue or many threads, over one session or two",
		question: "Which way of talking to one server is faster, and does a second session help?",
		factors: []session.Factor{
			{Name: "communication", Levels: []string{"queue", "batched", "threaded"}},
			{Name: "sessions", Levels: []string{"1", "2"}, Numeric: true},
		},
		metrics: []session.Metric{
			{Name: "elapsed", Unit: "ms", Better: "lower", From: "json", Key: "elapsed_ms"},
			{Name: "errors", Unit: "1", From: "json", Key: "errors"},
		},
		blocks: 12, machines: []string{"epyc-2cpu"}, noise: 0.04,
		of: func(l []string) float64 { return means[l[0]+l[1]] },
		claims: []analysis.Claim{
			ratioClaim("D1", "Pipelined is faster than threaded.", "communication=queue sessions=2 / communication=threaded sessions=2", "<", 1),
			within("D3", "Within pipelined, the advantage of a second session is terribly small.", "sessions=2 / sessions=1 where communication=queue", 0.90, 1.11),
			ratioClaim("D4", "Threaded over one session is slower than the queue.", "communication=threaded / communication=queue where sessions=1", ">", 1.05),
			{Name: "D9", Says: "Each test ran ten times.", Untested: "a fact of the old schedule"},
		},
	}
}

func ratioClaim(name, says, compare, op string, bound float64) analysis.Claim {
	c := mustCompare(compare)
	return analysis.Claim{Name: name, Says: says, Metric: "elapsed", Compare: &c, Statement: "ratio of elapsed, " + compare,
		Expect: &analysis.Expect{Of: "ratio", Op: op, Bound: bound}, Hash: name}
}

func within(name, says, compare string, lo, hi float64) analysis.Claim {
	c := ratioClaim(name, says, compare, "within", 0)
	c.Expect.Lo, c.Expect.Hi = lo, hi
	return c
}

func mustCompare(s string) expr.Comparison {
	c, err := expr.ParseComparison(s)
	if err != nil {
		panic(err)
	}
	return c
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

func (s study) result() *analysis.Result { return analysis.Analyze(s.input()) }

func (s study) input() analysis.Input {
	in := analysis.Input{
		Experiment: s.name, Title: s.title, Question: s.question, Factors: s.factors, Metrics: s.metrics, Claims: s.claims,
		Published: s.published, Data: &session.Dataset{}, Identity: map[string]string{}, Wanted: s.blocks, Order: "randomized-blocks",
	}
	r := rand.New(rand.NewPCG(7, 7))
	for i, machine := range s.machines {
		in.Data.Sessions = append(in.Data.Sessions, s.session(i, machine, r))
	}
	in.Data.Started = len(in.Data.Sessions)
	for i, levels := range cross(s.factors) {
		key := ""
		for j, l := range levels {
			if j > 0 {
				key += "\x1f"
			}
			key += l
		}
		in.Identity[key] = fmt.Sprint(i)
		if s.stale[key] {
			in.Identity[key] = "changed"
		}
	}
	return in
}

func (s study) session(n int, machine string, r *rand.Rand) *session.Session {
	start := time.Date(2026, 11, 30, 12, 4, 0, 0, time.UTC).Add(time.Duration(n) * time.Hour)
	name := start.Format("20060102T150405Z") + "-" + machine
	one := &session.Session{Sealed: true, Info: session.Info{
		Format: 1, Session: name, Experiment: s.name, Machine: machine, Purpose: "measure", Order: "randomized-blocks", Generator: "pcg-1",
		Seed: "83f1c29d5a6b7c8d", Blocks: s.blocks, Factors: s.factors, Metrics: s.metrics, Claims: map[string]string{},
		Parts: []session.Part{{Part: 1, Started: start.Format(time.RFC3339), Tool: "fieldbook 0.1", FirstTrial: 1, Environment: map[string]string{
			"cpu": "AMD EPYC", "cpus": "2", "kernel": "Linux 6.1.0", "governor": "unknown (virtual machine)", "git_commit": "5b38e17aa90c40d8b9e31f5e0a6d4c0f7d1c2b3a", "git_dirty": "no",
		}}},
	}}
	for _, c := range s.claims {
		one.Claims[c.Name] = c.Hash
	}
	treatments := cross(s.factors)
	for i, levels := range treatments {
		one.Treatments = append(one.Treatments, session.Treatment{Number: i + 1, Levels: levels, Identity: fmt.Sprint(i)})
	}
	trial := 0
	for b := 1; b <= s.blocks; b++ {
		level := math.Exp(0.03 * math.Sin(float64(b)))
		for pos, i := range r.Perm(len(treatments)) {
			trial++
			levels := treatments[i]
			value := s.of(levels) * level * math.Exp(s.noise*r.NormFloat64())
			value = math.Round(value*1000) / 1000
			p := session.Planned{Trial: trial, Phase: "measured", Block: b, Position: pos + 1, Treatment: i + 1, Levels: levels}
			metrics := make([]float64, len(s.metrics))
			metrics[0] = value
			row := session.Row{Planned: p, Session: name, Machine: machine, Attempt: 1, Part: 1, Started: start.Add(time.Duration(trial) * time.Second),
				Duration: value / 1000, Status: session.OK, Metrics: metrics}
			if s.edit != nil {
				s.edit(&row)
			}
			one.Plan = append(one.Plan, p)
			one.Rows = append(one.Rows, row)
		}
	}
	return one
}

// build makes a document and fails the test where it has errors.
func build(t *testing.T, s Source) *Document {
	t.Helper()
	doc, problems := Build(s)
	if problems.Failed() {
		t.Fatalf("Build reports\n%v", problems)
	}
	return doc
}

func mustSelection(s string) expr.Selection {
	sel, err := expr.ParseSelection(s)
	if err != nil {
		panic(err)
	}
	return sel
}
