package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

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

// columns lays out rows of text; those named in right are aligned right.
// Cells are made printable: they hold levels, units and titles of strangers.
func columns(w io.Writer, rows [][]string, right ...int) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(diag.Printable(cell)))
		}
	}
	isRight := map[int]bool{}
	for _, i := range right {
		isRight[i] = true
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			cell = diag.Printable(cell)
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if isRight[i] {
				line.WriteString(pad + cell)
			} else {
				line.WriteString(cell + pad)
			}
			line.WriteString("  ")
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
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
