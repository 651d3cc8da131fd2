package runner

import (
	"fmt"
	"math"
	"testing"

	"fieldbook/internal/experiment"
)

// FuzzOutput reads any output of a workload for all that is read from one:
// the last object with a key, a pattern, samples. It never panics, the output
// may arrive in pieces of any size, and what is read is a number or a reason.
func FuzzOutput(f *testing.F) {
	for _, seed := range []string{"", "{\"v\": 1}\n", "{\"v\": 1e999}", "{\"sample\": {\"at\": 3}}\n{\"samples\": {\"at\": [1, 2]}}\n", "metric=12\nmetric=x", "{\"v\":\n\"NaN\"}", "\xff{\"v\": []}\n{}"} {
		f.Add([]byte(seed), uint8(3))
	}
	x, problems := experiment.Read("x", "x.yaml", []byte("fieldbook: 1\ncommands: {a: \"true\", b: \"true 1\"}\nmetrics:\n"+
		"  v: {from: json, key: v, unit: s}\n  m: {from: regex, pattern: \"metric=(\\\\S+)\", unit: s}\n  at: {from: samples, key: at, reduce: [max], unit: s}\n"))
	if problems.Failed() {
		f.Fatal(problems)
	}
	r, err := newReader(x)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte, piece uint8) {
		read := func(size int) string {
			h := r.newHarvest(nil)
			take, _ := h.takers()
			l := lines{take: take}
			for at := 0; at < len(text); at += size {
				l.feed(text[at:min(at+size, len(text))])
			}
			l.end()
			said := fmt.Sprint(h.samples.columns)
			for i, m := range x.Metrics {
				if got := h.found[i]; got.count > 0 && got.problem == "" && (math.IsNaN(got.value) || math.IsInf(got.value, 0)) {
					t.Fatalf("%s of %q is %v", m.Name, text, got.value)
				}
				said += fmt.Sprint(" ", h.found[i])
			}
			return said
		}
		whole, pieces := read(len(text)+1), read(int(piece)+1)
		if whole != pieces {
			t.Fatalf("%q reads as %s, in pieces of %d as %s", text, whole, int(piece)+1, pieces)
		}
	})
}
