package browsertest

import (
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Look opens a page in either theme and in windows of a phone, a tablet and a
// desk, with all folds open, holds it against axe-core and lays it on paper.
func (w *Window) Look(t *testing.T, address string) {
	t.Helper()
	for _, theme := range []string{"light", "dark"} {
		w.Open(t, address, theme, 360)
		w.Unfold(t)
		w.Fits(t)
		for _, width := range []int64{768, 1440} {
			w.Do(t, chromedp.EmulateViewport(width, 900))
			w.Fits(t)
		}
		w.Axe(t, only[theme]...)
	}
	w.OnPaper(t)
	w.Check(t)
}

// only is what axe-core looks at in a theme: in the dark, colours alone are others.
var only = map[string][]string{"dark": {"color-contrast", "link-in-text-block"}}

// Unfold opens all folded parts of the page.
func (w *Window) Unfold(t *testing.T) {
	t.Helper()
	Eval[int](w, t, `document.querySelectorAll("details").forEach(d => d.open = true); 1`)
}

// Fits fails the test where the page is wider than its window.
func (w *Window) Fits(t *testing.T) {
	t.Helper()
	if over := Eval[int](w, t, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
		t.Errorf("the page is %d px wider than the window: %s", over, Eval[string](w, t, widest))
	}
}

// widest names the elements that reach beyond the window and are not in a
// part that scrolls.
const widest = `Array.from(document.querySelectorAll("body *")).filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !e.closest(".scroll, pre, .toc"))
	.slice(0, 5).map(e => e.tagName + "." + e.getAttribute("class")).join(" ")`

// Background is the colour of the page.
func (w *Window) Background(t *testing.T) string {
	t.Helper()
	return Eval[string](w, t, `getComputedStyle(document.body).backgroundColor`)
}

//go:embed axe/axe.min.js.gz
var axePacked string

var axe = sync.OnceValues(func() (string, error) {
	r, err := gzip.NewReader(strings.NewReader(axePacked))
	if err != nil {
		return "", err
	}
	script, err := io.ReadAll(r)
	return string(script), err
})

// Axe holds the page as it stands against the rules of axe-core, those of the
// given names or all for WCAG 2.1 A and AA and its best practices. Of each
// table the first rows stand for those below, which are made alike.
func (w *Window) Axe(t *testing.T, rules ...string) {
	t.Helper()
	script, err := axe()
	if err != nil {
		t.Fatal(err)
	}
	some, least := "", 15
	if len(rules) > 0 {
		some, least = `, runOnly: {type: "rule", values: ["`+strings.Join(rules, `", "`)+`"]}`, 1
	}
	Eval[string](w, t, script+`; typeof axe`)
	found := evalLater[[]string](w, t, `axe.run({exclude: [["tbody tr:nth-child(n+9)"]]}, {preload: false, resultTypes: ["violations"]`+some+`}).then(r => { window.passed = r.passes.length; return r.violations.map(v =>
		v.id + " (" + v.impact + "): " + v.help + "\n" + v.nodes.slice(0, 3).map(n => "  " + n.html.slice(0, 200) + "\n  " + n.failureSummary).join("\n")) })`)
	if n := Eval[int](w, t, `window.passed`); n < least {
		t.Errorf("axe looked at %d rules only", n)
	}
	for _, v := range found {
		t.Errorf("axe finds %s", v)
	}
}

// Printed is the page as a PDF.
func (w *Window) Printed(t *testing.T) []byte {
	t.Helper()
	pdf, err := chromedp.Run(w.ctx, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize(), chromedp.PDFPrintBackground()))
	if err != nil {
		t.Fatal(err)
	}
	return pdf
}

// What a sheet of A4 holds between the margins of a page, in CSS pixels.
const sheetWidth, sheetHeight = 672, 978

// OnPaper fails the test for what a sheet of A4 would cut or not show. It
// leaves the window as it is on paper, until the next theme.
func (w *Window) OnPaper(t *testing.T) {
	t.Helper()
	w.media(t, emulation.SetEmulatedMediaParams{Media: "print"})
	w.Do(t, chromedp.EmulateViewport(sheetWidth, sheetHeight))
	for _, flaw := range Eval[[]string](w, t, onPaper) {
		t.Errorf("on paper %s", flaw)
	}
}

// onPaper lists what would be cut or is not shown in print: a figure or its
// drawing that reaches beyond a sheet or may break over two, a table whose
// head is not repeated, a folded part that stays closed. Chromium shrinks all
// of a document of which one table is wider than a sheet.
const onPaper = `(() => {
	const flaws = [], wide = document.documentElement.clientWidth + 1;
	document.querySelectorAll("figure").forEach(f => {
		const svg = f.querySelector("svg"), box = svg && svg.getBoundingClientRect();
		if (f.getBoundingClientRect().height > 978) flaws.push(f.id + " is higher than a sheet");
		if (box && (box.right > wide || box.width < 200)) flaws.push(f.id + " is " + box.width + " wide and ends at " + box.right);
		if (getComputedStyle(f).breakInside !== "avoid") flaws.push(f.id + " may be cut");
		if (svg && getComputedStyle(svg.parentElement).overflowX !== "visible") flaws.push(f.id + " scrolls");
	});
	document.querySelectorAll("table").forEach(t => {
		if (t.tHead && t.offsetWidth && getComputedStyle(t.tHead).display !== "table-header-group") flaws.push("the head of a table is not repeated");
		if (t.getBoundingClientRect().right > wide) flaws.push("a table ends at " + t.getBoundingClientRect().right + ": " + t.innerText.slice(0, 60));
	});
	// Chromium leaves buttons out where it repeats the head of a table.
	document.querySelectorAll("th button").forEach(b => { if (getComputedStyle(b).display !== "contents") flaws.push("the head " + b.textContent + " is not repeated") });
	document.querySelectorAll("main details:not(.data)").forEach(d => {
		const inside = d.querySelector("summary + *");
		if (inside && inside.getClientRects().length === 0) flaws.push("a folded part stays closed: " + d.textContent.slice(0, 40));
	});
	return flaws;
})()`
