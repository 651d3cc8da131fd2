package analysis

import (
	"math"
	"slices"
	"strings"

	"fieldbook/internal/expr"
)

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
	if c := r.censoring(slices.Collect(con.trials()), metric); c.N > 0 && !math.IsNaN(ev.sd) { // ranks have them
		ev.i95.Warnings = append(slices.Clone(ev.i95.Warnings), c.warning())
		f.caveats = append(f.caveats, c.warning().Text)
	}
	if w := spansSessions(len(f.sessions)); w != nil && ev.unit != "session" {
		ev.i95.Warnings, ev.i90.Warnings = append(slices.Clone(ev.i95.Warnings), *w), append(slices.Clone(ev.i90.Warnings), *w)
		f.caveats = append(f.caveats, w.Text)
	}
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
	return identical, identical
}

// valueEvidence is the evidence of a statistic of one treatment, or of the
// geometric mean averaged over several.
func (r *Result) valueEvidence(metric int, s side, name string, averaged bool) (evidence, *contrast) {
	con := &contrast{metric: metric, sides: []side{s}, used: make([][]*trial, 1)}
	if averaged {
		con = r.newContrast(metric, []side{s})
		l := r.ratioLine(con)
		if groups := con.sessionsApart(l.d); len(groups) >= minSessions {
			return overSessions(clusterLine(groups, "geometric mean, t over sessions, log scale")), con
		}
		return lineEvidence(l), con
	}
	con.used[0] = ranOnly(r.trialsOf(s))
	groups := bySessionNumbers(con.used[0], metric)
	xs := slices.Concat(groups...)
	sessions, several := sessionsLine(groups, name)
	c := r.censoring(con.used[0], metric)
	why := askMachine(con.used[0])
	switch p, isPercentile := percentile(name); {
	case why != "":
		return lineEvidence(line{refused: why}), con
	case len(xs) == 0:
		return lineEvidence(line{refused: r.noData(s.sel, con.used[0])}), con
	case isPercentile:
		return c.quantileEvidence(xs, p), con
	case name == "median":
		return c.quantileEvidence(xs, 0.5), con
	case c.mostly():
		return lineEvidence(line{refused: c.Text() + ": there is no " + StatWords(name) + " of what is left"}), con
	case several:
		return overSessions(sessions), con
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

// overSessions is the evidence of a mean whose unit is the session.
func overSessions(l line) evidence {
	ev := lineEvidence(l)
	ev.exact95 = refused("a mean over sessions has no exact interval")
	ev.exact90 = ev.exact95
	return ev
}

// meanEvidence is the evidence of a mean over trials. The exact interval is
// one of symmetric differences and has no place here.
func meanEvidence(xs []float64, method string) evidence {
	ev := lineEvidence(pairedLine(xs, method))
	ev.exact95 = refused("over trials the median has an exact interval")
	ev.exact90 = ev.exact95
	return ev
}

func logsOf(xs []float64) []float64 { return mapped(xs, math.Log) }
