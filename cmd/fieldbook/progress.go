package main

import (
	"fmt"
	"strings"
	"time"

	"fieldbook/internal/design"
	"fieldbook/internal/diag"
	"fieldbook/internal/runner"
	"fieldbook/internal/session"
)

// progress prints what a run does, between trials and never during one: on a
// terminal one line that is drawn anew, elsewhere a line for each block.
type progress struct {
	app      *app
	terminal bool
	started  time.Time
	drawn    time.Time
	open     bool // a progress line stands on the terminal
	rounds   int
	warmup   int
	blocked  bool
	block    string // of the last line
	done     int
	total    int
	first    int // done when the run began
	notOK    map[string]int
	said     map[string]bool // what befell trials and has been told, once
}

func (a *app) newProgress(s *study, p *design.Plan, f runFlags) *progress {
	return &progress{app: a, terminal: canRedraw(a.stderr), started: time.Now(), first: -1,
		rounds: p.Blocks, warmup: p.WarmupBlocks, blocked: session.Blocked(string(p.Order)), notOK: map[string]int{}, said: map[string]bool{}}
}

func (g *progress) event(e runner.Event) {
	switch e.Kind {
	case "trial":
		g.trial(e)
	case "warning":
		g.line("%-12s %s", "warning", e.Text)
	default:
		took := ""
		if e.Took > 0 {
			took = "   " + e.Took.Round(time.Millisecond).String()
		}
		g.line("%-12s %s%s", e.Kind, shorten(e.Text, 100), took)
	}
}

func (g *progress) trial(e runner.Event) {
	g.done, g.total = e.Done, e.Total
	if g.first < 0 {
		g.first = g.done - 1
	}
	r := e.Record
	if r.Status != session.OK {
		g.notOK[r.Status]++
		if why := r.Status + ": " + r.Reason; !g.said[why] || g.app.verbose {
			g.line("%-12s trial %d, %s", r.Status, r.Trial, shorten(r.Reason, 300))
			g.said[why] = true
		}
	}
	at := g.place(r.Row)
	switch {
	case g.app.quiet:
	case g.terminal && (time.Since(g.drawn) > 100*time.Millisecond || g.done == g.total):
		g.drawn, g.open = time.Now(), true
		fmt.Fprintf(g.app.stderr, "\r\x1b[K%s", shorten(diag.Printable(g.state(at)), widthOf(g.app.stderr)-2))
	case !g.terminal && at != g.block:
		if g.block != "" {
			g.app.note("%s", g.state(g.block))
		}
	}
	g.block = at
}

// place names the block, or the phase where there are no blocks.
func (g *progress) place(r session.Row) string {
	switch {
	case r.Phase == design.Warmup:
		return "warm-up"
	case !g.blocked:
		return "trials"
	}
	return fmt.Sprintf("block %d/%d", r.Block, g.rounds)
}

func (g *progress) state(at string) string {
	gone := time.Since(g.started)
	text := fmt.Sprintf("%-12s %d of %d   %s gone", at, g.done, g.total, clock(gone))
	if n := g.done - g.first; n > 0 && g.total > g.done {
		text += ", " + clock(time.Duration(float64(gone)/float64(n)*float64(g.total-g.done))) + " left"
	}
	var bad []string
	for _, status := range []string{session.Failed, session.Timeout, session.Invalid, session.Skipped, session.Interrupted} {
		if n := g.notOK[status]; n > 0 {
			bad = append(bad, fmt.Sprintf("%d %s", n, status))
		}
	}
	return strings.TrimRight(text+"   "+strings.Join(bad, ", "), " ")
}

// line prints a whole line above the progress line.
func (g *progress) line(format string, args ...any) {
	if g.open {
		fmt.Fprint(g.app.stderr, "\r\x1b[K")
		g.open = false
	}
	g.app.note(format, args...)
}

// end closes the progress line, once.
func (g *progress) end() {
	switch {
	case g.open:
		fmt.Fprintln(g.app.stderr)
	case !g.terminal && g.block != "":
		g.app.note("%s", g.state(g.block))
	}
	g.open, g.block = false, ""
}

// shorten cuts a long text in the middle of a sentence, said by an ellipsis.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
