package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbook/internal/session"
)

// served is a `fieldbook serve` that answers requests over a real socket.
type served struct {
	address string
	stop    context.CancelFunc
	ended   chan error
	log     *bytes.Buffer // of stderr, to be read after the end
}

// startServe serves a notebook until the test ends.
func startServe(tb testing.TB, n *notebook) *served {
	tb.Helper()
	out, in := io.Pipe()
	s := &served{ended: make(chan error, 1), log: &bytes.Buffer{}}
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	a := &app{stdout: in, stderr: s.log, dir: n.root, color: "never"}
	go func() {
		s.ended <- a.serve(ctx, nil, "127.0.0.1:0")
		in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		tb.Fatalf("serve said nothing: %v", <-s.ended)
	}
	_, rest, _ := strings.Cut(line, "http://")
	s.address, _, _ = strings.Cut(rest, "/")
	go func() { _, _ = io.Copy(io.Discard, out) }()
	tb.Cleanup(s.stop)
	return s
}

// answer is a whole answer to a request that is sent as it stands, dots and
// all, under a host's name.
func (s *served) answer(tb testing.TB, method, path, host string) (*http.Response, []byte) {
	tb.Helper()
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		tb.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", method, path, host)
	res, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		tb.Fatal(err)
	}
	defer res.Body.Close()
	return res, readAll(tb, res.Body)
}

// get is a page, which must be there.
func (s *served) get(tb testing.TB, path string) []byte {
	tb.Helper()
	res, body := s.answer(tb, http.MethodGet, path, s.address)
	if res.StatusCode != http.StatusOK {
		tb.Fatalf("GET %s: %s\n%s", path, res.Status, body)
	}
	return body
}

// events are the versions of a page as the stream tells them.
func (s *served) events(tb testing.TB, name string) <-chan string {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	tb.Cleanup(cancel)
	body := string(s.get(tb, "/"+name+"/"))
	_, rest, _ := strings.Cut(body, `data-version="`)
	version, _, _ := strings.Cut(rest, `"`)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.address+eventsPath+"?page="+name+"&version="+version, nil)
	if err != nil {
		tb.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		tb.Fatal(err)
	}
	if got := res.Header.Get("Content-Type"); got != "text/event-stream" {
		tb.Errorf("the stream is %q, want text/event-stream", got)
	}
	news := make(chan string)
	go func() {
		defer res.Body.Close()
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				select {
				case news <- data:
				case <-ctx.Done():
					return
				}
			}
		}
		close(news)
	}()
	return news
}

// next waits for the next version of a page.
func next(t *testing.T, news <-chan string) {
	t.Helper()
	select {
	case _, ok := <-news:
		if !ok {
			t.Fatal("the stream ended")
		}
	case <-time.After(20 * time.Second):
		t.Fatal("no news of a change within 20 s")
	}
}

func writeOver(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// contains complains about texts that a page must have and has not.
func contains(t *testing.T, page []byte, want ...string) {
	t.Helper()
	for _, text := range want {
		if !bytes.Contains(page, []byte(text)) {
			t.Errorf("the page has no %q:\n%.900s", text, page[bytes.Index(page, []byte("<body>")):])
		}
	}
}

func TestServeFollowsAWriteup(t *testing.T) {
	n := ownNotebook(t, "order", "order-sequential")
	file := filepath.Join(n.root, "experiments", "order", "writeup.md")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := startServe(t, n)
	contains(t, s.get(t, "/order/"), "What does the order of trials do", eventsPath, "connect-src &#39;self&#39;")
	news := s.events(t, "order")

	t.Run("prose", func(t *testing.T) {
		writeOver(t, file, string(before)+"\nA sentence more.\n")
		next(t, news)
		contains(t, s.get(t, "/order/"), "A sentence more.")
	})
	t.Run("saved by renaming", func(t *testing.T) {
		aside := filepath.Join(filepath.Dir(file), "writeup.md.new")
		writeOver(t, aside, string(before)+"\nA sentence by way of another file.\n")
		if err := os.Rename(aside, file); err != nil {
			t.Fatal(err)
		}
		next(t, news)
		contains(t, s.get(t, "/order/"), "A sentence by way of another file.")
	})
	t.Run("an error leaves the last good page", func(t *testing.T) {
		writeOver(t, file, string(before)+"\nThat it is {claim}`difer`.\n")
		next(t, news)
		lines := strings.Count(string(before), "\n") + 2
		place := "experiments/order/writeup.md:" + strconv.Itoa(lines) + ":20"
		contains(t, s.get(t, "/order/"), place, "unknown claim", "did you mean", strconv.Itoa(lines)+" | That it is", "|                    ^", "A sentence by way of another file.")
	})
	t.Run("mended", func(t *testing.T) {
		writeOver(t, file, string(before))
		next(t, news)
		page := s.get(t, "/order/")
		if bytes.Contains(page, []byte("unknown claim")) {
			t.Error("the error is still shown")
		}
	})
	t.Run("what is no file in its place", func(t *testing.T) {
		for want, put := range map[string]func() error{
			"it is a folder, want a file":       func() error { return os.Mkdir(file, 0o777) },
			"it is neither a file nor a folder": func() error { return unix.Mkfifo(file, 0o666) },
			"over a link that leads out":        func() error { return os.Symlink("/etc/hostname", file) },
			"following the links to it":         func() error { return os.Symlink("writeup.md", file) },
		} {
			if err := errors.Join(os.Remove(file), put()); err != nil {
				t.Fatal(err)
			}
			for until := time.Now().Add(20 * time.Second); !bytes.Contains(s.get(t, "/order/"), []byte(want)); {
				if time.Now().After(until) {
					t.Fatalf("the page does not say %q", want)
				}
				next(t, news)
			}
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		writeOver(t, file, string(before))
		next(t, news)
	})
	t.Run("a mistake in the experiment file", func(t *testing.T) {
		path := filepath.Join(n.root, "experiments", "order", "experiment.yaml")
		yaml, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		writeOver(t, path, "titel: x\n"+string(yaml))
		next(t, news)
		contains(t, s.get(t, "/order/"), "experiments/order/experiment.yaml:1:1", "titel", "What does the order of trials do")
		writeOver(t, path, string(yaml))
		next(t, news)
	})
	t.Run("data of another experiment that it uses", func(t *testing.T) {
		sessions, err := filepath.Glob(filepath.Join(n.root, "data", "order-sequential", "2*"))
		if err != nil || len(sessions) == 0 {
			t.Fatalf("no session: %v", err)
		}
		if err := session.AddRemark(sessions[0], session.DiscardRemark, "the machine was moved", time.Now()); err != nil {
			t.Fatal(err)
		}
		next(t, news)
		contains(t, s.get(t, "/order/"), "9 of 9 sessions")
	})
}

// TestServeFollowsWhatIsMoved moves a session and an experiment away and back,
// as a person or a checkout does.
func TestServeFollowsWhatIsMoved(t *testing.T) {
	n := ownNotebook(t, "order", "order-sequential")
	s := startServe(t, n)
	contains(t, s.get(t, "/order-sequential/"), "<b>10</b> sessions")
	news := s.events(t, "order-sequential")
	data := filepath.Join(n.root, "data", "order-sequential")
	sessions, err := filepath.Glob(filepath.Join(data, "2*", "session.json"))
	if err != nil || len(sessions) != 10 {
		t.Fatalf("there are %d sessions, want 10 (%v)", len(sessions), err)
	}
	for _, tt := range []struct{ what, path, without, gone string }{
		{"a session", filepath.Dir(sessions[0]), "<b>9</b> sessions", ""},
		{"all sessions", data, "no data yet", ""},
		{"the experiment's file", filepath.Join(n.root, "experiments", "order-sequential", "experiment.yaml"), "<b>10</b> sessions", "no experiments/order-sequential/experiment.yaml any more"},
		{"the experiment", filepath.Join(n.root, "experiments", "order-sequential"), "<b>10</b> sessions", "no experiments/order-sequential/experiment.yaml any more"},
	} {
		aside := filepath.Join(t.TempDir(), "aside")
		if err := os.Rename(tt.path, aside); err != nil {
			t.Fatal(err)
		}
		next(t, news)
		contains(t, s.get(t, "/order-sequential/"), tt.without, tt.gone)
		if err := os.Rename(aside, tt.path); err != nil {
			t.Fatal(err)
		}
		next(t, news)
		page := s.get(t, "/order-sequential/")
		contains(t, page, "<b>10</b> sessions")
		if bytes.Contains(page, []byte(`role="alert"`)) {
			t.Errorf("with %s back, the page still tells of an error", tt.what)
		}
	}
}

// TestServeSaysWhereItCannotWatchAll: a system watches only so many folders.
func TestServeSaysWhereItCannotWatchAll(t *testing.T) {
	n := ownNotebook(t, "order")
	for most, want := range map[int]string{2: "not every folder is watched", 1000: ""} {
		watched := 0
		w := &watcher{n: n, add: func(string) error {
			if watched++; watched > most {
				return fmt.Errorf("adding: %w", unix.ENOSPC)
			}
			return nil
		}}
		w.addNotebook()
		said := ""
		for _, p := range w.problems() {
			said += p.Text
		}
		if want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("where %d folders can be watched it says %q, want %q", most, said, want)
		}
	}
}

// TestServeWritesNothing: the site and everything else stay as they are, and
// the pages that `report` writes have no part of serve's.
func TestServeWritesNothing(t *testing.T) {
	n := ownNotebook(t, "order", "order-sequential")
	before := readTree(t, n.root)
	s := startServe(t, n)
	s.get(t, "/")
	s.get(t, "/order/")
	after := readTree(t, n.root)
	if len(after) != len(before) {
		t.Errorf("serve made or removed files: %d before, %d after", len(before), len(after))
	}
	for name, data := range before {
		if !bytes.Equal(after[name], data) {
			t.Errorf("serve changed %s", name)
		}
	}
	a := &app{stdout: io.Discard, stderr: io.Discard, dir: n.root, color: "never"}
	if err := a.report([]string{"order"}, reportFlags{}); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(n.root, "site", "order", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, never := range []string{"EventSource", "connect-src", "fieldbook-serve"} {
		if bytes.Contains(page, []byte(never)) {
			t.Errorf("the written page holds %q", never)
		}
	}
}

func TestServeAnswersOnlyWhatBelongsToTheSite(t *testing.T) {
	n := ownNotebook(t, "order", "order-sequential")
	s := startServe(t, n)
	_, port, _ := net.SplitHostPort(s.address)
	for _, tt := range []struct {
		name, method, path, host string
		want                     int
	}{
		{"index", "GET", "/", s.address, 200},
		{"index by its name", "GET", "/index.html", s.address, 200},
		{"page", "GET", "/order/", s.address, 200},
		{"page by its name", "GET", "/order/index.html", s.address, 200},
		{"Markdown", "GET", "/order/report.md", s.address, 200},
		{"figure", "GET", "/order/figures/fig-blocks-light.svg", s.address, 200},
		{"without the last slash", "GET", "/order", s.address, 302},
		{"localhost", "GET", "/", "localhost:" + port, 200},
		{"IPv6", "GET", "/", "[::1]:" + port, 200},
		{"head", "HEAD", "/order/", s.address, 200},
		{"unknown experiment", "GET", "/nothing/", s.address, 404},
		{"unknown figure", "GET", "/order/figures/none.svg", s.address, 404},
		{"above the site", "GET", "/../go.mod", s.address, 404},
		{"above a page", "GET", "/order/../../experiments/order/experiment.yaml", s.address, 404},
		{"encoded", "GET", "/order/..%2f..%2fexperiments%2forder%2fexperiment.yaml", s.address, 404},
		{"absolute", "GET", "//etc/passwd", s.address, 404},
		{"a file of the experiment", "GET", "/order/experiment.yaml", s.address, 404},
		{"another name (DNS rebinding)", "GET", "/", "evil.example:" + port, 421},
		{"a name that begins alike", "GET", "/", "localhost.evil.example", 421},
		{"events under another name", "GET", eventsPath + "?page=order", "evil.example", 421},
		{"no name", "GET", "/", "", 421},
		{"post", "POST", "/order/", s.address, 405},
		{"delete", "DELETE", "/order/", s.address, 405},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if res, body := s.answer(t, tt.method, tt.path, tt.host); res.StatusCode != tt.want {
				t.Errorf("%s %s as %s: %s, want %d\n%.300s", tt.method, tt.path, tt.host, res.Status, tt.want, body)
			}
		})
	}
}

func TestServeEndsWhenAsked(t *testing.T) {
	n := ownNotebook(t, "order", "order-sequential")
	s := startServe(t, n)
	news := s.events(t, "order") // an open stream must not hold it up
	s.stop()
	select {
	case err := <-s.ended:
		if err != nil {
			t.Errorf("serve ended with %v, want no error", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("serve did not end")
	}
	for range news {
	}
}

func TestServeSaysWhereItCannotListen(t *testing.T) {
	n := ownNotebook(t, "order")
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, tt := range []struct{ listen, want string }{
		{taken.Addr().String(), "is in use"},
		{taken.Addr().String(), "--listen 127.0.0.1:0 takes a free port"},
		{":8080", "reachable from other machines"},
		{"8080", "want an address and a port"},
		{"127.0.0.1:http", "want an address and a port"},
		{"127.0.0.1:65536", "want an address and a port"},
	} {
		a := &app{stdout: io.Discard, stderr: io.Discard, dir: n.root, color: "never"}
		err := a.serve(context.Background(), nil, tt.listen)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("serve --listen %s: %v, want %q", tt.listen, err, tt.want)
		}
		if errors.Is(err, unix.EADDRINUSE) {
			t.Errorf("serve --listen %s shows the system's own words: %v", tt.listen, err)
		}
	}
	var said bytes.Buffer
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a := &app{stdout: io.Discard, stderr: &said, dir: n.root, color: "never"}
	if err := a.serve(ctx, nil, "0.0.0.0:0"); err != nil || !strings.Contains(said.String(), "reach 0.0.0.0:") || !strings.Contains(said.String(), "can read the reports") {
		t.Errorf("serve --listen 0.0.0.0:0: %v, warned %q", err, said.String())
	}
}
