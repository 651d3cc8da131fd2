package runner

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"fieldbook/internal/session"
)

// The sizes of units of time in nanoseconds and of memory in bytes, for
// metrics whose value the runner takes itself.
var (
	timeUnits   = map[string]float64{"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "h": 3600e9}
	memoryUnits = map[string]float64{"B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
)

// inUnit converts nanoseconds to a metric's unit.
func inUnit(ns float64, unit string) (float64, error) {
	size, ok := timeUnits[unit]
	if !ok {
		return math.NaN(), fmt.Errorf("unit %q is not one of time: ns, us, ms, s, min, h", unit)
	}
	return ns / size, nil
}

func bytesIn(n float64, unit string) (float64, error) {
	size, ok := memoryUnits[unit]
	if !ok {
		return math.NaN(), fmt.Errorf("unit %q is not one of memory: B, kB, MB, GB, KiB, MiB, GiB", unit)
	}
	return n / size, nil
}

// numberIn reads a number that a pattern found in text; separators of
// thousands are refused, since they differ by country.
func numberIn(s string) (f float64, problem string) {
	if problem := notFinite(s); problem != "" {
		return 0, problem
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || strings.ContainsAny(s, "xX_") {
		return 0, strconv.Quote(shorten(s, 60)) + " is not a number"
	}
	return f, ""
}

// notFinite says which value that is no finite number a text stands for:
// none, NaN or an infinity; it is empty for every other text.
func notFinite(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return session.ValueEmpty
	}
	f, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil:
		return "" // out of range, or no number at all
	case math.IsNaN(f):
		return session.ValueNaN
	case math.IsInf(f, 0):
		return session.ValueInfinite
	}
	return ""
}

func nans(n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = math.NaN()
	}
	return xs
}
