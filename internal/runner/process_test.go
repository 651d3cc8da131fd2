package runner

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fieldbook/internal/session"
)

// TestArgumentsArriveByteForByte: blanks, an empty argument, characters that
// a shell would take, line feeds, both quotes.
func TestArgumentsArriveByteForByte(t *testing.T) {
	source, err := os.ReadFile("testdata/args.json")
	if err != nil {
		t.Fatal(err)
	}
	var argv []string
	if err := json.Unmarshal(source, &argv); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/args-stdout.txt")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, 1, "commands: {only: "+string(source)+"}")
	if got := fmt.Sprint(r.job.Experiment.Treatments); len(r.job.Experiment.Treatments) != 1 {
		t.Fatalf("treatments are %s, want one", got)
	}
	tried := tryFirst(t, r)
	if got := tried.Outputs[0].Kept; string(got) != string(want) {
		t.Errorf("standard output is %q, want %q", got, want)
	}
	if !slices.Equal(tried.Commands[0], argv) {
		t.Errorf("the command is %q, want %q", tried.Commands[0], argv)
	}
}

func TestCommandTextIsSplitWithoutShell(t *testing.T) {
	r := newRig(t, 1, `commands: {only: "printf '<%s>\\n' 'a b' \"c d\" e\\ f"}`)
	if got, want := string(tryFirst(t, r).Outputs[0].Kept), "<a b>\n<c d>\n<e f>\n"; got != want {
		t.Errorf("standard output is %q, want %q", got, want)
	}
}

// TestTimeoutTakesTheWholeTree: a background child holds the output pipe and
// would outlive its parent.
func TestTimeoutTakesTheWholeTree(t *testing.T) {
	r := newRig(t, 3, `
trial: {command: "sleep 300 & echo $! >> child.pid; sleep 300", shell: true, timeout: 1s}`)
	within(t, 3*(time.Second+2*time.Second), "three trials with a time-out of 1 s", func() { r.run() })
	r.wantStatuses(session.Timeout, session.Timeout, session.Timeout)
	r.wantGone("child.pid")
	for _, rec := range r.records {
		if !math.IsNaN(rec.Metrics[0]) {
			t.Errorf("trial %d has the metric %g, want none", rec.Trial, rec.Metrics[0])
		}
	}
	if r.out.NotOK != 3 || !r.out.Complete {
		t.Errorf("outcome is %+v, want complete with 3 not ok", r.out)
	}
}

// TestNothingIsLeftBehind starts processes that leave their group and session
// and ignore the signals to end.
func TestNothingIsLeftBehind(t *testing.T) {
	const daemon = `#!/bin/sh
trap '' TERM INT HUP
echo $$ >> pids
while :; do sleep 1; done
`
	for _, tt := range []struct{ name, command, status string }{
		{"after a trial that ends", "setsid ./daemon & sleep 0.3", session.OK},
		{"after one whose parents have gone", "( ( setsid ./daemon & ) & ) ; sleep 0.3", session.OK},
		{"after a failure", "setsid ./daemon & sleep 0.3; exit 3", session.Failed},
		{"after a time-out", "( setsid ./daemon & ) ; exec ./daemon", session.Timeout},
		{"with closed output", "setsid ./daemon >/dev/null 2>&1 </dev/null & sleep 0.3", session.OK},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, 1, "trial: {command: "+strconv.Quote(tt.command)+", shell: true, timeout: 700ms}").write("daemon", daemon)
			within(t, 20*time.Second, "the run", func() { r.run() })
			r.wantStatuses(tt.status)
			r.wantGone("pids")
		})
	}
}

// TestPipeHeldByGrandchild: the trial ends while another still holds its
// output; the runner neither waits for that nor loses what was written.
func TestPipeHeldByGrandchild(t *testing.T) {
	r := newRig(t, 1, `
trial: {command: "sleep 300 & echo $! > pid; sleep 0.3; echo metric=7", shell: true}
metrics: {m: {from: regex, pattern: 'metric=(\d+)', unit: "1"}}`)
	within(t, 10*time.Second, "the run", func() { r.run() })
	r.wantStatuses(session.OK)
	r.wantGone("pid")
	if got := r.metric("m")[0]; got != 7 {
		t.Errorf("metric is %g, want 7", got)
	}
	if !slices.ContainsFunc(r.events, func(e Event) bool { return e.Kind == "warning" && strings.Contains(e.Text, "sleep") }) {
		t.Errorf("no warning names the process left behind: %v", r.events)
	}
}

// TestEndJustBeforeTheDeadlineIsOK: what counts is that the process had
// ended by itself when the runner looked.
func TestEndJustBeforeTheDeadlineIsOK(t *testing.T) {
	r := newRig(t, 5, `trial: {command: sleep 0.3, timeout: 2s}`).run()
	r.wantStatuses(session.OK, session.OK, session.OK, session.OK, session.OK)
}

// TestHandledTermIsStillATimeout: exit 0 after the signal is no success.
func TestHandledTermIsStillATimeout(t *testing.T) {
	r := newRig(t, 1, `trial: {command: "trap 'exit 0' TERM; while :; do sleep 0.05; done", shell: true, timeout: 300ms}`).run()
	r.wantStatuses(session.Timeout)
	if rec := r.only(); rec.Reason != "no end within 300ms" || rec.Exit != 0 {
		t.Errorf("reason %q, exit %d; want the limit in the reason, exit 0", rec.Reason, rec.Exit)
	}
}

// TestFloodOnBothStreams: 200 MiB without a line end on each stream, the
// metric behind them.
func TestFloodOnBothStreams(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 400 MiB")
	}
	r := newRig(t, 1, `
trial: {command: ./flood.sh, after: "false", timeout: 120s}
metrics: {m: {from: regex, pattern: 'metric=(\d+)', unit: "1"}}`).copy("flood.sh")
	r.run() // `after` fails so that output is kept
	rec := r.only()
	if got := r.metric("m")[0]; !math.IsNaN(got) {
		t.Errorf("metric of a failed attempt is %g, want none", got)
	}
	if rec.StdoutBytes != 209715211 || rec.StderrBytes != 209715200 {
		t.Errorf("%d and %d bytes, want 209715211 and 209715200", rec.StdoutBytes, rec.StderrBytes)
	}
	out := string(rec.Outputs["stdout"])
	if len(out) > 128<<10 || !strings.HasPrefix(out, "ooo") || !strings.HasSuffix(out, "oo\nmetric=42\n") || !strings.Contains(out, "bytes cut here") {
		t.Errorf("kept output has %d bytes and ends in %q, want head and tail with a mark between", len(out), out[max(0, len(out)-40):])
	}

	resetPeak()
	r = newRig(t, 1, `
trial: {command: ./flood.sh, timeout: 120s}
metrics: {m: {from: regex, pattern: 'metric=(\d+)', unit: "1"}}`).copy("flood.sh").run()
	r.wantStatuses(session.OK)
	if got := r.metric("m")[0]; got != 42 {
		t.Errorf("metric is %g, want 42", got)
	}
	if peak := ownPeak(); peak > 256<<20 && !raceEnabled {
		t.Errorf("peak memory is %d MiB, want under 256", peak>>20)
	}
}

func TestStandardInputIsEmpty(t *testing.T) {
	stdin, err := os.Open("testdata/input.txt") // the tool's own input must stay as it is
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	saved := os.Stdin
	os.Stdin = stdin
	defer func() { os.Stdin = saved }()
	r := newRig(t, 2, "commands: {only: cat}").run()
	r.wantStatuses(session.OK, session.OK)
	if rec := r.records[0]; rec.StdoutBytes != 0 {
		t.Errorf("cat printed %d bytes, want none", rec.StdoutBytes)
	}
	if at, _ := stdin.Seek(0, 1); at != 0 {
		t.Errorf("the tool's own standard input was read up to %d", at)
	}
}

// TestStandardInputIsOpenedAnew: each trial reads the file from its start.
func TestStandardInputIsOpenedAnew(t *testing.T) {
	r := newRig(t, 4, `
trial: {command: wc -c, stdin: input.txt}
metrics: {n: {from: regex, pattern: '(\d+)', unit: B}}`).copy("input.txt").run()
	if got := r.metric("n"); !slices.Equal(got, []float64{19, 19, 19, 19}) {
		t.Errorf("bytes read are %v, want 19 each time", got)
	}
	r = newRig(t, 1, `trial: {command: cat, stdin: nowhere.txt}`).run()
	if rec := r.only(); rec.Status != session.Failed || !strings.Contains(rec.Reason, "nowhere.txt") {
		t.Errorf("%s: %s; want failed, naming the file", rec.Status, rec.Reason)
	}
}

// TestFailuresAreNeverFast: exit codes, a signal and a missing program, side
// by side with a treatment that works.
func TestFailuresAreNeverFast(t *testing.T) {
	r := newRig(t, 5, "commands: {flaky: ./flaky.sh count, gone: no-such-binary-xyz, fine: sleep 0.05}").copy("flaky.sh").run()
	var flaky, gone []session.Record
	for _, rec := range r.records {
		switch rec.Levels[0] {
		case "flaky":
			flaky = append(flaky, rec)
		case "gone":
			gone = append(gone, rec)
		case "fine":
			if rec.Status != session.OK {
				t.Errorf("fine is %s: %s", rec.Status, rec.Reason)
			}
		}
	}
	for i, want := range []session.Row{{Status: session.OK}, {Status: session.OK},
		{Status: session.Failed, Exit: 7, Reason: "exit 7: refused: payload too large"},
		{Status: session.Failed, Exit: -1, Signal: "SIGSEGV", Reason: "killed by SIGSEGV"}, {Status: session.OK}} {
		got := flaky[i]
		if got.Status != want.Status || got.Exit != want.Exit || got.Signal != want.Signal || got.Reason != want.Reason {
			t.Errorf("call %d is %s, exit %d, signal %q, reason %q; want %+v", i+1, got.Status, got.Exit, got.Signal, got.Reason, want)
		}
		if ok := got.Status == session.OK; ok != (got.Metrics[0] > 0) {
			t.Errorf("call %d is %s and has the metric %g", i+1, got.Status, got.Metrics[0])
		}
	}
	if text := string(flaky[2].Outputs["stderr"]); text != "refused: payload too large\n" {
		t.Errorf("kept standard error is %q", text)
	}
	for _, rec := range gone {
		if rec.Status != session.Skipped || !math.IsNaN(rec.Duration) || rec.Exit != -1 || rec.Reason != "cannot start: no-such-binary-xyz: not found in PATH" {
			t.Errorf("gone is %s, %g s, exit %d: %s", rec.Status, rec.Duration, rec.Exit, rec.Reason)
		}
	}
	if r.out.NotOK != 7 {
		t.Errorf("%d planned trials are not ok, want 7", r.out.NotOK)
	}
}

func TestHowProcessesEnd(t *testing.T) {
	for _, tt := range []struct{ command, reason, signal string }{
		{"kill -SEGV $$", "killed by SIGSEGV", "SIGSEGV"},
		{"kill -KILL $$", "killed by SIGKILL", "SIGKILL"},
		{"sh -c 'kill -SEGV $$'; exit $?", "exit 139 (as a shell says that SIGSEGV killed a program): Segmentation fault", ""},
		{"exit 255", "exit 255", ""},
		{"echo first >&2; echo last >&2; exit 1", "exit 1: last", ""},
	} {
		r := newRig(t, 1, "trial: {command: "+strconv.Quote(tt.command)+", shell: true}").run()
		if rec := r.only(); rec.Status != session.Failed || !strings.HasPrefix(rec.Reason, strings.TrimSuffix(tt.reason, ": Segmentation fault")) || rec.Signal != tt.signal {
			t.Errorf("%s: %s, signal %q, reason %q; want failed, %q, %q", tt.command, rec.Status, rec.Signal, rec.Reason, tt.signal, tt.reason)
		}
	}
}

func TestProgramsThatCannotStart(t *testing.T) {
	r := newRig(t, 2, `
factors: {command: [./folder, ./text, ./missing, ./interpreter, ./garbage]}
trial: {command: ["{command}"]}`)
	r.write("text", "just text").write("interpreter", "#!/no/such/interpreter\n").write("garbage", "#!")
	if err := os.Mkdir(r.path("folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.path("garbage"), []byte("no program"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.run()
	for i, want := range []string{"it is a folder", "it is not executable", "no such file", "not found (or the program in its #! line is not)",
		"it is no program that this machine can execute, and does not begin with #!"} {
		for _, rec := range []session.Record{r.records[i], r.records[i+5]} {
			if rec.Status != session.Skipped || rec.Reason != "cannot start: "+rec.Levels[0]+": "+want || !math.IsNaN(rec.Duration) {
				t.Errorf("%s: %s: %s (%g s); want skipped: %s", rec.Levels[0], rec.Status, rec.Reason, rec.Duration, want)
			}
		}
	}
}

// TestMissingFolderIsNamed: the reason is not that the program is missing.
func TestMissingFolderIsNamed(t *testing.T) {
	r := newRig(t, 1, "trial: {command: pwd, cwd: nowhere}").run()
	if rec := r.only(); rec.Status != session.Failed || !strings.Contains(rec.Reason, "its working folder") {
		t.Errorf("%s: %s; want failed, naming the folder", rec.Status, rec.Reason)
	}
}

// TestDurationIsTheDirectChilds: draining a megabyte and a lingering
// grandchild do not count.
func TestDurationIsTheDirectChilds(t *testing.T) {
	r := newRig(t, 1, `trial: {command: "sleep 30 & sleep 0.2", shell: true}`).run()
	if d := r.only().Duration; d < 0.2 || d > 10 {
		t.Errorf("duration is %g s, want about 0.2", d)
	}
}

func TestWorkingFolderAndEnvironment(t *testing.T) {
	t.Setenv("FIELDBOOK_STRAY", "of another run")
	r := newRig(t, 2, `
factors: {mode: ["a b", c]}
trial: {command: "pwd; echo $PWD; env | grep -e ^FIELDBOOK -e ^MINE | grep -v -e PAD -e RUNNER | sort", shell: true, cwd: sub, env: {MINE: "<{mode}>"}}`)
	if err := os.Mkdir(r.path("sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	sub, err := filepath.EvalSymlinks(r.path("sub"))
	if err != nil {
		t.Fatal(err)
	}
	tried := tryFirst(t, r)
	want := sub + "\n" + r.path("sub") + "\nFIELDBOOK_BLOCK=1\nFIELDBOOK_FACTOR_MODE=a b\nFIELDBOOK_TRIAL=1\nMINE=<a b>\n"
	if got := string(tried.Outputs[0].Kept); got != want {
		t.Errorf("the trial sees %q, want %q", got, want)
	}
	for _, v := range []string{"MINE=<a b>", "FIELDBOOK_FACTOR_MODE=a b", "FIELDBOOK_TRIAL=1"} {
		if !slices.Contains(tried.Env, v) {
			t.Errorf("additions to the environment are %q, want %q among them", tried.Env, v)
		}
	}
}

// TestPadKeepsOneLength: arguments plus environment take the same number of
// bytes whatever the treatment, and however many digits its number has.
func TestPadKeepsOneLength(t *testing.T) {
	r := newRig(t, 6, `
factors: {word: [a, a much longer level than the other one]}
trial: {command: ["sh", "-c", 'echo size=$(cat /proc/$$/cmdline /proc/$$/environ | wc -c)', "{word}"], env: {W: "{word}"}}
metrics: {size: {from: regex, pattern: 'size=(\d+)', unit: B}}`).run()
	sizes := r.metric("size")
	if len(sizes) != 12 || slices.Min(sizes) != slices.Max(sizes) {
		t.Errorf("sizes are %v, want twelve times the same", sizes)
	}
}
