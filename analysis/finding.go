package analysis

import (
	"fmt"
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
	p0                float64 // of the value 1, two-sided; for claims about both sides
	low, high         float64 // the interval on the log scale, less what must be cleared; for the same
	exactLow          float64
	exactHigh         float64
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

// spread are the levels at which a claim must hold, as selections: every
// machine, and every combination of for-each levels that there is. A single
// machine is not named.
func (r *Result) spread(c Claim) ([]expr.Selection, error) {
	for _, f := range slices.Concat(c.ForEach, c.Over) {
		if !slices.Contains(r.factorNames(), f) || isScope(f) {
			return nil, unknown("factor", f, r.factorNames())
		}
	}
	levels := []expr.Selection{nil}
	if combos := r.forEach(c); len(combos) > 0 {
		levels = combos
	}
	machines := r.Machines()
	if wanted := c.Where.Levels("machine"); wanted != nil {
		machines = slices.DeleteFunc(machines, func(m string) bool { return !slices.Contains(wanted, m) })
	}
	if len(machines) < 2 {
		return levels, nil
	}
	var all []expr.Selection
	for _, m := range machines {
		for _, l := range levels {
			all = append(all, append(expr.Selection{{Factor: "machine", Levels: []string{m}}}, l...))
		}
	}
	return all, nil
}

// forEach are the combinations of for-each levels that some treatment within
// where has, in the order of treatments. Those at which a side of the
// comparison has no treatment by design are passed over.
func (r *Result) forEach(c Claim) []expr.Selection {
	if len(c.ForEach) == 0 {
		return nil
	}
	var combos []expr.Selection
	seen := map[string]bool{}
	for _, levels := range r.treatmentsIn(c.Where) {
		var combo expr.Selection
		for _, f := range c.ForEach {
			l, _ := r.level(levels, f)
			combo = append(combo, expr.Term{Factor: f, Levels: []string{l}})
		}
		if !seen[combo.String()] && r.crosses(c, combo) {
			combos = append(combos, combo)
		}
		seen[combo.String()] = true
	}
	return combos
}

// crosses says whether each side of a comparison has a treatment at a
// combination of levels.
func (r *Result) crosses(c Claim, combo expr.Selection) bool {
	for _, s := range c.sides() {
		if len(r.treatmentsIn(both(both(s, c.Where), combo))) == 0 {
			return false
		}
	}
	return true
}

// sides are the selections that a claim names, two or four; none for a value.
func (c Claim) sides() []expr.Selection {
	var s []expr.Selection
	if c.Compare != nil {
		s = append(s, both(c.Compare.Left, c.Compare.Where))
		if !c.Compare.Other {
			s = append(s, both(c.Compare.Right, c.Compare.Where))
		}
	}
	if c.Against != nil {
		s = append(s, both(c.Against.Left, c.Against.Where), both(c.Against.Right, c.Against.Where))
	}
	return s
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
	f := finding{sessions: con.sessions(), caveats: con.caveats()}
	f.Label = label
	l := r.ratioLine(con)
	f.Estimate = r.claimEstimate(metric, "ratio", text, con)
	f.I90 = f.Estimate
	f.Estimate.Estimate, f.I90.Estimate = through(l.interval(confidence), math.Exp), through(l.interval(0.90), math.Exp)
	f.Estimate.addWarnings(con.warnings)
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

// valueFinding examines a value: the geometric mean, or another statistic.
func (r *Result) valueFinding(c Claim, metric int, label string, where expr.Selection) finding {
	name := c.Stat
	if name == "" {
		name = "geomean"
	}
	if err := checkStat(name); err != nil {
		return notJudged(label, err.Error())
	}
	if open := r.open(r.treatmentsIn(where), slices.Concat(where, termsFor(c.Over))); len(open) > 0 {
		return notJudged(label, nameThem(open))
	}
	averaged := len(r.treatmentsIn(where)) > 1
	if averaged && name != "geomean" {
		return notJudged(label, "only the geometric mean can be averaged over treatments")
	}
	s := side{sel: where}
	for _, levels := range r.treatmentsIn(where) {
		s.keys = append(s.keys, treatmentKey(levels))
	}
	ev, con := r.valueEvidence(metric, s, name, averaged)
	if strings.HasPrefix(ev.i95.Refused, "no data") {
		return notJudged(label, ev.i95.Refused)
	}
	f := finding{sessions: con.sessions()}
	f.Label = label
	f.Estimate = r.claimEstimate(metric, name, where.String(), con)
	f.I90 = f.Estimate
	onto, back := scaleOf(name)
	f.Estimate.Estimate, f.I90.Estimate = through(ev.i95, back), through(ev.i90, back)
	if len(f.Estimate.Stale) > 0 {
		return f.stale()
	}
	newTarget(c.Expect, onto).decide(&f, ev)
	return f.settled()
}

// scaleOf is the scale on which a statistic is judged, and the way back.
func scaleOf(statistic string) (onto, back func(float64) float64) {
	if statistic == "geomean" {
		return math.Log, math.Exp
	}
	same := func(x float64) float64 { return x }
	return same, same
}

// valueEvidence is the evidence of a statistic of one treatment, or of the
// geometric mean averaged over several.
func (r *Result) valueEvidence(metric int, s side, name string, averaged bool) (evidence, *contrast) {
	con := &contrast{metric: metric, sides: []side{s}, used: make([][]*trial, 1)}
	if averaged {
		con = r.newContrast(metric, []side{s})
		return lineEvidence(r.ratioLine(con)), con
	}
	con.used[0] = ranOnly(r.trialsOf(s))
	xs := okValues(con.used[0], metric)
	why := askMachine(con.used[0])
	switch p, isPercentile := percentile(name); {
	case why != "":
		return lineEvidence(line{refused: why}), con
	case len(xs) == 0:
		return lineEvidence(line{refused: r.noData(s.sel, con.used[0])}), con
	case isPercentile:
		return quantileEvidence(xs, p), con
	case name == "median":
		return quantileEvidence(xs, 0.5), con
	case name == "mean":
		return meanEvidence(xs, "mean, t interval"), con
	case name == "geomean":
		if why := con.noRatio(); why != "" {
			return lineEvidence(line{refused: why + "; name stat: mean or median"}), con
		}
		return meanEvidence(logsOf(xs), "geometric mean, t interval on the log scale"), con
	}
	return bareEvidence(statistic(xs, name, confidence)), con
}

// meanEvidence is the evidence of a mean over trials. The exact interval is
// one of symmetric differences and has no place here.
func meanEvidence(xs []float64, method string) evidence {
	ev := lineEvidence(pairedLine(xs, method))
	ev.exact95 = refused("over trials the median has an exact interval")
	ev.exact90 = ev.exact95
	return ev
}

func logsOf(xs []float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = math.Log(x)
	}
	return out
}

// alwaysFindings examines an expression that must be true in every trial
// that is ok or invalid.
func (r *Result) alwaysFindings(c Claim) []finding {
	if err := r.check(c.Where); err != nil {
		return []finding{notJudged("", err.Error())}
	}
	n, wrong, first, unclear := 0, 0, "", ""
	f := notJudged("", "no data")
	for _, t := range r.trials {
		if !t.usable() || !judged(t.status) || !r.matches(t, c.Where) {
			continue
		}
		if t.stale != "" {
			return []finding{notJudged("", "stale: "+t.stale)}
		}
		if !slices.Contains(f.sessions, t.session.Session) {
			f.sessions = append(f.sessions, t.session.Session)
		}
		n++
		holds, why := r.holdsIn(c.Always, t)
		if !holds && why == "" {
			wrong++
			if first == "" {
				first = r.counterexample(c.Always, t)
			}
		}
		if unclear == "" && why != "" {
			unclear = fmt.Sprintf("not computable in trial %d of session %s: %s", t.Trial, t.session.Session, why)
		}
	}
	if n == 0 {
		return []finding{f}
	}
	f.Estimate.N = n
	switch {
	case wrong > 0:
		f.alone, f.Why = Refuted, fmt.Sprintf("false in %d of %s; first in %s", wrong, plural(n, "trial"), first)
	case unclear != "":
		f.alone, f.Why = Undecided, unclear
	default:
		f.alone, f.Why = Supported, "true in "+plural(n, "trial")
		if n > 1 {
			f.Why = "true in all " + plural(n, "trial")
		}
	}
	f.exact, f.Verdict = f.alone, f.alone
	return []finding{f}
}

// holdsIn evaluates an expression in one trial.
func (r *Result) holdsIn(e *expr.Expr, t *trial) (holds bool, why string) {
	got, err := e.Eval(r.envOf(t))
	switch {
	case err != nil:
		return false, err.Error()
	case got.Kind != expr.KindBool:
		return false, e.String() + " is no condition"
	}
	return got.Bool, ""
}

// envOf knows the names of one trial.
func (r *Result) envOf(t *trial) expr.Env {
	return t.read.env(t.Levels, func(i int) float64 { return t.values[i] })
}

// counterexample names a trial and the values of what the expression names.
func (r *Result) counterexample(e *expr.Expr, t *trial) string {
	env := r.envOf(t)
	var values []string
	for _, name := range e.Names() {
		if v, ok := env(name.Name); ok {
			if text := name.Name + " = " + v.Text; !slices.Contains(values, text) {
				values = append(values, text)
			}
		}
	}
	where := r.selectionOf(t.levels).String()
	if where != "" {
		where = " (" + where + ")"
	}
	return fmt.Sprintf("trial %d of session %s%s: %s", t.Trial, t.session.Session, where, strings.Join(values, ", "))
}
