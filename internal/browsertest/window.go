// Package browsertest opens pages in a headless Chromium, for tests: it knows
// how wide a page is, what it complains about and asks of the network, what
// axe-core finds in it, and what a sheet of paper would cut. It knows no
// experiment, and what a page should say is the business of the test.
package browsertest

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Window is a window of a browser of its own, which ends with its test. What
// its pages complain about is kept for Check.
type Window struct {
	ctx     context.Context
	mu      sync.Mutex
	refused bool // whether requests are complaints
	said    []string
}

// patience is how long a browser may take for all that a test asks of it.
const patience = 5 * time.Minute

// New starts a browser, or skips the test where there is none.
func New(t *testing.T) *Window {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program(t)), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.UserDataDir(t.TempDir()))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, patience)
	t.Cleanup(stop)
	w := &Window{ctx: ctx}
	if err := chromedp.Listen(ctx, w.hear); err != nil {
		t.Fatal(err)
	}
	command(w, t, log.Enable, cdp.Empty{})
	return w
}

// program is the browser of this machine; without one it skips the test.
func program(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: no browser")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no chromium on this machine: the page is not tried in a browser")
	return ""
}

// RefuseNetwork lets pages have nothing but files; what they ask for besides
// is a complaint.
func (w *Window) RefuseNetwork(t *testing.T) {
	t.Helper()
	w.mu.Lock()
	w.refused = true
	w.mu.Unlock()
	command(w, t, network.Enable, network.EnableParams{})
	command(w, t, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: true})
}

func command[P, R any](w *Window, t *testing.T, c cdp.Command[P, R], params P) {
	t.Helper()
	if _, err := chromedp.Call(w.ctx, c, params); err != nil {
		t.Fatal(err)
	}
}

// FileAddress is where a browser finds a file of an absolute path.
func FileAddress(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// Open opens a page in a theme, "light" or "dark", and a width in CSS pixels.
func (w *Window) Open(t *testing.T, address, theme string, width int64) {
	t.Helper()
	w.Theme(t, theme)
	w.Do(t, chromedp.EmulateViewport(width, 900), chromedp.Navigate(address))
}

// Theme is what a reader prefers: "light" or "dark".
func (w *Window) Theme(t *testing.T, theme string) {
	t.Helper()
	w.media(t, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}})
}

func (w *Window) media(t *testing.T, p emulation.SetEmulatedMediaParams) {
	t.Helper()
	command(w, t, emulation.SetEmulatedMedia, p)
}

// Do does one thing after the other.
func (w *Window) Do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(w.ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// Eval is what a script gives in the page. The page's policy does not bind it.
func Eval[T any](w *Window, t *testing.T, script string) T {
	t.Helper()
	return eval[T](w, t, script)
}

// evalLater is what the promise that a script gives comes to.
func evalLater[T any](w *Window, t *testing.T, script string) T {
	t.Helper()
	return eval[T](w, t, script, chromedp.EvalAwaitPromise)
}

func eval[T any](w *Window, t *testing.T, script string, how ...chromedp.EvaluateOption) T {
	t.Helper()
	v, err := chromedp.Run(w.ctx, chromedp.Evaluate[T](script, how...))
	if err != nil {
		t.Fatalf("%.400s: %v", script, err)
	}
	return v
}

// Wait waits until something holds in the page. It asks at intervals, since a
// window that paints nothing has no frames to ask at.
func (w *Window) Wait(t *testing.T, holds string) {
	t.Helper()
	if _, err := chromedp.Run(w.ctx, chromedp.Poll[bool](holds, chromedp.WithPollingInterval(20*time.Millisecond))); err != nil {
		t.Fatalf("%s: %v", holds, err)
	}
}

// WaitForText waits until a page shows a text, over reloads of it.
func (w *Window) WaitForText(t *testing.T, text string) {
	t.Helper()
	for { // a script that is asked while the page goes away has no answer
		there, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool](fmt.Sprintf(`document.readyState === "complete" && document.body.textContent.includes(%q)`, text)))
		if err == nil && there {
			return
		}
		if w.ctx.Err() != nil {
			t.Fatalf("the page never showed %q: %v", text, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (w *Window) hear(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		w.said = append(w.said, fmt.Sprintf("console %s %v", e.Type, e.Args))
	case *runtime.EventExceptionThrown:
		w.said = append(w.said, "exception "+e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		w.said = append(w.said, "log "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); w.refused && (err != nil || u.Scheme != "file" && u.Scheme != "data" && u.Scheme != "blob") {
			w.said = append(w.said, "request "+e.Request.URL)
		}
	}
}

// Check fails the test for each complaint since the last check: messages of
// the console, exceptions, and, with the network refused, requests.
func (w *Window) Check(t *testing.T) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, text := range w.said {
		t.Errorf("the page complains: %s", text)
	}
	w.said = nil
}
