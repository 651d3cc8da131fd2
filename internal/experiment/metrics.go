package experiment

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
)

// The words of `metrics`.
var (
	rusageKeys     = []string{"cpu", "user", "system", "maxrss", "minflt", "majflt", "vcsw", "ivcsw"}
	clientReducers = []string{"span", "start-skew", "sum", "mean", "min", "max", "jain"}
	reducers       = matching("a reducer such as p50, p99, mean, median, min, max, sum, count or sd", reducer)
)

// metrics reads `metrics`. Where there are none, the time of the command is
// the only one.
func (r *reader) metrics(x *Experiment, n *yaml.Node) {
	if n == nil {
		x.Metrics = []Metric{{Name: "wall", Entry: "wall", From: FromWall, Unit: "s", Better: "lower", Pos: r.fileTop()}}
		return
	}
	for _, e := range entries(n) {
		x.Metrics = append(x.Metrics, r.metric(e)...)
	}
	for _, m := range x.Metrics {
		if m.From == FromClients && x.Trial.Clients == nil {
			r.Errorf(m.Pos, "the metric %q is over clients, and trial has no clients", m.Name)
		}
	}
	if len(x.Metrics) == 0 && len(entries(n)) == 0 {
		r.Errorf(r.at(n), "metrics is empty")
		r.Hint("leave it out to measure the time of the command")
	}
}

// metric reads one entry: one metric, or one for each reducer of samples.
func (r *reader) metric(e entry) []Metric {
	n := e.value
	m := Metric{
		Name: e.key, Entry: e.key, Pos: r.at(e.at),
		From:    From(plainText(lookup(n, "from"))),
		Unit:    plainText(lookup(n, "unit")),
		Better:  plainText(lookup(n, "better")),
		Key:     plainText(lookup(n, "key")),
		Pattern: plainText(lookup(n, "pattern")),
		Per:     plainText(lookup(n, "per")),
	}
	if m.From == "" {
		m.From = FromFormula
	}
	if f := lookup(n, "formula"); f != nil {
		m.Formula = r.formula(f)
	}
	r.metricSource(&m, n)
	if m.From != FromSamples {
		r.fixUnit(&m, n)
		return []Metric{m}
	}
	return r.reduced(m, n)
}

// formula reads an expression; nil where it cannot be read.
func (r *reader) formula(n *yaml.Node) *Formula {
	if n.Kind != yaml.ScalarNode || isMissing(n) {
		return nil
	}
	e, err := expr.Parse(n.Value)
	if err != nil {
		r.problem(origin{node: n}, err)
		return nil
	}
	r.origins[e] = origin{node: n}
	return &Formula{Expr: e, Pos: r.within(n, 0)}
}

// metricSource checks what belongs to each source of values.
func (r *reader) metricSource(m *Metric, n *yaml.Node) {
	switch m.From {
	case FromRusage:
		if key := lookup(n, "key"); key != nil && !contains(rusageKeys, m.Key) {
			r.unknown(key, "key of rusage", rusageKeys)
		}
	case FromRegex:
		m.Stream = "stdout"
		if s := plainText(lookup(n, "stream")); s != "" {
			m.Stream = s
		}
	case FromFile:
		r.fileMetric(m, n)
	case FromClients:
		r.clientMetric(m, n)
	}
	m.MatchOnly = plainText(lookup(n, "match")) == "only"
	if p := lookup(n, "pattern"); p != nil {
		r.pattern(p)
	}
}

// pattern checks a regular expression with exactly one group.
func (r *reader) pattern(n *yaml.Node) {
	re, err := regexp.Compile(plainText(n))
	if err != nil {
		r.Errorf(r.at(n), "cannot read the regular expression: %s", regexpProblem(err))
	} else if groups := re.NumSubexp(); groups != 1 {
		r.Errorf(r.at(n), "the regular expression has %d groups, want one around the number", groups)
		r.Hint("write (?:…) for a group that is not the number")
	}
}

func regexpProblem(err error) string {
	return strings.TrimPrefix(err.Error(), "error parsing regexp: ")
}

func (r *reader) fileMetric(m *Metric, n *yaml.Node) {
	if p := lookup(n, "path"); p != nil {
		t := r.template(p)
		m.Path = &t
	}
	key, pattern := lookup(n, "key"), lookup(n, "pattern")
	if (key == nil) == (pattern == nil) {
		r.Errorf(m.Pos, "the metric %q of a file wants either key or pattern", m.Name)
	}
}

// clientMetric checks a metric over the clients of a trial.
func (r *reader) clientMetric(m *Metric, n *yaml.Node) {
	reduce := lookup(n, "reduce")
	if reduce == nil {
		return
	}
	m.Reduce = plainText(reduce)
	if !contains(clientReducers, m.Reduce) {
		r.Errorf(r.at(reduce), "reduce is %s, want %s", kindName(reduce), list(clientReducers))
		return
	}
	key, per := lookup(n, "key"), lookup(n, "per")
	switch timed := m.Reduce == "span" || m.Reduce == "start-skew"; {
	case timed && key != nil:
		r.Errorf(r.at(key), "%s takes no key: it is computed from the clients' start and finish", m.Reduce)
	case !timed && key == nil:
		r.Errorf(m.Pos, "the metric %q has no key that %s could reduce", m.Name, m.Reduce)
	case m.Reduce == "jain" && per == nil:
		r.Errorf(r.at(reduce), "jain has no rate: equal counts say nothing about fairness, since each client makes the same number")
		r.Hint("write per: KEY, the key of the time that each client took")
	case m.Reduce == "jain" && key != nil && plainText(per) == plainText(key):
		r.Errorf(r.at(per), "per is the key itself: every client's rate is 1, whatever it got")
		r.Hint("write per: KEY, the key of the time that each client took")
	case m.Reduce != "jain" && per != nil:
		r.Errorf(r.at(per), "per goes with jain only")
	}
}

// reduced is the metrics of one entry of samples.
func (r *reader) reduced(m Metric, n *yaml.Node) []Metric {
	if (m.Key == "") == (lookup(n, "formula") == nil) {
		r.Errorf(m.Pos, "the metric %q of samples wants either key or formula", m.Name)
	}
	reduce := lookup(n, "reduce")
	nodes := items(reduce)
	if reduce != nil && reduce.Kind == yaml.ScalarNode {
		nodes = []*yaml.Node{reduce}
	}
	var all []Metric
	for _, c := range nodes {
		one := m
		one.Reduce = plainText(c)
		one.Name = m.Entry + "." + one.Reduce
		if reducers.of(c) == nil || !quantile(one.Reduce) {
			r.Errorf(r.at(c), "the reducer is %s, want %s", kindName(c), strings.TrimPrefix(reducers.what, "a reducer such as "))
		} else if slices.ContainsFunc(all, func(o Metric) bool { return o.Name == one.Name }) {
			r.Errorf(r.at(c), "the reducer %s stands twice", one.Reduce)
		} else {
			if one.Reduce == "count" {
				one.Unit = "1"
			}
			all = append(all, one)
		}
	}
	return all
}

// quantile says whether a reducer is no quantile, or one within 0..100.
func quantile(s string) bool {
	digits, ok := strings.CutPrefix(s, "p")
	q, isNumber := expr.IsNumber(digits)
	return !ok || isNumber && q >= 0 && q <= 100
}

// fixUnit fills in and checks the unit of what the tool measures itself.
func (r *reader) fixUnit(m *Metric, n *yaml.Node) {
	at := m.Pos
	if u := lookup(n, "unit"); u != nil {
		at = r.at(u)
	}
	check := func(otherwise string, allowed []string) {
		if m.Unit == "" {
			m.Unit = otherwise
		} else if !contains(allowed, m.Unit) {
			r.Errorf(at, "the unit of %q is %q, want %s", m.Name, short(m.Unit), list(allowed))
		}
	}
	switch m.measures() {
	case "time":
		check("s", timeUnits)
	case "memory":
		check("KiB", memoryUnits)
	case "number":
		check("1", []string{"1"})
	default:
		if m.Unit == "" && (m.From == FromClients || lookup(n, "unit") != nil) {
			r.Errorf(at, "the metric %q has no unit", m.Name)
			r.Hint(`write unit: "1" for a pure number`)
		}
	}
}

// valid reads `valid`.
func (r *reader) valid(x *Experiment, n *yaml.Node) {
	for _, c := range items(n) {
		if f := r.formula(c); f != nil {
			x.Valid = append(x.Valid, *f)
		}
	}
}

// controls reads `controls`.
func (r *reader) controls(x *Experiment, n *yaml.Node) {
	for _, c := range items(lookup(n, "same")) {
		sel, ok := r.mapping(x, c)
		if !ok {
			continue
		}
		m := Match{Levels: map[string]string{}, Pos: r.at(c)}
		for _, t := range sel {
			m.Levels[t.Factor] = t.Levels[0]
		}
		if !slices.ContainsFunc(x.Treatments, func(t Treatment) bool { return x.matches(sel, t.Levels) }) {
			r.Errorf(m.Pos, "no treatment is selected")
		}
		x.Same = append(x.Same, m)
	}
	for _, c := range items(lookup(n, "unaffected")) {
		if r.metricNamed(x, c) {
			x.Unaffected = append(x.Unaffected, c.Value)
		}
	}
}

// metricNamed checks that a node names a metric.
func (r *reader) metricNamed(x *Experiment, n *yaml.Node) bool {
	if metricName.of(n) == nil {
		return false
	}
	if x.Metric(n.Value) == nil {
		r.Errorf(r.at(n), "unknown metric %q", short(n.Value))
		if meant := diag.MeantMetric(n.Value, x.metricNames()); meant != "" {
			r.Hint("%s", meant)
		}
		return false
	}
	return true
}

// Metric is the metric of a name, nil where there is none.
func (x *Experiment) Metric(name string) *Metric {
	for i := range x.Metrics {
		if x.Metrics[i].Name == name {
			return &x.Metrics[i]
		}
	}
	return nil
}

func (x *Experiment) metricNames() []string {
	var names []string
	for _, m := range x.Metrics {
		names = append(names, m.Name)
	}
	return names
}

// checkMetricCycles refuses formulas that need their own result.
func (r *reader) checkMetricCycles(x *Experiment) {
	for i := range x.Metrics {
		m := &x.Metrics[i]
		if m.From == FromFormula && m.Formula != nil && x.needs(m, m.Name, map[string]bool{}) {
			r.Errorf(m.Formula.Pos, "the formula of %q needs its own result", m.Name)
		}
	}
}

// needs says whether a metric's formula uses another one, directly or not.
func (x *Experiment) needs(m *Metric, name string, seen map[string]bool) bool {
	if m.From != FromFormula || m.Formula == nil || seen[m.Name] {
		return false
	}
	seen[m.Name] = true
	for _, used := range m.Formula.Names() {
		if used.Name == name {
			return true
		}
		if next := x.Metric(used.Name); next != nil && x.needs(next, name, seen) {
			return true
		}
	}
	return false
}
