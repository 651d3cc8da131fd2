package runner

import (
	"fmt"
	"math"

	"fieldbook/internal/experiment"
)

// rusage is the sum over a trial's processes, the largest for maxrss.
func (m *taken) rusage(d *experiment.Metric) (float64, error) {
	var total rusage
	for _, e := range m.exits {
		u := e.rusage
		total.user += u.user
		total.system += u.system
		total.maxrss = max(total.maxrss, u.maxrss)
		total.minflt += u.minflt
		total.majflt += u.majflt
		total.voluntary += u.voluntary
		total.involuntary += u.involuntary
	}
	switch d.Key {
	case "cpu":
		return inUnit(float64(total.user+total.system), d.Unit)
	case "user":
		return inUnit(float64(total.user), d.Unit)
	case "system":
		return inUnit(float64(total.system), d.Unit)
	case "maxrss":
		if total.maxrss <= m.floor {
			return math.NaN(), fmt.Errorf("at most %d KiB, which the kernel counts for any program that this tool starts; for small programs: command `time -f maxrss=%%M PROGRAM` and from: regex, stream: stderr", m.floor>>10)
		}
		return bytesIn(float64(total.maxrss), d.Unit)
	}
	counts := map[string]int64{"minflt": total.minflt, "majflt": total.majflt, "vcsw": total.voluntary, "ivcsw": total.involuntary}
	n, ok := counts[d.Key]
	if !ok {
		return math.NaN(), fmt.Errorf("rusage has no %q", d.Key)
	}
	return float64(n), nil
}
