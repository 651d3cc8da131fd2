package analysis

import (
	"errors"
	"math"
	"slices"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// Compare sets two selections side by side. Where the order has blocks, both
// sides are taken within each block; blocks of several sessions of one
// machine count alike. A factor that a side leaves open is an error; one that
// it names with several levels is averaged with equal weights on the log
// scale. Several machines are refused, as `machine=` must be named; sides of
// different sessions or machines are compared unpaired, with a warning. Where
// a number is not positive the ratio is refused and the difference stands.
// Other is an error here, since it means several comparisons.
func (r *Result) Compare(metric string, c expr.Comparison) (Comparison, error) {
	m, err := r.metricIndex(metric)
	if err != nil {
		return Comparison{}, err
	}
	if c.Other {
		return Comparison{}, errOther
	}
	sides, err := r.sidesOf(c.Where, nil, c.Left, c.Right)
	if err != nil {
		return Comparison{}, err
	}
	return r.compare(m, sides, c.String()), nil
}

// errOther is the error of a comparison that is several.
var errOther = errors.New("`other` stands for several comparisons; name the right side")

// compare computes a comparison of two resolved sides.
func (r *Result) compare(metric int, sides []side, text string) Comparison {
	c := r.newContrast(metric, sides)
	out := Comparison{
		Metric: r.Metrics[metric].Name, Unit: r.Metrics[metric].Unit, Better: r.Metrics[metric].Better, Text: text,
		P: math.NaN(), SignFlipP: math.NaN(), Smallest: math.NaN(), Holm: math.NaN(),
		Incomplete: c.incomplete, Paired: len(c.blocks) > 0, Exploratory: !r.declared(metric, sides),
	}
	ratio := r.ratioLine(c)
	out.Left, out.Right = r.sideEstimate(c, 0), r.sideEstimate(c, 1)
	label := func(e stat.Estimate, kind Kind) Estimate {
		l := Estimate{Estimate: e, Metric: out.Metric, Kind: kind, Stat: "ratio", Unit: "1", Selection: text}
		l.addWarnings(c.warnings)
		l.addStale(slices.Collect(c.trials()))
		return l
	}
	out.Ratio = label(through(ratio.interval(confidence), math.Exp), Ratio)
	out.Ratio90 = label(through(ratio.interval(0.90), math.Exp), Ratio)
	out.HL = label(through(ratio.exact(confidence), math.Exp), Ratio)
	out.Ranks = c.ranks(ratio)
	out.Difference = label(r.differenceLine(c).interval(confidence), Difference)
	out.Difference.Stat, out.Difference.Unit = "difference", out.Unit
	out.P, out.SignFlipP = ratio.p(0), c.randomization(ratio, math.Log, out.Metric+" "+text)
	out.Smallest = leastMargin(out.Ratio90.Lo, out.Ratio90.Hi)
	out.Pairs = c.pairs()
	if out.Between = c.heterogeneity(ratio.d); out.Between.Differs() {
		out.Ratio.warn(Heterogeneous, "the ratio %s; look at each alone", out.Between.Words())
	}
	if ratio.refused != "" && c.refused == "" {
		r.withoutRatio(c, &out)
	}
	return out
}

// withoutRatio is what can still be said where logarithms cannot be taken:
// the test of the difference, and the ratio 0 where only the left side is 0.
func (r *Result) withoutRatio(c *contrast, out *Comparison) {
	diff := r.differenceLine(c)
	out.P = diff.p(0)
	out.SignFlipP = c.randomization(diff, identical, "difference "+out.Metric+" "+out.Text)
	left, right := okValues(c.used[0], c.metric), okValues(c.used[1], c.metric)
	if allZero(left) && slices.Min(right) > 0 {
		out.Ratio.Estimate = bare(0, len(left), "left side is 0")
		out.Ratio.addWarnings(c.warnings)
		out.Ratio.warn(ZeroRatio, "the left side is 0 throughout: the ratio has no interval, and the inverse none at all")
	}
}

func allZero(xs []float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return x != 0 })
}

// ratioLine is a contrast on the log scale.
func (r *Result) ratioLine(c *contrast) line {
	switch why := c.noRatio(); {
	case c.refused != "":
		return line{refused: c.refused}
	case why != "":
		return line{refused: why}
	case len(c.blocks) > 0:
		return pairedLine(c.logs(), "paired t over blocks, log scale"+r.plotsNote(c))
	}
	return unpairedLine(c.cells, math.Log, "Welch t over trials, log scale, not paired")
}

// differenceLine is a contrast of arithmetic means in the metric's unit.
func (r *Result) differenceLine(c *contrast) line {
	if c.refused != "" {
		return line{refused: c.refused}
	}
	if len(c.blocks) == 0 {
		return unpairedLine(c.cells, identical, "Welch t over trials, not paired")
	}
	var d []float64
	for _, b := range c.blocks {
		d = append(d, b.mean[0]-b.mean[1])
	}
	return pairedLine(d, "paired t over blocks"+r.plotsNote(c))
}

// plotsNote says that a comparison crosses whole plots. The contrast of one
// block then is one of plot means, so that n counts blocks and the spread
// between plots is in the interval.
func (r *Result) plotsNote(c *contrast) string {
	if len(c.sides) < 2 {
		return "" // a mean of one side compares nothing
	}
	for _, f := range r.Factors {
		if f.HardToChange && differs(c.sides[0].sel, c.sides[1].sel, f.Name) {
			return "; " + f.Name + " changes between whole plots, which are the units: one contrast of plots per block"
		}
	}
	return ""
}

// sideEstimate is one side's own mean with its interval, of what went in.
func (r *Result) sideEstimate(c *contrast, i int) Estimate {
	m := r.Metrics[c.metric]
	e := Estimate{Metric: m.Name, Unit: m.Unit, Stat: "geomean", Selection: c.sides[i].sel.String()}
	e.Estimate = refused("%s", c.refused)
	if c.refused == "" {
		if slices.Min(okValues(c.used[i], c.metric)) <= 0 {
			e.Stat = "mean"
		}
		e.Estimate = overGroups(c.sideGroups(i, e.Stat), e.Stat)
		if cells := c.cellsOf(i); len(cells) > 1 {
			e.Estimate = cellMean(cells, e.Stat)
		}
	}
	e.addStale(c.used[i])
	return e
}

// cellsOf are the cells of one side, with its own mean as their sum.
func (c *contrast) cellsOf(side int) []cell {
	var own []cell
	for _, one := range c.cells {
		if one.side == side {
			one.weight = math.Abs(one.weight)
			own = append(own, one)
		}
	}
	return own
}

// cellMean is the mean over sessions and treatments of equal weight.
func cellMean(cells []cell, statistic string) stat.Estimate {
	if statistic == "geomean" {
		return through(unpairedLine(cells, math.Log, "geometric mean over trials").interval(confidence), math.Exp)
	}
	return unpairedLine(cells, identical, "mean over trials").interval(confidence)
}

// sideGroups gives one side's numbers for a kind of mean, by session: one per
// block, or one per trial where nothing is paired.
func (c *contrast) sideGroups(i int, statistic string) [][]float64 {
	if len(c.blocks) == 0 {
		return bySessionNumbers(c.used[i], c.metric)
	}
	xs := make([]float64, len(c.blocks))
	for k, b := range c.blocks {
		if xs[k] = b.mean[i]; statistic == "geomean" {
			xs[k] = b.geo[i]
		}
	}
	return c.sessionsApart(xs)
}

// maxFlips is up to how many blocks signs are flipped. Beyond, the test costs
// seconds and tells no more than the t test.
const maxFlips = 500

// randomization is the randomization test of a line, over the orders that the
// design could have drawn: signs of block contrasts where treatments were
// randomized within blocks, all ways to deal the trials of two treatments
// where the whole order was. NaN for every other order, above all for those
// that nothing was drawn for.
func (c *contrast) randomization(l line, of func(float64) float64, name string) float64 {
	seed := stat.Seed(name + " randomization")
	switch {
	case l.refused != "" || l.bare || len(c.orders) != 1:
		return math.NaN()
	case c.orders[0] == "randomized-blocks" && l.d != nil && len(l.d) <= maxFlips:
		p, _ := stat.SignFlip(l.d, seed)
		return p
	case c.orders[0] == "complete-randomization" && len(c.cells) == 2:
		return stat.Permutation(mapped(c.cells[0].xs, of), mapped(c.cells[1].xs, of), seed).P
	}
	return math.NaN()
}

func mapped(xs []float64, of func(float64) float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = of(x)
	}
	return out
}

func identical(x float64) float64 { return x }

// pairs are the two sides of each block.
func (c *contrast) pairs() []Pair {
	var all []Pair
	for _, b := range c.blocks {
		p := Pair{Session: b.session, Block: b.number, Left: b.geo[0], Right: b.geo[1]}
		if math.IsNaN(p.Left) || math.IsNaN(p.Right) {
			p.Left, p.Right = b.mean[0], b.mean[1]
		}
		all = append(all, p)
	}
	return all
}

// addWarnings adds doubts, each once.
func (e *Estimate) addWarnings(ws []stat.Warning) {
	for _, w := range ws {
		e.warn(w.Code, "%s", w.Text)
	}
}
