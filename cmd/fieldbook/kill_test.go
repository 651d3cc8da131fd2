package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fieldbook/internal/session"

	"github.com/google/go-cmp/cmp"
)

// sixtyTrials is an experiment whose plan has 60 trials with samples, of which
// every third starts a process that leaves its group, its session and its
// parent. What a trial reports depends on its treatment alone.
const sixtyTrials = `fieldbook: 1
factors: {n: [11, 22, 33]}
design: {blocks: 19, warmup-blocks: 1}
trial:
  shell: true
  command: |-
    test {n} = 33 && (setsid sleep 60 </dev/null >/dev/null 2>&1 &)
    echo '{{"samples": {{"at": [1{n}, 2{n}, 3{n}]}}}}'
    sleep 0.02
    echo '{{"v": {n}}}'
metrics:
  v: {from: json, key: v, unit: "1"}
  at: {from: samples, key: at, reduce: [max], unit: "1"}
`

// notebookOf is a new notebook with one experiment.
func notebookOf(t testing.TB, name, yaml string) *notebook {
	t.Helper()
	n := &notebook{t.TempDir()}
	folder := filepath.Join(n.root, "experiments", name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "experiment.yaml"), []byte(yaml), 0o644); err != nil {
		t.Fatal(err)
	}
	return n
}

// kills is how many times the run is killed: 25, or what FIELDBOOK_KILLS says.
func kills(t *testing.T) int {
	text := os.Getenv("FIELDBOOK_KILLS")
	if text == "" {
		return 25
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("FIELDBOOK_KILLS is %q, want a number", text)
	}
	return n
}

// killed is a run in a notebook that is killed again and again.
type killed struct {
	t    *testing.T
	bin  string
	n    *notebook
	mark string // in the environment of all that it starts
	draw *rand.Rand
}

func (k *killed) command() *exec.Cmd {
	cmd := exec.Command(k.bin, "-C", k.n.root, "run", "sixty", "--seed", "7")
	cmd.Env = append(os.Environ(), k.mark, "TMPDIR="+k.t.TempDir(), "XDG_CONFIG_HOME="+k.n.root)
	return cmd
}

// kill starts the run, waits until it has recorded so many rows, lets it work
// for a random moment longer, and kills it.
func (k *killed) kill(rows int, longest time.Duration) {
	k.t.Helper()
	cmd := k.command()
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for deadline := time.Now().Add(time.Minute); k.rows() < rows; time.Sleep(time.Millisecond) {
		select {
		case err := <-ended:
			k.t.Fatalf("the run ended by itself after %d rows: %v\n%s", k.rows(), err, said.String())
		default:
		}
		if time.Now().After(deadline) {
			k.t.Fatalf("no %d rows within a minute\n%s", rows, said.String())
		}
	}
	time.Sleep(time.Duration(k.draw.Int64N(int64(longest))))
	if err := cmd.Process.Kill(); err != nil {
		k.t.Fatal(err)
	}
	<-ended
}

// text is the rows of the only session, as they lie on disk.
func (k *killed) text() string {
	paths, _ := filepath.Glob(filepath.Join(k.n.root, "data", "sixty", "2*", "trials.csv"))
	switch len(paths) {
	case 0:
		return ""
	case 1:
		b, err := os.ReadFile(paths[0])
		if err != nil {
			k.t.Fatal(err)
		}
		return string(b)
	}
	k.t.Fatalf("there are several sessions: %v", paths)
	return ""
}

func (k *killed) rows() int { return max(0, strings.Count(k.text(), "\n")-1) }

// TestARunThatIsKilledAgainAndAgainRecordsEachTrialOnce kills a run of 60
// trials by SIGKILL at random instants (25; FIELDBOOK_KILLS sets their
// number), spread from the start of the tool to the last trials, and goes on
// each time. In the end the session is what an undisturbed run gives.
func TestARunThatIsKilledAgainAndAgainRecordsEachTrialOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tool and runs real trials")
	}
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("setsid is not installed")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	k := &killed{t: t, bin: buildTool(t), n: notebookOf(t, "sixty", sixtyTrials), draw: rand.New(rand.NewPCG(seed, 0))}
	k.mark = "KILL_TEST_MARK=" + k.n.root
	count, early := kills(t), 0
	for i := range count {
		before := k.text()
		if k.draw.IntN(4) == 0 { // before, or just after, the first row of this part
			early++
			k.kill(0, 200*time.Millisecond)
		} else {
			k.kill(1+max(k.rows()-1, 58*i/count), 40*time.Millisecond)
		}
		if whole := before[:strings.LastIndex(before, "\n")+1]; !strings.HasPrefix(k.text(), whole) {
			t.Fatalf("kill %d: rows that were recorded are gone or changed", i+1)
		}
		if after := k.rows(); after >= 60 {
			t.Fatalf("kill %d: all trials are recorded already", i+1)
		}
	}
	if left := eventuallyNone(t, k.mark); len(left) > 0 {
		t.Errorf("left behind by the last run that was killed, before another: %v", left)
	}
	t.Logf("%d kills, %d of them at the start of the tool; %d rows recorded by then", count, early, k.rows())
	cmd := k.command()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the last run: %v\n%s", err, out)
	}
	if left := eventuallyNone(t, k.mark); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	k.compareTo(sixtyTrials)
}

// eventuallyNone waits a little until no process has the mark, and is those
// that still have it.
func eventuallyNone(t *testing.T, mark string) []string {
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	for {
		left := marked(mark, "")
		if len(left) == 0 || ctx.Err() != nil {
			return left
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// compareTo runs the same experiment in a notebook of its own, undisturbed,
// and sets the two sessions side by side.
func (k *killed) compareTo(yaml string) {
	k.t.Helper()
	calm := &killed{t: k.t, bin: k.bin, n: notebookOf(k.t, "sixty", yaml), mark: k.mark}
	if out, err := calm.command().CombinedOutput(); err != nil {
		k.t.Fatalf("the undisturbed run: %v\n%s", err, out)
	}
	want, got := calm.counted(), k.counted()
	if len(want) != 60 {
		k.t.Fatalf("the undisturbed run has %d trials, want 60", len(want))
	}
	if d := cmp.Diff(want, got); d != "" {
		k.t.Errorf("trials differ from an undisturbed run's (-undisturbed +here):\n%s", d)
	}
	if d := cmp.Diff(calm.samples(), k.samples()); d != "" {
		k.t.Errorf("samples differ from an undisturbed run's (-undisturbed +here):\n%s", d)
	}
}

// mayDiffer are the columns of times, attempts and the machine's state.
var mayDiffer = []string{"session", "attempt", "part", "started", "duration_s", "load1", "foreign_cpu", "mhz", "temp_c", "throttled", "quiet_s"}

// counted is the rows that count, one a trial, without what may differ.
func (k *killed) counted() []string {
	rows, err := csv.NewReader(strings.NewReader(k.text())).ReadAll()
	if err != nil {
		k.t.Fatal(err)
	}
	status := slices.Index(rows[0], "status")
	var list []string
	for _, row := range rows[1:] {
		if row[status] == session.Interrupted {
			continue
		}
		var cells []string
		for i, name := range rows[0] {
			if !slices.Contains(mayDiffer, name) {
				cells = append(cells, name+"="+row[i])
			}
		}
		list = append(list, strings.Join(cells, " "))
	}
	return list
}

// samples is the samples of the session, sealed by now.
func (k *killed) samples() []string {
	dirs, _ := filepath.Glob(filepath.Join(k.n.root, "data", "sixty", "2*Z-*"))
	dirs = slices.DeleteFunc(dirs, func(d string) bool { return !isDir(d) })
	if len(dirs) != 1 {
		k.t.Fatalf("sessions %v, want one", dirs)
	}
	s, err := session.Read(dirs[0])
	if err != nil {
		k.t.Fatal(err)
	}
	if !s.Sealed {
		k.t.Error("the session is not sealed")
	}
	var list []string
	for x, err := range s.Samples() {
		if err != nil {
			k.t.Fatal(err)
		}
		list = append(list, fmt.Sprint(x.Trial, " ", x.Client, " ", x.Index, " ", x.Values))
	}
	return list
}
