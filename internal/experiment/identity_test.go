package experiment

import (
	"strings"
	"testing"
)

// Sessions record identities: a changed hash makes all recorded data stale.
func TestIdentityPinned(t *testing.T) {
	x := good(t, "2-roundtrip.yaml")
	tr := find(t, x, "shared", "4", "serial", "one-cpu")
	want := []Field{
		{"build", "go build -trimpath -buildvcs=false -o {build}/roundtrip ./workload"},
		{"metric accumulated", "from=clients key=rtt_ms reduce=sum"},
		{"metric completion", "from=clients reduce=span"},
		{"metric fairness", "from=clients key=calls per=rtt_ms reduce=jain"},
		{"metric made", "from=clients key=calls reduce=sum"},
		{"metric skew", "from=clients reduce=start-skew"},
		{"service server.command", "{build}/roundtrip serve --listen {server.address} --dispatcher serial"},
		{"service server.cpus", "0"},
		{"trial.clients", "4"},
		{"trial.command", `{build}/roundtrip client --server {server.address} --object shared --calls "{share(calls, clients, client) where calls=1000 clients=4}"`},
		{"trial.cpus", "0"},
		{"trial.timeout", "1m0s"},
	}
	got := IdentityFields(x, tr)
	for i := range max(len(got), len(want)) {
		var a, b Field
		if i < len(got) {
			a = got[i]
		}
		if i < len(want) {
			b = want[i]
		}
		if a != b {
			t.Errorf("field %d is\n%s: %s\nwant\n%s: %s", i, a.Name, a.Text, b.Name, b.Text)
		}
	}
	if got, want := Identity(x, tr, "inputs"), pinnedIdentity; got != want {
		t.Errorf("the identity is %s, want %s", got, want)
	}
}

const identityFile = `fieldbook: 1
title: One
question: Why?
factors:
  mode: [fast, slow]
  n: {levels: [1, 2], labels: [one, two]}
constants: {calls: 100}
design: {blocks: 5, seed: 3}
build: make
services:
  a: {command: "./a {a.port}", scope: trial}
  b: {command: "./b {mode}", scope: trial, env: {X: "1", Y: "2"}}
trial:
  command: ./w {mode} {calls} {build}
  env: {M: "{n}", K: k}
  timeout: 5s
metrics:
  elapsed: {from: json, key: ms, unit: ms}
  wall: {from: wall}
  twice: {formula: elapsed * 2, unit: ms}
valid: [elapsed > 0]
`

// change is the file with one text replaced.
func change(t *testing.T, pairs ...string) *Experiment {
	t.Helper()
	src := identityFile
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(src, pairs[i]) {
			t.Fatalf("the file has no %q", pairs[i])
		}
		src = strings.Replace(src, pairs[i], pairs[i+1], 1)
	}
	return read(t, src)
}

func identities(x *Experiment) []string {
	var all []string
	for _, tr := range x.Treatments {
		all = append(all, Identity(x, tr, "in"))
	}
	return all
}

func TestIdentityIgnoresWhatDoesNotRun(t *testing.T) {
	want := strings.Join(identities(change(t)), " ")
	for name, pairs := range map[string][]string{
		"a comment":       {"build: make\n", "# more\nbuild: make   # and more\n\n"},
		"the title":       {"title: One", "title: Two"},
		"the question":    {"Why?", "How?"},
		"labels":          {"[one, two]", "[uno, due]"},
		"blocks and seed": {"{blocks: 5, seed: 3}", "{blocks: 9, seed: 4, order: sequential}"},
		"a unit":          {"unit: ms}", "unit: s, better: lower}"},
		"a formula":       {"elapsed * 2", "elapsed * 3"},
		"validity":        {"[elapsed > 0]", "[elapsed > 1]"},
		"the order of services": {"  a: {command: \"./a {a.port}\", scope: trial}\n", "",
			"trial:\n", "  a: {scope: trial, command: \"./a {a.port}\"}\ntrial:\n"},
		"the order of variables":            {`{X: "1", Y: "2"}`, `{Y: "2", X: "1"}`},
		"the order of keys":                 {"  timeout: 5s\n", "", "trial:\n", "trial:\n  timeout: 5s\n"},
		"how a number is written in YAML":   {`X: "1"`, "X: 1"},
		"list or text":                      {"./w {mode} {calls} {build}", `[./w, "{mode}", "{calls}", "{build}"]`},
		"a constant or its value":           {"{calls}", "100"},
		"a time-out written in another way": {"timeout: 5s", "timeout: 5000ms"},
	} {
		if got := strings.Join(identities(change(t, pairs...)), " "); got != want {
			t.Errorf("%s changes an identity", name)
		}
	}
}

func TestIdentityTellsRunsApart(t *testing.T) {
	base := identities(change(t))
	if base[0] == base[1] || base[0] == base[2] {
		t.Error("treatments share an identity")
	}
	for name, pairs := range map[string][]string{
		"the build":          {"build: make", "build: make all"},
		"a service":          {"./b {mode}", "./b -v {mode}"},
		"a service's env":    {`Y: "2"`, `Y: "3"`},
		"a service's before": {`"./b {mode}", scope`, `"./b {mode}", before: [sync], scope`},
		"the command":        {"./w {mode}", "./w -v {mode}"},
		"a constant":         {"calls: 100", "calls: 101"},
		"env":                {"K: k", "K: l"},
		"a variable's name":  {"K: k", "L: k"},
		"stdin":              {"timeout: 5s", "timeout: 5s\n  stdin: x"},
		"cwd":                {"timeout: 5s", "timeout: 5s\n  cwd: x"},
		"cpus":               {"timeout: 5s", "timeout: 5s\n  cpus: 0"},
		"after":              {"timeout: 5s", "timeout: 5s\n  after: [sync]"},
		"the time-out":       {"timeout: 5s", "timeout: 6s"},
		"clients":            {"timeout: 5s", "timeout: 5s\n  clients: 2"},
		"one client":         {"timeout: 5s", "timeout: 5s\n  clients: 1"},
		"a metric's key":     {"key: ms", "key: us"},
		"a further metric":   {"wall: {from: wall}", "wall: {from: wall}\n  cpu: {from: rusage, key: cpu}"},
		"a shell":            {"command: ./w {mode} {calls} {build}", "shell: true\n  command: ./w {mode} {calls} {build}"},
		"words joined":       {"./w {mode} {calls}", "./w '{mode} {calls}'"},
		"a source":           {"build: make", "source: {git: ., revision: main}\nbuild: make"},
	} {
		for i, id := range identities(change(t, pairs...)) {
			if id == base[i] {
				t.Errorf("%s does not change the identity of treatment %d", name, i+1)
			}
		}
	}
	x := change(t)
	if Identity(x, x.Treatments[0], "a") == Identity(x, x.Treatments[0], "b") {
		t.Error("the content of inputs does not change the identity")
	}
}

// A change that touches one treatment leaves the others alone.
func TestIdentityIsPerTreatment(t *testing.T) {
	a := change(t, "timeout: 5s", "timeout: {by: mode, fast: 5s, slow: 5s}")
	b := change(t, "timeout: 5s", "timeout: {by: mode, fast: 5s, slow: 7s}")
	for i, tr := range a.Treatments {
		same := identities(a)[i] == identities(b)[i]
		if want := tr.Levels[0] == "fast"; same != want {
			t.Errorf("treatment %v: unchanged is %v, want %v", tr.Levels, same, want)
		}
	}
	if identities(a)[0] != identities(change(t))[0] {
		t.Error("a value by factor and the plain value differ")
	}
}

const pinnedIdentity = "acb24a3d9b101a81efee2c08ab660ab181971875c9e63263409b3b81d780c122"
