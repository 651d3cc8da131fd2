package report

import (
	"regexp"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
	"fieldbook/report/markup"
)

var directiveNames = []string{"checklist", "cite", "claims", "details", "diagnostics", "environment", "exclusions", "listing", "methods", "plot", "reproduce", "table"}

// options that a directive takes, by its name.
var optionNames = map[string][]string{
	"plot":        {"against", "by", "compare", "facet", "metric", "name", "over", "published", "stat", "where", "x"},
	"table":       {"by", "claim", "compare", "facet", "metric", "name", "over", "published", "stat", "where", "x"},
	"claims":      {"name", "where"},
	"diagnostics": {"where"},
	"environment": {"where"},
	"exclusions":  {"where"},
	"methods":     {"where"},
	"listing":     {"name", "where"},
	"details":     {"name"},
	"checklist":   {"where"},
	"reproduce":   {"where"},
	"cite":        {"where"},
}

// wish is what a directive asks for, checked.
type wish struct {
	b         *builder
	d         *markup.Directive
	r         *analysis.Result
	slot      slot
	metric    string
	where     expr.Selection
	asked     expr.Selection // where as it is written, without the machine of front matter
	x, by     string
	facet     string
	over      []string
	stat      string
	against   string
	published bool
	compare   []expr.Comparison
	compareAt []int    // where each stands in the writeup
	leftOut   []string // what means over levels could not take in
	claim     string
	lost      bool     // where names an experiment that there is not
	whole     bool     // where names no experiment: the claims of all are meant
	of        []string // of {claims}: the experiments that where names
	flaws     []flaw
}

// slot is the id and the number that a directive has in the document, and
// what is wrong with its name.
type slot struct {
	id     string
	number int
	flaws  []flaw
}

// directive is what a directive stands for.
func (b *builder) directive(d *markup.Directive) []block {
	if !slices.Contains(directiveNames, d.Name) {
		return []block{paragraph{phrase{b.wrong(d.Start, diag.Meant(d.Name, directiveNames), "unknown directive {%s}", d.Name)}}}
	}
	w := &wish{b: b, d: d, r: b.r, slot: b.slots[d], flaws: b.slots[d].flaws}
	w.readOptions()
	w.checkKind()
	var blocks []block
	if len(w.flaws) == 0 {
		blocks = w.blocks()
	}
	for _, f := range w.flaws {
		blocks = append(blocks, paragraph{phrase{f}})
	}
	return blocks
}

// checkKind complains about what stands on the directive's line, and about
// options that say nothing to what stands there.
func (w *wish) checkKind() {
	kind := w.d.Argument
	switch w.d.Name {
	case "plot":
		if w.knownKind(plotKinds) {
			for _, u := range w.spec(kind).Useless() {
				w.wrong(w.keyAt(u.Option), "it is for "+u.For, "the plot %s has no use for %s", kind, u.Option)
			}
		}
	case "table":
		if w.knownKind(tableKinds) {
			w.checkTableOptions(kind)
		}
	case "listing":
		w.knownKind(listingKinds)
	case "details":
	default:
		if kind != "" {
			w.wrong(w.d.ArgumentAt, "", "{%s} takes nothing on its line", w.d.Name)
		}
	}
}

// knownKind complains about a plot, table or listing that there is not.
func (w *wish) knownKind(known []string) bool {
	kind, what := w.d.Argument, w.d.Name
	switch {
	case slices.Contains(known, kind):
		return true
	case kind == "":
		w.wrong(w.d.Start, "kinds: "+strings.Join(known, ", "), "{%s} does not say which %s", what, what)
	default:
		w.wrong(w.d.ArgumentAt, diag.Meant(kind, known), "unknown %s %q", what, kind)
	}
	return false
}

func (w *wish) blocks() []block {
	switch w.d.Name {
	case "plot":
		return w.plot()
	case "table":
		return w.table()
	case "listing":
		return w.listing()
	case "details":
		return w.details()
	case "claims":
		return w.b.claims(w)
	}
	if own := w.caption(nil); own != nil { // a part that has no caption begins with what stands there
		return append([]block{paragraph{own}}, w.part()...)
	}
	return w.part()
}

// part is a part of the report that is made of words, tables and folds.
func (w *wish) part() []block {
	switch w.d.Name {
	case "checklist":
		return w.b.checklist(w.r)
	case "reproduce":
		return w.b.reproduce(w.r)
	case "cite":
		return w.b.cite(w.r)
	case "methods":
		return w.b.methods(w.r)
	case "diagnostics":
		return w.b.diagnostics(w.r)
	case "environment":
		return []block{fold{Summary: "Machine and versions", Body: w.b.environment(w.r)}}
	}
	return w.b.exclusions(w.r)
}

// wrong reports an error that stands in the directive's place.
func (w *wish) wrong(off int, hint, format string, args ...any) {
	w.flaws = append(w.flaws, w.b.wrong(off, hint, format, args...))
}

// refuse reports an error of the analysis, or of a figure, as wrong does.
func (w *wish) refuse(off int, err error) { w.flaws = append(w.flaws, w.b.refuse(off, err)) }

// caption is the directive's body, else the text given.
func (w *wish) caption(otherwise phrase) phrase {
	if w.d != nil && w.d.HasChildren() {
		return phrase{authored{w.d}}
	}
	return otherwise
}

// readOptions reads all options; `where` comes first, since the experiment
// that it names decides about the others.
func (w *wish) readOptions() {
	seen := map[string]bool{}
	known := optionNames[w.d.Name]
	for _, o := range w.d.Options {
		switch {
		case !slices.Contains(known, o.Key):
			w.wrong(o.KeyAt, diag.Meant(o.Key, known), "unknown option %q of {%s}", o.Key, w.d.Name)
		case seen[o.Key] && o.Key != "compare":
			w.wrong(o.KeyAt, "", "the option %q stands twice", o.Key)
		case o.Key == "where":
			w.readWhere(o)
		}
		seen[o.Key] = true
	}
	if w.lost {
		return
	}
	for _, o := range w.d.Late {
		if slices.Contains(known, o.Key) {
			w.wrong(o.KeyAt, "move it above the caption", "the option %q stands in the caption of {%s}", o.Key, w.d.Name)
		}
	}
	w.whole = w.r == w.b.r && !strings.Contains(w.optionValue("where"), "experiment=")
	for _, published := range []bool{true, false} { // it decides which metrics there are
		for _, o := range w.d.Options {
			if slices.Contains(known, o.Key) && o.Key != "where" && (o.Key == "published") == published {
				w.readOption(o)
			}
		}
	}
	if w.metric == "" {
		w.metric = mainMetric(w.r)
	}
	w.onMachine()
}

func (w *wish) optionValue(key string) string {
	for _, o := range w.d.Options {
		if o.Key == key {
			return o.Value
		}
	}
	return ""
}

// optionAt is where an option's value stands; without that option, where the
// directive says its kind.
func (w *wish) optionAt(key string) int {
	for _, o := range w.d.Options {
		if o.Key == key {
			return o.ValueAt
		}
	}
	return w.d.ArgumentAt
}

// keyAt is where an option's name stands.
func (w *wish) keyAt(key string) int {
	for _, o := range w.d.Options {
		if o.Key == key {
			return o.KeyAt
		}
	}
	return w.d.ArgumentAt
}

// within is a complaint about a part of an option's value.
func (w *wish) within(o markup.Option) complaint {
	return func(off int, hint, format string, args ...any) { w.wrong(o.ValueAt+off, hint, format, args...) }
}

func (w *wish) readWhere(o markup.Option) {
	s, err := expr.ParseSelection(o.Value)
	if err != nil {
		place(err, w.within(o))
		return
	}
	if w.d.Name == "claims" {
		s = w.takeExperiments(s, o)
	}
	r, where := w.b.resultFor(s, w.within(o))
	if w.lost = r == nil; w.lost {
		return
	}
	w.r, w.where = r, where
	if len(w.where) > 0 && w.d.Name != "plot" && w.d.Name != "table" {
		w.wrong(o.ValueAt, "", "{%s} takes experiment=NAME and nothing else in where", w.d.Name)
		return
	}
	w.b.checkSelection(w.r, w.where, o.Value, w.optionValue("published") != "" || hasOption(w.d, "published"), w.within(o))
}

// takeExperiments notes the experiments whose claims are asked for, and leaves
// the first of them in the selection.
func (w *wish) takeExperiments(s expr.Selection, o markup.Option) expr.Selection {
	for i, t := range s {
		if t.Factor != "experiment" {
			continue
		}
		w.of = t.Levels
		for _, name := range t.Levels[1:] {
			w.b.experiment(name, t.Off, w.within(o))
		}
		s[i].Levels = t.Levels[:1]
	}
	return s
}

func hasOption(d *markup.Directive, key string) bool {
	return slices.ContainsFunc(d.Options, func(o markup.Option) bool { return o.Key == key })
}

func (w *wish) readOption(o markup.Option) {
	if o.Value == "" && o.Key != "published" {
		w.wrong(o.KeyAt, "", "the option %q has no value", o.Key)
		return
	}
	switch o.Key {
	case "against":
		w.against = o.Value
	case "metric":
		w.metric = w.metricNamed(o.Value)
		w.b.checkMetric(w.r, w.metric, 0, w.published, w.within(o))
	case "stat":
		w.stat = o.Value
		if !percentile.MatchString(o.Value) && !slices.Contains(statistics, o.Value) {
			w.wrong(o.ValueAt, diag.Meant(o.Value, statistics), "unknown statistic %q", o.Value)
		}
	case "x":
		w.x = w.factor(o, 0, o.Value)
	case "by":
		w.by = w.factor(o, 0, o.Value)
	case "facet":
		w.facet = w.factor(o, 0, o.Value)
	case "over":
		for _, m := range word.FindAllStringIndex(o.Value, -1) {
			w.over = append(w.over, w.factor(o, m[0], o.Value[m[0]:m[1]]))
		}
	case "published":
		w.readPublished(o)
	case "claim":
		w.readClaim(o)
	case "compare":
		w.readCompare(o)
	}
}

var word = regexp.MustCompile(`[^\s,]+`)

// factor is a factor's name, or one of the words beside factors.
func (w *wish) factor(o markup.Option, off int, name string) string {
	known := append(factorNames(w.r), "control", "machine", "session")
	if !slices.Contains(known, name) {
		w.wrong(o.ValueAt+off, diag.Meant(name, known), "unknown factor %q", name)
	}
	return name
}

func (w *wish) readPublished(o markup.Option) {
	switch strings.ToLower(o.Value) {
	case "", "true", "yes":
		w.published = true
	case "false", "no":
	default:
		w.wrong(o.ValueAt, "", "published is %q, want true or false", o.Value)
	}
	if w.published && w.r.Published == nil {
		w.wrong(o.KeyAt, "`published: {file: …}` in the experiment file names them", "%s has no published numbers", w.r.Experiment)
	}
}

func (w *wish) readCompare(o markup.Option) {
	c, err := expr.ParseComparison(o.Value)
	if err != nil {
		place(err, w.within(o))
		return
	}
	all := slices.Concat(c.Left, c.Right, c.Where)
	w.b.checkSelection(w.r, local(all), o.Value, w.published, w.within(o))
	w.compare, w.compareAt = append(w.compare, c), append(w.compareAt, o.ValueAt)
}
