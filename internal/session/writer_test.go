package session

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"fieldbook/internal/diag"
)

func TestLabels(t *testing.T) {
	for _, good := range []string{"box", "i7-8700-3-20ghz", strings.Repeat("a", 40)} {
		if !ValidLabel(good) {
			t.Errorf("ValidLabel(%q) = false", good)
		}
	}
	for _, bad := range []string{"", "Box", "a_b", "a b", "ä", "../x", strings.Repeat("a", 41)} {
		if ValidLabel(bad) {
			t.Errorf("ValidLabel(%q) = true", bad)
		}
	}
	zone := time.FixedZone("", 3600)
	if got, want := NewID(time.Date(2026, 3, 1, 0, 30, 5, 9, zone), "box"), "20260228T233005Z-box"; got != want || !ValidID(got) {
		t.Errorf("NewID = %s, want %s", got, want)
	}
}

// Two machines that share a folder, and two starts on one, wait for seconds
// of their own.
func TestNoTwoSessionsShareASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dataDir := memoryDir(t)
		var ids []string
		for _, machine := range []string{"box", "fox", "box"} {
			info := smallInfo()
			info.Machine = machine
			w, err := Create(dataDir, info, smallPlan(&info, 1), nil, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			ids = append(ids, w.Info().Session)
			if got := w.Info().Parts[0].Started; got != time.Now().UTC().Format(time.RFC3339) {
				t.Errorf("the part of %s started at %s, want the time after the wait", w.Info().Session, got)
			}
		}
		if want := "[20000101T000000Z-box 20000101T000001Z-fox 20000101T000002Z-box]"; fmt.Sprint(ids) != want {
			t.Errorf("the sessions are %v, want %s", ids, want)
		}
	})
}

func TestWhatDescribesNoSessionIsRefused(t *testing.T) {
	for _, tt := range []struct {
		change func(*Info, []Planned)
		want   string
	}{
		{func(i *Info, _ []Planned) { i.Machine = "My Box" }, "want a name such as"},
		{func(i *Info, _ []Planned) { i.Session = "20260301T093000Z-fox" }, "not named after its machine"},
		{func(i *Info, _ []Planned) { i.Factors[0].Name = "block" }, `two columns "block"`},
		{func(i *Info, _ []Planned) { i.Factors[0].Name = "a,b" }, "is no name"},
		{func(i *Info, _ []Planned) { i.Metrics[0].Name = "../x" }, "is no name"},
		{func(i *Info, _ []Planned) { i.Treatments[0].Levels = []string{"\xff"} }, "is not UTF-8"},
		{func(i *Info, _ []Planned) { i.Treatments[1].Number = 7 }, "treatment 2 of the list has number 7"},
		{func(_ *Info, p []Planned) { p[1].Trial = 7 }, "trial 2 of the plan has number 7"},
		{func(_ *Info, p []Planned) { p[1].Treatment = 3 }, "is of treatment 3; there are 2"},
		{func(_ *Info, p []Planned) { p[1].Levels = []string{"x"} }, "but its treatment 2 is"},
		{func(_ *Info, p []Planned) { p[1].Phase = "cooldown" }, `has phase "cooldown"`},
	} {
		dataDir := memoryDir(t)
		info := smallInfo()
		plan := smallPlan(&info, 1)
		tt.change(&info, plan)
		_, err := Create(dataDir, info, plan, nil, at(0))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Create: %v, want an error with %q", err, tt.want)
		}
		if left := files(t, dataDir); len(left) > 0 {
			t.Errorf("Create failed and left %v", left)
		}
	}
}

func TestAHalfMadeFolderIsClearedAway(t *testing.T) {
	dataDir := memoryDir(t)
	half := filepath.Join(dataDir, ".20260301T092959Z-box.new-123")
	if err := os.Mkdir(half, 0o755); err != nil {
		t.Fatal(err)
	}
	closed(t, create(t, dataDir, at(0)))
	if _, err := os.Stat(half); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there (%v)", half, err)
	}
}

func TestARecordThatDoesNotBelongIsRefused(t *testing.T) {
	w := create(t, memoryDir(t), at(0))
	defer w.Close()
	appendAll(t, w, []Record{attempt(1, 1, OK), attempt(2, 1, Interrupted)})
	for _, tt := range []struct {
		record Record
		want   string
	}{
		{attempt(1, 2, OK), "not the order of the plan"},
		{attempt(2, 1, OK), "not the order of the plan"},
		{attempt(2, 3, OK), "not the order of the plan"},
		{attempt(3, 1, OK), "before trial 2, which was interrupted, has been run again"},
		{attempt(9, 1, OK), "not in the plan of 8 trials"},
		{attempt(2, 2, "fine"), `has status "fine"`},
		{func() Record { r := attempt(2, 2, OK); r.Metrics = r.Metrics[:1]; return r }(), "has 1 metrics, want 2"},
		{func() Record { r := attempt(2, 2, OK); r.Treatment = 1; return r }(), "planned for treatment 2, but its record is of treatment 1"},
		{func() Record { r := attempt(2, 2, OK); r.Clients[1].Values = []float64{1, 2}; return r }(), "client 1 has 2 values, want 1"},
		{func() Record { r := attempt(2, 2, OK); r.Clients[0].Clock = "sun"; return r }(), `client 0 has clock "sun"`},
		{func() Record { r := attempt(2, 2, OK); r.Samples[0].Values = nil; return r }(), "sample 0 has 0 values, want 1"},
		{func() Record {
			r := attempt(2, 2, Failed)
			r.Outputs = map[string][]byte{"../../x": nil}
			return r
		}(), `"../../x" cannot name an output`},
	} {
		before := files(t, w.Dir())
		if err := w.Append(tt.record); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Append: %v, want an error with %q", err, tt.want)
		}
		if d := diff(before, files(t, w.Dir())); d != "" {
			t.Errorf("Append refused a record and changed files (-before +after):\n%s", d)
		}
	}
	appendAll(t, w, []Record{attempt(2, 2, OK)})
	if err := w.Append(attempt(2, 3, OK)); err == nil || !strings.Contains(err.Error(), "trial 2 is ok already") {
		t.Errorf("Append of a second ok attempt: %v, want it refused", err)
	}
}

// A client that never reported, an attempt that never started.
func TestWhatWasNotMeasuredIsMissing(t *testing.T) {
	w := create(t, memoryDir(t), at(0))
	r := attempt(1, 1, Skipped)
	r.Metrics, r.Clients[1].Values, r.Duration = nil, nil, nan()
	appendAll(t, w, []Record{r})
	s := mustRead(t, closed(t, w))
	if d := diff([]float64{nan(), nan()}, s.Rows[0].Metrics); d != "" || !math.IsNaN(s.Rows[0].Duration) {
		t.Errorf("duration %v, metrics (-want +got):\n%s", s.Rows[0].Duration, d)
	}
	if d := diff([]float64{nan()}, clientsOf(t, s)[1].Values); d != "" {
		t.Errorf("values of the silent client (-want +got):\n%s", d)
	}
}

func TestOnlyOneProcessContinuesASession(t *testing.T) {
	w := create(t, memoryDir(t), at(0))
	appendAll(t, w, story()[:3])
	_, _, _, err := Continue(w.Dir(), Part{}, at(1))
	want := fmt.Sprintf("process %d holds %s.lock", os.Getpid(), w.Dir())
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), want) {
		t.Errorf("Continue beside a writer: %v, want ErrLocked and %q", err, want)
	}
	appendAll(t, w, story()[3:4])
	closed(t, w)
	if _, err := os.Stat(w.Dir() + ".lock"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Close left the lock file (%v)", err)
	}
	w, s, _, err := Continue(w.Dir(), Part{}, at(2))
	if err != nil || len(s.Rows) != 4 {
		t.Fatalf("Continue after Close: %v", err)
	}
	closed(t, w)
}

// Whoever starts beside a session that is being recorded is told so, where it
// asks; sealed sessions, other machines and locks of the dead are not in its way.
func TestASessionIsNotBegunBesideOneThatIsBeingRecorded(t *testing.T) {
	dataDir := memoryDir(t)
	begin := func(second int, machine string) (*Writer, error) {
		info := smallInfo()
		info.Machine = machine
		opts := at(second)
		opts.Alone = true
		return Create(dataDir, info, smallPlan(&info, 1), []byte("fieldbook: 1\n"), opts)
	}
	first, err := begin(0, "box")
	if err != nil {
		t.Fatal(err)
	}
	_, err = begin(5, "box")
	want := fmt.Sprintf("process %d holds", os.Getpid())
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), first.Info().Session) || !strings.Contains(err.Error(), want) {
		t.Errorf("a second session of the machine: %v, want ErrLocked, %s and %q", err, first.Info().Session, want)
	}
	if ids, _ := IDs(dataDir); len(ids) != 1 {
		t.Errorf("sessions are %v, want the first one only", ids)
	}
	other, err := begin(10, "tin")
	if err != nil {
		t.Fatalf("on another machine: %v", err)
	}
	closed(t, other)
	closed(t, first)
	writeText(t, first.Dir()+".lock", "process 1\n") // as a killed process leaves it
	second, err := begin(15, "box")
	if err != nil {
		t.Fatalf("after the first one's end: %v", err)
	}
	closed(t, second)
}

// TestLockOfTheDead starts this test binary again as a process that creates a
// session and dies with the lock.
func TestTheLockOfADeadProcessIsTakenOver(t *testing.T) {
	if dataDir := os.Getenv("SESSION_TEST_DIE_IN"); dataDir != "" {
		create(t, dataDir, at(0))
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	dataDir := memoryDir(t)
	child := exec.Command(os.Args[0], "-test.run=^TestTheLockOfADeadProcessIsTakenOver$")
	child.Env = append(os.Environ(), "SESSION_TEST_DIE_IN="+dataDir)
	if err := child.Run(); err == nil {
		t.Fatal("the child lives")
	}
	dir, ok, err := Unfinished(dataDir, "box")
	if !ok || err != nil {
		t.Fatalf("Unfinished = %q, %v, %v, want the dead process's session", dir, ok, err)
	}
	if text := readText(t, dir+".lock"); text != fmt.Sprintf("process %d\n", child.Process.Pid) {
		t.Errorf("the lock file says %q, want the child's id", text)
	}
	w, _, _, err := Continue(dir, Part{}, at(1))
	if err != nil {
		t.Fatal(err)
	}
	closed(t, w)
}

func TestOnlyWhatIsLearntOnTheWayChangesTheInfo(t *testing.T) {
	w := create(t, memoryDir(t), at(0))
	defer w.Close()
	for block, half := range []float64{nan(), 0.04, 0.02} {
		if err := w.Look(Look{Block: block + 1, HalfWidth: half, Stop: half < 0.03}); err != nil {
			t.Fatal(err)
		}
	}
	err := w.UpdateInfo(func(i *Info) { i.Parts[0].Built = map[string]string{"server": "abc"} })
	if err != nil {
		t.Fatal(err)
	}
	s := mustRead(t, w.Dir())
	if d := diff([]Look{{1, -1, false}, {2, 0.04, false}, {3, 0.02, true}}, s.Stopping.Looks); d != "" || s.Parts[0].Built["server"] != "abc" {
		t.Errorf("session.json has parts %v and looks (-want +got):\n%s", s.Parts, d)
	}
	for name, change := range map[string]func(*Info){
		"seed":    func(i *Info) { i.Seed = "1" },
		"metrics": func(i *Info) { i.Metrics = nil },
		"parts":   func(i *Info) { i.Parts = append(i.Parts, Part{Part: 2}) },
	} {
		if err := w.UpdateInfo(change); err == nil {
			t.Errorf("UpdateInfo let %s change", name)
		}
	}
	if d := diff(s.Info, w.Info()); d != "" {
		t.Errorf("a refused change stays in the writer (-disk +writer):\n%s", d)
	}
}

func TestFurtherFilesHaveTheirPlaces(t *testing.T) {
	w := create(t, memoryDir(t), at(0))
	defer w.Close()
	for _, name := range []string{"source.patch", "output/service-server.txt", "source.patch"} {
		if err := w.AddFile(name, []byte("x")); err != nil {
			t.Errorf("AddFile(%s): %v", name, err)
		}
	}
	if err := w.AddFile("source.patch", []byte("other")); !errors.Is(err, os.ErrExist) {
		t.Errorf("AddFile replaced a file (%v)", err)
	}
	for _, name := range []string{"trials.csv", "../x", "output/../../x", "output/a/b", "output/.x", "/etc/x", "output/"} {
		if err := w.AddFile(name, nil); err == nil {
			t.Errorf("AddFile(%q) found a place", name)
		}
	}
}

// A message about a strange file cannot move the terminal's cursor.
func TestMessagesQuoteWhatTheyFound(t *testing.T) {
	err := problem("a\x1b[2Jb", 3, shown([]byte("x\x1by")))
	if list, ok := errors.AsType[diag.List](err); !ok || strings.ContainsRune(list.Error(), 0x1b) {
		t.Errorf("the message is %q, want it without escapes", err)
	}
}
