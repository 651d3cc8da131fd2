package expr

import (
	"math"
	"strconv"
	"strings"
)

// Kind tells what a Value holds.
type Kind int

const (
	KindText   Kind = iota // text that is no decimal number
	KindNumber             // a decimal number
	KindBool
)

// Value is a number, a text or a truth value. A level that reads as a
// decimal number is a number in arithmetic and keeps its text as written
// everywhere else: `{version}` of the level 1.10 is "1.10".
type Value struct {
	Kind Kind
	Num  float64
	Text string // as written; for computed numbers the shortest decimal
	Bool bool
	// Unknown says that only the kind is known: there is no data yet, or a
	// trial gave no number. What is computed of it is unknown, too, and no
	// error.
	Unknown bool
}

// Unknown is a value of which only the kind is known.
func Unknown(k Kind) Value { return Value{Kind: k, Unknown: true} }

// Level is the value of a level or constant as written: a number where the
// text reads as a decimal number, else a text.
func Level(text string) Value {
	if f, ok := IsNumber(text); ok {
		return Value{Kind: KindNumber, Num: f, Text: text}
	}
	return Value{Kind: KindText, Text: text}
}

// Number is a computed number, with its shortest decimal as text.
func Number(f float64) Value {
	return Value{Kind: KindNumber, Num: f, Text: FormatNumber(f)}
}

// Bool is a truth value.
func Bool(b bool) Value {
	return Value{Kind: KindBool, Bool: b, Text: strconv.FormatBool(b)}
}

// IsNumber says whether a text is a finite decimal number such as 4, -0.5,
// 1.10 or 1e3, and which. Hexadecimal, infinities, NaN, underscores, commas
// and blanks make no number.
func IsNumber(text string) (float64, bool) {
	body := strings.TrimLeft(text, "+-")
	if len(text)-len(body) > 1 || scanNumber(body) != len(body) || body == "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// scanNumber is the length of the unsigned decimal number at the start of s,
// 0 where there is none.
func scanNumber(s string) int {
	whole := digits(s)
	n := whole
	if n < len(s) && s[n] == '.' {
		part := digits(s[n+1:])
		if whole+part == 0 {
			return 0
		}
		n += 1 + part
	}
	if n == 0 {
		return 0
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		rest := s[n+1:]
		power := strings.TrimLeft(rest, "+-")
		if sign := len(rest) - len(power); sign <= 1 && digits(power) > 0 {
			n += 1 + sign + digits(power)
		}
	}
	return n
}

func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// FormatNumber is the shortest decimal that reads back as the same number.
// It has an exponent only below 1e-7 and from 1e21 on.
func FormatNumber(f float64) string {
	if f == 0 {
		return "0" // also of -0
	}
	if size := math.Abs(f); size >= 1e-7 && size < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// ValidName says whether a text may name a factor, constant, metric or
// service: [a-z][a-z0-9_]*.
func ValidName(s string) bool {
	for i, r := range s {
		lower := 'a' <= r && r <= 'z'
		if !lower && (i == 0 || r != '_' && (r < '0' || r > '9')) {
			return false
		}
	}
	return s != ""
}
