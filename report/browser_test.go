package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/browsertest"

	"github.com/chromedp/chromedp"
)

// built writes the pages that the browser opens, and gives their addresses.
func built(t *testing.T) []string {
	t.Helper()
	folder := t.TempDir()
	s := pipelining()
	s.published = oldNumbers()
	text, err := os.ReadFile("testdata/everything.md")
	if err != nil {
		t.Fatal(err)
	}
	r := s.result()
	uses := map[string]*analysis.Result{"coin": coin().result()}
	pages := map[string][]byte{
		"default.html": build(t, Source{Name: s.name, Result: r, Listing: []byte("fieldbook: 1\n"), Version: "0.1"}).HTML(),
		"written.html": build(t, Source{Name: s.name, Result: r, Uses: uses, Writeup: text, File: "w.md", Version: "0.1"}).HTML(),
		"index.html":   Index("Notebook", []Entry{{s.name, r, "fresh"}, {"coin", uses["coin"], "fresh"}}),
	}
	var addresses []string
	for _, name := range []string{"default.html", "written.html", "index.html"} {
		path := filepath.Join(folder, name)
		write(t, path, pages[name])
		addresses = append(addresses, browsertest.FileAddress(path))
	}
	return addresses
}

func TestPagesInABrowser(t *testing.T) {
	w := browsertest.New(t)
	w.RefuseNetwork(t)
	pages := built(t)
	for _, address := range pages {
		t.Run(address[strings.LastIndex(address, "/")+1:], func(t *testing.T) { tryThemes(w, t, address) })
	}
	t.Run("switch and sorting", func(t *testing.T) { trySwitch(w, t, pages[0]) })
	t.Run("saving", func(t *testing.T) { trySaving(w, t, pages[0]) })
	t.Run("tooltips", func(t *testing.T) { tryTips(w, t, pages[0]) })
	t.Run("copying", func(t *testing.T) { tryCopying(w, t, pages[1]) })
	t.Run("printing", func(t *testing.T) { tryPrinting(w, t, pages[1]) })
	t.Run("marks on paper", func(t *testing.T) { tryMarksOnPaper(w, t, pages[0]) })
}

// tryThemes looks at a page in both themes, which must be there.
func tryThemes(w *browsertest.Window, t *testing.T, address string) {
	w.Look(t, address)
	for theme, want := range map[string]string{"light": "rgb(252, 252, 250)", "dark": "rgb(21, 24, 28)"} {
		w.Open(t, address, theme, 1280)
		if background := w.Background(t); background != want {
			t.Errorf("%s: the background is %s, want %s", theme, background, want)
		}
	}
}

func trySwitch(w *browsertest.Window, t *testing.T, address string) {
	w.Open(t, address, "light", 1280)
	before := w.Background(t)
	w.Do(t, chromedp.Click(chromedp.CSS("button.theme")))
	after := w.Background(t)
	browsertest.Eval[int](w, t, `window.before = 1`)
	w.Do(t, chromedp.Reload())
	w.Wait(t, `window.before === undefined && document.readyState === "complete"`) // not the old document any more
	again := w.Background(t)
	if before == after || after != again {
		t.Errorf("the background goes from %s to %s by the switch, and is %s after a reload", before, after, again)
	}
	trySorting(w, t)
	w.Check(t)
}

func trySorting(w *browsertest.Window, t *testing.T) {
	const sort = `document.querySelectorAll("#table-3 thead th")[3].querySelector("button").click(); document.querySelector("#table-3 tbody tr").innerText.replace(/\s+/g, " ")`
	first, last := browsertest.Eval[string](w, t, sort), browsertest.Eval[string](w, t, sort)
	direction := browsertest.Eval[string](w, t, `document.querySelectorAll("#table-3 thead th")[3].getAttribute("aria-sort")`)
	if !strings.HasPrefix(first, "batched 1") || !strings.HasPrefix(last, "threaded 1") || direction != "descending" {
		t.Errorf("sorted by the mean, %q is first; the other way, %q, %s", first, last, direction)
	}
	// The numbers behind a figure become a table when they are opened.
	browsertest.Eval[int](w, t, `window.data = document.querySelector("#figure-2 details.data"); window.before = data.querySelectorAll("table").length; data.open = true; 1`)
	w.Wait(t, `data.querySelector("table") !== null`)
	data := browsertest.Eval[string](w, t, `{ const t = data.querySelector("table"), head = t.tHead.rows[0].cells[1]; head.querySelector("button").click();
		before + " " + t.tBodies[0].rows.length + " " + t.caption.textContent + " " + head.getAttribute("aria-sort") }`)
	if data != "0 72 The numbers behind figure 2; status: ok. ascending" {
		t.Errorf("the numbers behind a figure open as %q", data)
	}
}

// tryTips points at a figure, whose marks then have their tooltips.
func tryTips(w *browsertest.Window, t *testing.T, address string) {
	w.Open(t, address, "light", 1280)
	const marks = `Array.from(document.querySelectorAll("#figure-2 svg .hit"))`
	if n := browsertest.Eval[int](w, t, marks+`.length`); n != 0 {
		t.Errorf("%d marks have tooltips before anybody points at the figure", n)
	}
	browsertest.Eval[int](w, t, `document.querySelector("#figure-2 svg").dispatchEvent(new PointerEvent("pointerover", {bubbles: true})); 1`)
	if n := browsertest.Eval[int](w, t, marks+`.length`); n != 72 {
		t.Errorf("%d marks have tooltips, want those of 72 trials", n)
	}
	// The tooltip belongs to the mark that lies there, of which the data says the same.
	tip := browsertest.Eval[string](w, t, `{ const e = `+marks+`[0]; e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect();
		const at = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2); at.textContent }`)
	if !strings.HasPrefix(tip, "trial ") || !strings.Contains(tip, " ms") {
		t.Errorf("the tooltip of the first mark is %q", tip)
	}
	w.Check(t)
}

// tryCopying presses what copies a table, with a clipboard of the test's own,
// since a headless browser has none.
func tryCopying(w *browsertest.Window, t *testing.T, address string) {
	w.Open(t, address, "light", 1280)
	browsertest.Eval[int](w, t, `Object.defineProperty(navigator, "clipboard", {value: {writeText: s => { window.copied = s; return Promise.resolve() }}, configurable: true});
		window.pressed = document.querySelector("#all .tools button"); pressed.click(); 1`)
	w.Wait(t, `pressed.textContent === "copied"`)
	copied := browsertest.Eval[string](w, t, `pressed.textContent + "\n" + window.copied`)
	for _, want := range []string{"copied\ncommunication,sessions,n,", "\nbatched,1,12,"} {
		if !strings.Contains(copied, want) {
			t.Errorf("copying a table gives\n%.300s\nwant in it %q", copied, want)
		}
	}
	w.Check(t)
}

// trySaving presses what saves a figure, and looks at what would be saved.
func trySaving(w *browsertest.Window, t *testing.T, address string) {
	w.Open(t, address, "dark", 1280)
	browsertest.Eval[int](w, t, `window.saved = {}; URL.createObjectURL = b => { window.blob = b; return "blob:none" };
		HTMLAnchorElement.prototype.click = function () { const name = this.download; window.blob.text().then(s => { window.saved[name] = s }) };
		document.querySelectorAll("#figure-2 .tools button").forEach(b => b.click()); 1`)
	w.Wait(t, `Object.keys(window.saved).length === 3`)
	for name, want := range map[string]string{"csv": "ok,1,1,1,batched,1,14.941\n", "png": "PNG", "svg": "<svg"} {
		if got := browsertest.Eval[string](w, t, `window.saved["figure-2.`+name+`"].slice(0, 4000)`); !strings.Contains(got, want) {
			t.Errorf("figure-2.%s begins\n%.300s\nwant in it\n%s", name, got, want)
		}
	}
	if svg := browsertest.Eval[string](w, t, `window.saved["figure-2.svg"]`); strings.Contains(svg, "var(--") || wellFormed(strings.NewReader(svg), true) != nil {
		t.Errorf("the saved SVG does not stand alone")
	}
	w.Check(t)
}

func tryPrinting(w *browsertest.Window, t *testing.T, address string) {
	w.Open(t, address, "dark", 1280)
	pdf := w.Printed(t)
	if n := bytes.Count(pdf, []byte("/Type /Page\n")) + bytes.Count(pdf, []byte("/Type /Page/")); n < 2 || n > 30 {
		t.Errorf("the page prints on %d sheets", n)
	}
	if out := os.Getenv("FIELDBOOK_TEST_PDF"); out != "" {
		write(t, out, pdf)
	}
	w.OnPaper(t)
	w.Check(t)
}
