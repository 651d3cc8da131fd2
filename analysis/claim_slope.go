package analysis

import (
	"fmt"
	"math"
	"strings"

	"fieldbook/internal/expr"
)

// curveFindings examines the parts of a claim with `slope` or `fit`: one for
// each level that it spreads over and, of a fit, for each level of its
// factor.
func (r *Result) curveFindings(c Claim) []finding {
	metric, err := r.metricIndex(c.Metric)
	if err == nil {
		err = r.check(c.Where)
	}
	var levels []expr.Selection
	if err == nil {
		levels, err = r.spread(c)
	}
	if err != nil {
		return []finding{notJudged("", err.Error())}
	}
	var all []finding
	for _, within := range levels {
		where, label := both(c.Where, within), strings.TrimSpace(within.String())
		if c.Slope == "" {
			all = append(all, r.fitFindings(c, metric, label, where)...)
			continue
		}
		all = append(all, r.slopeFinding(c, metric, label, where))
	}
	return all
}

// slopeFinding examines one slope: the mean over blocks of each block's own,
// by its t interval, with the Hodges-Lehmann interval beside.
func (r *Result) slopeFinding(c Claim, metric int, label string, where expr.Selection) finding {
	if c.Expect == nil {
		return notJudged(label, "the claim expects nothing")
	}
	l, why := r.judgedLadder(metric, c.Slope, where, c.Over)
	switch {
	case why != "":
		return notJudged(label, why)
	case len(l.xs) < 2:
		return notJudged(label, "a slope takes two levels of "+c.Slope)
	}
	slope, why := r.doublingLine(l)
	if why != "" {
		return notJudged(label, why)
	}
	f := r.ladderFinding(l, "slope", "slope per doubling of "+c.Slope+" where "+where.String(), slope)
	f.Estimate.Kind, f.I90.Kind = Slope, Slope
	f.Label = label
	if len(f.Estimate.Stale) > 0 {
		return f.stale()
	}
	t := newTarget(c.Expect, identical)
	if !t.equivalence() || t.lo < 0 && t.hi > 0 {
		t = t.withFloor(perDoubling(r.floorOn(metric, l.con.machine()), l.log2()))
	}
	t.decide(&f, lineEvidence(slope))
	return f.settled()
}

// doublingLine is the slope per doubling of a ladder's factor, on the log
// scale, or why there is none.
func (r *Result) doublingLine(l *ladder) (of line, why string) {
	if l.xs[0] <= 0 {
		return line{}, fmt.Sprintf("the level %s of %s is not above 0, and a slope is per doubling", l.levels[0], l.factor)
	}
	return pairedLine(l.slopes(l.log2()), "slope by block, t over blocks, log scale"+r.plotsNote(l.con)), ""
}

// judgedLadder is the ladder of a claim, or why it cannot be judged.
func (r *Result) judgedLadder(metric int, factor string, where expr.Selection, over []string) (*ladder, string) {
	if len(r.treatmentsIn(where)) == 0 {
		return nil, "no data: no treatment is " + where.String()
	}
	l, err := r.newLadder(metric, factor, where, over)
	if err != nil {
		return nil, err.Error()
	}
	return l, l.refused()
}

// ladderFinding is a part that rests on a ladder, with its intervals on the
// scale of the line.
func (r *Result) ladderFinding(l *ladder, statistic, text string, of line) finding {
	f := finding{sessions: l.con.sessions(), caveats: l.con.caveats()}
	f.Estimate = r.claimEstimate(l.con.metric, statistic, text, l.con)
	f.Estimate.Unit = "1"
	f.I90 = f.Estimate
	f.Estimate.Estimate, f.I90.Estimate = of.interval(confidence), of.interval(0.90)
	f.Estimate.addWarnings(l.con.warnings)
	return f
}

// perDoubling is the A/A floor as a slope: what two labels of one treatment
// differ by, spread over the doublings from the first level to the last.
func perDoubling(floor *Comparison, log2 []float64) *Comparison {
	if floor == nil {
		return nil
	}
	doublings := log2[len(log2)-1] - log2[0]
	scaled := *floor
	scaled.Ratio.Lo, scaled.Ratio.Hi = math.Pow(floor.Ratio.Lo, 1/doublings), math.Pow(floor.Ratio.Hi, 1/doublings)
	return &scaled
}
