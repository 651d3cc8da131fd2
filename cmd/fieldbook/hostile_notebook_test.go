package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbook/internal/session"
)

// spell does everything to a terminal that a text can do: it moves the
// cursor, turns the direction of what follows, breaks the line, and hides.
// spellYAML is the same in a YAML string, spellLine without the line breaks.
const (
	spell     = "\x1b[2J\a\b\r\x7f\u0085\u009b1m\u202e\u2066\u200e\u200f\u061c\u2028\u2029\u00ad\u200b\ufeff\U000e0041"
	spellYAML = `\e[2J\a\b\r\x7f\N\x9b1m\u202e\u2066\u200e\u200f\u061c\L\P\u00ad\u200b\ufeff\U000e0041`
	spellLine = "\x1b[2J\a\b\x7f\u009b1m\u202e\u2066\u200e\u200f\u061c\u00ad\u200b\U000e0041"
)

// hostile is an experiment whose every text holds the spell, begins a line of
// its own, or is a formula. Its workload prints the same, and one treatment
// fails with it.
var hostile = strings.NewReplacer("SPELL", spellYAML, "HIDE", `\u202e\u2066\u200f\L\u200b\U000e0041`).Replace(`fieldbook: 1
title: "tSPELL\e]0;owned\a"
question: "qSPELL"
factors:
  what: {levels: ["plain", "=cmd|'/C calc'!A0", "eSPELL\e[1Aok", "../../escape", "line\nfieldbook: all is well"], labels: ["aSPELL", "=1+1", "cSPELL", "d", "eSPELL"], unit: "fSPELL"}
constants: {k: "kSPELL"}
design: {blocks: 2, warmup-blocks: 0}
trial:
  shell: true
  command: "printf '\\033[2J\\177\\302\\233\\342\\200\\256\\342\\201\\246{{\"v\": 1}}\\n'; printf '{{\"v\": 1}}\\n{{\"sample\": {{\"kHIDE\": 2}}}}\\n'; printf 'broken\\033[31m\\177\\342\\200\\256\\n' >&2; test '{what}' != plain"
  env: {WHAT: "{what}SPELL"}
metrics:
  v: {from: json, key: v, unit: "uSPELL", better: lower}
  s: {from: samples, key: "kHIDE", reduce: p50, unit: "msSPELL"}
published: {file: published.csv, source: "pSPELL"}
claims:
  c: {says: "sSPELL", metric: v, compare: what="../../escape" / other, expect: ratio < 2}
  d: {says: "sSPELL", untested: "nSPELL"}
  p: {says: "sSPELL", metric: v, compare: what="../../escape" / what="=cmd|'/C calc'!A0", expect: ratio < 2, machines: ["oldSPELL"]}
`)

// wrong is an experiment in which everything is wrong that can be quoted, and
// wrongWriteup a writeup of that kind.
var (
	wrong = strings.ReplaceAll(`fieldbook: 1
"kSPELL": 1
factors: {"fSPELL": [a, b], g: ["aSPELL", "aSPELL"]}
design: {order: "oSPELL", blocks: "nSPELL"}
trial: {command: "true {nSPELL}", shell: "sSPELL", timeout: "dSPELL", cpus: "cSPELL"}
metrics: {m: {from: "fSPELL"}, w: {from: json, key: a, unit: s, "xSPELL": 1}, r: {from: regex, pattern: "(SPELL", unit: s}, f: {formula: "a + SPELL", unit: s}}
claims: {"cSPELL": {says: a}, c: {metric: "mSPELL", compare: "a=SPELL / b", expect: "ratio SPELL"}}
`, "SPELL", spellYAML)
	wrongWriteup = strings.ReplaceAll(`---
title: "aYAML"
uses: ["uYAML"]
sessions: ["sYAML"]
"kYAML": 1
---

# Text SPELL {value}~vSPELL~ {roleSPELL}~x~ {value}~v@a=SPELL~ [a](javascript:SPELL) ![p](SPELL.png) {claim}~SPELL~

~~~{plot} SPELL
xSPELL: y
~~~

~~~{tableSPELL}
~~~

<b SPELL>{value}~wall[SPELL]~</b>
`, "SPELL", spellLine)
)

// hostileNotebook holds both, files and folders with names of that kind, and
// the data of an experiment that is gone, recorded by a stranger: two sessions.
func hostileNotebook(t *testing.T) (n *notebook, sessions [2]string) {
	t.Helper()
	n = notebookOf(t, "x", hostile)
	withoutPublished, _, _ := strings.Cut(hostile, "published:")
	writeup := strings.NewReplacer("~", "`", "YAML", spellYAML).Replace(wrongWriteup)
	for path, text := range map[string]string{
		"README.md":                                     "# Title" + spellLine + "\n",
		"experiments/x/published.csv":                   strings.ReplaceAll("what,machine,metric,value,unit,aggregate,n,note\n../../escape,\"oldSPELL\",v,1,\"uSPELL\",value,1,\"nSPELL\"\n", "SPELL", spell),
		"experiments/x/in" + spell:                      "input",
		"experiments/wrong/experiment.yaml":             wrong,
		"experiments/writeup/experiment.yaml":           withoutPublished,
		"experiments/writeup/writeup.md":                writeup,
		"experiments/" + spell + "/experiment.yaml":     hostile,
		"experiments/yml" + spell + "/experiment.yml":   hostile,
		"data/x" + spell + "/20260301T093000Z-m/x":      "",
		"data/gone/20260201T093000Z-m" + spell + "/x":   "",
		"site/" + spell + "/index.html":                 "",
		"experiments/x/figures/" + spell + "-light.svg": "",
	} {
		path = filepath.Join(n.root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		writeOver(t, path, text)
	}
	for i := range sessions {
		sessions[i] = strangersSession(t, n, i)
	}
	return n, sessions
}

// strangersSession records what a stranger's session may say, of an
// experiment that is not in the notebook.
func strangersSession(t *testing.T, n *notebook, number int) string {
	t.Helper()
	began := time.Date(2026, 3, 1, 9, 30, number, 0, time.UTC)
	says := map[string]string{"kernel": "k" + spell + string(rune('a'+number)), "fact" + spell: "f" + spell, "only" + string(rune('a'+number)) + spell: spell}
	levels := []string{"one" + spell, "two" + spell}
	info := session.Info{Experiment: "gone" + spell, Title: spell, Question: spell, Machine: "m", Purpose: "measure", Note: spell, Order: "randomized-blocks",
		Generator: spell, Seed: "0000000000000001", Blocks: 6, Unaffected: []string{"v" + spell}, Claims: map[string]string{spell: spell},
		Stopping:      &session.Stopping{Claim: spell, HalfWidth: 0.1, Min: 2, Max: 6},
		Factors:       []session.Factor{{Name: "what", Levels: levels, Labels: []string{"l" + spell, "m" + spell}, Unit: spell}},
		Constants:     []session.Constant{{Name: "k" + spell, Value: spell}},
		Metrics:       []session.Metric{{Name: "v", Unit: "u" + spell, Better: "lower", From: "json", Key: spell}, {Name: "w", Unit: spell, From: spell, Formula: spell}},
		ClientColumns: []session.Column{{Name: "calls" + hidden, Unit: spell}},
		SampleColumns: []session.Column{{Name: "sample" + hidden, Unit: spell}},
		Treatments:    []session.Treatment{{Number: 1, Levels: levels[:1], Identity: "a" + spell}, {Number: 2, Levels: levels[1:], Identity: "b" + spell}},
		Parts:         []session.Part{{Tool: spell, Environment: says, Built: map[string]string{spell: spell + string(rune('a'+number))}, AtEnd: map[string]string{"kernel": spell}}},
	}
	var plan []session.Planned
	for i := range 2 * info.Blocks {
		plan = append(plan, session.Planned{Trial: i + 1, Phase: "measured", Block: i/2 + 1, Position: i%2 + 1, Treatment: i%2 + 1, Levels: levels[i%2 : i%2+1]})
	}
	w, err := session.Create(filepath.Join(n.root, "data", "gone"), info, plan, []byte(hostile), session.Options{Sync: session.SyncNone, Now: func() time.Time { return began }})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range plan {
		x := float64(10*(number+1) + 3*p.Treatment + i%5)
		row := session.Row{Planned: p, Attempt: 1, Started: began.Add(time.Duration(i) * time.Second), Duration: 0.02, Status: session.OK, Metrics: []float64{x, x}}
		if i == 5 {
			row.Status, row.Reason, row.Signal = session.Failed, "r"+spell, "SIG"+spell
		}
		record := session.Record{Row: row, Outputs: map[string][]byte{"stdout": []byte(spell)}}
		for k := range 3 {
			record.Samples = append(record.Samples, session.Sample{Trial: p.Trial, Attempt: 1, Index: k + 1, Values: []float64{x + float64(k)}})
		}
		if err := w.Append(record); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Look(session.Look{Block: 2, HalfWidth: -1}), w.Seal(), w.Close()); err != nil {
		t.Fatal(err)
	}
	return w.Info().Session
}

// hidden is as much of the spell as the name of a column may hold.
const hidden = "\u202e\u2066\u200e\u200f\u061c\u2028\u2029\u00ad\u200b\U000e0041"
