package analysis

// measure is what a unit measures, and its size.
type measure struct {
	of   string
	size float64
}

// units are those that published numbers are brought from into a metric's own.
var units = map[string]measure{
	"ns": {"time", 1e-9}, "us": {"time", 1e-6}, "µs": {"time", 1e-6}, "ms": {"time", 1e-3},
	"s": {"time", 1}, "min": {"time", 60}, "h": {"time", 3600},
	"B": {"size", 1}, "kB": {"size", 1e3}, "MB": {"size", 1e6}, "GB": {"size", 1e9},
	"KiB": {"size", 1 << 10}, "MiB": {"size", 1 << 20}, "GiB": {"size", 1 << 30},
	"1": {"number", 1}, "": {"number", 1}, "%": {"number", 0.01},
	"1/s": {"rate", 1}, "1/ms": {"rate", 1e3}, "1/min": {"rate", 1.0 / 60}, "1/h": {"rate", 1.0 / 3600},
}

// convert brings a number from one unit into another; false where they do not
// measure the same.
func convert(x float64, from, to string) (float64, bool) {
	if from == to {
		return x, true
	}
	a, ok := units[from]
	b, also := units[to]
	if !ok || !also || a.of != b.of {
		return 0, false
	}
	if a.size >= b.size { // whole factors stay exact
		return x * (a.size / b.size), true
	}
	return x / (b.size / a.size), true
}
