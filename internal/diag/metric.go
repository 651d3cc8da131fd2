package diag

import "strings"

// MeantMetric is Meant for the name of a metric. One that is sampled many
// times a trial has no number of its own, only those of its reducers
// ("latency.p99"): the hint says why.
func MeantMetric(name string, known []string) string {
	var reducers []string
	for _, k := range known {
		if name != "" && strings.HasPrefix(k, name+".") {
			reducers = append(reducers, k)
		}
	}
	if len(reducers) == 0 {
		return Meant(name, known)
	}
	return "it has many samples a trial: name " + strings.Join(reducers, " or ") +
		", one number a trial; samples of one trial are alike, and taken as independent they would make every interval too narrow"
}
