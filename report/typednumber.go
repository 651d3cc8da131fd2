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
	// tail is the other reading of digits with blanks in them: "block 3 120 ms"
	// has 120 ms. nil: there is none.
	tail *typed
}

// numberReader finds numbers with units: those that everybody uses, and those
// of the experiment's metrics.
type numberReader struct{ pattern *regexp.Regexp }

const (
	marksPattern  = `(?:[,'’\x{a0}\x{202f}\x{2009}]|&nbsp;|&thinsp;|&#8239;|&#x202[fF];)`
	markedPattern = `\d+(?:` + marksPattern + `\d{3})*(?:\.\d+)?`
	digitsPattern = `(?:` + markedPattern + `|\d{1,3}(?: \d{3})+(?:\.\d+)?)`
	blankPattern  = `(?:[ \x{a0}\x{202f}\x{2009}]|&nbsp;)?`
	unitPattern   = `n(?:s|secs?|anoseconds?)|(?:u|µ|μ)s|usecs?|microseconds?|ms|msecs?|milliseconds?|s|secs?|seconds?|min|minutes?|h|hours?|` +
		`B|bytes?|[kMG]B|[KMG]iB|×|x|times|fold|%|percent|per cent`
)

var (
	// factorOf is a ratio without its sign.
	factorOf    = regexp.MustCompile(`(?i)factor(?: of)?` + blankPattern + `(` + markedPattern + `)`)
	factorAfter = regexp.MustCompile(`^` + blankPattern + `\d`)
	ratioSign   = regexp.MustCompile(`^` + blankPattern + `(?:×|x|times)`)
	grouping    = regexp.MustCompile(marksPattern + `| `)
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
	add := func(p spot, sign, unit string) {
		if n, ok := p.number(text, sign, unit); ok {
			list = append(list, n)
		}
	}
	for _, m := range r.pattern.FindAllStringSubmatchIndex(text, -1) {
		unit := unitNamed(text[m[8]:m[9]])
		if unit == "×" && factorAfter.MatchString(text[m[1]:]) {
			continue // a product
		}
		if m[2] >= 0 {
			add(spot{m[2], m[2], m[3], m[1], free(text, m[2], m[1])}, "", unit)
		}
		isFree := m[2] >= 0 && free(text, m[6], m[1]) || free(text, m[4], m[1])
		add(spot{m[4], m[6], m[7], m[1], isFree}, text[m[4]:m[5]], unit)
	}
	for _, m := range factorOf.FindAllStringSubmatchIndex(text, -1) {
		isFree := free(text, m[0], m[1]) && !ratioSign.MatchString(text[m[1]:])
		add(spot{m[0], m[2], m[3], m[1], isFree}, "", "×")
	}
	return list
}

// spot is where a number with its unit stands in a run, and its digits; free
// is false where it is a part of something else.
type spot struct {
	start, digits, digitsEnd, end int
	free                          bool
}

// number is what stands there. A blank in the digits may as well stand between
// two numbers: what follows the last of them is the other reading, and the only
// one where the whole is not free.
func (p spot) number(text, sign, unit string) (typed, bool) {
	n, ok := typedNumber(text[p.start:p.end], text[p.digits:p.digitsEnd], sign, unit)
	n.at = p.start
	blank := strings.LastIndexByte(text[p.digits:p.digitsEnd], ' ')
	if blank < 0 {
		return n, ok && p.free
	}
	at := p.digits + blank + 1
	tail, tailOK := typedNumber(text[at:p.end], text[at:p.digitsEnd], "", unit)
	tail.at = at
	if !ok || !p.free {
		return tail, tailOK && free(text, at, p.end)
	}
	n.tail = &tail
	return n, true
}

// typedNumber is what digits say; false where they say no number.
func typedNumber(whole, digits, sign, unit string) (typed, bool) {
	digits = grouping.ReplaceAllString(digits, "")
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
