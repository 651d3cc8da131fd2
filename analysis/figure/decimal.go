package figure

import (
	"math"
	"strconv"
	"strings"

	"fieldbook/analysis"
)

// decimal is n × 10^exp, exact. A tick is placed at its float and labelled
// with its digits, so that a label can never differ from where it stands.
type decimal struct {
	n   int64
	exp int
}

// float is the nearest float64.
func (d decimal) float() float64 {
	v, err := strconv.ParseFloat(strconv.FormatInt(d.n, 10)+"e"+strconv.Itoa(d.exp), 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0
	}
	return v
}

// trim takes zeros off the end of n: 1200e-3 is 12e-1.
func (d decimal) trim() decimal {
	if d.n == 0 {
		return decimal{}
	}
	for d.n%10 == 0 {
		d.n /= 10
		d.exp++
	}
	return d
}

// digits is how many digits n has.
func (d decimal) digits() int {
	return len(strconv.FormatInt(abs(d.n), 10))
}

// power is the exponent of the first digit: 2 for 123.4, -1 for 0.5.
func (d decimal) power() int {
	return d.exp + d.digits() - 1
}

// plain writes d with exactly the given number of decimals, which must be
// enough for it, and with the thousands set apart from five digits on.
func (d decimal) plain(decimals int) string {
	for ; d.exp > -decimals; d.exp-- {
		d.n *= 10
	}
	digits := strconv.FormatInt(abs(d.n), 10)
	if missing := decimals + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	text := analysis.Grouped(digits[:len(digits)-decimals])
	if decimals > 0 {
		text += "." + digits[len(digits)-decimals:]
	}
	return minus(d.n) + text
}

// scientific writes d as a×10ᵖ with the given number of decimals of a.
func (d decimal) scientific(power, decimals int) string {
	if d.n == 0 {
		return "0"
	}
	a := decimal{d.n, d.exp - power}
	if a == (decimal{1, 0}) {
		return "10" + superscript(power)
	}
	return a.plain(decimals) + "×10" + superscript(power)
}

// minus is a true minus sign for a negative number.
func minus(n int64) string {
	if n < 0 {
		return "−"
	}
	return ""
}

var superscripts = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³",
	"4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

func superscript(n int) string { return superscripts.Replace(strconv.Itoa(n)) }

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

// rounded is v to the given number of significant digits, 1 to 17, without
// zeros at the end. v must be finite.
func rounded(v float64, significant int) decimal {
	text := strconv.FormatFloat(v, 'e', significant-1, 64)
	mantissa, exponent, _ := strings.Cut(text, "e")
	exp, err := strconv.Atoi(exponent)
	if err != nil {
		return decimal{}
	}
	n, err := strconv.ParseInt(strings.Replace(mantissa, ".", "", 1), 10, 64)
	if err != nil {
		return decimal{}
	}
	return decimal{n, exp - significant + 1}.trim()
}

// String writes d in the form that reads best: plain digits within seven
// places, else a power of ten.
func (d decimal) String() string {
	d = d.trim()
	if p := d.power(); d.n != 0 && (p > 6 || p < -4) {
		return d.scientific(p, d.digits()-1)
	}
	return d.plain(max(0, -d.exp))
}

// number writes a value with three significant digits, more where the values
// around it differ by less: span is the distance between the largest and the
// smallest of them, of which two digits are told. A value that needs fewer
// digits is written with fewer.
func number(v, span float64) string {
	if text := notFinite(v); text != "" {
		return text
	}
	significant := 3
	if v != 0 && span > 0 {
		significant = max(3, 2+int(math.Ceil(math.Log10(math.Abs(v)/span))))
	}
	return rounded(v, min(significant, 15)).String()
}

// notFinite is what is written in place of a number; "" for a number.
func notFinite(v float64) string {
	switch {
	case math.IsNaN(v):
		return "no value"
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "−∞"
	}
	return ""
}

// alike writes numbers that belong together with the same decimals: as many
// as tell two digits of span, and at least three of the largest. Where plain
// digits would be many, each is written by itself.
func alike(span float64, vs ...float64) []string {
	largest := 0.0
	for _, v := range vs {
		if notFinite(v) == "" {
			largest = math.Max(largest, math.Abs(v))
		}
	}
	if !(span > 0) || math.IsInf(span, 0) {
		span = largest
	}
	decimals := 0
	if largest > 0 {
		decimals = max(2-magnitude(largest), 1-magnitude(span), 0)
	}
	texts := make([]string, len(vs))
	for i, v := range vs {
		if texts[i] = notFinite(v); texts[i] == "" {
			texts[i] = fixed(v, decimals, largest)
		}
	}
	return texts
}

// magnitude is the power of ten of a positive number's first digit, read from
// its digits: a logarithm would be off by one next to powers of ten.
func magnitude(v float64) int {
	_, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	p, err := strconv.Atoi(exponent)
	if err != nil {
		return 0
	}
	return p
}

// fixed writes v with the given decimals, where the largest of its kind is
// easy to read that way.
func fixed(v float64, decimals int, largest float64) string {
	if decimals > 8 || largest >= 1e9 {
		return number(v, math.Pow10(-decimals))
	}
	n, err := strconv.ParseInt(strings.Replace(strconv.FormatFloat(v, 'f', decimals, 64), ".", "", 1), 10, 64)
	if err != nil {
		return number(v, 0)
	}
	return decimal{n, -decimals}.plain(decimals)
}
