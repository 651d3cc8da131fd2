package experiment

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// duration is a duration above 0. What is none is reported by check.
func (r *reader) duration(n *yaml.Node) time.Duration {
	if aDuration.of(n) == nil {
		return 0
	}
	d, err := time.ParseDuration(n.Value)
	if err != nil || d <= 0 || d > 30*24*time.Hour {
		r.Errorf(r.at(n), "the duration %s is not above 0 and at most 720h", n.Value)
	}
	return d
}

// share is a percentage as a part of 1: 25% and 0.25 are 0.25. It is above 0
// and at most 1.
func (r *reader) share(n *yaml.Node) float64 {
	if n == nil || aPercent.of(n) == nil {
		return 0
	}
	digits, isPercent := strings.CutSuffix(n.Value, "%")
	f, err := strconv.ParseFloat(digits, 64)
	if isPercent {
		f /= 100
	}
	if err != nil || f <= 0 || f > 1 {
		r.Errorf(r.at(n), "%s is not above 0%% and at most 100%%", n.Value)
	}
	return f
}

// maxProcessor is the largest number of a processor that Linux knows.
const maxProcessor = 8191

// processors are the numbers of a list such as [0, 2-3] or 0,2-3, sorted and
// without repeats.
func (r *reader) processors(n *yaml.Node) []int {
	if cpus.of(n) == nil {
		return nil
	}
	var all []int
	nodes := items(n)
	if n.Kind == yaml.ScalarNode {
		nodes = []*yaml.Node{n}
	}
	for _, c := range nodes {
		for part := range strings.SplitSeq(plainText(c), ",") {
			lo, hi, isRange := strings.Cut(part, "-")
			from, err := strconv.Atoi(lo)
			to := from
			if isRange {
				to, _ = strconv.Atoi(hi)
			}
			if err != nil || from > to || to > maxProcessor {
				r.Errorf(r.at(c), "processors %s do not go from a lower to a higher number up to %d", part, maxProcessor)
				continue
			}
			for i := from; i <= to; i++ {
				all = append(all, i)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Units of what the tool measures itself.
var (
	timeUnits   = []string{"ns", "us", "µs", "ms", "s", "min", "h"}
	memoryUnits = []string{"B", "kB", "MB", "GB", "KiB", "MiB", "GiB"}
)

// convertible says whether a number in one unit can be brought into another.
func convertible(a, b string) bool {
	if a == b {
		return true
	}
	x, xRate := strings.CutPrefix(a, "1/")
	y, yRate := strings.CutPrefix(b, "1/")
	both := func(units []string) bool { return contains(units, x) && contains(units, y) }
	return xRate == yRate && (both(timeUnits) || !xRate && both(memoryUnits))
}

// measures is what the tool itself measures for a metric: "time", "memory",
// "number", or "" where the workload reports it.
func (m Metric) measures() string {
	switch {
	case m.From == FromWall, m.From == FromClients && contains([]string{"span", "start-skew"}, m.Reduce):
		return "time"
	case m.From == FromClients && m.Reduce == "jain":
		return "number"
	case m.From == FromSamples && m.Reduce == "count":
		return "number"
	case m.From != FromRusage:
		return ""
	case m.Key == "maxrss":
		return "memory"
	case contains([]string{"cpu", "user", "system"}, m.Key):
		return "time"
	}
	return "number"
}
