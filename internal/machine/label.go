package machine

import (
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

var (
	validLabel = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)
	// noise are the words of a processor's name that tell no model apart.
	noise    = regexp.MustCompile(`(?i)\(r\)|\(tm\)|@.*|\b(amd|intel|arm|cpu|processor|core|genuine|with|gen|apple|\d+th|\d+-core|\w+ graphics)\b`)
	nonLabel = regexp.MustCompile(`[^a-z0-9]+`)
)

// ValidLabel says whether a text may be a machine's label.
func ValidLabel(s string) bool { return validLabel.MatchString(s) }

// Label is a label for this machine made from its processor's model and the
// number of processors, such as epyc-7763-2cpu. It never holds the host's
// name.
func Label() string { return labelOf(model("/"), runtime.NumCPU()) }

func labelOf(model string, cpus int) string {
	if model == "" {
		model = runtime.GOARCH
	}
	word := strings.Trim(nonLabel.ReplaceAllString(strings.ToLower(noise.ReplaceAllString(model, " ")), "-"), "-")
	count := strconv.Itoa(cpus) + "cpu"
	if word == "" {
		word = runtime.GOARCH
	}
	if room := 40 - len(count) - 1; len(word) > room {
		word = strings.Trim(word[:room], "-")
	}
	return word + "-" + count
}

// model is the processor's name as the system tells it; "" where it does not.
func model(root string) string {
	for _, key := range []string{"model name", "Model", "cpu model", "Hardware"} {
		if v := cpuinfo(root, key); v != "" {
			return v
		}
	}
	return ""
}

// cpuinfo is the first value of a key in /proc/cpuinfo.
func cpuinfo(root, key string) string {
	for l := range strings.Lines(contents(root, "proc/cpuinfo")) {
		k, v, ok := strings.Cut(l, ":")
		if ok && strings.TrimSpace(k) == key {
			return strings.Join(strings.Fields(v), " ")
		}
	}
	return ""
}
