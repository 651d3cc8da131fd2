package session

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"fieldbook/internal/diag"
)

// fields reads the cells of one row by type, one after the other. The first
// cell that is wrong is kept in bad; what is read after it means nothing.
type fields struct {
	layout []column
	cells  [][]byte
	at     int
	bad    string
}

// start turns to a row; its number of cells must be that of the columns.
func (f *fields) start(cells [][]byte) {
	f.cells, f.at, f.bad = cells, 0, ""
	if len(cells) != len(f.layout) {
		f.bad = fmt.Sprintf("the row has %d cells, want %d", len(cells), len(f.layout))
	}
}

func (f *fields) next() []byte {
	if f.at >= len(f.cells) || f.at >= len(f.layout) {
		return nil
	}
	f.at++
	return f.cells[f.at-1]
}

// fail notes that the cell read last is not what it should be.
func (f *fields) fail(cell []byte, want string) {
	if f.bad == "" {
		f.bad = fmt.Sprintf("column %s is %s, want %s", f.layout[f.at-1].Name, shown(cell), want)
	}
}

// shown is a cell as messages quote it, cut to a decent length.
func shown(cell []byte) string {
	const most = 60
	if text := string(cell); len(text) <= most {
		return strconv.Quote(text)
	}
	return strconv.Quote(string(cell[:most])) + "…"
}

func (f *fields) text() string { return string(f.next()) }

// free is a cell of a person's or a program's own text.
func (f *fields) free() string { return unguarded(string(f.next())) }

// same wants the cell to be this text.
func (f *fields) same(want string) {
	if cell := f.next(); string(cell) != want {
		f.fail(cell, strconv.Quote(want))
	}
}

// word wants one of the known words and is that word.
func (f *fields) word(known []string) string {
	cell := f.next()
	for _, w := range known {
		if string(cell) == w {
			return w
		}
	}
	f.fail(cell, fmt.Sprintf("one of %q", known))
	return ""
}

func (f *fields) int() int { return int(f.int64()) }

func (f *fields) int64() int64 {
	cell := f.next()
	n, ok := parseInt(cell)
	if !ok {
		f.fail(cell, "a whole number")
	}
	return n
}

// number is NaN for an empty cell.
func (f *fields) number() float64 {
	cell := f.next()
	x, ok := parseNumber(cell)
	if !ok {
		f.fail(cell, "a decimal number or nothing")
	}
	return x
}

func (f *fields) numbers(into []float64) {
	for i := range into {
		into[i] = f.number()
	}
}

func (f *fields) time() time.Time {
	cell := f.next()
	t, err := time.Parse(startedLayout, string(cell))
	if err != nil {
		f.fail(cell, "a time such as 2026-03-01T09:30:00.000Z")
	}
	return t.UTC()
}

// exit is -1 for an empty cell.
func (f *fields) exit() int {
	if f.at < len(f.cells) && len(f.cells[f.at]) == 0 {
		f.next()
		return -1
	}
	n := f.int()
	if n < 0 {
		f.fail(f.cells[f.at-1], "an exit code or nothing")
	}
	return n
}

// problem places what is wrong.
func problem(file string, line int, text string) error {
	return diag.List{{Pos: diag.Pos{File: file, Line: line}, Text: text}}
}

// parseInt reads a whole number as line.int writes it.
func parseInt(cell []byte) (int64, bool) {
	digits := cell
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > 19 {
		return 0, false
	}
	var n uint64
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	switch {
	case len(digits) < len(cell) && n <= 1<<63:
		return -int64(n), true
	case len(digits) == len(cell) && n <= math.MaxInt64:
		return int64(n), true
	}
	return 0, false
}

// parseNumber reads a decimal number as line.number writes it, exactly
// rounded; an empty cell is NaN. Short decimals, nearly all there are, are
// the quotient of two whole numbers that a float64 holds exactly, so that one
// division rounds right (Clinger 1990); the others are left to strconv.
func parseNumber(cell []byte) (float64, bool) {
	if len(cell) == 0 {
		return math.NaN(), true
	}
	digits := cell
	if digits[0] == '-' {
		digits = digits[1:]
	}
	var mantissa uint64
	seen, point := 0, -1
	for i, c := range digits {
		switch {
		case c >= '0' && c <= '9':
			mantissa = mantissa*10 + uint64(c-'0')
			seen++
		case c == '.' && point < 0 && i > 0 && i < len(digits)-1:
			point = i
		default:
			return parseSlow(cell)
		}
	}
	decimals := 0
	if point >= 0 {
		decimals = len(digits) - 1 - point
	}
	if seen == 0 || seen > 18 || mantissa > 1<<53 || decimals >= len(powersOfTen) {
		return parseSlow(cell)
	}
	x := float64(mantissa) / powersOfTen[decimals]
	if len(digits) < len(cell) {
		x = -x
	}
	return x, true
}

var powersOfTen = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
	1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

func parseSlow(cell []byte) (float64, bool) {
	for _, c := range cell {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' {
			return 0, false
		}
	}
	if c := cell[len(cell)-1]; cell[0] == '+' || cell[0] == '.' || cell[0] == 'e' || c == '.' {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(cell), 64)
	return x, err == nil
}
