package report

import (
	"regexp"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// intended are names of a sample's column that say when a request was meant
// to be sent, whether it then was or not: intended_us, due, scheduled_s.
var intended = regexp.MustCompile(`^(.*_)?(due|intended|planned|scheduled)(_.*)?$`)

// omissions say of each duration that was sampled whether what a stall kept
// back is in it. A program that sends its next request only when the last one
// is answered (a closed loop) sends nothing while the other side stands
// still, so that the stall shows in one sample instead of in all that it
// would have hit; only the time at which each was meant to be sent can put
// that right.
func omissions(r *analysis.Result) []block {
	var counted, service, unknown []phrase
	for _, f := range sampledTimes(r.Metrics) {
		columns := f.columns()
		at := slices.IndexFunc(columns, intended.MatchString)
		switch {
		case at >= 0:
			counted = append(counted, phrase{code(f.name), plain(" (from "), code(columns[at]), plain(")")})
		case hasIntended(r):
			service = append(service, phrase{code(f.name)})
		default:
			unknown = append(unknown, phrase{code(f.name)})
		}
	}
	var out []phrase
	if len(counted) > 0 {
		out = append(out, append(series(counted), plain(verb(counted, " is", " are")+" counted from the time at which each request was meant to be sent, so that what a stall kept back is in "+verb(counted, "it", "them")+".")))
	}
	if len(service) > 0 {
		out = append(out, append(series(service), plain(verb(service, " is a service time", " are service times")+": what a stall kept back is not in "+verb(service, "it", "them")+".")))
	}
	if len(unknown) > 0 {
		out = append(out, append(series(unknown), plain(verb(unknown, " carries", " carry")+" no time at which a request was meant to be sent. If the program sends the next one only when the last is answered (a closed loop), requests that a stall kept back are missing from "+
			verb(unknown, "its", "their")+" percentiles, and this report cannot correct for that (coordinated omission).")))
	}
	if len(out) == 0 {
		return nil
	}
	return []block{paragraph{joinPhrases(out, " ")}}
}

// sampledTime is a duration that was sampled: its name without a reducer, and
// what it was read from.
type sampledTime struct {
	name string
	of   session.Metric
}

// sampledTimes are the durations that were sampled, in the order of metrics.
func sampledTimes(metrics []session.Metric) []sampledTime {
	var all []sampledTime
	for _, m := range metrics {
		name, _, _ := strings.Cut(m.Name, ".")
		isTime := slices.Contains([]string{"ns", "us", "µs", "ms", "s", "min", "h"}, m.Unit)
		if m.From == "samples" && isTime && !slices.ContainsFunc(all, func(f sampledTime) bool { return f.name == name }) {
			all = append(all, sampledTime{name, m})
		}
	}
	return all
}

// columns are the names that a duration is computed from.
func (f sampledTime) columns() []string {
	if f.of.Formula == "" {
		return []string{f.of.Key}
	}
	parsed, err := expr.Parse(f.of.Formula)
	if err != nil {
		return nil
	}
	var names []string
	for _, n := range parsed.Names() {
		names = append(names, n.Name)
	}
	return names
}

// hasIntended says whether the samples of a session say when requests were
// meant to be sent.
func hasIntended(r *analysis.Result) bool {
	return slices.ContainsFunc(r.Data.Sessions, func(s *session.Session) bool {
		return slices.ContainsFunc(s.SampleColumns, func(c session.Column) bool { return intended.MatchString(c.Name) })
	})
}

// series joins phrases: "a, b and c".
func series(parts []phrase) phrase {
	if n := len(parts) - 1; n > 0 {
		return append(append(joinPhrases(parts[:n], ", "), plain(" and ")), parts[n]...)
	}
	return joinPhrases(parts, "")
}

// joinPhrases puts a text between phrases.
func joinPhrases(parts []phrase, between string) phrase {
	var out phrase
	for i, p := range parts {
		if i > 0 {
			out = append(out, plain(between))
		}
		out = append(out, p...)
	}
	return out
}

// verb is the word for one or for several.
func verb(of []phrase, one, many string) string {
	if len(of) == 1 {
		return one
	}
	return many
}
