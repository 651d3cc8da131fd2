package analysis

import (
	"fmt"
	"math"
	"slices"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// minFitLevels is the least number of levels that can show that a curve is
// no line.
const minFitLevels = 4

// fitFindings examines how far each level lies from the line that fits all
// of them best: ln y = block + ln(a + b·x).
func (r *Result) fitFindings(c Claim, metric int, label string, where expr.Selection) []finding {
	l, why := r.judgedLadder(metric, c.X, where, c.Over)
	switch {
	case why != "":
	case c.Fit != "linear":
		why = fmt.Sprintf("a fit is linear, not %q", c.Fit)
	case !(c.Within > 0):
		why = "the claim does not say within what"
	case len(l.xs) < minFitLevels:
		why = fmt.Sprintf("a fit takes %d levels of %s, and there are %d", minFitLevels, c.X, len(l.xs))
	}
	if why != "" {
		return []finding{notJudged(label, why)}
	}
	fit := l.fitLine()
	if fit.Refused != "" {
		return []finding{notJudged(label, fit.Refused)}
	}
	t := target{lo: -math.Log1p(c.Within), hi: math.Log1p(c.Within)}.withFloor(r.floorOn(metric, l.con.machine()))
	var all []finding
	for j, of := range l.deviations(fit) {
		at := append(slices.Clone(where), expr.Term{Factor: c.X, Levels: []string{l.levels[j]}})
		f := r.ladderFinding(l, "deviation", at.String(), of)
		f.Label = levelLabel(label, c.X, l.levels[j])
		f.Estimate.Estimate, f.I90.Estimate = through(f.Estimate.Estimate, math.Expm1), through(f.I90.Estimate, math.Expm1)
		if len(f.Estimate.Stale) > 0 {
			all = append(all, f.stale())
			continue
		}
		t.decide(&f, lineEvidence(of))
		all = append(all, f.settled())
	}
	return all
}

// levelLabel is the label of a level beside that of what the claim spreads
// over, as one selection.
func levelLabel(label, factor, level string) string {
	own := factor + "=" + expr.QuoteLevel(level)
	if label == "" {
		return own
	}
	return label + " " + own
}

// fitLine fits the line to all blocks.
func (l *ladder) fitLine() stat.MultiplicativeLine {
	var x, y []float64
	var block []int
	for i, b := range l.con.blocks {
		for j, v := range b.geo {
			x, y, block = append(x, l.xs[j]), append(y, v), append(block, i)
		}
	}
	return stat.FitMultiplicativeLine(x, y, block, confidence)
}

// deviations are, by level, the logarithm of level over line. Each block's
// numbers are taken relative to its mean, so that slow and fast blocks count
// alike.
func (l *ladder) deviations(fit stat.MultiplicativeLine) []line {
	rows := l.rows()
	grand := 0.0
	for _, row := range rows {
		grand += average(row) / float64(len(rows))
	}
	all := make([]line, len(l.xs))
	for j, x := range l.xs {
		expected := math.Log(fit.A + fit.B*x)
		d := make([]float64, len(rows))
		for i, row := range rows {
			if d[i] = row[j] - average(row) + grand - expected; math.Abs(d[i]) < 1e-13 { // rounding of what is on the line
				d[i] = 0
			}
		}
		all[j] = pairedLine(d, "deviation from a line, t over blocks, log scale")
	}
	return all
}

// fitReasons say of a fit which level lies furthest from the line, of those
// that decide it.
func (v *verdictCase) fitReasons() []reason {
	worst := -1
	for i, f := range v.parts {
		if f.Verdict != v.verdict || math.IsNaN(f.Estimate.Value) {
			continue
		}
		if worst < 0 || offLine(f) > offLine(v.parts[worst]) {
			worst = i
		}
	}
	if worst < 0 || v.verdict == NotJudged {
		return nil
	}
	f := v.parts[worst]
	off := reason{fmt.Sprintf("furthest from the line at %s, by %s", f.Label, f.Estimate.Text()), true}
	switch v.verdict {
	case Supported:
		return []reason{{"holds at each of " + plural(len(v.parts), "level"), true}, off}
	case Undecided:
		slow := v.slowest()
		return []reason{{text: slow.Why + " (" + slow.Label + ")"}, off}
	}
	return []reason{off}
}

// offLine is how far a part lies from the line, on the log scale.
func offLine(f finding) float64 { return math.Abs(math.Log1p(f.Estimate.Value)) }
