package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"fieldbook/internal/browsertest"
)

// TestEveryPageInABrowser looks at each page of this repository's site.
func TestEveryPageInABrowser(t *testing.T) {
	w := browsertest.New(t)
	w.RefuseNetwork(t)
	bin, dir := buildTool(t), clone(t)
	if out, err := exec.Command(bin, "-C", dir, "report", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "site", "*", "index.html"))
	if err != nil || len(pages) < 10 {
		t.Fatalf("the site has %d pages of experiments (%v)", len(pages), err)
	}
	for _, page := range append(pages, filepath.Join(dir, "site", "index.html")) {
		t.Run(filepath.Base(filepath.Dir(page)), func(t *testing.T) {
			w.Look(t, browsertest.FileAddress(page))
			press(w, t, browsertest.FileAddress(page))
		})
	}
}

// press uses the switch, and all that sorts, copies and saves.
func press(w *browsertest.Window, t *testing.T, address string) {
	t.Helper()
	w.Open(t, address, "light", 1280)
	light := w.Background(t)
	browsertest.Eval[int](w, t, `document.querySelector("button.theme").click(); 1`)
	if dark := w.Background(t); dark == light {
		t.Errorf("the switch leaves the page as it is: %s", dark)
	}
	for _, wrong := range browsertest.Eval[[]string](w, t, pressAll) {
		t.Errorf("pressed, %s", wrong)
	}
	browsertest.Eval[int](w, t, `document.querySelector("button.theme").click(); 1`)
	w.Check(t)
}

// pressAll sorts each table by each of its columns, and presses all else; what
// is copied and saved goes nowhere. It lists the tables that lost a row or are
// not sorted.
const pressAll = `(() => {
	const wrong = [], copied = [];
	Object.defineProperty(navigator, "clipboard", {value: {writeText: s => { copied.push(s); return Promise.resolve() }}, configurable: true});
	HTMLAnchorElement.prototype.click = () => {};
	document.querySelectorAll("table").forEach(t => t.querySelectorAll("thead th button").forEach(b => {
		const rows = t.tBodies[0].rows.length;
		b.click();
		if (t.tBodies[0].rows.length !== rows || !b.closest("th").getAttribute("aria-sort")) wrong.push("a table is not sorted by " + b.textContent);
	}));
	const tables = Array.from(document.querySelectorAll("table.sortable .tools button"));
	if (document.querySelector("table.sortable") && tables.length === 0) wrong.push("no table can be copied");
	tables.forEach(b => b.click());
	if (copied.length !== tables.length) wrong.push(copied.length + " of " + tables.length + " tables are copied");
	document.querySelectorAll("figure .tools button").forEach(b => b.click());
	return wrong;
})()`
