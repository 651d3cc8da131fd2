package report

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// typed is a number with a unit as a person wrote it.
type typed struct {
	at     int // byte offset in its run
	text   string
	value  float64
	half   float64 // half a unit of its last digit
	signed bool
	unit   string // as the tool writes it
	digits int    // significant ones
}

// numberReader finds numbers with units: those that everybody uses, and those
// of the experiment's metrics.
type numberReader struct{ pattern *regexp.Regexp }

const (
	digitsPattern = `\d+(?:[,'’\x{202f}\x{2009}]\d{3})*(?:\.\d+)?`
	blankPattern  = `(?:[ \x{a0}\x{202f}\x{2009}]|&nbsp;)?`
	unitPattern   = `n(?:s|secs?|anoseconds?)|(?:u|µ|μ)s|usecs?|microseconds?|ms|msecs?|milliseconds?|s|secs?|seconds?|min|minutes?|h|hours?|` +
		`B|bytes?|[kMG]B|[KMG]iB|×|x|times|fold|%|percent|per cent`
)

var (
	// factorOf is a ratio without its sign.
	factorOf    = regexp.MustCompile(`(?i)factor(?: of)?` + blankPattern + `(` + digitsPattern + `)`)
	factorAfter = regexp.MustCompile(`^` + blankPattern + `\d`)
	ratioSign   = regexp.MustCompile(`^` + blankPattern + `(?:×|x|times)`)
	grouping    = strings.NewReplacer(",", "", "'", "", "’", "", "\u202f", "", "\u2009", "")
)

// newNumberReader knows the units of a source's metrics.
func newNumberReader(s Source) numberReader {
	own := map[string]bool{}
	for _, m := range s.Result.Metrics {
		own[m.Unit] = true
	}
	for _, r := range s.Uses {
		for _, m := range r.Metrics {
			own[m.Unit] = true
		}
	}
	delete(own, "")
	delete(own, "1")
	all := unitPattern
	for _, u := range slices.Sorted(maps.Keys(own)) {
		all += "|" + regexp.QuoteMeta(u)
	}
	// A number may stand before it that has the same unit: 1.2 to 3.4 ms.
	p := regexp.MustCompile(`(?:(` + digitsPattern + `)` + blankPattern + `(?:-|–|—|±|to|and|or)` + blankPattern + `)?([-−+]?)(` + digitsPattern + `)(?:-|` + blankPattern + `)(` + all + `)`)
	p.Longest()
	return numberReader{p}
}

// read finds them in a run of prose.
func (r numberReader) read(text string) []typed {
	var list []typed
	add := func(whole, digits string, at int, sign, unit string) {
		if n, ok := typedNumber(whole, digits, sign, unit); ok {
			n.at = at
			list = append(list, n)
		}
	}
	for _, m := range r.pattern.FindAllStringSubmatchIndex(text, -1) {
		sign, digits, unit := text[m[4]:m[5]], text[m[6]:m[7]], unitNamed(text[m[8]:m[9]])
		if unit == "×" && factorAfter.MatchString(text[m[1]:]) {
			continue // a product
		}
		if m[2] >= 0 && free(text, m[2], m[1]) {
			add(text[m[2]:m[1]], text[m[2]:m[3]], m[2], "", unit)
		}
		if m[2] >= 0 && free(text, m[6], m[1]) || free(text, m[4], m[1]) {
			add(text[m[4]:m[1]], digits, m[4], sign, unit)
		}
	}
	for _, m := range factorOf.FindAllStringSubmatchIndex(text, -1) {
		if free(text, m[0], m[1]) && !ratioSign.MatchString(text[m[1]:]) {
			add(text[m[0]:m[1]], text[m[2]:m[3]], m[0], "", "×")
		}
	}
	return list
}

// typedNumber is what digits say; false where they say no number.
func typedNumber(whole, digits, sign, unit string) (typed, bool) {
	digits = grouping.Replace(digits)
	value, err := strconv.ParseFloat(digits, 64)
	if sign == "-" || sign == "−" {
		value = -value
	}
	_, decimals, _ := strings.Cut(digits, ".")
	return typed{text: whole, value: value, half: 0.5 * math.Pow(10, -float64(len(decimals))),
		signed: sign != "", unit: unit, digits: significantDigits(digits)}, err == nil
}

// free says whether nothing before or after makes a match part of something
// else: of a name, of an option, of another number.
func free(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !wordRune(before) && !strings.ContainsRune("=.$-/", before) && !wordRune(after)
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

// significantDigits counts digits; zeros that end a whole number do not
// count.
func significantDigits(s string) int {
	whole, decimals, broken := strings.Cut(s, ".")
	if !broken {
		return len(strings.Trim(whole, "0"))
	}
	return len(strings.TrimLeft(whole+decimals, "0"))
}

// unitNames are other words for the units that the tool writes.
var unitNames = map[string]string{
	"nanosecond": "ns", "microsecond": "us", "µs": "us", "μs": "us", "millisecond": "ms", "second": "s",
	"nsec": "ns", "usec": "us", "msec": "ms", "sec": "s", "minute": "min", "hour": "h",
	"byte": "B", "x": "×", "times": "×", "fold": "×", "percent": "%", "per cent": "%",
}

func unitNamed(s string) string {
	if n := unitNames[s]; n != "" {
		return n
	}
	if n := unitNames[strings.TrimSuffix(s, "s")]; n != "" {
		return n
	}
	return s
}

// unitSizes are the units of one kind of quantity that a number may be
// written in.
var unitSizes = []map[string]float64{
	{"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600},
	{"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30},
}

// unitFactor brings a value from one unit to another; 0: they measure
// different things.
func unitFactor(from, to string) float64 {
	if from == to {
		return 1
	}
	for _, sizes := range unitSizes {
		if sizes[from] > 0 && sizes[to] > 0 {
			return sizes[from] / sizes[to]
		}
	}
	return 0
}
