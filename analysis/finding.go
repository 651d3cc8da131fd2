package analysis

import (
	"math"
	"slices"
	"strings"

	"fieldbook/internal/expr"
)

// finding is a part of a claim with all that its decision rests on.
type finding struct {
	ClaimPart
	alone, exact Verdict // by itself; and by the exact interval
	// pSupport and pRefute belong to the two decisions; NaN where a decision
	// is no test, or there is none.
	pSupport, pRefute float64
	sessions          []string // that it rests on
	caveats           []string
	// For claims about both sides of 1: the two-sided p-value of lying on it,
	// and the interval on the log scale, wider by what must be cleared.
	p0, low, high, exactLow, exactHigh float64
	// What a plan starts from: the evidence, where it was to lie, whether it
	// is about both sides of 1, and how many numbers each round of treatments
	// adds where nothing is paired (else 0).
	rests    evidence
	aim      target
	sides    bool
	perRound int
}

// notJudged is a part that nothing can be said of.
func notJudged(label, why string) finding {
	nan := math.NaN()
	f := finding{alone: NotJudged, exact: NotJudged, pSupport: nan, pRefute: nan, p0: nan, low: nan, high: nan, exactLow: nan, exactHigh: nan}
	f.Label, f.Why, f.Verdict = label, why, NotJudged
	f.P = nan
	f.Estimate.Estimate, f.I90.Estimate = refused("%s", why), refused("%s", why)
	return f
}

// findings examines every part of a claim that has parts of its own.
func (r *Result) findings(c Claim) []finding {
	metric, err := r.metricIndex(c.Metric)
	if err != nil {
		return []finding{notJudged("", err.Error())}
	}
	if err := r.check(c.Where); err != nil {
		return []finding{notJudged("", err.Error())}
	}
	levels, err := r.spread(c)
	if err != nil {
		return []finding{notJudged("", err.Error())}
	}
	var all []finding
	for _, within := range levels {
		label := strings.TrimSpace(within.String())
		where := both(c.Where, within)
		if c.Compare == nil {
			all = append(all, r.valueFinding(c, metric, label, where))
			continue
		}
		all = append(all, r.ratioFindings(c, metric, label, where)...)
	}
	return all
}

// ratioFindings examines the comparisons of a claim at one level: one, or one
// per pair of treatments.
func (r *Result) ratioFindings(c Claim, metric int, label string, where expr.Selection) []finding {
	if !c.AllPairs && !c.Compare.Other {
		sides, err := r.sidesOf(where, c.Over, c.sides()...)
		if err != nil {
			return []finding{notJudged(label, err.Error())}
		}
		text := c.Compare.Left.String() + " / " + c.Compare.Right.String()
		return []finding{r.ratioFinding(c, metric, label, text, sides)}
	}
	pairs := r.pairsIn(c, where)
	if len(pairs) == 0 {
		return []finding{notJudged(label, "no two treatments to compare within "+where.String())}
	}
	var all []finding
	for _, p := range pairs {
		text := r.shortly(p[0].keys[0], where) + " / " + r.shortly(p[1].keys[0], where)
		all = append(all, r.ratioFinding(c, metric, joinLabel(label, text), text, p[:]))
	}
	return all
}

func joinLabel(label, text string) string {
	if label == "" {
		return text
	}
	return label + ": " + text
}

// pairsIn are all treatments of the left side against all of the right, or,
// for `other`, against each other treatment within where.
func (r *Result) pairsIn(c Claim, where expr.Selection) [][2]side {
	lefts := r.treatmentsIn(both(c.sides()[0], where))
	rights := r.treatmentsIn(where)
	if !c.Compare.Other {
		rights = r.treatmentsIn(both(c.sides()[1], where))
	}
	isLeft := map[string]bool{}
	for _, l := range lefts {
		isLeft[treatmentKey(l)] = true
	}
	var pairs [][2]side
	for _, l := range lefts {
		for _, t := range rights {
			if !isLeft[treatmentKey(t)] {
				pairs = append(pairs, [2]side{r.singleKey(treatmentKey(l), where), r.singleKey(treatmentKey(t), where)})
			}
		}
	}
	return pairs
}

// singleKey is a side of one treatment, in the scope of where.
func (r *Result) singleKey(key string, where expr.Selection) side {
	return side{sel: append(scopeTerms(where), r.selectionOf(strings.Split(key, levelSep))...), keys: []string{key}}
}

// shortly is a treatment without the factors that where fixes.
func (r *Result) shortly(key string, where expr.Selection) string {
	s := r.selectionOf(strings.Split(key, levelSep))
	return slices.DeleteFunc(s, func(t expr.Term) bool { return len(where.Levels(t.Factor)) == 1 }).String()
}

// ratioFinding examines one ratio, or one ratio of two ratios.
func (r *Result) ratioFinding(c Claim, metric int, label, text string, sides []side) finding {
	con := r.newContrast(metric, sides)
	if strings.HasPrefix(con.refused, "no data") {
		return notJudged(label, con.refused)
	}
	f := finding{sessions: con.sessions(), caveats: con.caveats(), perRound: con.perRound()}
	f.Label = label
	l := r.ratioLine(con)
	f.Estimate = r.claimEstimate(metric, "ratio", text, con)
	f.I90 = f.Estimate
	f.Estimate.Estimate, f.I90.Estimate = through(l.interval(confidence), math.Exp), through(l.interval(0.90), math.Exp)
	f.Estimate.addWarnings(con.warnings)
	f.Normality = l.normality()
	if len(f.Estimate.Stale) > 0 {
		return f.stale()
	}
	floor := r.floorOn(metric, con.machine())
	if c.Expect.Op == "both-sides" {
		f.bothSides(lineEvidence(l), newTarget(&Expect{Op: "<", Bound: 1}, math.Log).withFloor(floor))
		return f
	}
	newTarget(c.Expect, math.Log).withFloor(floor).decide(&f, lineEvidence(l))
	return f.settled()
}

// claimEstimate is an estimate's origin.
func (r *Result) claimEstimate(metric int, statistic, text string, con *contrast) Estimate {
	e := Estimate{Metric: r.Metrics[metric].Name, Stat: statistic, Unit: r.unitOf(metric, statistic), Selection: text}
	if statistic == "ratio" {
		e.Kind, e.Unit = Ratio, "1"
	}
	for t := range con.trials() {
		if t.stale != "" && !slices.Contains(e.Stale, t.stale) {
			e.Stale = append(e.Stale, t.stale)
		}
	}
	return e
}

// stale is a part that rests on stale rows: shown, and not judged.
func (f finding) stale() finding {
	n := notJudged(f.Label, "stale: "+strings.Join(f.Estimate.Stale, "; "))
	n.Estimate, n.I90, n.sessions = f.Estimate, f.I90, f.sessions
	return n
}

// settled fills in verdict and p-value of a part by itself.
func (f finding) settled() finding {
	f.Verdict = f.alone
	f.P = f.pSupport
	if f.alone == Refuted || f.alone == Undecided && f.pRefute < f.pSupport {
		f.P = f.pRefute
	}
	return f
}

// caveats are what a reader of a verdict must know of the order.
func (c *contrast) caveats() []string {
	var words []string
	for _, w := range c.warnings {
		switch w.Code {
		case Confounded:
			words = append(words, "treatment and time are confounded")
		case NotRandomized:
			words = append(words, "nothing was randomized")
		}
	}
	return words
}

// machine is the one that the numbers come from; "" where there are several.
func (c *contrast) machine() string {
	machine := ""
	for t := range c.trials() {
		if machine != "" && machine != t.session.Machine {
			return ""
		}
		machine = t.session.Machine
	}
	return machine
}
