package main

import (
	"context"
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
	if testing.Short() {
		t.Skip("-short: no browser")
	}
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium on this machine")
	}
	n := ownNotebook(t, "order", "order-sequential")
	file := filepath.Join(n.root, "experiments", "order", "writeup.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := startServe(t, n)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, stop = chromedp.NewContext(ctx)
	defer stop()
	ctx, stop = context.WithTimeout(ctx, 2*time.Minute)
	defer stop()
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
	for { // a script that is asked while the page goes away has no answer
		there, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`document.readyState === "complete" && document.body.textContent.includes("a paragraph of its own")`))
		if err == nil && there {
			break
		}
		if ctx.Err() != nil {
			t.Fatalf("the page never showed the edit: %v", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
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

// inPage is what a script gives in the page.
func inPage[T any](ctx context.Context, t *testing.T, script string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return v
}
