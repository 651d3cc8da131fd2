package report

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"fieldbook/internal/session"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// coin is a small study, whose documents fit on a page.
func coin() study {
	s := pipelining()
	s.name, s.title, s.question = "coin", "Two ways to toss a coin", "Is one of them faster?"
	s.factors = []session.Factor{{Name: "way", Levels: []string{"hand", "cup"}, Labels: []string{"by hand", "from a cup"}}}
	s.metrics = s.metrics[:1]
	s.blocks, s.claims = 6, nil
	s.of = func(l []string) float64 { return map[string]float64{"hand": 20, "cup": 24}[l[0]] }
	s.claims = append(s.claims, ratioClaim("faster", "By hand it is faster.", "way=hand / way=cup", "<", 1))
	return s
}

// drawn is what figures bring along, which has tests of its own.
var drawn = regexp.MustCompile(`(?s)<svg .*?</svg>|<details class="data">.*?</details>`)

func TestGoldenDocuments(t *testing.T) {
	listing := []byte("fieldbook: 1\ntitle: Two ways to toss a coin\n")
	plain := coin()
	unclaimed := coin()
	unclaimed.claims = nil
	empty := coin()
	empty.machines = nil
	flaky := coin()
	flaky.stale = map[string]bool{"cup": true}
	flaky.edit = func(r *session.Row) {
		if r.Block == 2 && r.Treatment == 1 {
			r.Status, r.Reason, r.Exit = session.Failed, "exit code 7", 7
			r.Metrics[0] = 0
		}
	}
	written, err := os.ReadFile("testdata/golden/written.in.md")
	if err != nil {
		t.Fatal(err)
	}
	parts, err := os.ReadFile("testdata/golden/parts.in.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		of   study
		text []byte
	}{
		{"parts", plain, parts}, {"default", plain, nil}, {"exploratory", unclaimed, nil}, {"no_data", empty, nil}, {"stale", flaky, nil}, {"written", plain, written},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc := build(t, Source{Name: "coin", Result: tt.of.result(), Listing: listing, Trials: "# way=hand\ntoss --hand\n# way=cup\ntoss --cup\n", RunTime: 12, Version: "0.1", Notebook: "Coins & cups", Writeup: tt.text, File: "writeup.md"})
			golden(t, tt.name+".md", string(doc.Markdown()))
			golden(t, tt.name+".html", drawn.ReplaceAllString(mainPart(doc), "…"))
		})
	}
}

// mainPart is the page without head, contents and script.
func mainPart(d *Document) string {
	_, rest, _ := strings.Cut(string(d.HTML()), "<main id=\"main\">\n")
	part, _, _ := strings.Cut(rest, "</main>")
	return part
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata/golden", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs from the golden file (-update rewrites it):\n%s", name, firstDifference(got, string(want)))
	}
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n := 0
			for n < min(len(a[i]), len(b[i])) && a[i][n] == b[i][n] {
				n++
			}
			n = max(0, n-40)
			return fmt.Sprintf("line %d, from byte %d on\n got %.300q\nwant %.300q", i+1, n, a[i][n:], b[i][n:])
		}
	}
	return "one is longer"
}

func TestSameInputSameBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	defer func(l *time.Location) { time.Local = l }(time.Local)
	text, err := os.ReadFile("testdata/golden/written.in.md")
	if err != nil {
		t.Fatal(err)
	}
	var first string
	for i, procs := range []int{1, 2, 8, 1} {
		runtime.GOMAXPROCS(procs)
		time.Local = time.FixedZone("elsewhere", i*5*3600+1800)
		var all strings.Builder
		for _, writeup := range [][]byte{nil, text} {
			s := coin()
			s.machines = []string{"one", "two", "three"}
			doc, _ := Build(Source{Name: "coin", Result: s.result(), Writeup: writeup, File: "w.md", Version: "0.1"})
			all.Write(doc.HTML())
			all.Write(doc.Markdown())
			files := doc.Files()
			for _, f := range doc.figures {
				if f.Figure != nil {
					all.Write(files[f.path("light")])
					all.Write(files[f.path("dark")])
				}
			}
		}
		if i == 0 {
			first = all.String()
		} else if all.String() != first {
			t.Fatalf("build %d differs: %s", i, firstDifference(all.String(), first))
		}
	}
}
