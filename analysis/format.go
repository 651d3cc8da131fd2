package analysis

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// All numbers that a reader sees are written here: at the precision that
// their interval allows, two significant digits of its half-width; without
// an interval four significant digits of what was measured, three of shares and
// of what was computed from an earlier study's numbers; never as 0.00 where they are not zero. Counts have their
// thousands set apart from five digits on, as in figures.

// Text is the estimate as a reader sees it: "34.20 ms [33.85, 34.55]",
// "1.250× [1.210, 1.290]", "−2.0 % [−5.1, +1.2]" of a deviation, "22.19 s (n = 1, no interval)", or
// "n/a (baseline is 0)".
func (e Estimate) Text() string {
	e = e.PerDoubling()
	if e.Refused != "" || math.IsNaN(e.Value) {
		return e.ValueText()
	}
	s := e.ValueText()
	if e.bounded() {
		return s + " " + e.IntervalText()
	}
	if why := e.NoInterval(); why != "" && !e.Published {
		s += " (" + why + ", no interval)"
	}
	return s
}

// ValueText is the value alone, with its unit: "34.20 ms".
func (e Estimate) ValueText() string {
	e = e.PerDoubling()
	if e.Refused != "" {
		return na(e.Refused)
	}
	if math.IsNaN(e.Value) {
		return na("")
	}
	return e.scaled().number(e.Value) + e.suffix()
}

// IntervalText is the interval alone, without a unit: "[33.85, 34.55]"; where
// there is none, "n/a" with the reason. A side that the sample cannot bound is
// open: "[33.85, ∞)".
func (e Estimate) IntervalText() string {
	e = e.PerDoubling()
	if e.Refused != "" {
		return na(e.Refused)
	}
	if !e.bounded() {
		return na(e.NoInterval())
	}
	s := e.scaled()
	return bracket(s.number(e.Lo), s.number(e.Hi), e.Lo, e.Hi)
}

// PercentText is a ratio as a change, "−2.0 % [−5.1, +1.2]", and a pure number
// as a percentage, "12.3 % [11.9, 12.7]".
func (e Estimate) PercentText() string {
	e = e.PerDoubling()
	switch {
	case e.Refused != "" || math.IsNaN(e.Value):
		return e.ValueText()
	case e.Stat == "deviation": // is one already
		return e.Text()
	case e.Kind != Ratio && e.Unit != "1":
		return na("only a ratio or a pure number has a percentage")
	}
	change, sign := 0.0, ""
	if e.Kind == Ratio {
		change, sign = 1, "+"
	}
	p := func(x float64) float64 { return 100 * (x - change) }
	w := e.percents(sign)
	s := w.number(p(e.Value)) + " %"
	if !e.bounded() {
		return s
	}
	return s + " " + bracket(w.number(p(e.Lo)), w.number(p(e.Hi)), e.Lo, e.Hi)
}

// percents writes the numbers of an estimate as percentages.
func (e Estimate) percents(sign string) writer {
	return writer{half: 100 * e.halfWidth(), factor: 1, sign: sign, derived: true}
}

// PerDoubling is a slope, which a claim is judged by on the log scale, as the
// ratio per doubling that readers are shown wherever a slope stands; any other
// estimate as it is.
func (e Estimate) PerDoubling() Estimate {
	if e.Kind == Slope {
		e.Estimate, e.Kind = through(e.Estimate, math.Exp), Ratio
	}
	return e
}

// NoInterval says why an estimate has a value and no interval; empty where it
// has one, or where its statistic never has ("min", "n").
func (e Estimate) NoInterval() string {
	switch {
	case e.Refused != "":
		return e.Refused
	case e.bounded():
		return ""
	case e.Published:
		return "an earlier study's number: " + e.Method + "; it states no spread, and none is made up"
	case math.IsInf(e.Lo, 0) || e.N > 0 && e.Confidence > 0:
		return "n = " + strconv.Itoa(e.N)
	}
	return ""
}

// bounded says whether there is an interval, on one side at least. A ratio
// of zero or more bounds nothing.
func (e Estimate) bounded() bool {
	lo := !math.IsNaN(e.Lo) && !math.IsInf(e.Lo, 0) && !(e.Kind == Ratio && e.Lo == 0 && math.IsInf(e.Hi, 1))
	hi := !math.IsNaN(e.Hi) && !math.IsInf(e.Hi, 0)
	return lo || hi
}

// halfWidth is the larger distance from the value to a finite bound; NaN
// without any.
func (e Estimate) halfWidth() float64 {
	half := math.NaN()
	if !e.bounded() {
		return half
	}
	for _, b := range []float64{e.Lo, e.Hi} {
		if d := math.Abs(b - e.Value); !math.IsNaN(d) && !math.IsInf(d, 0) && !(half >= d) {
			half = d
		}
	}
	return half
}

func (e Estimate) scaled() writer {
	w := writer{half: e.halfWidth(), factor: 1, exact: e.Stat == "n", asWritten: e.Published && e.Kind == Absolute, derived: e.derived()}
	if e.Kind == Ratio {
		w.ratio = true
		return w
	}
	switch {
	case e.Stat == "deviation":
		w.factor, w.sign = 100, "+"
	case !w.asWritten:
		_, w.factor = e.displayUnit()
	}
	w.half *= w.factor
	return w
}

// derived says whether an estimate is computed from rounded values, as from
// those of an earlier study, or is a share.
func (e Estimate) derived() bool {
	return e.Published && e.Kind != Absolute || slices.Contains([]string{"breakeven", "cv", "deviation"}, e.Stat)
}

func (e Estimate) suffix() string {
	switch {
	case e.Kind == Ratio:
		return "×"
	case e.Stat == "deviation":
		return " %"
	case e.Published:
		return unitSuffix(e.Unit)
	}
	unit, _ := e.displayUnit()
	return unitSuffix(unit)
}

func unitSuffix(unit string) string {
	if word := UnitWord(unit); word != "" {
		return " " + word
	}
	return ""
}

// UnitWord is a unit as a reader is shown it; a pure number has none.
func UnitWord(unit string) string {
	switch unit {
	case "1":
		return ""
	case "us":
		return "µs"
	}
	return unit
}

// unitFamilies are units that a reader may be shown in place of one another,
// smallest first, with their size.
var unitFamilies = [][]struct {
	name string
	size float64
}{
	{{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}},
	{{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}},
}

// DisplayUnit is the unit in which values are readable, and the factor that
// brings them there: the unit as it is where the largest value lies between
// 0.1 and 10000, else the largest of its family in which it is 0.1 or more.
// So 0.9997 s stays, and never becomes 1000 ms.
func DisplayUnit(unit string, values ...float64) (shown string, factor float64) {
	size := 0.0
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			size = math.Max(size, math.Abs(v))
		}
	}
	if size == 0 || size >= 0.1 && size < 10_000 {
		return unit, 1
	}
	for _, family := range unitFamilies {
		for _, own := range family {
			if own.name != unit && !(unit == "µs" && own.name == "us") {
				continue
			}
			shown, factor = family[0].name, own.size/family[0].size
			for _, u := range family {
				if size*own.size/u.size >= 0.1 {
					shown, factor = u.name, own.size/u.size
				}
			}
			return shown, factor
		}
	}
	return unit, 1
}

// In is the estimate with the unit that its texts are to be in, so that
// several can be read beside each other; a unit that measures something else
// changes nothing.
func (e Estimate) In(unit string) Estimate {
	e.shownIn = unit
	return e
}

// displayUnit is the unit of an estimate's texts, and the factor to it.
func (e Estimate) displayUnit() (string, float64) {
	if factor, ok := convert(1, e.Unit, e.shownIn); ok && e.shownIn != "" {
		return e.shownIn, factor
	}
	return DisplayUnit(e.Unit, e.Value)
}

// writer writes numbers of one estimate alike.
type writer struct {
	half      float64 // half-width of the interval, scaled; NaN: none
	factor    float64 // to the unit shown
	sign      string  // "+": written also before what is positive
	exact     bool    // a count
	asWritten bool    // an earlier study's number
	ratio     bool
	derived   bool // computed from values
}

func (w writer) number(x float64) string {
	x *= w.factor
	var s string
	switch {
	case math.IsInf(x, 0):
		s = "∞"
	case w.exact:
		s = Grouped(strconv.FormatFloat(math.Abs(x), 'f', -1, 64))
	case w.asWritten && !endless(x):
		s = strconv.FormatFloat(math.Abs(x), 'f', -1, 64)
	case w.half > 0 && math.Abs(x) < 1e-6*w.half: // what rounding left of zero
		return fixed(0, 1-exponent(w.half))
	case w.half > 0:
		s = fixed(math.Abs(x), 1-exponent(w.half))
	default:
		digits := 4
		if w.derived || w.asWritten { // a study prints what it has measured
			digits = 3
		}
		s = significant(math.Abs(x), digits, w.ratio)
	}
	if x < 0 {
		return "−" + s
	}
	if x > 0 {
		return w.sign + s
	}
	return s
}

// Grouped sets the thousands of a number without decimals apart by a narrow
// blank that does not break, from five digits on.
func Grouped(digits string) string {
	if len(digits) < 5 || strings.Trim(digits, "0123456789") != "" {
		return digits
	}
	var b strings.Builder
	for i, c := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteRune('\u202f')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// CountText is a count as a reader sees it.
func CountText(n int) string { return Grouped(strconv.Itoa(n)) }

// endless says that a number was computed and not printed: a study prints
// eight significant digits at most, where a quotient has sixteen.
func endless(x float64) bool {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 7, 64), 64)
	return err == nil && rounded != x
}

// exponent is the power of ten of the first significant digit.
func exponent(x float64) int { return int(math.Floor(math.Log10(x))) }

// fixed writes a number with so many decimals; negative ones round to tens,
// hundreds. Where nothing would be left of a number that is not zero, it gets
// the decimals that its first digit needs.
func fixed(x float64, decimals int) string {
	decimals = min(decimals, 12)
	unit := math.Pow(10, float64(-decimals))
	if x != 0 && x < unit/2 {
		return tiny(x)
	}
	if decimals < 0 {
		x, decimals = math.Round(x/unit)*unit, 0
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

// tiny is a number by its first digit.
func tiny(x float64) string {
	if x < 1e-9 {
		return strconv.FormatFloat(x, 'g', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', max(0, -exponent(x)), 64)
}

// significant writes a number with so many significant digits, and never
// fewer than its whole part has. Trailing zeros stay only where they are
// asked for.
func significant(x float64, digits int, zeros bool) string {
	if x == 0 {
		return "0"
	}
	if x < 1e-9 {
		return strconv.FormatFloat(x, 'g', digits, 64)
	}
	decimals := max(0, digits-1-exponent(x))
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if !zeros && strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func bracket(lo, hi string, from, to float64) string {
	left, right := "[", "]"
	if math.IsInf(from, 0) {
		left = "("
	}
	if math.IsInf(to, 0) {
		right = ")"
	}
	return left + lo + ", " + hi + right
}

// na is "n/a" with its reason.
func na(why string) string {
	switch {
	case why == "":
		return "n/a"
	case strings.HasPrefix(why, "n/a"):
		return why
	}
	return "n/a (" + why + ")"
}

// PText is a p-value: exact to two significant digits, with a floor.
func PText(p float64) string {
	switch {
	case math.IsNaN(p):
		return "p n/a"
	case p < 0.0001:
		return "p < 0.0001"
	case p >= 0.995:
		return "p = 1"
	}
	return "p = " + strings.TrimRight(fixed(p, 1-exponent(p)), "0")
}

// NumberText is a number of a table column without an interval, four
// significant digits.
func NumberText(x float64) string {
	if math.IsNaN(x) {
		return "n/a"
	}
	return writer{half: math.NaN(), factor: 1}.number(x)
}
