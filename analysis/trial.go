package analysis

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// measured is the phase of the trials that statistics use.
const measured = "measured"

// trial is one planned trial as the statistics see it: its last counting
// attempt, with the formulas and rules of today applied.
type trial struct {
	session.Planned
	session  *session.Session
	read     *reading
	attempts []session.Row
	levels   []string // in the order of Input.Factors; "" where the session had no such factor
	key      string   // of the treatment: the levels, joined
	status   string   // empty: planned, and never run
	reason   string
	started  time.Time
	values   []float64 // in the order of Input.Metrics; NaN where there is none
	stale    string    // why the treatment changed since; empty: fresh, or accepted
	orphan   bool      // the experiment has no such treatment any more
	replaced bool      // stale, and another session holds the treatment fresh, or stale and newer
	cut      bool      // its block was completed by a later part of its session
}

// usable says whether the trial's number belongs to the experiment.
func (t *trial) usable() bool { return t.Phase == measured && !t.orphan && !t.replaced }

// counts says whether statistics of treatments use the trial. The second
// label of an A/A control serves the noise floor alone: with it, a treatment
// that runs twice in a block would weigh twice.
func (t *trial) counts() bool { return t.usable() && t.Control != "B" }

// countsFor is counts, but for a selection that names a label of an A/A
// control: that means exactly the trials under the label.
func (t *trial) countsFor(s expr.Selection) bool {
	return t.counts() || t.usable() && s.Levels("control") != nil
}

// ran says whether there was an attempt.
func (t *trial) ran() bool { return t.status != "" }

// number is the trial's number of a metric; false where it is not ok, or the
// number could not be computed.
func (t *trial) number(metric int) (x float64, ok bool) {
	x = t.values[metric]
	return x, t.status == session.OK && !math.IsNaN(x)
}

// readTrials makes the trials of all sessions, oldest session first, in the
// order of the plan. A planned trial without any attempt has no status.
func readTrials(in *Input) []*trial {
	if in.Data == nil {
		return nil
	}
	sessions := slices.Clone(in.Data.Sessions)
	slices.SortStableFunc(sessions, func(a, b *session.Session) int { return cmp.Compare(a.Session, b.Session) })
	var trials []*trial
	for _, s := range sessions {
		trials = append(trials, readSession(in, s)...)
	}
	judgeFreshness(in, trials)
	return trials
}

// readSession makes the trials of one session.
func readSession(in *Input, s *session.Session) []*trial {
	read := newReading(in, s)
	attempts := inOrder(s.Rows, func(a, b session.Row) int {
		return cmp.Or(cmp.Compare(a.Trial, b.Trial), cmp.Compare(a.Attempt, b.Attempt))
	})
	parts := map[phaseBlock]int{}
	cut := map[phaseBlock]bool{}
	shared := map[string]*trial{} // one of each treatment, whose levels and key the others share
	trials := make([]*trial, 0, len(s.Plan))
	for _, p := range inOrder(s.Plan, func(a, b session.Planned) int { return cmp.Compare(a.Trial, b.Trial) }) {
		t := &trial{Planned: p, session: s, read: read}
		was := treatmentKey(p.Levels)
		if shared[was] == nil {
			t.levels = read.levels(p.Levels)
			t.key = treatmentKey(t.levels)
			shared[was] = t
		}
		t.levels, t.key = shared[was].levels, shared[was].key
		trials = append(trials, t)
		var rows []session.Row
		rows, attempts = attemptsAt(attempts, p.Trial)
		if len(rows) == 0 {
			t.values = read.values(session.Row{}, p.Levels)
			continue
		}
		t.attempts = rows
		row := lastCounting(rows)
		t.started = row.Started
		t.values = read.values(row, p.Levels)
		t.status, t.reason = read.judge(row, p.Levels, t.values)
		at := phaseBlock{p.Phase, p.Block}
		if was, seen := parts[at]; seen && was != row.Part && p.Block > 0 {
			cut[at] = true
		}
		parts[at] = row.Part
	}
	for _, t := range trials {
		t.cut = cut[phaseBlock{t.Phase, t.Block}]
	}
	return trials
}

type phaseBlock struct {
	phase string
	block int
}

// inOrder is the list itself where it is in order, as all that was recorded
// is: a copy of so many rows would be half of an analysis's memory.
func inOrder[T any](list []T, order func(a, b T) int) []T {
	if slices.IsSortedFunc(list, order) {
		return list
	}
	return slices.SortedStableFunc(slices.Values(list), order)
}

// attemptsAt cuts the rows of a trial off the front of rows in order; what
// comes before them is of no planned trial.
func attemptsAt(rows []session.Row, trial int) (at, rest []session.Row) {
	from := 0
	for from < len(rows) && rows[from].Trial < trial {
		from++
	}
	to := from
	for to < len(rows) && rows[to].Trial == trial {
		to++
	}
	return rows[from:to:to], rows[to:]
}

// lastCounting is the last attempt that was not interrupted; an interrupted
// one is run again, uncounted. Where all were interrupted, it is the last.
func lastCounting(rows []session.Row) session.Row {
	for i := range slices.Backward(rows) {
		if rows[i].Status != session.Interrupted {
			return rows[i]
		}
	}
	return rows[len(rows)-1]
}

// reading applies an experiment's formulas and rules to the rows of one
// session.
type reading struct {
	in      *Input
	column  []int          // of each of Input.Metrics in the session's rows; -1: none
	factor  map[string]int // factor -> its place in the session's levels
	metrics map[string]int // metric -> its place in Input.Metrics
}

func newReading(in *Input, s *session.Session) *reading {
	r := &reading{in: in, factor: map[string]int{}, metrics: map[string]int{}}
	for i, f := range s.Factors {
		r.factor[f.Name] = i
	}
	for i, m := range in.Metrics {
		r.metrics[m.Name] = i
		r.column = append(r.column, slices.IndexFunc(s.Metrics, func(was session.Metric) bool { return was.Name == m.Name }))
	}
	return r
}

// levels puts a session's levels in the order of Input.Factors. Where the
// session had a factor that the experiment has no more, its treatments are
// none of the experiment's, so that the levels are followed by its own.
func (r *reading) levels(was []string) []string {
	levels := make([]string, len(r.in.Factors))
	used := 0
	for i, f := range r.in.Factors {
		if at, ok := r.factor[f.Name]; ok && at < len(was) {
			levels[i] = was[at]
			used++
		}
	}
	if used < len(was) {
		levels = append(levels, was...)
	}
	return levels
}

// values are the metrics of an attempt. Of one that is neither ok nor
// invalid there are none: a failure is never a number.
func (r *reading) values(row session.Row, levels []string) []float64 {
	v := make([]float64, len(r.in.Metrics))
	for i := range v {
		v[i] = math.NaN()
		if c := r.column[i]; c >= 0 && c < len(row.Metrics) && judged(row.Status) && r.in.Formulas[r.in.Metrics[i].Name] == nil {
			v[i] = row.Metrics[c]
		}
	}
	if judged(row.Status) {
		r.compute(v, levels)
	}
	return v
}

// judged says whether rules apply to an attempt of this status.
func judged(status string) bool { return status == session.OK || status == session.Invalid }

// compute fills in the formula metrics. One may stand on another; each is
// computed once, and a circle, like a division by zero, leaves NaN.
func (r *reading) compute(v []float64, levels []string) {
	if len(r.in.Formulas) == 0 {
		return
	}
	state := make([]int, len(v)) // 1: being computed, 2: done
	var env expr.Env
	get := func(i int) float64 {
		f := r.in.Formulas[r.in.Metrics[i].Name]
		if f == nil || state[i] != 0 {
			return v[i]
		}
		state[i] = 1
		if got, err := f.Eval(env); err == nil && got.Kind == expr.KindNumber {
			v[i] = got.Num
		}
		state[i] = 2
		return v[i]
	}
	env = r.env(levels, get)
	for i := range v {
		get(i)
	}
}

// env knows the factors, constants and metrics of one trial by name.
func (r *reading) env(levels []string, metric func(i int) float64) expr.Env {
	return func(name string) (expr.Value, bool) {
		if i, ok := r.factor[name]; ok && i < len(levels) {
			return expr.Level(levels[i]), true
		}
		if i, ok := r.metrics[name]; ok {
			return expr.Number(metric(i)), true
		}
		for _, c := range r.in.Constants {
			if c.Name == name {
				return expr.Level(c.Value), true
			}
		}
		return expr.Value{}, false
	}
}

// judge tells ok from invalid by the rules of today. Without an experiment
// file there are none, and the recorded status stands.
func (r *reading) judge(row session.Row, levels []string, v []float64) (status, reason string) {
	if !judged(row.Status) || r.in.Identity == nil && len(r.in.Valid) == 0 {
		return row.Status, row.Reason
	}
	env := r.env(levels, func(i int) float64 { return v[i] })
	for _, rule := range r.in.Valid {
		got, err := rule.Eval(env)
		if err != nil {
			return session.Invalid, rule.String() + ": " + err.Error()
		}
		if !got.Bool {
			broken := rule.String() + " does not hold"
			if strings.HasPrefix(row.Reason, broken) {
				return session.Invalid, row.Reason // as it was recorded, with the values
			}
			return session.Invalid, broken
		}
	}
	return session.OK, ""
}
