package experiment

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// arguments are those of a treatment's command, expanded.
func arguments(t *testing.T, x *Experiment, tr Treatment) []string {
	t.Helper()
	var all []string
	for _, a := range x.TrialFor(tr).Command.Argv.At(x, tr) {
		s, err := a.Expand(x.Env(tr))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// JSON is YAML, so that a list of arguments can be pasted as it is.
func TestListedArgumentsArriveByteForByte(t *testing.T) {
	src, err := os.ReadFile("testdata/args.json")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	if err := json.Unmarshal(src, &want); err != nil {
		t.Fatal(err)
	}
	x := read(t, "fieldbook: 1\ntrial:\n  command: "+string(src))
	if got := arguments(t, x, x.Treatments[0]); !slices.Equal(got, want) {
		t.Errorf("the arguments are %q, want %q", got, want)
	}
}

func TestCommandsOfTheShortForm(t *testing.T) {
	x := read(t, `fieldbook: 1
commands:
  two words: printf '<%s>\n' 'a b' {n}
  listed: [printf, "{n + 1}", "a b"]
factors: {n: [1, 2]}
`)
	want := [][]string{{"printf", `<%s>\n`, "a b", "1"}, {"printf", `<%s>\n`, "a b", "2"}, {"printf", "2", "a b"}, {"printf", "3", "a b"}}
	for i, tr := range x.Treatments {
		if got := arguments(t, x, tr); !slices.Equal(got, want[i]) {
			t.Errorf("the command of %v is %q, want %q", tr.Levels, got, want[i])
		}
	}
	if x.Factors[0].Name != CommandFactor || x.Factors[0].Levels[0].Text != "two words" {
		t.Errorf("the first factor is %+v", x.Factors[0])
	}
}

func TestShellTakesTheTextWhole(t *testing.T) {
	x := read(t, `fieldbook: 1
commands:
  a: cat "$HOME/x" | wc -l > {n}
  b: |
    cd x
    make
factors: {n: [1, 2]}
trial: {shell: true, before: sync; sync, after: rm *.o}
`)
	tr := x.TrialFor(x.Treatments[0])
	if got := arguments(t, x, x.Treatments[0]); !tr.Command.Shell || !slices.Equal(got, []string{`cat "$HOME/x" | wc -l > 1`}) {
		t.Errorf("the command is %q, shell %v", got, tr.Command.Shell)
	}
	if got := arguments(t, x, x.Treatments[2]); !slices.Equal(got, []string{"cd x\nmake\n"}) {
		t.Errorf("the command is %q", got)
	}
	if !tr.Before.Shell || !tr.After.Shell || tr.After.Argv.Plain[0].String() != "rm *.o" {
		t.Errorf("before is %+v, after is %+v", tr.Before, tr.After)
	}
}

// A message about a command names its place, the treatment and what to do.
func TestRefusedCommandIsPlaced(t *testing.T) {
	_, problems := Read("x", "x.yaml", []byte("fieldbook: 1\ncommands:\n  fine: ./a\n  piped: ./a 'b|c' | wc\n"))
	want := "x.yaml:4:20: piped: the shell character | stands outside quotes, and no shell reads this command; put it in single quotes, or set shell: true"
	if got := problems.Error(); got != want {
		t.Errorf("the problem is\n%s\nwant\n%s", got, want)
	}
}

func TestFactorsThatNothingUses(t *testing.T) {
	used := map[string]string{
		"a template":         `trial: {command: "./a {n}"}`,
		"arithmetic":         `trial: {command: "./a {2 * n}"}`,
		"a choice":           "trial: {command: ./a, timeout: {by: n, 1: 1s, 2: 2s}}",
		"a choice in a list": "trial: {command: [./a, {by: n, 1: x, 2: y}]}",
		"each":               "services: {s: {command: ./s, each: [n]}}\ntrial: {command: ./a}",
		"a formula":          "trial: {command: ./a}\nmetrics: {w: {from: wall}, p: {formula: w / n, unit: s}}",
		"validity":           "trial: {command: ./a}\nvalid: [wall < n]",
		"a revision":         "source: {git: ., revision: \"{n}\"}\ntrial: {command: ./a}",
		"env":                "trial: {command: ./a, env: {N: \"{n}\"}}",
		"clients":            "trial: {command: ./a, clients: \"{n}\"}",
	}
	for name, rest := range used {
		if _, problems := Read("x", "x.yaml", []byte("fieldbook: 1\nfactors: {n: [1, 2]}\n"+rest+"\n")); len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
	}
	_, problems := Read("x", "x.yaml", []byte("fieldbook: 1\nfactors: {n: [1, 2]}\ntrial: {command: ./a}\n"))
	if len(problems) != 1 || !problems[0].Warning || !strings.Contains(problems[0].Text, `"n"`) {
		t.Errorf("without a use: %v", problems)
	}
}
