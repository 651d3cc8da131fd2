package figure

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"fieldbook/analysis"
)

// known names of metrics, as a sentence says them.
var quantities = map[string]string{
	"elapsed": "elapsed time", "wall": "wall time", "cpu": "CPU time", "user": "user time", "system": "system time",
	"maxrss": "peak memory",
}

// quantity is the metric as a sentence says it.
func (w *wish) quantity() string {
	if q, ok := quantities[w.Metric]; ok {
		return q
	}
	return clean(w.Metric)
}

// sentence begins a text with a capital, unless the first word is a name that
// can only be meant as it is written.
func sentence(s string) string {
	if first, _, _ := strings.Cut(s, " "); strings.ContainsAny(first, "_0123456789") {
		return s
	}
	for i, r := range s {
		return strings.ToUpper(string(r)) + s[i+len(string(r)):]
	}
	return s
}

// list is "a, b and c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// noTrials is the title of a figure that has nothing to draw.
func (w *wish) noTrials() string { return "No trials of " + w.quantity() + w.scope() }

// withUnit is a number of the metric with its unit.
func (w *wish) withUnit(v, span float64) string {
	unit, factor := w.readable(v)
	return unitAfter(number(v*factor, span*factor), unit)
}

// readable is the unit in which values are told, and the factor to it: that of
// the axis, or, where the figure's values lie too far apart for one unit, their
// own, as in tables.
func (w *wish) readable(vs ...float64) (unit string, factor float64) {
	if !w.ownUnits {
		return w.display, w.scaleBy
	}
	if unit, factor = analysis.DisplayUnit(w.unit, vs...); unit == "us" {
		unit = "µs"
	}
	return unit, factor
}

func unitAfter(text, unit string) string {
	if unit == "" || unit == "1" {
		return text
	}
	return text + " " + clean(unit)
}

// spread is the range of values that are finite; nothing where there is none.
func spread(values []float64) span {
	s := nothing
	for _, v := range values {
		s = s.include(v)
	}
	return s
}

// tip names a trial, its treatment and its value: what a reader sees who
// points at a mark.
func (w *wish) tip(t analysis.Observation, name string, width float64) string {
	where := fmt.Sprintf("trial %d", t.Trial)
	if t.Block > 0 {
		where += fmt.Sprintf(", block %d", t.Block)
	}
	if w.sessions > 1 {
		where = "session " + within(t.Session) + ", " + where
	}
	text := where + ": "
	if name != "" {
		text += within(name) + ", "
	}
	if !ok(t) {
		text += w.flaw(t)
	}
	if ok(t) || !math.IsNaN(t.Value) {
		text += w.withUnit(t.Value, width)
	}
	if t.Control != "" && !w.apart() {
		text += ", label " + clean(t.Control) + " of the A/A control"
	}
	if t.Stale {
		text += ", stale"
	}
	if t.CutBlock {
		text += ", the block was interrupted"
	}
	return text
}

// flaw says how a trial that is not ok ended; one that is merely invalid has
// a value after it.
func (w *wish) flaw(t analysis.Observation) string {
	text := clean(t.Status)
	if t.Reason != "" {
		text += " (" + within(t.Reason) + ")"
	}
	if !math.IsNaN(t.Value) {
		text += ", "
	}
	return text
}

// scope says what was asked for: "" for everything, " with sessions=2".
func (w *wish) scope() string {
	if len(w.Where) == 0 {
		return ""
	}
	return " with " + within(w.Where.String())
}

// scopeAfter is scope where a comma parts it from what stands before it.
func (w *wish) scopeAfter() string {
	if s := w.scope(); s != "" {
		return "," + s
	}
	return ""
}

// rows is where the numbers come from: "72 trials of 6 treatments in 12
// blocks".
func (w *wish) rows() string {
	text := fmt.Sprintf("%s of %s", count(len(w.trials), "trial"), count(w.treatments, "treatment"))
	if n := w.blocks; n > 0 {
		text += " in " + count(n, "block")
	}
	if n := w.sessions; n > 1 {
		text += " of " + count(n, "session")
	}
	return text
}

// mostNamed is how many treatments a description names.
const mostNamed = 8

// ranges says between which values the trials of each treatment lie.
func (w *wish) ranges() string {
	if len(w.groups) == 1 {
		return "Values lie " + w.between(values(w.trials)) + "."
	}
	var words []string
	for _, g := range w.groups {
		words = append(words, w.between(values(g.Trials))+" for "+within(g.fullName()))
	}
	return "Values lie " + firstOf(words, "treatment") + "."
}

// firstOf joins what is said of several, and of how many more it could be
// said.
func firstOf(words []string, noun string) string {
	if more := len(words) - mostNamed; more > 0 {
		words = append(slices.Clone(words[:mostNamed]), fmt.Sprintf("those of %s are in the table", count(more, "more "+noun)))
	}
	return strings.Join(words, "; ")
}

// between is "from 42.3 to 50.0 ms".
func (w *wish) between(vs []float64) string {
	s := spread(vs)
	switch {
	case s.empty():
		return "nowhere (none was obtained)"
	case s.equal():
		return "at " + w.withUnit(s.Lo, 0)
	}
	unit, factor := w.readable(s.Lo, s.Hi)
	texts := alike(s.width()*factor, s.Lo*factor, s.Hi*factor)
	return "from " + texts[0] + " to " + unitAfter(texts[1], unit)
}

// failures says how many trials have no value, by status, and how many are
// invalid: "3 of 72 trials have no value: 2 failed, 1 timeout"; "" where all
// are ok. Where values were there and no numbers, it says of which kind: "5 of
// 9 left out: 2 NaN, 2 infinite, 1 empty".
func (w *wish) failures() string {
	by := map[string]int{}
	without := 0
	for _, t := range w.trials {
		if ok(t) {
			continue
		}
		if by[t.Status]++; t.Status != invalid {
			without++
		}
	}
	var statuses []string
	for _, s := range slices.Sorted(maps.Keys(by)) {
		if s != invalid {
			statuses = append(statuses, fmt.Sprintf("%d %s", by[s], clean(s)))
		}
	}
	all := count(len(w.trials), "trial")
	var texts []string
	if gaps := w.gaps(); gaps != "" {
		texts = append(texts, gaps)
	} else if without > 0 {
		texts = append(texts, fmt.Sprintf("%d of %s %s no value: %s", without, all, pick(without, "has", "have"), strings.Join(statuses, ", ")))
	}
	if n := by[invalid]; n > 0 {
		texts = append(texts, fmt.Sprintf("%d of %s %s invalid and %s not count", n, all, pick(n, "is", "are"), pick(n, "does", "do")))
	}
	return strings.Join(texts, "; ")
}

// gaps counts the values that were there and are no numbers, by kind.
func (w *wish) gaps() string { return clean(w.r.GapsIn(w.Metric, w.trials).Text()) }

// invalid is the status of a trial that has a value and does not count.
const invalid = "invalid"

// staleNote counts trials that no longer belong to the experiment.
func (w *wish) staleNote() string {
	n := 0
	for _, t := range w.trials {
		if t.Stale {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s %s stale and drawn pale: what runs has changed since", n, count(len(w.trials), "trial"), pick(n, "is", "are"))
}

// notes gathers those that are not empty.
func notes(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

// cell is a number for a table: the shortest decimal that reads back as the
// same number, nothing where there is none.
func cell(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	if a := math.Abs(v); v != 0 && (a >= 1e15 || a < 1e-6) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// valueHead is the head of a column of values.
func (w *wish) valueHead() string { return unitHead(w.Metric, w.unit) }

func unitHead(name, unit string) string {
	if unit == "" || unit == "1" {
		return name
	}
	return name + ", " + unit
}

// valueAxis is the axis of the metric.
func (w *wish) valueAxis(kind axisKind) axis {
	return axis{Title: clean(w.Metric), Unit: clean(w.display), Kind: kind}
}

// logScale says whether values are better read on a log axis: where they
// span a factor of more than ten, or the middles of treatments one of more
// than three. Values that are not positive have no place there, so that with
// more than a few of them, or little to gain, the axis stays linear.
func (w *wish) logScale() axisKind {
	positive, other := nothing, 0
	var middles []float64
	for _, g := range w.groups {
		vs := values(g.Trials)
		slices.Sort(vs)
		for _, v := range vs {
			if v > 0 {
				positive = positive.include(v)
			} else {
				other++
			}
		}
		if len(vs) > 0 && vs[len(vs)/2] > 0 {
			middles = append(middles, vs[len(vs)/2])
		}
	}
	middle := spread(middles)
	factor := positive.Hi / positive.Lo
	switch {
	case positive.empty():
		return linear
	case other > 0 && (factor < 1000 || other*5 > len(w.trials)):
		return linear
	case factor > 10, !middle.empty() && middle.Hi/middle.Lo > 3:
		return logarith
	}
	return linear
}
