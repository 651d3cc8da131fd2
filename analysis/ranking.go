package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

const (
	// maxRanked is up to how many treatments every pair of a ranking is
	// tested: 435 pairs.
	maxRanked = 30
	// minResampled is from how many blocks on shares of resamples are given;
	// fewer have too few resamples that differ.
	minResampled = 10
)

// Ranking is how far the data bears out an order of treatments, those of one
// machine and one metric, the best first.
type Ranking struct {
	// Groups are letters, in the order of the treatments: two share one
	// exactly where paired t, or Welch's t where nothing is paired, does not
	// tell them apart at 5 % after Holm over all pairs. Each pair has the
	// noise of its own contrast.
	Groups []string
	// Pairs are compared, Apart of them told apart. Tukey and Nemenyi are how
	// many are told apart by Tukey's range with one noise for all, and by
	// ranks within blocks; -1 where they cannot be computed.
	Pairs, Apart, Tukey, Nemenyi int
	UnevenNoise                  bool // noises differ more than fourfold in variance: Tukey's range does not hold
	// W is Kendall's concordance of the blocks' ranks, P that of Friedman's
	// test by Iman and Davenport's F; NaN where not computed.
	W, P float64
	// Same is the share of resamples of whole blocks whose order is exactly
	// this one, First that in which the first is best; NaN where not computed.
	Same, First       float64
	Blocks, Resamples int    // complete blocks, and how often they were drawn
	Refused           string // why there are no groups
}

// Ranking examines an order of treatments: each selection means one, on one
// machine, the best first; the metric's better direction says which is.
func (r *Result) Ranking(metric string, order []expr.Selection) (Ranking, error) {
	out := Ranking{Tukey: -1, Nemenyi: -1, Same: math.NaN(), First: math.NaN(), W: math.NaN(), P: math.NaN()}
	m, err := r.metricIndex(metric)
	if err != nil {
		return out, err
	}
	var sides []side
	for _, s := range order {
		in := r.treatmentsIn(s)
		if err := r.check(s); err != nil || len(in) != 1 {
			return out, cmp.Or(err, fmt.Errorf("%s selects %s, and one is ranked", s, plural(len(in), "treatment")))
		}
		sides = append(sides, r.singleKey(treatmentKey(in[0]), s))
	}
	if out.Refused = r.group(m, sides, &out); out.Refused == "" {
		r.overBlocks(m, sides, &out)
	}
	return out, nil
}

// group tests every pair and gives the letters, or says why there are none.
func (r *Result) group(metric int, sides []side, out *Ranking) string {
	k := len(sides)
	if k > maxRanked {
		return "more than " + plural(maxRanked, "treatment") + ": pairs are too many to be told apart together"
	}
	var ps []float64
	for i := range k {
		for j := i + 1; j < k; j++ {
			l := r.ratioLine(r.newContrast(metric, []side{sides[i], sides[j]}))
			p := l.p(0)
			if math.IsNaN(p) {
				return cmp.Or(l.refused, "too few blocks or trials to test a pair")
			}
			ps = append(ps, p)
		}
	}
	adjusted := stat.Holm(ps)
	apart := func(i, j int) bool { return adjusted[pairAt(min(i, j), max(i, j), k)] < alpha }
	out.Pairs = len(ps)
	for _, p := range adjusted {
		if p < alpha {
			out.Apart++
		}
	}
	if out.Groups = stat.CompactLetters(k, apart); out.Groups == nil {
		return "the groups are more than there are letters"
	}
	return ""
}

// pairAt is the place of the pair (i, j), i below j, of k in the order (0,1),
// (0,2), ..., (1,2), ...
func pairAt(i, j, k int) int { return i*k - i*(i+1)/2 + j - i - 1 }

// overBlocks looks at blocks that hold all treatments: what other tests tell
// apart, how alike blocks rank, and how often resampled blocks have this
// order.
func (r *Result) overBlocks(metric int, sides []side, out *Ranking) {
	con := r.levelContrast(metric, sides)
	if con.refused != "" || len(sides) < 2 {
		return
	}
	var rows [][]float64
	for _, b := range con.blocks {
		rows = append(rows, mapped(b.geo, math.Log))
	}
	friedman := stat.Friedman(rows)
	out.Blocks, out.W, out.P = len(rows), friedman.W, friedman.P
	if pairs, why := stat.TukeyBlocks(rows, confidence); why == "" {
		out.Tukey = 0
		for _, p := range pairs {
			out.Tukey += oneIf(p.P < alpha)
			out.UnevenNoise = out.UnevenNoise || len(p.Warnings) > 0
		}
	}
	if pairs := stat.FriedmanPairs(rows); pairs.Refused == "" {
		out.Nemenyi = 0
		for _, p := range pairs.Pairs {
			out.Nemenyi += oneIf(p.NemenyiP < alpha)
		}
	}
	if out.Blocks >= minResampled {
		r.resampleOrder(metric, rows, con, out)
	}
}

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// resampleOrder draws whole blocks and counts how often the order comes out
// the same. Equal means are in order.
func (r *Result) resampleOrder(metric int, rows [][]float64, con *contrast, out *Ranking) {
	sign := 1.0
	if r.Metrics[metric].Better == "higher" {
		sign = -1
	}
	var name string
	for _, s := range con.sides {
		name += s.sel.String() + ";"
	}
	out.Resamples = stat.Replicates
	same, first := 0, 0
	for _, at := range stat.RandomIndices(len(rows), out.Resamples, stat.Seed(r.Metrics[metric].Name+" ranking "+name)) {
		means := make([]float64, len(rows[0]))
		for _, i := range at {
			for j, x := range rows[i] {
				means[j] += sign * x
			}
		}
		same += oneIf(slices.IsSorted(means))
		first += oneIf(slices.Min(means) == means[0])
	}
	out.Same, out.First = float64(same)/float64(out.Resamples), float64(first)/float64(out.Resamples)
}

// Concordance is Kendall's W of several rankings of the same things, from 0 to
// 1; a description, without a test.
func Concordance(ranks [][]float64) float64 { return stat.Concordance(ranks) }
