package analysis

import (
	"fmt"
	"math"
	"slices"

	"fieldbook/analysis/stat"
)

// Ranks is the second judge of a comparison, who looks at the order of numbers
// and asks for no normality, beside what it says of how the trials lie.
type Ranks struct {
	P    float64 // two-sided, of ratio 1, by ranks; NaN: none, also where too few trials leave the ratio without an interval
	Test string  // that P is of: "signed rank over blocks"
	// Share is how often a trial of the left side is above one of the right,
	// equal ones counting half, over all pairs within a session; Lo and Hi are
	// its 95 % interval where nothing is paired. NaN: not computable.
	Share, Lo, Hi float64
	// Normality is the test of Shapiro and Wilk of what the t interval takes for
	// normal: block contrasts, or trials less their treatment's mean.
	Normality stat.Normality
}

// byRanks is the shift between two sides that nothing pairs, within the
// sessions that hold both.
func (l line) byRanks(conf float64) stat.StratifiedRanks {
	left, right, why := l.strata()
	if why != "" {
		return stat.StratifiedRanks{Estimate: refused("nothing is paired, and %s: there is no exact interval", why), P: math.NaN()}
	}
	return stat.HodgesLehmannStrata(left, right, conf)
}

// strata are the numbers of two sides by session, or why they have no such
// form: ranks know no weights.
func (l line) strata() (left, right [][]float64, why string) {
	var of [2][]cell
	for _, c := range l.cells {
		if c.side > 1 {
			return nil, nil, "it is a ratio of two ratios"
		}
		of[c.side] = append(of[c.side], c)
	}
	for _, side := range of {
		for i, c := range side {
			if i > 0 && c.session == side[i-1].session {
				return nil, nil, "a side has several treatments"
			}
		}
	}
	switch {
	case len(of[0]) == 0 || len(of[1]) == 0:
		return nil, nil, "there is one side only"
	case len(of[0]) == 1 && len(of[1]) == 1: // also of two sessions
	case !slices.EqualFunc(of[0], of[1], func(a, b cell) bool { return a.session == b.session }):
		return nil, nil, "the sides come from different sessions"
	}
	for i := range of[0] {
		left, right = append(left, of[0][i].xs), append(right, of[1][i].xs)
	}
	return left, right, ""
}

// normality tests what the t interval of a line takes for normal.
func (l line) normality() stat.Normality {
	d := l.d
	for _, c := range l.cells {
		mean := average(c.xs)
		d = append(d, mapped(c.xs, func(x float64) float64 { return x - mean })...)
	}
	return stat.ShapiroWilk(d)
}

// ranks is the second judge of a ratio.
func (c *contrast) ranks(l line) Ranks {
	nan := math.NaN()
	r := Ranks{P: nan, Share: nan, Lo: nan, Hi: nan, Normality: stat.Normality{W: nan, P: nan}}
	if l.refused != "" {
		r.Normality.Refused = l.refused
		return r
	}
	r.Share = c.share()
	if l.bare {
		r.Normality.Refused = "there is no interval that it could be asked of"
		return r
	}
	r.Normality = l.normality()
	if l.d != nil {
		r.P, r.Test = stat.SignedRank(l.d, 0).P, "signed rank over blocks"
	} else if left, right, why := l.strata(); why == "" {
		if r.P, r.Test = l.byRanks(confidence).P, "Mann-Whitney"; len(left) > 1 {
			r.Test = "Mann-Whitney within sessions"
		}
		if len(left) == 1 {
			r.Lo, r.Hi = dominance(left[0], right[0])
		}
	}
	return r
}

// mostDominance is up to how many pairs the interval of a share is computed,
// which looks at each.
const mostDominance = 1_000_000

// dominance is the interval of the share of pairs in which the left is above,
// from Cliff's delta; NaN where there is none.
func dominance(left, right []float64) (lo, hi float64) {
	if len(left)*len(right) > mostDominance {
		return math.NaN(), math.NaN()
	}
	d := stat.CliffsDelta(left, right, confidence)
	return (d.Lo + 1) / 2, (d.Hi + 1) / 2
}

// share is how often a trial of the left side is above one of the right, over
// all pairs within a session: Vargha and Delaney's A. It describes; a side of
// several treatments has none.
func (c *contrast) share() float64 {
	if len(c.sides) != 2 || len(c.sides[0].keys) != 1 || len(c.sides[1].keys) != 1 {
		return math.NaN()
	}
	above, pairs := 0.0, 0.0
	right := map[string][]float64{}
	for _, of := range bySession(c.used[1]) {
		right[of[0].session.Session] = okValues(of, c.metric)
	}
	for _, of := range bySession(c.used[0]) {
		xs, ys := okValues(of, c.metric), right[of[0].session.Session]
		if !sameScope(c.sides) {
			ys = okValues(c.used[1], c.metric)
		}
		above += pairsAbove(xs, ys)
		pairs += float64(len(xs)) * float64(len(ys))
	}
	return above / pairs // NaN without a pair
}

// pairsAbove is how many pairs have the first above the second, equal ones
// counting half: Mann and Whitney's U.
func pairsAbove(xs, ys []float64) float64 {
	n, sum := float64(len(xs)), 0.0
	for _, r := range stat.Ranks(slices.Concat(xs, ys))[:len(xs)] {
		sum += r
	}
	return sum - n*(n+1)/2
}

// RestsOnFew says that t and ranks disagree whether there is a difference, and
// what a reader calls too few: "blocks", "trials"; nothing where they agree.
func (c Comparison) RestsOnFew() string {
	if c.Ratio.Refused != "" || c.HL.Refused != "" || math.IsNaN(c.Ratio.Lo) {
		return ""
	}
	if sideOfOne(math.Log(c.Ratio.Lo), math.Log(c.Ratio.Hi)) == sideOfOne(math.Log(c.HL.Lo), math.Log(c.HL.Hi)) {
		return ""
	}
	return c.Ratio.unitOfAnalysis() + "s"
}

// ShareText is the share in words: "left higher in 93 % [81, 98] of pairs".
func (r Ranks) ShareText() string {
	if math.IsNaN(r.Share) {
		return ""
	}
	how, share, lo, hi := "higher", r.Share, r.Lo, r.Hi
	if share < 0.5 {
		how, share, lo, hi = "lower", 1-share, 1-r.Hi, 1-r.Lo
	}
	text := wholePercent(share)
	if !math.IsNaN(lo) && !math.IsNaN(hi) {
		text += fmt.Sprintf(" [%.0f, %.0f]", 100*lo, 100*hi)
	}
	return "left " + how + " in " + text + " of pairs"
}

// wholePercent is a share without decimals, never 100 % of what is not all.
func wholePercent(x float64) string {
	switch p := math.Round(100 * x); {
	case p == 100 && x < 1:
		return "> 99 %"
	default:
		return fmt.Sprintf("%.0f %%", p)
	}
}
