package analysis

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// CurvePair is two curves over the levels that both have, block by block.
type CurvePair struct {
	Text       string     // canonical: "object=own / object=shared where …"
	Slopes     Estimate   // ratio of the slopes of straight lines
	Intercepts Estimate   // difference of their intercepts, in the metric's unit
	Crossings  []Estimate // in the unit of the factor; none where no crossing is shown
	NoCrossing string     // why there is none
}

// CurvePair sets two curves of a metric over x side by side. Each side must
// fix every factor beside x. The error is for a question that makes no sense;
// what the data does not carry is refused.
func (r *Result) CurvePair(metric, x string, c expr.Comparison) (CurvePair, error) {
	m, err := r.metricIndex(metric)
	if err != nil {
		return CurvePair{}, err
	}
	switch {
	case c.Other:
		return CurvePair{}, errOther
	case c.Left.Levels(x) != nil || c.Right.Levels(x) != nil:
		return CurvePair{}, fmt.Errorf("%s is the axis of both curves; name it in where to choose levels", x)
	}
	for _, s := range []expr.Selection{c.Left, c.Right, c.Where} {
		if err := r.check(s); err != nil {
			return CurvePair{}, err
		}
	}
	p := CurvePair{Text: c.String()}
	l, why, err := r.pairLadder(m, x, c)
	switch {
	case err != nil:
		return CurvePair{}, err
	case why == "":
		note := r.plotsNote(&contrast{sides: []side{{sel: c.Left}, {sel: c.Right}}})
		r.pairLines(&p, l, note)
		r.cross(&p, l, note)
		return p, nil
	}
	p.refuse(why)
	p.Slopes.Metric, p.Intercepts.Metric = metric, metric
	return p, nil
}

// refuse says of all parts why there is nothing.
func (p *CurvePair) refuse(why string) {
	p.Slopes = Estimate{Estimate: refused("%s", why), Kind: Ratio, Stat: "slopes", Unit: "1", Selection: p.Text}
	p.Intercepts = Estimate{Estimate: refused("%s", why), Kind: Difference, Stat: "intercepts", Selection: p.Text}
	p.NoCrossing = why
}

// pairLadder is the levels that both curves have, with the left curve's sides
// first and the right one's after them; or why nothing can be computed.
func (r *Result) pairLadder(metric int, x string, c expr.Comparison) (*ladder, string, error) {
	left, right := both(c.Where, c.Left), both(c.Where, c.Right)
	common, err := r.curveLevels(metric, x, left)
	if err != nil {
		return nil, "", err
	}
	others, err := r.curveLevels(metric, x, right)
	if err != nil {
		return nil, "", err
	}
	common = slices.DeleteFunc(common, func(l string) bool { return !slices.Contains(others, l) })
	switch {
	case placeTerms(left).String() != placeTerms(right).String():
		return nil, "curves of different sessions or machines meet in no block", nil
	case len(common) < 2:
		return nil, fmt.Sprintf("the curves have %s of %s in common, and it takes two", plural(len(common), "level"), x), nil
	}
	l := &ladder{factor: x}
	if l.levels, l.xs, err = numbersOf(x, common); err != nil {
		return nil, "", err
	}
	var sides []side
	for _, own := range []expr.Selection{left, right} {
		for _, level := range l.levels {
			sides = append(sides, r.levelSide(x, level, own))
		}
	}
	if slices.Equal(sides[0].keys, sides[len(l.xs)].keys) {
		return nil, "", errors.New("both sides are the same curve")
	}
	l.con = r.levelContrast(metric, sides)
	return l, l.con.withoutLogs(func(i int) string { return sides[i].sel.String() }), nil
}

// curveLevels are the levels of x at which the one curve of a selection has a
// number, ascending.
func (r *Result) curveLevels(metric int, x string, where expr.Selection) ([]string, error) {
	_, at, own, err := r.oneCurveIn(r.Metrics[metric].Name, x, where)
	if err != nil {
		return nil, err
	}
	return levelsWithNumbers(r.curvePoints(metric, x, at, both(where, own))), nil
}

// column is one column of rows.
func column(rows [][]float64, j int) []float64 {
	var out []float64
	for _, row := range rows {
		out = append(out, row[j])
	}
	return out
}

// pairLines compares the straight lines of each block, by least squares: the
// ratio of their slopes by paired t of its logarithm, the difference of their
// intercepts by paired t.
func (r *Result) pairLines(p *CurvePair, l *ladder, note string) {
	k := len(l.xs)
	var logs, apart []float64
	why := ""
	for i, row := range l.rows() {
		left, right := mapped(row[:k], math.Exp), mapped(row[k:], math.Exp)
		bl, br := stat.Slope(l.xs, left), stat.Slope(l.xs, right)
		if !(bl > 0 && br > 0 || bl < 0 && br < 0) && why == "" {
			why = fmt.Sprintf("n/a (in block %d the two slopes have no common direction)", l.con.blocks[i].number)
		}
		logs = append(logs, math.Log(bl/br))
		x := average(l.xs)
		apart = append(apart, average(left)-bl*x-(average(right)-br*x))
	}
	slopes := line{refused: why}
	if why == "" {
		slopes = pairedLine(logs, "ratio of slopes of straight lines by block, paired t over blocks, log scale"+note)
	}
	p.Slopes = r.ladderFinding(l, "slopes", p.Text, slopes).Estimate
	p.Slopes.Kind, p.Slopes.Estimate = Ratio, through(p.Slopes.Estimate, math.Exp)
	intercepts := pairedLine(apart, "difference of intercepts of straight lines by block, paired t over blocks"+note)
	p.Intercepts = r.ladderFinding(l, "intercepts", p.Text, intercepts).Estimate
	p.Intercepts.Kind, p.Intercepts.Unit = Difference, r.Metrics[l.con.metric].Unit
}

// Pairs are the comparisons between the curves that differ in the factor by
// alone; where by is empty, in any one factor; where none does, each with the
// first. Curves of different machines are never set side by side.
func (c Curve) Pairs(by string) []expr.Comparison {
	var pairs []expr.Comparison
	for i, right := range c.Series {
		for _, left := range c.Series[i+1:] {
			if differing := differIn(left.Selection, right.Selection); len(differing) == 1 && (by == "" && differing[0] != "machine" || by == differing[0]) {
				pairs = append(pairs, comparisonOf(left, right))
			}
		}
	}
	if len(pairs) > 0 || by != "" || len(c.Series) == 0 {
		return pairs
	}
	first := c.Series[0]
	for _, s := range c.Series[1:] {
		if !slices.Contains(differIn(s.Selection, first.Selection), "machine") {
			pairs = append(pairs, comparisonOf(s, first))
		}
	}
	return pairs
}

// differIn are the factors of which two selections name different levels.
func differIn(a, b expr.Selection) []string {
	var names []string
	for _, t := range a {
		if !slices.Equal(t.Levels, b.Levels(t.Factor)) {
			names = append(names, t.Factor)
		}
	}
	return names
}

// comparisonOf is a comparison of two curves, with what they have in common in
// where.
func comparisonOf(left, right CurveSeries) expr.Comparison {
	var c expr.Comparison
	for i, t := range left.Selection {
		if slices.Equal(t.Levels, right.Selection.Levels(t.Factor)) {
			c.Where = append(c.Where, t)
			continue
		}
		c.Left, c.Right = append(c.Left, t), append(c.Right, right.Selection[i])
	}
	return c
}

// CrossingText is where a pair crosses, or that it does not, in words.
func (p CurvePair) CrossingText() string {
	if len(p.Crossings) == 0 {
		return p.NoCrossing
	}
	var words []string
	for _, e := range p.Crossings {
		words = append(words, e.Text())
	}
	return strings.Join(words, " and ")
}
