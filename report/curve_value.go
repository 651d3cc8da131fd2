package report

import (
	"regexp"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/diag"
)

// curveStatistics are the statistics of curves: they take `x=FACTOR`.
var curveStatistics = []string{"crossing", "exponent", "knee", "slope", "slopes"}

var axisWord = regexp.MustCompile(`(?:^|\s)x=(\S*)`)

// axis takes `x=FACTOR` out, wherever it stands first, and gives the factor
// and its offset; -1 where there is none.
func (w *words) axis() (string, int) {
	m := axisWord.FindStringSubmatchIndex(w.text)
	if m == nil {
		return "", -1
	}
	name := w.text[m[2]:m[3]]
	w.text = w.text[:m[0]] + strings.Repeat(" ", m[1]-m[0]) + w.text[m[1]:]
	return name, m[2]
}

// checkAxis complains about an axis that is missing or no factor.
func (q question) checkAxis(xOff, statOff int, wrong complaint) {
	known := factorNames(q.r)
	switch {
	case xOff < 0:
		wrong(statOff, "write x=FACTOR, such as "+q.stat+" "+q.metric+" x=clients", "%s does not say over which factor", q.stat)
	case !slices.Contains(known, q.x):
		wrong(xOff, diag.Meant(q.x, known), "unknown factor %q", q.x)
	}
}

// curveAnswer is the number of a curve, or of two, that was asked for; of a
// slope also whether it rises or falls, in words.
func (q question) curveAnswer() (answered, error) {
	if q.comparison != nil {
		p, err := q.r.CurvePair(q.metric, q.x, *q.comparison)
		return answered{Estimate: p.Slopes}, err
	}
	e, err := q.r.CurveValue(analysis.Query{Metric: q.metric, Stat: q.stat, Selection: q.selection}, q.x)
	return answered{e, e.SlopeWords()}, err
}

// crossing is the answer to `crossing METRIC x=FACTOR COMPARISON`: where the
// curves cross, or that they do not.
func (q question) crossing() (value, error) {
	p, err := q.r.CurvePair(q.metric, q.x, *q.comparison)
	if err != nil {
		return value{}, err
	}
	v := value{Text: p.CrossingText(), Tip: "crossing of " + q.metric + " over " + q.x + ", " + p.Text, Long: true}
	if len(p.Crossings) == 1 {
		v = number(p.Crossings[0])
	}
	return v, nil
}
