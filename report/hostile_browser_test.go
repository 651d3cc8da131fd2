package report

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"fieldbook/internal/browsertest"

	"github.com/chromedp/chromedp"
)

// hostileWriteup says a text in every place of a writeup's own, and asks for
// every part.
func hostileWriteup(text string) []byte {
	line := strings.NewReplacer("\n", " ", "\r", " ").Replace(text)
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(show(text))
	return []byte("---\ntitle: \"" + quoted + "\"\nauthors: [\"" + quoted + "\"]\n---\n" + text + "\n\n## " + line + "\n\n| a | b |\n|---|---|\n| " + strings.ReplaceAll(line, "|", `\|`) + " | end |\n\n" +
		"> [!NOTE]\n> " + line + "\n\n- " + line + "\n\n{value}`" + line + "` {claim}`" + line + "` {ref}`" + line + "`\n\n" +
		"~~~{plot} points\nCaption " + line + "\n~~~\n\n~~~{plot} order\n~~~\n\n~~~{table} treatments\n" + line + "\n~~~\n\n" +
		"~~~{claims}\n~~~\n\n~~~{methods}\n~~~\n\n~~~{environment}\n~~~\n\n~~~{exclusions}\n~~~\n\n~~~{listing} experiment\n~~~\n\n~~~{cite}\n~~~\n\n~~~{details} " + line + "\n" + line + "\n~~~\n")
}

// hostilePages writes pages that say a text everywhere, and gives their paths.
// The pages in host are as a code host shows the Markdown.
func hostilePages(t *testing.T, text string) []string {
	t.Helper()
	folder := t.TempDir()
	src := everywhere(text)
	doc, _ := Build(src)
	src.Writeup, src.File = hostileWriteup(text), "w.md"
	written, _ := Build(src)
	files := map[string][]byte{
		"default.html": doc.HTML(), "written.html": written.HTML(),
		"index.html":   Index(text, []Entry{{Name: text, Result: src.Result, State: text}}),
		"host/a.html":  []byte("<!doctype html><meta charset=utf-8><title>t</title><body>" + onHost(t, doc.Markdown())),
		"host2/a.html": []byte("<!doctype html><meta charset=utf-8><title>t</title><body>" + onHost(t, written.Markdown())),
	}
	for name, data := range doc.Files() {
		files["host/"+name] = data
	}
	for name, data := range written.Files() {
		files["host2/"+name] = data
	}
	for name, data := range files {
		write(t, filepath.Join(folder, name), data)
	}
	var paths []string
	for _, name := range []string{"default.html", "written.html", "index.html", "host/a.html", "host2/a.html"} {
		paths = append(paths, filepath.Join(folder, name))
	}
	return paths
}

// pressed opens, points at, and presses all that a page has, and is what is
// wrong with it then.
const pressed = `(() => {
	Object.defineProperty(navigator, "clipboard", {value: {writeText: () => Promise.resolve()}, configurable: true});
	HTMLAnchorElement.prototype.click = () => {};
	const all = q => Array.from(document.querySelectorAll(q)), wrong = [];
	all("details").forEach(d => { d.open = true; d.dispatchEvent(new Event("toggle")) });
	all("svg").forEach(s => s.dispatchEvent(new PointerEvent("pointerover", {bubbles: true})));
	all("button").forEach(b => b.click());
	const scripts = all("script").length;
	if (scripts > 2) wrong.push(scripts + " scripts");
	all("*").forEach(e => {
		for (const a of e.attributes) {
			if (a.name.startsWith("on")) wrong.push("a handler: " + e.outerHTML.slice(0, 100));
			if (e.rel !== "icon" && /^(href|src|action|xlink:href)$/.test(a.name) && (a.name === "href" ? /^\s*(javascript|data):/i : /^\s*(javascript|data:text|https?|\/\/)/i).test(a.value)) wrong.push("a target: " + a.value.slice(0, 100));
		}
		if (/^(BASE|IFRAME|OBJECT|EMBED|FORM|FONT)$/.test(e.tagName) || e.tagName === "B" && e.attributes.length > 0) wrong.push("an element: " + e.outerHTML.slice(0, 100));
	});
	const width = r => Array.from(r.cells).reduce((n, c) => n + c.colSpan, 0);
	all("table").forEach(t => Array.from(t.rows).forEach(r => {
		if (width(r) !== width(t.rows[0]) && !t.querySelector("[rowspan]")) wrong.push("a row of " + width(r) + " cells under " + width(t.rows[0]) + ": " + r.innerText.slice(0, 100));
	}));
	const raw = document.documentElement.outerHTML.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
	if (raw) wrong.push("the raw character " + JSON.stringify(raw[0]));
	return wrong;
})()`

// TestHostileTextInABrowser opens pages that say hostile texts wherever a
// person or a workload can say anything, and presses everything on them.
func TestHostileTextInABrowser(t *testing.T) {
	w := browsertest.New(t)
	w.RefuseNetwork(t)
	texts := lines(t, "markup/testdata/hostile.txt")
	all := strings.Join(append(texts, lines(t, "markup/testdata/metacharacters.txt")...), " ")
	turned := "\u202egnp.exe\u202c\u2066x\u200b a\x00b\x1b[31mc\x1b]0;x\x07 \u0085\u009b1m\x7f"
	groups := []string{all, turned + all, "</script><script>alert(1)</script></style><b>x</b>", "--><b onclick=alert(1)>x</b>", `'"><b x='`,
		"\n\n<script>alert(1)</script>\n\n# head\n\n```\nfence\n~~~\n", strings.Repeat("W", 3000)}
	for i, text := range groups {
		for _, path := range hostilePages(t, text) {
			name := filepath.Base(path)
			t.Run(fmt.Sprint(i, " ", name), func(t *testing.T) {
				w.Open(t, browsertest.FileAddress(path), "light", 360)
				for _, wrong := range browsertest.Eval[[]string](w, t, pressed) {
					t.Errorf("%s: %s", path, wrong)
				}
				if !strings.Contains(path, "/host") {
					for _, width := range []int64{360, 1440} {
						w.Do(t, chromedp.EmulateViewport(width, 900))
						w.Fits(t)
					}
					if i < len(groups)-1 || name != "written.html" { // its caption alone fills a sheet
						w.OnPaper(t)
					}
				}
				w.Check(t)
			})
		}
	}
}
