package runner

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/internal/experiment"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// taken is all that metrics of one attempt are read from.
type taken struct {
	r        *reader
	env      expr.Env // factors, constants, the run's names
	folder   string   // where the paths of files start
	wall     int64    // nanoseconds
	exits    []exit
	floor    int64 // bytes: below it, maxrss is the runner's own
	harvests []*harvest
	clients  []session.Client // filled where there is a barrier
	files    map[string]fileMark
	values   []float64 // by metric
	state    []int     // by metric: 0 not yet, 1 being computed, 2 done
	why      []error   // by metric: of one without a value, why it has none
	problems []string
}

// measure reads every metric and then the conditions of `valid`. Problems
// are metrics that are missing or no finite number; invalid is the first
// condition that does not hold.
func (m *taken) measure() (values []float64, problems []string, invalid string) {
	m.values = nans(len(m.r.x.Metrics))
	m.state, m.why = make([]int, len(m.values)), make([]error, len(m.values))
	for i := range m.r.x.Metrics {
		m.metric(i)
	}
	if len(m.problems) == 0 {
		invalid = m.invalid()
	}
	return m.values, m.problems, invalid
}

// metric computes one metric, once.
func (m *taken) metric(i int) (float64, bool) {
	switch m.state[i] {
	case 1:
		return math.NaN(), false // refused when the file is read; no endless round here
	case 0:
		m.state[i], m.why[i] = 1, errors.New("it is computed from itself")
		v, err := m.read(&m.r.x.Metrics[i], i)
		switch {
		case err != nil:
		case math.IsNaN(v):
			err = errors.New(session.ValueNaN)
		case math.IsInf(v, 0):
			v, err = math.NaN(), errors.New(session.ValueInfinite)
		}
		if err != nil {
			m.problems = append(m.problems, m.r.x.Metrics[i].Name+": "+err.Error())
		}
		m.values[i], m.state[i], m.why[i] = v, 2, err
	}
	return m.values[i], !math.IsNaN(m.values[i])
}

func (m *taken) read(d *experiment.Metric, i int) (float64, error) {
	switch d.From {
	case experiment.FromWall:
		return inUnit(float64(m.wall), d.Unit)
	case experiment.FromRusage:
		return m.rusage(d)
	case experiment.FromJSON, experiment.FromRegex:
		return m.fromOutput(d, i)
	case experiment.FromFile:
		return m.fromFile(d, i)
	case experiment.FromSamples:
		return m.fromSamples(d)
	case experiment.FromClients:
		return m.fromClients(d)
	case experiment.FromFormula:
		return m.fromFormula(d)
	}
	return math.NaN(), fmt.Errorf("from %q is not known", d.From)
}

// fromFormula computes a metric from others of the same trial. Where one that
// it hangs on has no value, it has none either.
func (m *taken) fromFormula(d *experiment.Metric) (float64, error) {
	var lack error
	v, err := d.Formula.Eval(func(name string) (expr.Value, bool) {
		v, ok := m.lookup(name)
		if i := m.index(name); i >= 0 && v.Unknown && lack == nil {
			lack = m.lacking(i)
		}
		return v, ok
	})
	switch {
	case err != nil:
		return math.NaN(), err
	case v.Kind != expr.KindNumber:
		return math.NaN(), errors.New("the formula gives no number")
	case v.Unknown:
		return math.NaN(), lack
	}
	return v.Num, nil
}

// lackError says of a metric that another, which it is computed from, has no
// value.
type lackError string

func (e lackError) Error() string { return string(e) }

// lacking says that a metric has no value, and why. Where that one is itself
// computed from one without a value, the first of them is named.
func (m *taken) lacking(i int) error {
	if first, ok := errors.AsType[lackError](m.why[i]); ok {
		return first
	}
	return lackError(session.NoValue(m.r.x.Metrics[i].Name, m.why[i].Error()))
}

// index is a metric's place by name; -1: there is none.
func (m *taken) index(name string) int {
	return slices.IndexFunc(m.r.x.Metrics, func(d experiment.Metric) bool { return d.Name == name })
}

// lookup is for formulas: metrics of the same trial, then factors and
// constants.
func (m *taken) lookup(name string) (expr.Value, bool) {
	i := m.index(name)
	if i < 0 {
		return m.env(name)
	}
	v, ok := m.metric(i)
	if !ok {
		return expr.Unknown(expr.KindNumber), true
	}
	return expr.Number(v), true
}

func (m *taken) fromOutput(d *experiment.Metric, i int) (float64, error) {
	if len(m.harvests) > 1 {
		return math.NaN(), fmt.Errorf("from %s reads one process, and there were %d clients: use from: clients", d.From, len(m.harvests))
	}
	h := m.harvests[0]
	where := "standard output"
	if d.Stream == "stderr" {
		where = "standard error"
	}
	v, err := h.found[i].result(d, where)
	if err != nil && h.found[i].count == 0 && h.objects.tooLong {
		err = fmt.Errorf("%w (a JSON object longer than %d MiB was passed over)", err, longObject>>20)
	}
	return v, err
}

// result is what was read, or why it is no value.
func (f *reading) result(d *experiment.Metric, where string) (float64, error) {
	switch {
	case f.count == 0 && d.Pattern != "":
		return math.NaN(), fmt.Errorf("nothing on %s matches %s", where, d.Pattern)
	case f.count == 0:
		return math.NaN(), fmt.Errorf("no JSON object on %s has the key %s", where, d.Key)
	case d.MatchOnly && f.count > 1:
		return math.NaN(), fmt.Errorf("%d matches of %s on %s, want only one", f.count, d.Pattern, where)
	case f.problem != "":
		return math.NaN(), errors.New(f.problem)
	}
	return f.value, nil
}

// fromSamples reduces the samples of all clients together.
func (m *taken) fromSamples(d *experiment.Metric) (float64, error) {
	var xs []float64
	for _, h := range m.harvests {
		if h.samples.problem != "" {
			return math.NaN(), errors.New(h.samples.problem)
		}
		more, err := h.samples.values(d, m.r.samples, m.env)
		if err != nil {
			return math.NaN(), err
		}
		xs = append(xs, more...)
	}
	if len(xs) == 0 {
		what := "the key " + d.Key
		if d.Formula != nil {
			what = "what the formula needs"
		}
		return math.NaN(), fmt.Errorf("no sample has %s", what)
	}
	return reduceSamples(d.Reduce, xs)
}

// invalid is the first condition that does not hold, with the values of its
// names; empty: all hold.
func (m *taken) invalid() string {
	for _, f := range m.r.x.Valid {
		v, err := f.Eval(m.lookup)
		switch {
		case err != nil:
			return f.String() + ": " + err.Error()
		case v.Kind != expr.KindBool:
			return f.String() + " is no condition"
		case !v.Bool:
			return f.String() + " does not hold: " + m.valuesOf(f)
		}
	}
	return ""
}

// valuesOf lists the names of a formula with their values.
func (m *taken) valuesOf(f experiment.Formula) string {
	var parts []string
	for _, n := range f.Names() {
		if v, ok := m.lookup(n.Name); ok {
			parts = append(parts, n.Name+" = "+v.Text)
		}
	}
	slices.Sort(parts)
	return strings.Join(slices.Compact(parts), ", ")
}
