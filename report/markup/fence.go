package markup

import (
	"bytes"
	"regexp"
	"strings"

	"fieldbook/internal/diag"

	"github.com/yuin/goldmark/ast"
)

// CodeFence is a fenced block of code, with the word that says its language.
type CodeFence struct {
	Lang string
	At   int // byte offset of its first line
}

// takeFence notes a block of code, and whether its fence is never closed: what
// follows would be taken for code up to the end.
func (w *Writeup) takeFence(n *ast.FencedCodeBlock) {
	first := n.Pos()
	if first < 0 {
		return
	}
	next := endOfLine(w.Text, first) + 1
	if lines := n.Lines(); lines.Len() > 0 {
		next = lines.At(lines.Len() - 1).Stop
	}
	f := CodeFence{At: first}
	if info := n.Language(w.Text); info != nil {
		f.Lang = string(info)
	}
	w.Fences = append(w.Fences, f)
	mark := w.Text[first:]
	fence := mark[:len(mark)-len(bytes.TrimLeft(mark, string(mark[:1])))]
	if next > len(w.Text) || !bytes.HasPrefix(bytes.TrimLeft(w.Text[next:], " \t>"), fence) {
		w.flaws = append(w.flaws, flaw{first, "the block of code has no closing " + string(fence), ""})
	}
}

// broken is the beginning of a line that would open a directive, were it not
// that a fence of backticks cannot have a further one on its line.
var broken = regexp.MustCompile("^[ \t]*(`{3,})[ \t]*(\\{[A-Za-z][A-Za-z0-9_-]*\\})")

// colons opens a directive in other dialects, as a line of backticks does here.
var colons = regexp.MustCompile(`^[ \t]*:{3,}[ \t]*(\{[A-Za-z][A-Za-z0-9_-]*\})`)

// takeParagraph finds directives that are none, for a backtick on their line or
// for a fence of colons.
func (w *Writeup) takeParagraph(n *ast.Paragraph) {
	for _, seg := range n.Lines().Sliced(0, n.Lines().Len()) {
		line := w.Text[seg.Start:seg.Stop]
		if m := colons.FindSubmatch(line); m != nil {
			w.flaws = append(w.flaws, flaw{seg.Start, "a line of colons opens no " + string(m[1]), "write the fence with ``` or ~~~"})
		}
		m := broken.FindSubmatch(line)
		if m == nil {
			continue
		}
		rest := line[len(m[0]):]
		if bytes.IndexByte(rest, '`') >= 0 && !bytes.Contains(rest, m[1]) { // else it is code within a line
			w.flaws = append(w.flaws, flaw{seg.Start, "a line of backticks that opens " + string(m[2]) + " cannot hold a further backtick, so that it opens nothing",
				"write the fence with ~~~"})
		}
	}
}

// flawed reports what was found when the writeup was looked through.
func (w *Writeup) flawed(problems *diag.List) {
	for _, f := range w.flaws {
		problems.Errorf(w.Pos(f.off), "%s", f.text)
		problems.Hint("%s", f.hint)
	}
}

// kindsOfAlert are the words of alerts, sorted.
var kindsOfAlert = []string{"CAUTION", "IMPORTANT", "NOTE", "TIP", "WARNING"}

// alertHead is the mark of an alert with what stands behind it.
var alertHead = regexp.MustCompile(`^\[!([A-Za-z]+)\][ \t]*([^\n]*)`)

// strayAlert finds quotes that begin as an alert does and are none.
func (w *Writeup) strayAlert(first []byte, at int) {
	m := alertHead.FindSubmatch(first)
	if m == nil {
		return
	}
	word := string(m[1])
	if alertWords[strings.ToLower(word)] == "" {
		w.flaws = append(w.flaws, flaw{at, "unknown alert [!" + word + "]", diag.Meant(word, kindsOfAlert)})
	} else if len(m[2]) > 0 {
		w.flaws = append(w.flaws, flaw{at, "[!" + word + "] makes an alert only where it stands alone on its line", "move the text to the next line"})
	}
}
