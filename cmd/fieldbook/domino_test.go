package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
)

const celeron, dual, slow = "uni-celeron-1700", "dual-p4-700-domino-host", "dual-pii-350"

// dominoNotebook is a notebook with the study of pipelined and threaded access
// as it stands in this repository, and without any data.
func dominoNotebook(t *testing.T) *notebook {
	t.Helper()
	n := &notebook{t.TempDir()}
	from, to := filepath.Join("..", "..", "experiments"), filepath.Join(n.root, "experiments")
	for _, name := range []string{"pipelining", "pipelining-arrival", "pipelining-modulus", "iiop"} {
		if err := os.CopyFS(filepath.Join(to, name), os.DirFS(filepath.Join(from, name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		replaceIn(t, filepath.Join(from, name), filepath.Join(to, name), "", "")
	}
	return n
}

// replaceIn copies a file with one text in place of another, which must be
// there once.
func replaceIn(t *testing.T, from, to, old, new string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if old != "" && bytes.Count(b, []byte(old)) != 1 {
		t.Fatalf("%s holds %q %d times, want once", from, old, bytes.Count(b, []byte(old)))
	}
	if old != "" {
		b = bytes.Replace(b, []byte(old), []byte(new), 1)
	}
	if err := os.WriteFile(to, b, 0o666); err != nil {
		t.Fatal(err)
	}
}

func (n *notebook) analysed(t *testing.T, name string) *analysis.Result {
	t.Helper()
	s, err := n.load(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.result(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// publishedWords are the verdicts of claims on the published numbers.
func publishedWords(r *analysis.Result) map[string]string {
	words := map[string]string{}
	for _, c := range r.Claims {
		words[c.Claim.Name] = c.PublishedWords()
	}
	return words
}

func TestClaimsOf2004OnItsOwnNumbers(t *testing.T) {
	r := dominoNotebook(t).analysed(t, "pipelining")
	got := publishedWords(r)
	for name, want := range map[string]string{
		"D1": "holds on 3 of 3 machines", "D2": "holds on 3 of 3 machines", "D3": "fails: holds on 2 of 3 machines",
		"D4": "holds on 2 of 2 machines", "D5": "holds on 1 of 1 machine", "D6": "holds on 3 of 3 machines",
		"D7": "holds on 3 of 3 machines", "D8": "fails: holds on 2 of 3 machines", "D9": "not stated", "D10": "not stated",
		"many-workers": "not stated", "batches-beat-threads": "not stated",
	} {
		if got[name] != want {
			t.Errorf("%s as published: %q, want %q", name, got[name], want)
		}
	}
}

// ratioOf is a published ratio on one machine.
func ratioOf(t *testing.T, r *analysis.Result, comparison, machine string) float64 {
	t.Helper()
	c, err := expr.ParseComparison(comparison + " where machine=" + machine)
	if strings.Contains(comparison, " where ") {
		c, err = expr.ParseComparison(comparison + " machine=" + machine)
	}
	if err != nil {
		t.Fatal(err)
	}
	e, err := r.PublishedRatio("elapsed", c)
	if err != nil || e.Refused != "" {
		t.Fatalf("%s on %s: %v %s", comparison, machine, err, e.Refused)
	}
	if !math.IsNaN(e.Lo) || !math.IsNaN(e.Hi) {
		t.Errorf("%s on %s has the interval %v, %v, and none can be had from sums", comparison, machine, e.Lo, e.Hi)
	}
	return e.Value
}

func TestRatiosOfThePublishedSums(t *testing.T) {
	r := dominoNotebook(t).analysed(t, "pipelining")
	for _, row := range []struct {
		comparison string
		want       [4]string // by machine, and their geometric mean; "" where none is meant
	}{
		{"communication=queue sessions=1 / communication=queue sessions=2", [4]string{"1.240", "1.068", "1.052", "1.117"}},
		{"communication=threaded sessions=1 / communication=threaded sessions=2", [4]string{"1.127", "1.024", "0.860", "0.998"}},
		{"communication=threaded sessions=1 / communication=queue sessions=1", [4]string{"1.267", "1.321", "1.270", "1.286"}},
		{"communication=threaded sessions=2 / communication=queue sessions=2", [4]string{"1.395", "1.377", "1.553", "1.439"}},
		{"communication=threaded / communication=queue where sessions=1,2", [4]string{"1.329", "1.349", "1.404", "1.360"}},
	} {
		product := 1.0
		for i, machine := range []string{celeron, dual, slow} {
			x := ratioOf(t, r, row.comparison, machine)
			product *= x
			if got := fmt.Sprintf("%.3f", x); got != row.want[i] {
				t.Errorf("%s on %s: %s, want %s", row.comparison, machine, got, row.want[i])
			}
		}
		if got := fmt.Sprintf("%.3f", math.Cbrt(product)); got != row.want[3] {
			t.Errorf("%s over the machines: %s, want %s", row.comparison, got, row.want[3])
		}
	}
}

// partOf is the number behind a claim's verdict on a published machine.
func partOf(t *testing.T, r *analysis.Result, claim, machine string) float64 {
	t.Helper()
	for _, c := range r.Claims {
		for _, p := range c.PublishedParts {
			if c.Claim.Name == claim && p.Machine == machine {
				return p.Value
			}
		}
	}
	t.Fatalf("claim %s says nothing of %s", claim, machine)
	return 0
}

func TestInteractionsAndClosestTestsOfThePublishedSums(t *testing.T) {
	r := dominoNotebook(t).analysed(t, "pipelining")
	for i, machine := range []string{celeron, dual, slow} {
		want := []string{"0.909", "0.959", "0.818"}[i]
		if got := fmt.Sprintf("%.3f", 1/partOf(t, r, "D7", machine)); got != want {
			t.Errorf("interaction on %s: %s, want %s", machine, got, want)
		}
		want = []string{"1.125", "1.289", "1.270"}[i]
		if got := fmt.Sprintf("%.3f", 1/partOf(t, r, "D1", machine)); got != want {
			t.Errorf("fastest threads over slowest queue on %s: %s, want %s", machine, got, want)
		}
	}
	if got := fmt.Sprintf("%.3f", partOf(t, r, "D5", slow)); got != "1.163" {
		t.Errorf("threads over two sessions on %s, over the next: %s, want 1.163", slow, got)
	}
}

func TestPublishedSumsAreRankedAsTheirAuthorListedThem(t *testing.T) {
	for _, name := range []string{"pipelining", "pipelining-modulus"} {
		numbers, err := dominoNotebook(t).analysed(t, name).PublishedNumbers("elapsed")
		if err != nil {
			t.Fatal(err)
		}
		listed := map[string][]string{}
		for _, n := range numbers {
			listed[n.Machine] = append(listed[n.Machine], fmt.Sprintf("%s%s %g", n.Levels["communication"], n.Levels["sessions"], n.Estimate.Value))
		}
		for machine, want := range map[string][]string{
			celeron: {"queue2 34220", "queue1 42423", "threaded2 47722", "threaded1 53765"},
			dual:    {"queue2 37596", "queue1 40155", "threaded2 51767", "threaded1 53032"},
			slow:    {"queue2 43327", "queue1 45576", "threaded1 57874", "threaded2 67298"},
		} {
			if !slices.Equal(listed[machine], want) {
				t.Errorf("%s, %s: %v, want %v", name, machine, listed[machine], want)
			}
		}
		if one := listed["predecessor-single-processor"]; name == "pipelining" && one != nil {
			t.Errorf("the study has numbers of another one: %v", one)
		}
	}
}

// The post before the study had other tests: its sums decide no claim of the
// study, and none of the study's decides its own.
func TestPredecessorsSumsStandApart(t *testing.T) {
	r := dominoNotebook(t).analysed(t, "pipelining-modulus")
	for _, c := range r.Claims {
		for _, p := range c.PublishedParts {
			if before := p.Machine == "predecessor-single-processor"; before != (c.Claim.Name == "own-session") {
				t.Errorf("claim %s is judged on %s", c.Claim.Name, p.Machine)
			}
		}
	}
	const before = "predecessor-single-processor"
	if got := ratioOf(t, r, "communication=threaded sessions=1 / communication=threaded sessions=2", before); fmt.Sprintf("%+.1f %%", 100*(got-1)) != "+145.5 %" {
		t.Errorf("sharing a session over own ones: %v, want 145.5 %% more", got)
	}
	mixed, err := expr.ParseComparison("communication=queue sessions=2 machine=" + celeron + " / communication=threaded sessions=2 machine=" + before)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := r.PublishedRatio("elapsed", mixed); err == nil && e.Refused == "" {
		t.Errorf("a ratio over two studies is given: %v", e.Value)
	}
}

func TestAlteringAPublishedSumAltersTheVerdicts(t *testing.T) {
	for _, c := range []struct {
		old, new string
		want     map[string]string
	}{
		{"threaded,2,2,elapsed,47722,", "threaded,2,2,elapsed,40000,", map[string]string{
			"D1": "fails: holds on 2 of 3 machines", "D2": "holds on 3 of 3 machines"}},
		{"queue,2,2,elapsed,34220,", "queue,2,2,elapsed,40220,", map[string]string{
			"D3": "holds on 3 of 3 machines", "D8": "holds on 3 of 3 machines"}},
		{"threaded,2,2,elapsed,67298,", "threaded,2,2,elapsed,57298,", map[string]string{
			"D5": "fails: holds on 0 of 1 machine", "D6": "fails: holds on 0 of 3 machines"}},
	} {
		n := dominoNotebook(t)
		path := filepath.Join(n.root, "experiments", "pipelining", "published.csv")
		replaceIn(t, path, path, c.old, c.new)
		got := publishedWords(n.analysed(t, "pipelining"))
		for name, want := range c.want {
			if got[name] != want {
				t.Errorf("%s for %s: %s %q, want %q", c.new, c.old, name, got[name], want)
			}
		}
	}
}

func TestAnIntervalOfAPublishedSumIsAnErrorThatSaysWhy(t *testing.T) {
	n := dominoNotebook(t)
	const of = " elapsed machine=" + celeron + " communication=queue sessions=1"
	text := "One {published}`sum" + of + "`, {published}`sum" + of + " as=interval`,\n{published}`sd" + of + "`.\n"
	if err := os.WriteFile(filepath.Join(n.root, "experiments", "pipelining", "writeup.md"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-C", n.root, "report", "pipelining"}, &stdout, &stderr); code != exitProblems {
		t.Errorf("report ends with %d, want %d", code, exitProblems)
	}
	for _, want := range []string{
		"writeup.md:1:", "a published number has no interval: the study does not say how much its runs varied",
		"writeup.md:2:", "the earlier study states a sum of 10 runs, from which no sd can be had", "2 problems in 1 file",
	} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("report does not say %q:\n%s", want, stderr.String())
		}
	}
}

// The cycle of 2004: counter 23 runs the third test, 4 the fourth.
func TestTheOrderOf2004(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-C", dominoNotebook(t).root, "plan", "pipelining-modulus", "--format", "csv"}, &stdout, &stderr); code != 0 {
		t.Fatalf("plan ends with %d: %s", code, stderr.String())
	}
	rows := strings.Split(strings.TrimSpace(stdout.String()), "\n")[1:]
	if len(rows) != 40 {
		t.Fatalf("%d trials, want 40", len(rows))
	}
	tests := []string{"queue,1", "queue,2", "threaded,1", "threaded,2"}
	for i, row := range rows {
		counter, number := i+1, i%4+1
		fields := strings.Split(row, ",")
		if fields[0] != strconv.Itoa(counter) || fields[5] != strconv.Itoa(number) || !strings.HasSuffix(row, ","+tests[number-1]) {
			t.Errorf("counter %d: %s, want treatment %d, %s", counter, row, number, tests[number-1])
		}
	}
	if !strings.HasPrefix(rows[22], "23,measured,") || strings.Split(rows[22], ",")[5] != "3" {
		t.Errorf("counter 23: %s, want the third treatment", rows[22])
	}
}

// A run that is killed leaves no server behind.
func TestAKilledRunLeavesNoServer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tool and a workload, and runs trials")
	}
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("processes are found by /proc, which this system does not have")
	}
	if n, err := exec.Command("nproc").Output(); err != nil || strings.TrimSpace(string(n)) == "1" {
		t.Skip("the study pins to two processors, which this machine does not have")
	}
	n := dominoNotebook(t)
	mark := "DOMINO_TEST_MARK=" + n.root
	cmd := exec.CommandContext(t.Context(), buildTool(t), "-C", n.root, "run", "pipelining-modulus")
	cmd.Env = append(os.Environ(), mark, "TMPDIR="+t.TempDir()) // what a killed run leaves on the disk goes with the test
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for recorded(n.root) < 3 {
		select {
		case err := <-ended:
			t.Fatalf("the run ended by itself: %v\n%s", err, stderr.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
	if got := marked(mark, "serve"); len(got) != 1 {
		t.Errorf("%d servers while the run goes on, want 1: %v", len(got), got)
	}
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-ended
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	for left := marked(mark, ""); len(left) > 0; left = marked(mark, "") {
		if ctx.Err() != nil {
			t.Fatalf("left behind: %v", left)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// recorded is how many trials a notebook holds of the modulus order.
func recorded(root string) int {
	paths, _ := filepath.Glob(filepath.Join(root, "data", "pipelining-modulus", "*", "trials.csv"))
	if len(paths) != 1 {
		return 0
	}
	b, _ := os.ReadFile(paths[0])
	return bytes.Count(b, []byte("\n")) - 1
}

// marked are the command lines of processes that inherited a variable and
// name a verb.
func marked(mark, verb string) []string {
	var all []string
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		env, _ := os.ReadFile(path)
		if !slices.Contains(strings.Split(string(env), "\x00"), mark) {
			continue
		}
		args, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		words := strings.Split(strings.Trim(string(args), "\x00"), "\x00")
		if verb == "" || slices.Contains(words, verb) {
			all = append(all, strings.Join(words, " "))
		}
	}
	return all
}
