package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
)

// Names that stand in a selection beside factors.
const (
	byMachine = "machine"
	bySession = "session"
	byControl = "control" // the label of an A/A control: A, the plain treatment, or B
)

// wish is a Spec with the data that it means.
type wish struct {
	Spec
	r         *analysis.Result
	unit      string                 // of the metric, as the table has it
	plainUnit string                 // the unit that readers see, as the analysis writes it,
	display   string                 // as a reader does, and
	scaleBy   float64                // what brings values there
	ownUnits  bool                   // values lie too far apart to be told in one unit
	trials    []analysis.Observation // all, in the order in which they ran
	groups    []*group               // by treatment
	// named is what the groups differ in: factors in their order, control,
	// machine. varying is the same without facet and X, By first: what tells
	// series apart.
	named, varying []string
	// How many sessions, blocks and treatments the trials come from.
	sessions, blocks, treatments int
	controlled                   bool // there is an A/A control among the trials
}

// read checks a wish and collects its data.
func read(r *analysis.Result, s Spec) (*wish, error) {
	w := &wish{Spec: s, r: r}
	if w.Metric == "" && len(r.Metrics) > 0 {
		w.Metric = r.Metrics[0].Name
	}
	// The count is asked for its error alone, which says what there is.
	if _, err := r.Value(analysis.Query{Metric: w.Metric, Stat: "n", Selection: s.Where}); err != nil {
		return nil, err
	}
	for _, name := range append(strings.Fields(s.Over), s.X, s.By, s.Facet) {
		if err := w.known(name); err != nil {
			return nil, err
		}
	}
	if err := w.takes(); err != nil {
		return nil, err
	}
	for _, m := range r.Metrics {
		if m.Name == w.Metric {
			w.unit = m.Unit
		}
	}
	w.trials = w.plain(r.Observations(w.Metric, s.Where))
	w.show(values(w.trials))
	w.collect()
	w.count()
	return w, nil
}

// show chooses the unit that fits the values.
func (w *wish) show(values []float64) {
	w.plainUnit, w.scaleBy = analysis.DisplayUnit(w.unit, values...)
	if w.display = w.plainUnit; w.display == "us" {
		w.display = "µs"
	}
	w.ownUnits = slices.ContainsFunc(values, func(v float64) bool { return v != 0 && math.Abs(v)*w.scaleBy < 0.001 })
}

// Useless is a wish for something that a kind of figure has no use for.
type Useless struct {
	Option string // "x"
	For    string // the kinds that have a use for it, in words
}

// Useless is all that the kind of figure has no use for.
func (s Spec) Useless() []Useless {
	var all []Useless
	for _, option := range []struct {
		name  string
		given bool
		kinds []string
	}{
		{"x", s.X != "", []string{Points, Interaction, Curves, Spread}},
		{"by", s.By != "", []string{Order, Points, Interaction, ECDF, Curves, Clients, Density, Percentiles, Residuals}},
		{"stat", s.Stat != "", []string{Points, Interaction, Curves}},
		{"against", s.Against != "", []string{Residuals}},
		{"compare", len(s.Compare) > 0, []string{Forest}},
	} {
		if option.given && !slices.Contains(option.kinds, s.Kind) {
			all = append(all, Useless{option.name, list(option.kinds)})
		}
	}
	return all
}

// takes refuses what a kind of figure has no use for.
func (w *wish) takes() error {
	for _, u := range w.Useless() {
		return fmt.Errorf("the plot %s has no use for %s; it is for %s", w.Kind, u.Option, u.For)
	}
	if w.Kind == Points && w.spreads() {
		return fmt.Errorf("%s has no place on the axis of the trials themselves; the plot %s can show it", statName(w.Stat), Interaction)
	}
	if w.Over != "" && len(w.Compare) == 0 {
		return fmt.Errorf("only the comparisons of a forest can be averaged over %s; name its level in where, or give each level a panel by facet", w.Over)
	}
	return nil
}

// unpublished says that an earlier study's numbers were asked for where they
// have no place.
func (w *wish) unpublished() string {
	if !w.Published {
		return ""
	}
	return "Published numbers are not drawn here: an earlier study states no single trials"
}

// known says whether a name stands for something that trials differ in.
func (w *wish) known(name string) error {
	if name == "" || name == byMachine || name == bySession || name == byControl || w.factor(name) >= 0 {
		return nil
	}
	_, err := w.r.Value(analysis.Query{Metric: w.Metric, Stat: "n", Selection: expr.Selection{{Factor: name, Levels: []string{""}}}})
	return err
}

// factor is the place of a factor, -1 where there is none of that name.
func (w *wish) factor(name string) int {
	for i, f := range w.r.Factors {
		if f.Name == name {
			return i
		}
	}
	return -1
}

// numeric says whether a name is that of a factor whose levels are numbers.
func (w *wish) numeric(name string) bool {
	i := w.factor(name)
	return i >= 0 && w.r.Factors[i].Numeric
}

// plain leaves the second label of an A/A control out: it shows the noise, and
// is no treatment. It is shown where it is asked for, and in the order of
// running, where every trial has its place.
func (w *wish) plain(trials []analysis.Observation) []analysis.Observation {
	if w.Kind == Order || w.apart() {
		return trials
	}
	return slices.DeleteFunc(trials, func(t analysis.Observation) bool { return t.Control == "B" })
}

// apart says whether the labels of an A/A control are told apart.
func (w *wish) apart() bool {
	return w.Where.Levels(byControl) != nil || slices.Contains([]string{w.X, w.By, w.Facet}, byControl)
}

// collect groups the trials and finds what differs.
func (w *wish) collect() {
	by := map[string]*group{}
	for _, t := range w.trials {
		label := ""
		if w.apart() {
			label = t.Control
		}
		key := strings.Join(append(slices.Clone(t.Levels), label, t.Machine), "\x1f")
		g := by[key]
		if g == nil {
			g = &group{w: w, Levels: t.Levels, Control: label, Machine: t.Machine}
			by[key] = g
			w.groups = append(w.groups, g)
		}
		g.Trials = append(g.Trials, t)
	}
	w.differ()
	slices.SortStableFunc(w.groups, w.compare)
}

// differ finds what the groups differ in.
func (w *wish) differ() {
	for _, f := range w.r.Factors {
		if len(w.levels(f.Name)) > 1 {
			w.named = append(w.named, f.Name)
		}
	}
	for _, n := range []string{byControl, byMachine} {
		if len(w.levels(n)) > 1 {
			w.named = append(w.named, n)
		}
	}
	for _, n := range append([]string{w.By}, w.named...) {
		if slices.Contains(w.named, n) && n != w.Facet && n != w.X && !slices.Contains(w.varying, n) {
			w.varying = append(w.varying, n)
		}
	}
}

// count counts sessions, the blocks of all of them, and treatments, on
// however many machines, and finds whether there is a control.
func (w *wish) count() {
	type block struct {
		session string
		number  int
	}
	sessions, blocks, treatments := map[string]bool{}, map[block]bool{}, map[string]bool{}
	for _, g := range w.groups {
		treatments[strings.Join(append(slices.Clone(g.Levels), g.Control), "\x1f")] = true
	}
	for _, t := range w.trials {
		sessions[t.Session] = true
		w.controlled = w.controlled || t.Control != ""
		if t.Block > 0 {
			blocks[block{t.Session, t.Block}] = true
		}
	}
	w.sessions, w.blocks, w.treatments = len(sessions), len(blocks), len(treatments)
}

// compare orders groups by their levels, the first factor slowest, then by
// control and machine.
func (w *wish) compare(a, b *group) int {
	for i := range min(len(a.Levels), len(b.Levels), len(w.r.Factors)) {
		if c := w.compareLevels(w.r.Factors[i].Name, a.Levels[i], b.Levels[i]); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(a.Control, b.Control), cmp.Compare(a.Machine, b.Machine))
}

// compareLevels orders levels as their factor declares them; others after,
// by number or text.
func (w *wish) compareLevels(name, a, b string) int {
	place := func(level string) int {
		if f := w.factor(name); f >= 0 {
			if i := slices.Index(w.r.Factors[f].Levels, level); i >= 0 {
				return i
			}
		}
		return math.MaxInt
	}
	return cmp.Or(cmp.Compare(place(a), place(b)), expr.CompareLevels(a, b))
}

// levels are the distinct levels that the groups have, in their order.
func (w *wish) levels(name string) []string {
	var all []string
	for _, g := range w.groups {
		if l := g.level(name); !slices.Contains(all, l) {
			all = append(all, l)
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return w.compareLevels(name, a, b) })
	return all
}

// label is a level as a reader sees it: its declared label, or its text with
// the factor's unit.
func (w *wish) label(name, level string) string {
	i := w.factor(name)
	if i < 0 {
		return level
	}
	f := w.r.Factors[i]
	if j := slices.Index(f.Levels, level); j >= 0 && j < len(f.Labels) && f.Labels[j] != "" {
		return f.Labels[j]
	}
	if f.Numeric && f.Unit != "" && f.Unit != "1" {
		return level + " " + f.Unit
	}
	return level
}

// heading says what the labels of groups are levels of.
func (w *wish) heading() string { return strings.Join(w.varying, ", ") }

// facets are the values of the facet, one "" where there is none.
func (w *wish) facets() []string {
	if w.Facet == "" {
		return []string{""}
	}
	if w.Facet != bySession {
		return w.levels(w.Facet)
	}
	var all []string
	for _, t := range w.trials {
		if !slices.Contains(all, t.Session) {
			all = append(all, t.Session)
		}
	}
	return all
}

// facetTitle is the title of a facet's panel: "placement one-cpu".
func (w *wish) facetTitle(value string) string {
	if w.Facet == "" {
		return ""
	}
	label := shown(w.label(w.Facet, value))
	if strings.HasSuffix(label, " "+w.Facet) {
		return label // the unit has the factor's name
	}
	return w.Facet + " " + label
}

// values are the numbers of trials that are ok.
func values(trials []analysis.Observation) []float64 {
	var vs []float64
	for _, t := range trials {
		if ok(t) && !math.IsNaN(t.Value) && !math.IsInf(t.Value, 0) {
			vs = append(vs, t.Value)
		}
	}
	return vs
}

// ok says whether a trial ended as planned.
func ok(t analysis.Observation) bool { return t.Status == "ok" }
