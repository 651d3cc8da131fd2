package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/chromedp"
)

// TestServedPageReloadsAtTheSamePlace scrolls a served page to a heading, edits
// the text above it, and wants the heading where it was in the window, a fold
// that was open still open, and no complaint about the policy of the page.
func TestServedPageReloadsAtTheSamePlace(t *testing.T) {
	ctx := browser(t)
	s, file, text := serveOrder(t)
	var complaints []string
	if err := chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*log.EventEntryAdded); ok && !strings.Contains(e.Entry.Text, "favicon") {
			complaints = append(complaints, e.Entry.Text)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, log.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1000, 800), chromedp.Navigate("http://"+s.address+"/order/")); err != nil {
		t.Fatal(err)
	}
	const where = `document.getElementById("how-it-was-measured").getBoundingClientRect().top`
	before := inPage[float64](ctx, t, `document.querySelector("main details").open = true; window.scrollBy(0, `+where+` - 60); `+where)
	if math.Abs(before-60) > 2 {
		t.Fatalf("the heading stands at %v, want 60: the page is too short for this test", before)
	}
	edited := strings.Replace(string(text), "What does the order", strings.Repeat("More text, in a paragraph of its own.\n\n", 12)+"What does the order", 1)
	writeOver(t, file, edited)
	waitFor(ctx, t, "a paragraph of its own")
	time.Sleep(300 * time.Millisecond) // for what a browser restores by itself
	if after := inPage[float64](ctx, t, where); math.Abs(after-before) > 4 {
		t.Errorf("after the reload the heading stands at %v, before at %v", after, before)
	}
	if !inPage[bool](ctx, t, `document.querySelector("main details").open`) {
		t.Error("after the reload the fold is closed")
	}
	for _, c := range complaints {
		t.Errorf("the page complains: %s", c)
	}
}

// TestHiddenPagesTakeNoConnection hides a served page and edits it: only when
// it is seen again does it reload. A browser has six connections for a server,
// and the seventh page would never open.
func TestHiddenPagesTakeNoConnection(t *testing.T) {
	ctx := browser(t)
	s, file, text := serveOrder(t)
	if err := chromedp.Do(ctx, chromedp.Navigate("http://"+s.address+"/order/")); err != nil {
		t.Fatal(err)
	}
	const see = `Object.defineProperty(document, "hidden", {configurable: true, get: function () { return %v; }}); document.dispatchEvent(new Event("visibilitychange")); true`
	inPage[bool](ctx, t, fmt.Sprintf(see, true))
	news := s.events(t, "order")
	writeOver(t, file, string(text)+"\nWritten while nobody looked.\n")
	next(t, news)
	time.Sleep(500 * time.Millisecond) // in which a page that listens reloads
	if inPage[bool](ctx, t, `document.body.textContent.includes("Written while nobody looked")`) {
		t.Error("a page that nobody sees is reloaded, and so holds a connection")
	}
	inPage[bool](ctx, t, fmt.Sprintf(see, false))
	waitFor(ctx, t, "Written while nobody looked")
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

// browser is a browser of its own, until the test ends.
func browser(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: no browser")
	}
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium on this machine")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(stop)
	return ctx
}

// waitFor waits until the page shows a text.
func waitFor(ctx context.Context, t *testing.T, text string) {
	t.Helper()
	for { // a script that is asked while the page goes away has no answer
		there, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf(`document.readyState === "complete" && document.body.textContent.includes(%q)`, text)))
		if err == nil && there {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("the page never showed %q: %v", text, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// inPage is what a script gives in the page.
func inPage[T any](ctx context.Context, t *testing.T, script string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return v
}
