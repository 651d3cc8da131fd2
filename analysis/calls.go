package analysis

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// Reading of samples ends after so many trials of each treatment, and after so
// many of all, but never before fewestSettled of each: what they show of a
// start, the others would show too.
const (
	mostSettled   = 30
	mostInAll     = 100
	fewestSettled = 5
)

// callKind is one kind of number that every call of a trial gives.
type callKind struct {
	metric  session.Metric // the first that is reduced from it
	formula *expr.Expr     // nil: the column
	column  int
}

// settled is what the series of one treatment's trials did.
type settled struct {
	key    string
	trials int // looked at
	series int // of calls: one a trial, or one a client
	most   int // calls of a series
	batch  int
	shapes map[stat.SeriesShape]int
	starts []stat.Settling // of those whose start is not like the rest
}

// callChecks look whether the calls of a trial warm up: the series of each
// trial by its change points (Killick, Fearnhead & Eckley 2012; after Barrett
// et al., OOPSLA 2017). Trials are read one at a time.
func (r *Result) callChecks(trials []*trial) []Diagnostic {
	s := trials[0].session
	kinds := r.callKinds(s)
	if r.Samples == nil || len(kinds) == 0 {
		return nil
	}
	found, whole, err := r.settle(trials, kinds)
	var all []Diagnostic
	for i, k := range kinds {
		d := Diagnostic{Metric: k.metric.Name, Session: s.Session, Machine: s.Machine, Check: "calls", Value: math.NaN(), P: math.NaN()}
		if err != nil {
			d.Text = "warm-up of calls not looked at: " + err.Error()
		} else {
			d.tellCalls(r, k.metric, found[i], whole)
		}
		all = append(all, d)
	}
	return all
}

// callKinds are the different kinds of number that the calls of a session
// gave.
func (r *Result) callKinds(s *session.Session) []callKind {
	var kinds []callKind
	for _, m := range r.Metrics {
		if m.From != "samples" || slices.ContainsFunc(kinds, func(k callKind) bool { return k.metric.Key == m.Key && k.metric.Formula == m.Formula }) {
			continue
		}
		k := callKind{metric: m, column: columnOf(s, m.Key)}
		if m.Formula != "" {
			k.formula, _ = expr.Parse(m.Formula)
		}
		if k.column >= 0 || k.formula != nil && len(s.SampleColumns) > 0 {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

func columnOf(s *session.Session, name string) int {
	return slices.IndexFunc(s.SampleColumns, func(c session.Column) bool { return c.Name == name })
}

// settle reads the trials of a session until enough of each treatment were
// seen, and says what each did. whole says that none was left out.
func (r *Result) settle(trials []*trial, kinds []callKind) (found [][]settled, whole bool, err error) {
	c := newCallReader(trials, kinds)
	for one, err := range r.Samples(trials[0].session.Session) {
		if err != nil {
			return nil, false, err
		}
		if !c.take(one) {
			break
		}
	}
	c.close()
	return c.found, c.whole, nil
}

// callReader holds the series of one trial at a time.
type callReader struct {
	kinds  []callKind
	wanted map[attemptID]*trial
	most   int // trials of a treatment
	left   map[string]int
	open   int // trials still to be looked at
	now    *trial
	id     attemptID
	series map[int][][]float64 // of the trial: by client, by kind
	found  [][]settled         // by kind, then treatment
	whole  bool
}

func newCallReader(trials []*trial, kinds []callKind) *callReader {
	c := &callReader{kinds: kinds, wanted: map[attemptID]*trial{}, left: map[string]int{}, whole: true, found: make([][]settled, len(kinds))}
	for _, t := range trials {
		if t.status == session.OK {
			c.wanted[attemptID{t.Trial, lastCounting(t.attempts).Attempt}] = t
			c.left[t.key]++
		}
	}
	c.most = max(fewestSettled, min(mostSettled, mostInAll/max(1, len(c.left))))
	for k, n := range c.left {
		c.whole = c.whole && n <= c.most
		c.left[k] = min(n, c.most)
		c.open += c.left[k]
	}
	return c
}

// take adds one sample; false: no more are needed.
func (c *callReader) take(one session.Sample) bool {
	if id := (attemptID{one.Trial, one.Attempt}); id != c.id {
		c.close()
		if c.open == 0 {
			return false
		}
		c.id, c.now = id, c.wanted[id]
		if c.now != nil && c.left[c.now.key] == 0 {
			c.now = nil
		}
		c.series = map[int][][]float64{}
	}
	if c.now == nil {
		return true
	}
	of := c.series[one.Client]
	if of == nil {
		of = make([][]float64, len(c.kinds))
		c.series[one.Client] = of
	}
	for i, k := range c.kinds {
		if x := k.value(c.now, one.Values); !math.IsNaN(x) {
			of[i] = append(of[i], x)
		}
	}
	return true
}

// value is the number of one call; NaN where it gave none.
func (k callKind) value(t *trial, values []float64) float64 {
	if k.formula == nil {
		return values[k.column]
	}
	got, err := k.formula.Eval(func(name string) (expr.Value, bool) {
		if at := columnOf(t.session, name); at >= 0 && at < len(values) {
			return expr.Number(values[at]), true
		}
		return t.read.env(t.Levels, func(i int) float64 { return t.values[i] })(name)
	})
	if err != nil || got.Kind != expr.KindNumber {
		return math.NaN()
	}
	return got.Num
}

// close classifies the series of the trial that has been read.
func (c *callReader) close() {
	t := c.now
	c.now = nil
	if t == nil || len(c.series) == 0 {
		return
	}
	c.left[t.key]--
	c.open--
	for i := range c.kinds {
		at := slices.IndexFunc(c.found[i], func(s settled) bool { return s.key == t.key })
		if at < 0 {
			at = len(c.found[i])
			c.found[i] = append(c.found[i], settled{key: t.key, shapes: map[stat.SeriesShape]int{}})
		}
		one := &c.found[i][at]
		one.trials++
		for _, client := range slices.Sorted(maps.Keys(c.series)) {
			one.add(c.series[client][i])
		}
	}
}

func (s *settled) add(calls []float64) {
	s.most = max(s.most, len(calls))
	got := stat.Settle(calls)
	if got.Refused != "" {
		return
	}
	s.series++
	s.shapes[got.Shape]++
	s.batch = max(s.batch, got.Batch)
	if got.From > 0 {
		got.Segments = nil // which nobody asks for
		s.starts = append(s.starts, got)
	}
}

// usual is what more than half of the series do, or nothing.
func (s settled) usual() stat.SeriesShape {
	for _, shape := range []stat.SeriesShape{stat.Flat, stat.WarmUp, stat.Slowdown, stat.NotSteady} {
		if 2*s.shapes[shape] > s.series {
			return shape
		}
	}
	return ""
}

// minCalls is the least number of calls of a trial in which a start is looked
// for.
const minCalls = 100

// tellCalls puts into words what was found of one kind of number.
func (d *Diagnostic) tellCalls(r *Result, m session.Metric, of []settled, whole bool) {
	series, flat, most := 0, 0, 0
	var conspicuous []string
	starts := false
	for _, s := range of {
		series, flat, most = series+s.series, flat+s.shapes[stat.Flat], max(most, s.most)
		if usual := s.usual(); s.series > 0 && usual != stat.Flat && usual != "" {
			conspicuous = append(conspicuous, s.words(r, m, usual))
			starts = starts || usual != stat.NotSteady
		}
	}
	switch {
	case len(of) == 0:
		d.Text = "warm-up of calls not looked at: no samples were kept"
		return
	case series == 0:
		d.Text = fmt.Sprintf("warm-up of calls not looked at: it takes %d calls of a trial, and there are %d at the most", minCalls, most)
		return
	}
	d.Value = float64(flat) / float64(series)
	part := ""
	if !whole {
		part = ", of the first trials of each treatment"
	}
	if d.Flag = len(conspicuous) > 0; !d.Flag {
		d.Text = fmt.Sprintf("quiet: calls are steady from the first on in %d of %s%s", flat, seriesText(series, of...), part)
		return
	}
	if n := len(conspicuous); n > mostOutliers {
		conspicuous = append(conspicuous[:mostOutliers], fmt.Sprintf("so it is with %d more treatments", n-mostOutliers))
	}
	d.Text = "calls: " + strings.Join(conspicuous, "; ") + part + "; they are in every number"
	if starts {
		d.Text += ". To leave a start out, let the program make its first calls without printing them: warm-up blocks do not warm a process that begins anew in each trial"
	}
}

// seriesText is what was counted: trials, or the series of each client of them.
func seriesText(n int, of ...settled) string {
	for _, s := range of {
		if s.series > s.trials {
			return fmt.Sprintf("%d series of calls, one a client,", n)
		}
	}
	return plural(n, "trial")
}

// words are what most series of a treatment do: "in 9 of 12 trials of
// version=new the first 140 calls are 8 % slower than the rest".
func (s settled) words(r *Result, m session.Metric, usual stat.SeriesShape) string {
	who := fmt.Sprintf("in %d of %s of %s", s.shapes[usual], seriesText(s.series, s), r.selectionOf(strings.Split(s.key, levelSep)))
	if usual == stat.NotSteady {
		return who + " they still change in the last third"
	}
	var from, off, mser []float64
	for _, one := range s.starts {
		if one.Shape == usual {
			from, off, mser = append(from, float64(one.From)), append(off, one.Off), append(mser, float64(max(0, one.MSER)))
		}
	}
	middle := func(xs []float64) float64 { return stat.Quantile(xs, 0.5) }
	text := fmt.Sprintf("%s the first %.0f calls are %s %s than the rest (medians; by MSER it is the first %.0f", who, middle(from), percent(math.Abs(middle(off))), direction(m, middle(off)), middle(mser))
	if s.batch > 1 {
		text += fmt.Sprintf("; told to within %d", s.batch)
	}
	return text + ")"
}

// direction is what a larger or smaller number of a metric is called.
func direction(m session.Metric, off float64) string {
	words := [2]string{"lower", "higher"}
	if _, isTime := convert(1, m.Unit, "s"); isTime {
		words = [2]string{"faster", "slower"}
	}
	if off > 0 {
		return words[1]
	}
	return words[0]
}
