package report

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fieldbook/analysis"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser starts a headless Chromium, or skips the test where there is none.
// What the page asks of the network and what it complains about is kept.
func browser(t *testing.T) (context.Context, *complaints) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: no browser")
	}
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("there is no chromium on this machine: the page is not tried in a browser")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.UserDataDir(t.TempDir()))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	heard := &complaints{}
	if err := chromedp.Listen(ctx, heard.hear); err != nil {
		t.Fatal(err)
	}
	ctx, stop = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(stop)
	command(ctx, t, log.Enable, cdp.Empty{})
	command(ctx, t, network.Enable, network.EnableParams{})
	command(ctx, t, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: true})
	return ctx, heard
}

func command[P, R any](ctx context.Context, t *testing.T, c cdp.Command[P, R], params P) {
	t.Helper()
	if _, err := chromedp.Call(ctx, c, params); err != nil {
		t.Fatal(err)
	}
}

// open opens a page in a window of some width and a theme.
func open(ctx context.Context, t *testing.T, address, theme string, width int64) {
	t.Helper()
	command(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}})
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
}

// eval is what a script gives in the page.
func eval[T any](ctx context.Context, t *testing.T, script string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return v
}

// wait waits until something holds in the page.
func wait(ctx context.Context, t *testing.T, holds string) {
	t.Helper()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](holds)); err != nil {
		t.Fatalf("%s: %v", holds, err)
	}
}

// complaints are what a page says in the console and asks of the network.
type complaints struct {
	mu   sync.Mutex
	list []string
}

func (c *complaints) hear(event any) {
	text := ""
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		text = fmt.Sprintf("console %s %v", e.Type, e.Args)
	case *runtime.EventExceptionThrown:
		text = "exception " + e.ExceptionDetails.Text
	case *log.EventEntryAdded:
		text = "log " + e.Entry.Text
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); err != nil || u.Scheme != "file" && u.Scheme != "data" && u.Scheme != "blob" {
			text = "request " + e.Request.URL
		}
	}
	if text != "" {
		c.mu.Lock()
		c.list = append(c.list, text)
		c.mu.Unlock()
	}
}

func (c *complaints) check(t *testing.T) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, text := range c.list {
		t.Errorf("the page complains: %s", text)
	}
	c.list = nil
}

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
		addresses = append(addresses, (&url.URL{Scheme: "file", Path: path}).String())
	}
	return addresses
}

func TestPagesInABrowser(t *testing.T) {
	ctx, heard := browser(t)
	pages := built(t)
	tryWidths(ctx, t, heard, pages)
	tryAxe(ctx, t, heard, pages)
	t.Run("switch and sorting", func(t *testing.T) { trySwitch(ctx, t, heard, pages[0]) })
	t.Run("saving", func(t *testing.T) { trySaving(ctx, t, heard, pages[0]) })
	t.Run("tooltips", func(t *testing.T) { tryTips(ctx, t, heard, pages[0]) })
	t.Run("copying", func(t *testing.T) { tryCopying(ctx, t, heard, pages[1]) })
	t.Run("printing", func(t *testing.T) { tryPrinting(ctx, t, heard, pages[1]) })
	t.Run("marks on paper", func(t *testing.T) { tryMarksOnPaper(ctx, t, pages[0]) })
}

func tryWidths(ctx context.Context, t *testing.T, heard *complaints, pages []string) {
	for _, address := range pages {
		name := address[strings.LastIndex(address, "/")+1:]
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{360, 768, 1440} {
				t.Run(fmt.Sprintf("%s %s %d", name, theme, width), func(t *testing.T) {
					open(ctx, t, address, theme, width)
					overflow := eval[int](ctx, t, `document.querySelectorAll("details").forEach(d => d.open = true); document.documentElement.scrollWidth - document.documentElement.clientWidth`)
					background := eval[string](ctx, t, background)
					if overflow > 0 {
						t.Errorf("the page is %d px wider than the window: %s", overflow, eval[string](ctx, t, widest))
					}
					if want := map[string]string{"light": "rgb(252, 252, 250)", "dark": "rgb(21, 24, 28)"}[theme]; background != want {
						t.Errorf("the background is %s, want %s", background, want)
					}
					heard.check(t)
				})
			}
		}
	}
}

const background = `getComputedStyle(document.body).backgroundColor`

// widest names the elements that reach beyond the window and are not in a
// part that scrolls.
const widest = `Array.from(document.querySelectorAll("body *")).filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !e.closest(".scroll, pre, .toc"))
	.slice(0, 5).map(e => e.tagName + "." + e.getAttribute("class")).join(" ")`

// tryAxe holds each page against the rules of axe-core for WCAG 2.1 A and AA
// and its best practices, with all folds open, in both themes.
func tryAxe(ctx context.Context, t *testing.T, heard *complaints, pages []string) {
	axe := axeScript(t)
	for _, address := range pages {
		for _, theme := range []string{"light", "dark"} {
			t.Run("axe "+address[strings.LastIndex(address, "/")+1:]+" "+theme, func(t *testing.T) {
				open(ctx, t, address, theme, 1280)
				eval[int](ctx, t, `document.querySelectorAll("details").forEach(d => d.open = true); 1`)
				// The script is put in by the driver, which the page's policy does not bind.
				eval[string](ctx, t, axe+`; typeof axe`)
				eval[int](ctx, t, `window.found = null; axe.run(document, {resultTypes: ["violations"]}).then(r => { window.passed = r.passes.length; window.found = r.violations.map(v =>
					v.id + " (" + v.impact + "): " + v.help + "\n" + v.nodes.slice(0, 3).map(n => "  " + n.html.slice(0, 200) + "\n  " + n.failureSummary).join("\n")) }); 1`)
				wait(ctx, t, `window.found !== null`)
				if n := eval[int](ctx, t, `window.passed`); n < 15 {
					t.Errorf("axe looked at %d rules only", n)
				}
				for _, v := range eval[[]string](ctx, t, `window.found`) {
					t.Errorf("axe finds %s", v)
				}
				heard.check(t)
			})
		}
	}
}

// axeScript is axe-core, unpacked.
func axeScript(t *testing.T) string {
	t.Helper()
	packed, err := os.Open("testdata/axe/axe.min.js.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = packed.Close() }()
	r, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	script, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

func trySwitch(ctx context.Context, t *testing.T, heard *complaints, address string) {
	open(ctx, t, address, "light", 1280)
	before := eval[string](ctx, t, background)
	if err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS("button.theme"))); err != nil {
		t.Fatal(err)
	}
	after := eval[string](ctx, t, background)
	eval[int](ctx, t, `window.before = 1`)
	if err := chromedp.Do(ctx, chromedp.Reload()); err != nil {
		t.Fatal(err)
	}
	wait(ctx, t, `window.before === undefined && document.readyState === "complete"`) // not the old document any more
	again := eval[string](ctx, t, background)
	if before == after || after != again {
		t.Errorf("the background goes from %s to %s by the switch, and is %s after a reload", before, after, again)
	}
	trySorting(ctx, t)
	heard.check(t)
}

func trySorting(ctx context.Context, t *testing.T) {
	const sort = `document.querySelectorAll("#table-3 thead th")[3].querySelector("button").click(); document.querySelector("#table-3 tbody tr").innerText.replace(/\s+/g, " ")`
	first, last := eval[string](ctx, t, sort), eval[string](ctx, t, sort)
	direction := eval[string](ctx, t, `document.querySelectorAll("#table-3 thead th")[3].getAttribute("aria-sort")`)
	if !strings.HasPrefix(first, "batched 1") || !strings.HasPrefix(last, "threaded 1") || direction != "descending" {
		t.Errorf("sorted by the mean, %q is first; the other way, %q, %s", first, last, direction)
	}
	// The numbers behind a figure become a table when they are opened.
	eval[int](ctx, t, `window.data = document.querySelector("#figure-2 details.data"); window.before = data.querySelectorAll("table").length; data.open = true; 1`)
	wait(ctx, t, `data.querySelector("table") !== null`)
	data := eval[string](ctx, t, `{ const t = data.querySelector("table"), head = t.tHead.rows[0].cells[1]; head.querySelector("button").click();
		before + " " + t.tBodies[0].rows.length + " " + t.caption.textContent + " " + head.getAttribute("aria-sort") }`)
	if data != "0 72 The numbers behind figure 2; status: ok. ascending" {
		t.Errorf("the numbers behind a figure open as %q", data)
	}
}

// tryTips points at a figure, whose marks then have their tooltips.
func tryTips(ctx context.Context, t *testing.T, heard *complaints, address string) {
	open(ctx, t, address, "light", 1280)
	const marks = `Array.from(document.querySelectorAll("#figure-2 svg .hit"))`
	if n := eval[int](ctx, t, marks+`.length`); n != 0 {
		t.Errorf("%d marks have tooltips before anybody points at the figure", n)
	}
	eval[int](ctx, t, `document.querySelector("#figure-2 svg").dispatchEvent(new PointerEvent("pointerover", {bubbles: true})); 1`)
	if n := eval[int](ctx, t, marks+`.length`); n != 72 {
		t.Errorf("%d marks have tooltips, want those of 72 trials", n)
	}
	// The tooltip belongs to the mark that lies there, of which the data says the same.
	tip := eval[string](ctx, t, `{ const e = `+marks+`[0]; e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect();
		const at = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2); at.textContent }`)
	if !strings.HasPrefix(tip, "trial ") || !strings.Contains(tip, " ms") {
		t.Errorf("the tooltip of the first mark is %q", tip)
	}
	heard.check(t)
}

// tryCopying presses what copies a table, with a clipboard of the test's own,
// since a headless browser has none.
func tryCopying(ctx context.Context, t *testing.T, heard *complaints, address string) {
	open(ctx, t, address, "light", 1280)
	eval[int](ctx, t, `Object.defineProperty(navigator, "clipboard", {value: {writeText: s => { window.copied = s; return Promise.resolve() }}, configurable: true});
		window.pressed = document.querySelector("#all .tools button"); pressed.click(); 1`)
	wait(ctx, t, `pressed.textContent === "copied"`)
	copied := eval[string](ctx, t, `pressed.textContent + "\n" + window.copied`)
	for _, want := range []string{"copied\ncommunication,sessions,n,", "\nbatched,1,12,"} {
		if !strings.Contains(copied, want) {
			t.Errorf("copying a table gives\n%.300s\nwant in it %q", copied, want)
		}
	}
	heard.check(t)
}

// trySaving presses what saves a figure, and looks at what would be saved.
func trySaving(ctx context.Context, t *testing.T, heard *complaints, address string) {
	open(ctx, t, address, "dark", 1280)
	eval[int](ctx, t, `window.saved = {}; URL.createObjectURL = b => { window.blob = b; return "blob:none" };
		HTMLAnchorElement.prototype.click = function () { const name = this.download; window.blob.text().then(s => { window.saved[name] = s }) };
		document.querySelectorAll("#figure-2 .tools button").forEach(b => b.click()); 1`)
	wait(ctx, t, `Object.keys(window.saved).length === 3`)
	for name, want := range map[string]string{"csv": "ok,1,1,1,batched,1,14.941\n", "png": "PNG", "svg": "<svg"} {
		if got := eval[string](ctx, t, `window.saved["figure-2.`+name+`"].slice(0, 4000)`); !strings.Contains(got, want) {
			t.Errorf("figure-2.%s begins\n%.300s\nwant in it\n%s", name, got, want)
		}
	}
	if svg := eval[string](ctx, t, `window.saved["figure-2.svg"]`); strings.Contains(svg, "var(--") || wellFormed(strings.NewReader(svg), true) != nil {
		t.Errorf("the saved SVG does not stand alone")
	}
	heard.check(t)
}

// printed is the page as a PDF.
func printed(ctx context.Context, t *testing.T) []byte {
	t.Helper()
	pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize(), chromedp.PDFPrintBackground()))
	if err != nil {
		t.Fatal(err)
	}
	return pdf
}

func tryPrinting(ctx context.Context, t *testing.T, heard *complaints, address string) {
	open(ctx, t, address, "dark", 1280)
	pdf := printed(ctx, t)
	if n := bytes.Count(pdf, []byte("/Type /Page\n")) + bytes.Count(pdf, []byte("/Type /Page/")); n < 2 || n > 30 {
		t.Errorf("the page prints on %d sheets", n)
	}
	if out := os.Getenv("FIELDBOOK_TEST_PDF"); out != "" {
		write(t, out, pdf)
	}
	command(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	defer command(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: ""})
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(sheetWidth, sheetHeight)); err != nil {
		t.Fatal(err)
	}
	for _, flaw := range eval[[]string](ctx, t, onPaper) {
		t.Errorf("on paper %s", flaw)
	}
	heard.check(t)
}

// What a sheet of A4 holds between its margins, in CSS pixels.
const sheetWidth, sheetHeight = 672, 978

// onPaper lists what would be cut or is not shown in print: a figure or its
// drawing that reaches beyond a sheet or may break over two, a table whose
// head is not repeated, a folded part that stays closed.
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
