package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbook/internal/browsertest"

	"github.com/chromedp/chromedp"
)

// TestServedPageReloadsAtTheSamePlace scrolls a served page to a heading, edits
// the text above it, and wants the heading where it was in the window, a fold
// that was open still open, and no complaint about the policy of the page.
func TestServedPageReloadsAtTheSamePlace(t *testing.T) {
	w := browsertest.New(t)
	s, file, text := serveOrder(t)
	w.Do(t, chromedp.EmulateViewport(1000, 800), chromedp.Navigate("http://"+s.address+"/order/"))
	const where = `document.getElementById("how-it-was-measured").getBoundingClientRect().top`
	before := browsertest.Eval[float64](w, t, `document.querySelector("main details").open = true; window.scrollBy(0, `+where+` - 60); `+where)
	if math.Abs(before-60) > 2 {
		t.Fatalf("the heading stands at %v, want 60: the page is too short for this test", before)
	}
	edited := strings.Replace(string(text), "What does the order", strings.Repeat("More text, in a paragraph of its own.\n\n", 12)+"What does the order", 1)
	writeOver(t, file, edited)
	w.WaitForText(t, "a paragraph of its own")
	time.Sleep(300 * time.Millisecond) // for what a browser restores by itself
	if after := browsertest.Eval[float64](w, t, where); math.Abs(after-before) > 4 {
		t.Errorf("after the reload the heading stands at %v, before at %v", after, before)
	}
	if !browsertest.Eval[bool](w, t, `document.querySelector("main details").open`) {
		t.Error("after the reload the fold is closed")
	}
	w.Check(t)
}

// TestHiddenPagesTakeNoConnection hides a served page and edits it: only when
// it is seen again does it reload. A browser has six connections for a server,
// and the seventh page would never open.
func TestHiddenPagesTakeNoConnection(t *testing.T) {
	w := browsertest.New(t)
	s, file, text := serveOrder(t)
	w.Do(t, chromedp.Navigate("http://"+s.address+"/order/"))
	const see = `Object.defineProperty(document, "hidden", {configurable: true, get: function () { return %v; }}); document.dispatchEvent(new Event("visibilitychange")); true`
	browsertest.Eval[bool](w, t, fmt.Sprintf(see, true))
	news := s.events(t, "order")
	writeOver(t, file, string(text)+"\nWritten while nobody looked.\n")
	next(t, news)
	time.Sleep(500 * time.Millisecond) // in which a page that listens reloads
	if browsertest.Eval[bool](w, t, `document.body.textContent.includes("Written while nobody looked")`) {
		t.Error("a page that nobody sees is reloaded, and so holds a connection")
	}
	browsertest.Eval[bool](w, t, fmt.Sprintf(see, false))
	w.WaitForText(t, "Written while nobody looked")
}

// serveOrder serves a notebook of its own, and gives the writeup that a test
// edits.
func serveOrder(t *testing.T) (s *served, file string, text []byte) {
	t.Helper()
	n := ownNotebook(t, "order", "order-sequential")
	file = filepath.Join(n.root, "experiments", "order", "writeup.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return startServe(t, n), file, text
}
