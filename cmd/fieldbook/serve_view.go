package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"fieldbook/internal/diag"
)

//go:embed templates/serve/reload.js
var reloadScript string

//go:embed templates/serve/panel.css
var panelStyle string

// view is what a served page has and a written one has not.
type view struct {
	name    string // of the experiment; "" of the index
	version int
	panel   string // HTML: what is wrong
}

// lively is a page that shows what is wrong and reloads itself. The written
// page stays as strict as it is: only the copy that is served allows the
// script that reloads it, by its hash, and the stream of changes.
func lively(page []byte, v view) []byte {
	events := eventsPath + "?" + url.Values{"page": {v.name}, "version": {fmt.Sprint(v.version)}}.Encode()
	aside := fmt.Sprintf(`<aside id="fieldbook-serve" data-version="%d" data-events="%s" aria-label="fieldbook serve">%s<p id="fieldbook-lost" role="status" hidden>fieldbook serve has ended; this page stays as it is.</p></aside>`,
		v.version, html.EscapeString(events), v.panel)
	page = allow(page)
	page = insert(page, "</head>", "<style>"+panelStyle+"</style>", true)
	page = insert(page, "<body>", aside, false)
	return insert(page, "</body>", "<script>"+reloadScript+"</script>", true)
}

// insert puts text before or after a mark: the first of those that stand
// after the beginning, the last of those that end a page.
func insert(page []byte, mark, text string, before bool) []byte {
	i := bytes.Index(page, []byte(mark))
	if mark == "</body>" {
		i = bytes.LastIndex(page, []byte(mark))
	}
	if i < 0 {
		return page
	}
	if !before {
		i += len(mark)
	}
	return bytes.Join([][]byte{page[:i], page[i:]}, []byte(text))
}

const policyMark = `http-equiv="Content-Security-Policy" content="`

// allow adds to a page's policy what serving it needs.
func allow(page []byte) []byte {
	head, rest, ok := bytes.Cut(page, []byte(policyMark))
	if !ok {
		return page
	}
	policy, tail, _ := bytes.Cut(rest, []byte(`"`))
	p := html.UnescapeString(string(policy))
	p = strings.Replace(p, "script-src ", "script-src "+hashOf(reloadScript)+" ", 1)
	p = strings.Replace(p, "style-src ", "style-src "+hashOf(panelStyle)+" ", 1)
	p += "; connect-src 'self'"
	return bytes.Join([][]byte{head, []byte(policyMark), []byte(html.EscapeString(p)), []byte(`"`), tail}, nil)
}

// hashOf names a script or a style in a policy.
func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// panel says what is wrong with a page, each with its line.
func (v *preview) panel(p *leaf) string {
	var errors, warnings diag.List
	for _, problem := range p.problems {
		if problem.Warning {
			warnings = append(warnings, problem)
		} else {
			errors = append(errors, problem)
		}
	}
	var b strings.Builder
	if len(errors) > 0 || p.failure != "" {
		title := count(len(errors), "problem")
		switch {
		case p.failure != "":
			title = "This report cannot be made"
		case p.good != nil:
			title += "; below stands the last page without"
		}
		b.WriteString(`<section class="errors" role="alert"><h2>` + html.EscapeString(title) + "</h2>")
		if p.failure != "" {
			b.WriteString("<p>" + html.EscapeString(diag.Printable(p.failure)) + "</p>")
		}
		v.list(&b, errors)
		b.WriteString("</section>")
	}
	if len(warnings) > 0 {
		b.WriteString(`<section class="warnings"><h2>` + html.EscapeString(count(len(warnings), "warning")) + "</h2>")
		v.list(&b, warnings)
		b.WriteString("</section>")
	}
	return b.String()
}

func (v *preview) list(b *strings.Builder, problems diag.List) {
	b.WriteString("<ol>")
	for _, p := range problems {
		text := diag.Problem{Text: p.Text, Hint: p.Hint}.String()
		fmt.Fprintf(b, "<li><b>%s</b> %s", html.EscapeString(diag.Printable(p.Pos.String())), html.EscapeString(text))
		if lines := v.excerpt(p.Pos); lines != "" {
			b.WriteString("<pre>" + html.EscapeString(lines) + "</pre>")
		}
		b.WriteString("</li>")
	}
	b.WriteString("</ol>")
}

// longestLine is how much of a line an excerpt shows, in characters.
const longestLine = 160

// excerpt is the line of a place, with a caret under its column. Where the
// line is long the part around the column is shown.
func (v *preview) excerpt(at diag.Pos) string {
	if at.Line == 0 || !filepath.IsLocal(at.File) {
		return ""
	}
	src, err := os.ReadFile(filepath.Join(v.n.root, filepath.FromSlash(at.File)))
	if err != nil {
		return ""
	}
	lines := strings.Split(string(src), "\n")
	if at.Line > len(lines) {
		return ""
	}
	raw := []rune(strings.TrimRight(lines[at.Line-1], "\r"))
	before := min(max(at.Col, 1)-1, len(raw))
	text := shownRunes(raw)
	col := len(shownRunes(raw[:before])) + 1
	from := max(0, min(col-longestLine/2, len(text)-longestLine))
	to := min(len(text), from+longestLine)
	number := fmt.Sprintf("%4d | ", at.Line)
	line := number + string(text[from:to])
	if at.Col == 0 {
		return line
	}
	return line + "\n" + strings.Repeat(" ", utf8.RuneCountInString(number)-2) + "| " + strings.Repeat(" ", col-1-from) + "^"
}

// shownRunes is text of a file as a page shows it.
func shownRunes(raw []rune) []rune {
	return []rune(diag.Printable(strings.ReplaceAll(string(raw), "\t", " ")))
}
