package machine

import (
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"
)

func lookQuota(c Checkup) Finding {
	q, known := readQuota(c.Root)
	switch {
	case !known:
		return Finding{}
	case math.IsNaN(q.share):
		return good("no control group limits processor time")
	}
	found := fmt.Sprintf("a control group leaves %.2f processors to what runs here, and stops it for the rest of each period", q.share)
	if q.stopped > 0 {
		found += fmt.Sprintf(" (%.0f times so far)", q.stopped)
	}
	return warned(found, "run outside of the container or service, or without its limit (--cpus, CPUQuota=)")
}

// groupQuota is the share of processors that a control group leaves, NaN
// without a limit, and how often it stopped something for that.
type groupQuota struct{ share, stopped float64 }

// readQuota is the tightest quota of this process's control group and those
// above it. known is false where no control group can be read.
func readQuota(root string) (tightest groupQuota, known bool) {
	tightest.share = math.NaN()
	take := func(dir string, limit, period float64) {
		if share := limit / period; share > 0 && !(share >= tightest.share) {
			tightest = groupQuota{share, keyed(contents(root, dir, "cpu.stat"), "nr_throttled")}
		}
	}
	for dir := ownGroup(root); ; dir = path.Dir(dir) {
		at := filepath.Join("sys/fs/cgroup", dir)
		if fields := strings.Fields(line(root, at, "cpu.max")); len(fields) == 2 {
			known = true
			take(at, number(fields[0]), number(fields[1])) // "max" is no number, and no limit
		}
		if dir == "/" {
			break
		}
	}
	const first = "sys/fs/cgroup/cpu" // version 1; -1 is no limit
	if limit := number(line(root, first, "cpu.cfs_quota_us")); !math.IsNaN(limit) {
		known = true
		take(first, limit, number(line(root, first, "cpu.cfs_period_us")))
	}
	_, err := os.Stat(filepath.Join(root, "sys/fs/cgroup/cgroup.controllers"))
	return tightest, known || err == nil
}

// ownGroup is the path of this process's control group, "/" where it is not
// told.
func ownGroup(root string) string {
	for l := range strings.Lines(contents(root, "proc/self/cgroup")) {
		if at, ok := strings.CutPrefix(strings.TrimSpace(l), "0::"); ok {
			return path.Clean("/" + at)
		}
	}
	return "/"
}
