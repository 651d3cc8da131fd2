package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/internal/session"
)

const threeWays = `fieldbook: 1
title: Three ways
factors: {way: [first, second, third]}
trial: {command: [way, "{way}"]}
metrics:
  wall: {from: wall, unit: ms, better: lower}
  cpu: {from: rusage, key: cpu, unit: ms, better: lower}
design: {blocks: 12, warmup-blocks: 0}
claims:
  second-is-faster:
    says: The second way is faster than the first.
    metric: wall
    compare: way=second / way=first
    expect: ratio < 1
  third-is-slow:
    says: The third way takes more than 20 ms.
    metric: wall
    where: {way: third}
    expect: value > 20
  cpu-is-less:
    says: The second way takes less of the processor.
    metric: cpu
    compare: way=second / way=first
    expect: ratio < 1
`

const threeWaysWriteup = "First {value}`median wall way=first`, second {value}`geomean wall way=second`, third {value}`geomean wall way=third`,\n" +
	"third over first {value}`ratio wall way=third / way=first`, and of the processor {value}`geomean cpu way=second`.\n" +
	"\n```{claims}\n:name: tab-claims\n```\n" +
	"\n```{plot} points\n:metric: wall\n:where: way=first,second\n:name: fig-two\n```\n" +
	"\n```{plot} points\n:metric: wall\n:where: way=third\n:name: fig-third\n```\n" +
	"\n```{plot} points\n:metric: cpu\n:name: fig-cpu\n```\n" +
	"\n```{table} treatments\n:metric: wall\n:name: tab-wall\n```\n" +
	"\n```{table} treatments\n:metric: cpu\n:name: tab-cpu\n```\n"

// siteOf records three ways, with what edit makes of each row, and renders
// the site.
func siteOf(t *testing.T, edit func(way string, block int, metrics []float64)) string {
	t.Helper()
	n := &notebook{root: t.TempDir()}
	folder := filepath.Join(n.root, "experiments", "ways")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	writeOver(t, filepath.Join(folder, "experiment.yaml"), threeWays)
	writeOver(t, filepath.Join(folder, "writeup.md"), threeWaysWriteup)
	s, err := n.load("ways")
	if err != nil {
		t.Fatal(err)
	}
	recordWays(t, n, s, edit)
	a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, dir: n.root, color: "never"}
	if err := a.report(nil, reportFlags{}); err != nil {
		t.Fatalf("%v\n%s", err, a.stderr)
	}
	return filepath.Join(n.root, "site")
}

func recordWays(t *testing.T, n *notebook, s *study, edit func(string, int, []float64)) {
	t.Helper()
	began := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	info := session.Info{
		Experiment: "ways", Machine: "box", Purpose: "measure", Order: "randomized-blocks", Generator: "pcg-1", Seed: "0000000000000001", Blocks: 12,
		Factors: factors(s.x), Parts: []session.Part{{Tool: "test", Started: began.Format(time.RFC3339), Environment: map[string]string{}}}, Claims: map[string]string{},
	}
	for _, m := range s.x.Metrics {
		info.Metrics = append(info.Metrics, metric(m))
	}
	ids := s.identities()
	for i, treatment := range s.x.Treatments {
		info.Treatments = append(info.Treatments, session.Treatment{Number: i + 1, Levels: treatment.Levels, Identity: ids[treatmentKey(treatment.Levels)]})
	}
	for _, c := range s.x.Claims {
		info.Claims[c.Name] = claim(c).Hash
	}
	r := rand.New(rand.NewPCG(3, 4))
	var plan []session.Planned
	for b := range info.Blocks {
		for pos, i := range r.Perm(3) {
			plan = append(plan, session.Planned{Trial: len(plan) + 1, Phase: "measured", Block: b + 1, Position: pos + 1, Treatment: i + 1, Levels: info.Treatments[i].Levels})
		}
	}
	w, err := session.Create(filepath.Join(n.root, "data", "ways"), info, plan, []byte(threeWays), session.Options{Sync: session.SyncNone, Now: func() time.Time { return began }})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range plan {
		base := []float64{20, 18, 31}[p.Treatment-1]
		metrics := []float64{base * math.Exp(0.02*r.NormFloat64()), base / 2 * math.Exp(0.02*r.NormFloat64())}
		for k := range metrics {
			metrics[k] = math.Round(metrics[k]*1000) / 1000
		}
		edit(p.Levels[0], p.Block, metrics)
		row := session.Row{Planned: p, Attempt: 1, Started: began.Add(time.Duration(i) * time.Second), Duration: 0.02, Status: session.OK, Metrics: metrics}
		if err := w.Append(session.Record{Row: row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Seal(), w.Close()); err != nil {
		t.Fatal(err)
	}
}

// sitesCompared is what `compare` says of two sites, "kind name: noise" each.
func sitesCompared(t *testing.T, older, newer string) ([]string, error) {
	t.Helper()
	var out bytes.Buffer
	a := &app{stdout: &out, stderr: &bytes.Buffer{}, color: "never"}
	err := a.compareSites(older, newer, "json")
	var list []struct{ Kind, Name, Noise string }
	if jsonErr := json.Unmarshal(out.Bytes(), &list); jsonErr != nil {
		t.Fatalf("%v\n%s", jsonErr, out.String())
	}
	var said []string
	for _, d := range list {
		said = append(said, fmt.Sprintf("%s %s: %s", d.Kind, d.Name, d.Noise))
	}
	return said, err
}

// TestCompareNamesWhatDependsOnAValue changes one number in the data; what
// does not come from that treatment and that metric stays as it is.
func TestCompareNamesWhatDependsOnAValue(t *testing.T) {
	same := func(string, int, []float64) {}
	older := siteOf(t, same)
	if said, err := sitesCompared(t, older, siteOf(t, same)); err != nil || len(said) > 0 {
		t.Fatalf("two sites from the same data: %v, %v", said, err)
	}
	newer := siteOf(t, func(way string, block int, metrics []float64) {
		if way == "third" && block == 5 {
			metrics[0] += 1.5
		}
	})
	said, err := sitesCompared(t, older, newer)
	var e exit
	if !errors.As(err, &e) || e.code != exitDiffers {
		t.Errorf("compare gives %v, want exit code %d", err, exitDiffers)
	}
	want := []string{
		"claim third-is-slow: within",
		"value {value}`geomean wall way=third`: within",
		"value {value}`ratio wall way=third / way=first`: within",
		"figure fig-third: unknown",
		"table tab-claims, row third-is-slow: within",
		"table tab-wall, row third: within",
	}
	for _, w := range want {
		if !slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, w) }) {
			t.Errorf("compare does not say %q", w)
		}
	}
	for _, s := range said {
		known := slices.ContainsFunc(want, func(w string) bool { return strings.HasPrefix(s, w) })
		checks := strings.HasPrefix(s, "figure check-") && strings.Contains(s, "-wall") // of the looks for outliers and carry-over
		if !known && !checks && !strings.Contains(s, "Environment") && !strings.HasPrefix(s, "table table:") {
			t.Errorf("compare says %q, which does not depend on the value", s)
		}
		for _, never := range []string{"cpu", "second-is-faster", "fig-two"} {
			if strings.Contains(s, never) {
				t.Errorf("compare says %q, which does not depend on the value", s)
			}
		}
	}
}

func TestCompareKnowsNoiseFromChange(t *testing.T) {
	older := siteOf(t, func(string, int, []float64) {})
	newer := siteOf(t, func(way string, _ int, metrics []float64) {
		if way == "second" {
			metrics[0] *= 1.3
		}
	})
	said, _ := sitesCompared(t, older, newer)
	for _, want := range []string{"claim second-is-faster: beyond", "value {value}`geomean wall way=second`: beyond", "table tab-wall, row second: beyond"} {
		if !slices.Contains(said, want) {
			t.Errorf("compare says %q, want %q among it", said, want)
		}
	}
	var out bytes.Buffer
	a := &app{stdout: &out, stderr: &bytes.Buffer{}, color: "never"}
	_ = a.compareSites(older, newer, "text")
	for _, want := range []string{"ways\n", "supported", "refuted", "beyond its noise", "beyond noise\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("compare says\n%s\nwant %q in it", out.String(), want)
		}
	}
}

func TestCompareSitesThatCannotBe(t *testing.T) {
	older := siteOf(t, func(string, int, []float64) {})
	if err := os.Remove(filepath.Join(older, "ways", "report.json")); err != nil {
		t.Fatal(err)
	}
	a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}
	if err := a.compareSites(older, older, "text"); err == nil || !strings.Contains(err.Error(), "render the site anew") {
		t.Errorf("compare of a site without report.json: %v", err)
	}
}
