package analysis

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"fieldbook/internal/design"
	"fieldbook/internal/experiment"
	"fieldbook/internal/session"
)

// simulated is an experiment file of testdata/calibration together with the
// truth about its treatments. It is read only.
type simulated struct {
	x       experiment.Experiment
	in      Input     // without data
	truth   []float64 // of each treatment, in ms
	heavy   []bool    // whether it leaves something to the next trial
	compare [2]int    // the two treatments that the orders are compared by
	row     uint64    // of the file, for seeds
}

// readSimulated reads an experiment file; of says what a treatment takes.
func readSimulated(t *testing.T, name string, of func(levels []string) float64) *simulated {
	t.Helper()
	path := filepath.Join("testdata", "calibration", name+".yaml")
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	x, problems := experiment.Read(name, path, src)
	if problems.Failed() {
		t.Fatal(problems)
	}
	s := &simulated{x: *x, in: Input{Experiment: name, Order: string(x.Design.Order)}, compare: [2]int{1, 0}}
	for _, f := range x.Factors {
		factor := session.Factor{Name: f.Name, Numeric: f.Numeric}
		for _, l := range f.Levels {
			factor.Levels = append(factor.Levels, l.Text)
		}
		s.in.Factors = append(s.in.Factors, factor)
	}
	for _, m := range x.Metrics {
		s.in.Metrics = append(s.in.Metrics, session.Metric{Name: m.Name, Unit: m.Unit, Better: m.Better, From: string(m.From), Key: m.Key})
	}
	for _, c := range x.Claims {
		s.in.Claims = append(s.in.Claims, simulatedClaim(c))
	}
	for _, treatment := range x.Treatments {
		s.truth = append(s.truth, of(treatment.Levels))
		s.heavy = append(s.heavy, slices.Contains(treatment.Levels, "new"))
	}
	return s
}

func simulatedClaim(c experiment.Claim) Claim {
	out := Claim{
		Name: c.Name, Metric: c.Metric, Stat: c.Stat, Compare: c.Compare, Against: c.Against, AllPairs: c.AllPairs,
		Slope: c.Slope, Fit: c.Fit, X: c.X, Within: c.Within, AllOf: c.AllOf, Where: c.Where, ForEach: c.ForEach, Over: c.Over,
	}
	if e := c.Expect; e != nil {
		out.Expect = &Expect{Of: e.Of, Op: e.Op, Bound: e.Bound, Lo: e.Lo, Hi: e.Hi, Src: e.Src}
	}
	return out
}

// truthOf are the treatments of the three files.
var truthOf = map[string]func(levels []string) float64{
	"orders": func(l []string) float64 {
		return map[string]float64{"old": 100, "new": 103, "third": 90, "fourth": 110}[l[0]]
	},
	"equal": func([]string) float64 { return 100 },
	"different": func(l []string) float64 {
		n, _ := strconv.ParseFloat(l[1], 64)
		if l[0] == "new" {
			return 70 + 33*n
		}
		return 100 * math.Pow(1.6, math.Log2(n))
	},
}

// recorded is one simulated session with all that a naive reader would use.
type recorded struct {
	session *session.Session
	calls   [][]float64 // of each trial, in the order of the plan; nil: none
}

// record runs one plan in what the machine does; added and calls are those of
// each slot.
func (s *simulated) record(t *testing.T, w *world, id string, order experiment.Order, seed uint64, blocks int, added []float64, calls [][]float64) recorded {
	x := s.x
	x.Design.Order, x.Design.Blocks = order, blocks
	plan, err := design.New(&x, seed)
	if err != nil {
		t.Error(err)
		return recorded{session: &session.Session{}}
	}
	ses := &session.Session{Sealed: true, Info: session.Info{
		Format: 1, Session: id, Experiment: s.in.Experiment, Machine: "simulated", Purpose: "measure", Order: string(order), Blocks: blocks,
		Factors: s.in.Factors, Metrics: s.in.Metrics,
	}}
	ses.Plan, ses.Rows = make([]session.Planned, len(plan.Trials)), make([]session.Row, len(plan.Trials))
	values := make([]float64, len(plan.Trials))
	out := recorded{session: ses}
	for i, p := range plan.Trials {
		e := added[i]
		if i > 0 && s.heavy[plan.Trials[i-1].Treatment-1] {
			e += w.carry
		}
		truth := s.truth[p.Treatment-1]
		values[i] = truth * math.Exp(e)
		ses.Plan[i] = session.Planned{Trial: p.Number, Phase: p.Phase, Block: p.Block, Position: p.Position, Treatment: p.Treatment, Levels: x.Treatments[p.Treatment-1].Levels}
		ses.Rows[i] = session.Row{Planned: ses.Plan[i], Session: id, Machine: ses.Machine, Attempt: 1, Part: 1, Status: session.OK, Metrics: values[i : i+1]}
		if calls != nil {
			own := slices.Clone(calls[i])
			for j := range own {
				own[j] *= truth
			}
			out.calls = append(out.calls, own)
		}
	}
	return out
}

// analyze is the claim path: from a dataset to verdicts.
func (s *simulated) analyze(sessions ...recorded) *Result {
	in := s.in
	in.Data = &session.Dataset{Started: len(sessions)}
	for _, r := range sessions {
		in.Data.Sessions = append(in.Data.Sessions, r.session)
	}
	return Analyze(in)
}

// numbers are what a reader without a tool compares: the values of one
// treatment, or all its calls where there are any.
func (r recorded) numbers(treatment int) []float64 {
	var xs []float64
	for i, row := range r.session.Rows {
		if row.Treatment != treatment+1 {
			continue
		}
		if r.calls != nil {
			xs = append(xs, r.calls[i]...)
		} else {
			xs = append(xs, row.Metrics[0])
		}
	}
	return xs
}

// generator is that of one simulated study: it depends on nothing but its
// place in the table.
func generator(table, row uint64, study int) *rand.Rand {
	return rand.New(rand.NewPCG(table<<32|row, uint64(study)))
}
