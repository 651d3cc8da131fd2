package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/term"
	"golang.org/x/text/width"

	"fieldbook/internal/diag"
)

// colored says whether what goes to w may hold escapes.
func (a *app) colored(w io.Writer) bool {
	switch {
	case a.color == "always":
		return true
	case a.color == "never" || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb":
		return false
	}
	return isTerminal(w)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// canRedraw says whether a line on w can be drawn anew in its place.
func canRedraw(w io.Writer) bool { return os.Getenv("TERM") != "dumb" && isTerminal(w) }

// widthOf is how many characters a line of the terminal w has: a longer line
// would go on in the next one, and could not be drawn anew.
func widthOf(w io.Writer) int {
	if f, ok := w.(interface{ Fd() uintptr }); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width >= 20 {
			return width
		}
	}
	return 80
}

// widestCell is how many characters of a cell a table shows: one longer text
// would move what stands behind it out of everybody's sight.
const widestCell = 100

// columns lays out rows of text; those named in right are aligned right.
// Cells are made printable: they hold levels, units and titles of strangers.
// The last cell of a row is shown in full, the others up to widestCell.
func columns(w io.Writer, rows [][]string, right ...int) {
	shown := make([][]string, len(rows))
	var widths []int
	for i, row := range rows {
		for k, cell := range row {
			cell = diag.Printable(cell)
			if k < len(row)-1 {
				cell = ends(cell, widestCell)
			}
			if k == len(widths) {
				widths = append(widths, 0)
			}
			if k < len(row)-1 || slices.Contains(right, k) {
				widths[k] = max(widths[k], cellWidth(cell))
			}
			shown[i] = append(shown[i], cell)
		}
	}
	for _, row := range shown {
		var line strings.Builder
		for k, cell := range row {
			pad := strings.Repeat(" ", max(0, widths[k]-cellWidth(cell)))
			if slices.Contains(right, k) {
				line.WriteString(pad + cell)
			} else {
				line.WriteString(cell + pad)
			}
			line.WriteString("  ")
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}

// cellWidth is how many places of a terminal's line a text takes: two for a
// wide character, none for one that is set upon the one before (Unicode
// Standard Annex 11).
func cellWidth(s string) int {
	n := 0
	for _, r := range s {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// ends cuts a long text in its middle: names that begin alike most often end
// in what tells them apart.
func ends(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n/2]) + "…" + string(r[len(r)-(n-n/2-1):])
}

// roughly is a length of time as a person says it: "40 s", "4 min", "2 h 5 min".
func roughly(d time.Duration) string {
	switch {
	case d < time.Second:
		return "a second"
	case d < 90*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 90*time.Minute:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// clock is a length of time as m:ss.
func clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
