package analysis

import (
	"math"
	"slices"

	"fieldbook/analysis/stat"
)

// minSessions is the least number of sessions over which a value has an
// interval: as for blocks, three.
const minSessions = 3

// bySessionNumbers are the numbers of trials that are ok, session by session;
// sessions without any are passed over.
func bySessionNumbers(trials []*trial, metric int) [][]float64 {
	var groups [][]float64
	for _, of := range bySession(trials) {
		if xs := okValues(of, metric); len(xs) > 0 {
			groups = append(groups, xs)
		}
	}
	return groups
}

// overGroups is a statistic of numbers that come from several sessions. What
// differs between days and starts of a machine does not cancel in a value as
// it does in a ratio within blocks, so that trials of one session are alike:
// from three sessions on the unit of a mean is the session (Kalibera & Jones,
// ISMM 2013). Elsewhere the estimate says what its interval leaves out.
func overGroups(groups [][]float64, name string) stat.Estimate {
	if l, ok := sessionsLine(groups, name); ok {
		_, back := scaleOf(name)
		return through(l.interval(confidence), back)
	}
	e := statistic(slices.Concat(groups...), name, confidence)
	if w := spansSessions(len(groups)); w != nil && e.Refused == "" && e.Confidence > 0 {
		e.Warnings = append(slices.Clone(e.Warnings), *w)
	}
	return e
}

// sessionsLine is the mean of all numbers with the session as the unit, of
// logarithms for the geometric mean; false where the session cannot be the
// unit.
func sessionsLine(groups [][]float64, name string) (line, bool) {
	if len(groups) < minSessions || name != "mean" && name != "geomean" {
		return line{}, false
	}
	method := "mean, t over sessions"
	if name == "geomean" {
		method = "geometric mean, t over sessions, log scale"
		logs := make([][]float64, len(groups))
		for i, xs := range groups {
			if slices.Min(xs) <= 0 {
				return line{}, false
			}
			logs[i] = logsOf(xs)
		}
		groups = logs
	}
	return clusterLine(groups, method), true
}

// clusterLine is the mean of all numbers of at least two groups, with the
// standard error that follows from the spread of the groups' means, each with
// the weight of its numbers. Where all have as many it is the t interval of
// these means.
func clusterLine(groups [][]float64, method string) line {
	all, k := slices.Concat(groups...), float64(len(groups))
	l := line{value: average(all), n: len(groups), df: k - 1, method: method, flipped: math.Pow(2, 1-k)}
	means, squares := make([]float64, len(groups)), 0.0
	for i, xs := range groups {
		means[i] = average(xs)
		d := float64(len(xs)) / float64(len(all)) * (means[i] - l.value)
		squares += d * d
	}
	if l.se = math.Sqrt(k / (k - 1) * squares); stat.Constant(means) {
		l.se = 0
		l.warnings = []stat.Warning{{Code: stat.ConstantData, Text: "degenerate interval: no variation over sessions"}}
	}
	return l
}

// spansSessions is the doubt about an interval over trials of several
// sessions; nil where there is one.
func spansSessions(sessions int) *stat.Warning {
	if sessions < 2 {
		return nil
	}
	return &stat.Warning{Code: Sessions, Text: "trials of " + plural(sessions, "session") +
		" are taken as independent: what differs from session to session is not in the interval"}
}

// sessionsApart are the numbers of blocks by session.
func (c *contrast) sessionsApart(d []float64) [][]float64 {
	var groups [][]float64
	for i, x := range d {
		if i == 0 || c.blocks[i].session != c.blocks[i-1].session {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], x)
	}
	return groups
}
