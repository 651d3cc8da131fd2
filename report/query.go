package report

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// words is a text that a role or an option holds, and the way from an offset
// in it to one in the writeup. Reading it leaves blanks, so that offsets hold.
type words struct {
	text string
	at   func(int) int
}

// next takes the first word: its text and its offset.
func (w *words) next() (string, int) {
	start := len(w.text) - len(strings.TrimLeft(w.text, " \t"))
	end := start
	for end < len(w.text) && w.text[end] != ' ' && w.text[end] != '\t' {
		end++
	}
	word := w.text[start:end]
	w.text = strings.Repeat(" ", end) + w.text[end:]
	return word, start
}

// start is where the text begins in the writeup, without the blanks.
func (w words) start() int {
	_, off := w.next()
	return w.at(off)
}

var asWord = regexp.MustCompile(`(?:^|\s)as=(\S*)`)

// as takes `as=WORD` out, wherever it stands, and gives the word and its
// offset; -1 where there is none.
func (w *words) as() (string, int) {
	m := asWord.FindStringSubmatchIndex(w.text)
	if m == nil {
		return "", -1
	}
	word := w.text[m[2]:m[3]]
	w.text = w.text[:m[0]] + strings.Repeat(" ", m[1]-m[0]) + w.text[m[1]:]
	return word, m[2]
}

// question is what a role asks.
type question struct {
	r          *analysis.Result
	published  bool
	stat       string
	metric     string
	selection  expr.Selection
	comparison *expr.Comparison // of the statistics that compare
	x          string           // the axis of a curve; "" where none is asked for
	as         string
}

// statistics that a question can name, apart from percentiles pNN.
var statistics = []string{"cv", "difference", "found", "geomean", "max", "mean", "median", "min", "n", "p50", "p90", "p99", "ratio", "sd"}

// publishedStatistics are what an earlier study's numbers can be asked for.
var publishedStatistics = []string{"breakeven", "mean", "n", "ratio", "sum", "value"}

// spreads are statistics that no published number holds; analysis says why.
var spreads = []string{"cv", "geomean", "max", "median", "min", "sd"}

// comparing are the statistics of a comparison.
var comparing = []string{"breakeven", "crossing", "difference", "found", "ratio", "slopes"}

var percentile = regexp.MustCompile(`^p[0-9]{1,2}(\.[0-9]+)?$`)

var asForms = []string{"interval", "percent", "value", "words"}

// question reads `STAT METRIC SELECTION`, or `ratio METRIC COMPARISON` and
// likewise for all that compare, with `x=FACTOR` for those of curves, and
// checks every name in it. All that is
// wrong is reported; the flaw is the first of it, and empty where all is well.
func (b *builder) question(w words, published bool) (question, flaw) {
	q := question{r: b.r, published: published}
	first := flaw("")
	wrong := func(off int, hint, format string, args ...any) {
		f := b.wrong(w.at(off), hint, format, args...)
		if first == "" {
			first = f
		}
	}
	as, asOff := w.as()
	if asOff >= 0 && !slices.Contains(asForms, as) {
		wrong(asOff, diag.Meant(as, asForms), "unknown form %q", "as="+as)
	}
	q.as = as
	var statOff, metricOff int
	if q.stat, statOff = w.next(); q.stat == "" {
		wrong(0, "write STATISTIC METRIC SELECTION, such as median elapsed workers=2", "nothing is asked")
		return q, first
	}
	known := slices.Sorted(slices.Values(slices.Concat(statistics, curveStatistics)))
	if published {
		known = publishedStatistics
	}
	strange := !percentile.MatchString(q.stat) && !slices.Contains(known, q.stat) && !(published && slices.Contains(spreads, q.stat))
	if strange {
		wrong(statOff, diag.Meant(q.stat, known), "unknown statistic %q", q.stat)
	}
	xOff := -1
	if strange || slices.Contains(curveStatistics, q.stat) {
		q.x, xOff = w.axis()
	}
	if q.metric, metricOff = w.next(); q.metric == "" || strings.ContainsAny(q.metric, "=/") {
		wrong(metricOff, "write STATISTIC METRIC SELECTION, such as median elapsed workers=2", "no metric is named")
		return q, first
	}
	if slices.Contains(comparing, q.stat) {
		b.readComparison(&q, w, wrong)
	} else {
		b.readSelection(&q, w, wrong)
	}
	if q.r == nil { // of an unknown experiment nothing more can be said
		return q, first
	}
	b.checkMetric(q.r, q.metric, metricOff, published, wrong)
	if slices.Contains(curveStatistics, q.stat) && !published {
		q.checkAxis(xOff, statOff, wrong)
	}
	q.checkForm(asOff, wrong)
	return q, first
}

// withoutInterval are statistics that never have one.
var withoutInterval = []string{"cv", "max", "min", "n", "sd"}

// checkForm complains about a form in which the answer cannot be said.
func (q question) checkForm(off int, wrong complaint) {
	switch {
	case q.as == "":
	case q.stat == "found":
		wrong(off, "", "found is a count and takes no form")
	case q.stat == "crossing":
		wrong(off, "", "crossing is said in words and takes no form")
	case q.as == "interval" && q.published:
		wrong(off, "", "a published number has no interval: the study does not say how much its runs varied, and nothing is made up for it")
	case q.as == "words" && (q.stat != "ratio" && q.stat != "slope" || q.published):
		wrong(off, "", "as=words belongs to a ratio or a slope that was measured here")
	case q.as == "interval" && slices.Contains(withoutInterval, q.stat):
		wrong(off, "", "%s has no interval", q.stat)
	case q.as == "percent" && !q.pure():
		wrong(off, "", "as=percent belongs to a ratio, a slope or a pure number")
	}
}

// pure says whether the answer is a ratio, or a number that a percentage can
// be of: no count, and nothing with a unit.
func (q question) pure() bool {
	switch q.stat {
	case "n", "knee":
		return false
	case "breakeven", "cv", "exponent", "ratio", "slope", "slopes":
		return true
	}
	return !slices.ContainsFunc(q.r.Metrics, func(m session.Metric) bool { return m.Name == q.metric && m.Unit != "" && m.Unit != "1" })
}

// complaint reports something wrong at an offset of a text.
type complaint func(off int, hint, format string, args ...any)

func (b *builder) readSelection(q *question, w words, wrong complaint) {
	s, err := expr.ParseSelection(w.text)
	if err != nil {
		place(err, wrong)
		return
	}
	if q.r, q.selection = b.resultFor(s, wrong); q.r == nil {
		return
	}
	b.checkSelection(q.r, q.selection, w.text, q.published, wrong)
	b.onMachine(q, w.start())
}

func (b *builder) readComparison(q *question, w words, wrong complaint) {
	c, err := expr.ParseComparison(w.text)
	if err != nil {
		place(err, wrong)
		return
	}
	if c.Other {
		wrong(len(w.text), "", "`other` stands for several comparisons; name the right side")
	}
	all := slices.Concat(c.Left, c.Right, c.Where)
	if q.r, all = b.resultFor(all, wrong); q.r == nil {
		return
	}
	b.checkSelection(q.r, all, w.text, q.published, wrong)
	c.Left, c.Right, c.Where = local(c.Left), local(c.Right), local(c.Where)
	q.comparison = &c
	b.onMachine(q, w.start())
}

// place reports a parser's error where it found it.
func place(err error, wrong complaint) {
	var e *expr.Error
	if errors.As(err, &e) {
		wrong(e.Off, e.Hint, "%s", e.Msg)
		return
	}
	wrong(0, "", "%v", err)
}

// local is a selection without `experiment=`.
func local(s expr.Selection) expr.Selection {
	return slices.DeleteFunc(slices.Clone(s), func(t expr.Term) bool { return t.Factor == "experiment" })
}

// resultFor is the result that a selection's `experiment=` means, nil for one
// that there is not, and the rest of the selection.
func (b *builder) resultFor(s expr.Selection, wrong complaint) (*analysis.Result, expr.Selection) {
	r := b.r
	for _, t := range s {
		if t.Factor != "experiment" {
			continue
		}
		if len(t.Levels) > 1 {
			wrong(t.Off, "", "one number comes from one experiment")
		}
		r = b.experiment(t.Levels[0], t.Off, wrong)
	}
	return r, local(s)
}

// experiment is the result of an experiment by its name; nil for an unknown
// one, after a complaint.
func (b *builder) experiment(name string, off int, wrong complaint) *analysis.Result {
	if name == b.Name {
		return b.r
	}
	b.used[name] = true
	if r := b.Uses[name]; r != nil {
		return r
	}
	known := append(b.uses(), b.Name)
	hint := diag.Meant(name, known)
	switch {
	case slices.Contains(b.front.Uses, name):
		hint = "what is wrong with it is said where uses names it"
	case !strings.HasPrefix(hint, "did you mean"):
		hint = "front matter names other experiments: uses: [" + name + "]"
	}
	wrong(off, hint, "unknown experiment %q", name)
	return nil
}

// checkMetric complains about a metric that there is not.
func (b *builder) checkMetric(r *analysis.Result, name string, off int, published bool, wrong complaint) {
	var known []string
	for _, m := range r.Metrics {
		known = append(known, m.Name)
	}
	if published && r.Published != nil {
		for _, row := range r.Published.Rows {
			known = append(known, row.Metric)
		}
	}
	if !slices.Contains(known, name) {
		slices.Sort(known)
		wrong(off, diag.MeantMetric(name, slices.Compact(known)), "unknown metric %q", name)
	}
}

// checkSelection complains about factors and levels that there are not. text
// is what the selection was read from.
func (b *builder) checkSelection(r *analysis.Result, s expr.Selection, text string, published bool, wrong complaint) {
	for _, t := range s {
		known, ok := b.levels(r, t.Factor, published)
		if !ok {
			wrong(t.Off, diag.Meant(t.Factor, askedNames(r)), "unknown factor %q", t.Factor)
			continue
		}
		if known == nil {
			continue // nothing is recorded, so that nothing can be known
		}
		for _, l := range t.Levels {
			if !slices.Contains(known, l) {
				wrong(levelOffset(text, t, l), diag.Meant(l, known), "unknown level %q of %s", l, t.Factor)
			}
		}
	}
}

// levelOffset is where a level stands in the text of its selection.
func levelOffset(text string, t expr.Term, level string) int {
	eq := strings.IndexByte(text[t.Off:], '=')
	if eq < 0 {
		return t.Off
	}
	from := t.Off + eq + 1
	if i := strings.Index(text[from:], level); i >= 0 {
		return from + i
	}
	return from
}

// factorNames are the factors of an experiment; askedNames are all names that
// a selection takes.
func factorNames(r *analysis.Result) []string {
	var names []string
	for _, f := range r.Factors {
		names = append(names, f.Name)
	}
	return names
}

func askedNames(r *analysis.Result) []string {
	return append(factorNames(r), "machine", "session", "experiment", "control")
}

// levels are those of a factor, nil where they cannot be known; false means
// that there is no such factor.
func (b *builder) levels(r *analysis.Result, factor string, published bool) ([]string, bool) {
	switch factor {
	case "machine":
		if published {
			return r.PublishedMachines(), true
		}
		return r.Machines(), true
	case "session":
		var ids []string
		for _, s := range r.Data.Sessions {
			ids = append(ids, s.Session)
		}
		return ids, true
	case "control":
		return []string{"A", "B"}, !published
	}
	if i := factorNamed(r, factor); i >= 0 {
		return declaredLevels(r, i), true
	}
	return nil, false
}

// factorNamed is the place of a factor, -1 where there is none of that name.
func factorNamed(r *analysis.Result, name string) int {
	return slices.IndexFunc(r.Factors, func(f session.Factor) bool { return f.Name == name })
}

// declaredLevels are those of factor i that are declared or that a treatment
// has.
func declaredLevels(r *analysis.Result, i int) []string {
	known := slices.Clone(r.Factors[i].Levels)
	for _, t := range r.Treatments() {
		if i < len(t) && !slices.Contains(known, t[i]) {
			known = append(known, t[i])
		}
	}
	return known
}
