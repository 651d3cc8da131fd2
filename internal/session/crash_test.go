package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A crash is every state that the bytes written so far can be in: Append
// writes clients, samples and outputs before the row, each file from its
// start to its end.
type crash struct {
	name  string
	files map[string]string
}

// crashesWithin is every crash while the last attempt was written: before is
// the folder without it, after with it.
func crashesWithin(before, after map[string]string) []crash {
	var list []crash
	state := make(map[string]string)
	for name, text := range before {
		state[name] = text
	}
	snapshot := func(what string) {
		c := crash{what, make(map[string]string)}
		for name, text := range state {
			c.files[name] = text
		}
		list = append(list, c)
	}
	for _, name := range writingOrder(after) {
		old := before[name]
		for n := len(old); n < len(after[name]); n++ {
			state[name] = after[name][:n]
			snapshot(fmt.Sprintf("%s cut at byte %d", name, n))
		}
		state[name] = after[name]
		snapshot(name + " whole")
	}
	return list
}

func writingOrder(files map[string]string) []string {
	order := []string{clientsName, samplesName}
	for name := range files {
		if strings.HasPrefix(name, outputName) {
			order = append(order, name)
		}
	}
	slices.Sort(order[2:])
	return append(order, trialsName)
}

func (c crash) restore(t *testing.T, dir string) {
	t.Helper()
	os.RemoveAll(filepath.Dir(dir)) // with what stands beside it
	for name, text := range c.files {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		writeText(t, path, text)
	}
}

// finish continues a session, appends what the story has left, and seals it.
func finish(t *testing.T, dir string) {
	t.Helper()
	w := resume(t, dir)
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	closed(t, w)
}

// resume continues a session and appends what the story has left.
func resume(t *testing.T, dir string) *Writer {
	t.Helper()
	w, s, _, err := Continue(dir, Part{Tool: "test"}, at(100))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range story() {
		if r.Attempt > s.Attempts(r.Trial) {
			appendAll(t, w, []Record{r})
		}
	}
	return w
}

// At whatever byte a write is cut off, the session continues to the same
// bytes, the number of the part apart, and no row that was whole has changed.
func TestACrashAtAnyByteLosesOnlyTheRunningAttempt(t *testing.T) {
	want := files(t, sealedSession(t, memoryDir(t), at(0)))
	delete(want, packageName)
	fast := memoryDir(t)
	w := create(t, fast, at(0))
	defer w.Close()
	list := story()
	for n, r := range list {
		before := files(t, w.Dir())
		appendAll(t, w, []Record{r})
		step := 1
		switch {
		case n < len(list)-2 && n != 0 && n != 3:
			continue
		case testing.Short() || n < len(list)-2: // the first makes files, the fourth has outputs
			step = 7
		}
		for i, c := range crashesWithin(before, files(t, w.Dir())) {
			if i%step == 0 {
				c.check(t, filepath.Join(fast, "crash", filepath.Base(w.Dir())), before[trialsName], want)
			}
		}
	}
}

// check makes the crash happen in the folder, goes on from there, and wants
// the rows before it to be as they were and all rows in the end as wanted.
func (c crash) check(t *testing.T, dir, rows string, want map[string]string) {
	t.Helper()
	c.restore(t, dir)
	closed(t, resume(t, dir))
	got := files(t, dir)
	if !strings.HasPrefix(got[trialsName], rows) {
		t.Errorf("%s: rows that were whole have changed", c.name)
	}
	compareFiles(t, c.name, want, got)
}

var secondPart = regexp.MustCompile(`(?m)^(.*Z-box,box,\d+,\d+),2,`)

// compareFiles wants the same attempts and outputs, whatever part they ran in.
func compareFiles(t *testing.T, name string, want, got map[string]string) {
	t.Helper()
	got[trialsName] = secondPart.ReplaceAllString(got[trialsName], "$1,1,")
	for _, file := range writingOrder(want) {
		if got[file] != want[file] {
			t.Errorf("%s: %s is\n%s\nwant\n%s", name, file, got[file], want[file])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: there are %d files, want %d", name, len(got), len(want))
	}
}

// abSession is two treatments in three blocks, without clients and samples.
func abSession(t *testing.T, dataDir string, rows int) string {
	t.Helper()
	info := smallInfo()
	info.Factors[0].Levels = []string{"A", "B"}
	info.Treatments[0].Levels, info.Treatments[1].Levels = []string{"A"}, []string{"B"}
	info.Metrics, info.ClientColumns, info.SampleColumns = info.Metrics[:1], nil, nil
	plan := smallPlan(&info, 3)[2:]
	for i := range plan {
		plan[i].Trial = i + 1
	}
	w, err := Create(dataDir, info, plan, nil, at(0))
	if err != nil {
		t.Fatal(err)
	}
	for trial := 1; trial <= rows; trial++ {
		appendAll(t, w, []Record{plainOK(trial)})
	}
	return closed(t, w)
}

func plainOK(trial int) Record {
	r := attempt(trial, 1, OK)
	r.Clients, r.Samples, r.Metrics = nil, nil, r.Metrics[:1]
	return r
}

// The last row reads well and is still not whole: 0.1 is what the crash left
// of 0.1907.
func TestATornRowThatStillParsesIsNotTrusted(t *testing.T) {
	dir := abSession(t, memoryDir(t), 4)
	path := filepath.Join(dir, trialsName)
	good := readText(t, path)
	rows := strings.SplitAfter(good, "\n")
	torn := strings.Replace(strings.TrimSuffix(rows[4], "\n"), ",4,1,1,", ",5,1,1,", 1)
	writeText(t, path, good+torn)

	if s := mustRead(t, dir); len(s.Rows) != 4 {
		t.Errorf("Read has %d rows, want the 4 whole ones", len(s.Rows))
	}
	w, s, notes, err := Continue(dir, Part{Tool: "test"}, at(50))
	if err != nil {
		t.Fatal(err)
	}
	if len(notes) != 1 || notes[0].Pos.Line != 6 || !notes[0].Warning || notes.Failed() {
		t.Errorf("Continue notes %v, want one warning with line 6", notes)
	}
	if got := readText(t, path); got != good {
		t.Errorf("trials.csv is\n%swant the good rows alone, as they were:\n%s", got, good)
	}
	if kept := readText(t, dir+".torn-1.csv"); kept != torn {
		t.Errorf("the copy holds %q, want %q", kept, torn)
	}
	if s.Done(5, 0) || !s.Done(4, 0) || s.Parts[1].FirstTrial != 5 {
		t.Errorf("trial 4 done %v, trial 5 done %v, part 2 begins with trial %d; want true, false, 5", s.Done(4, 0), s.Done(5, 0), s.Parts[1].FirstTrial)
	}
	appendAll(t, w, []Record{plainOK(5), plainOK(6)})
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	if s := mustRead(t, closed(t, w)); len(s.Rows) != 6 || len(s.CutBlocks()) != 0 {
		t.Errorf("%d rows, cut blocks %v; want 6 and none, since block 3 ran in one part", len(s.Rows), s.CutBlocks())
	}
}

func TestASecondTornRowHasItsOwnCopy(t *testing.T) {
	dir := abSession(t, memoryDir(t), 2)
	path := filepath.Join(dir, trialsName)
	for n := 1; n <= 2; n++ {
		text := readText(t, path)
		writeText(t, path, text+fmt.Sprintf("torn %d", n))
		w, _, _, err := Continue(dir, Part{}, at(n))
		if err != nil {
			t.Fatal(err)
		}
		closed(t, w)
		if got := readText(t, fmt.Sprintf("%s.torn-%d.csv", dir, n)); got != fmt.Sprintf("torn %d", n) {
			t.Errorf("copy %d holds %q", n, got)
		}
	}
}

// What no crash of ours leaves stops everything, with file and line, and the
// folder stays as it is.
func TestDamageElsewhereStopsEverything(t *testing.T) {
	swap := func(old, new string) func(string) string {
		return func(text string) string {
			if !strings.Contains(text, old) {
				panic("nothing to damage: " + old)
			}
			return strings.Replace(text, old, new, 1)
		}
	}
	lines := func(change func([]string) []string) func(string) string {
		return func(text string) string { return strings.Join(change(strings.SplitAfter(text, "\n")), "") }
	}
	for _, tt := range []struct {
		name, file string
		damage     func(string) string
		want       string
	}{
		{"a cell too few", trialsName, swap(",3,1,1,measured,", ",3,1,measured,"), `trials\.csv:4: the row has 24 cells, want 25|trials\.csv:5: the row has`},
		{"a word for a number", trialsName, swap(",ok,,0,,3,", ",ok,,0,,x,"), `trials\.csv:\d+: column stdout_bytes is "x", want a whole number`},
		{"an unknown status", trialsName, swap(",ok,", ",okay,"), `trials\.csv:2: column status is "okay", want one of`},
		{"a time without digits", trialsName, swap("09:30:01.001Z", "09:30:01Z"), `trials\.csv:2: column started is "2026-03-01T09:30:01Z"`},
		{"an unknown trial", trialsName, swap("box,1,1,1", "box,99,1,1"), `trials\.csv:2: trial 99 is not in the plan of 8 trials`},
		{"trial 0", trialsName, swap("box,1,1,1", "box,0,1,1"), `trials\.csv:2: trial 0 is not in the plan`},
		{"rows exchanged", trialsName, lines(func(l []string) []string { l[1], l[2] = l[2], l[1]; return l }), `trials\.csv:2: .*not the order of the plan`},
		{"a row twice", trialsName, lines(func(l []string) []string { return slices.Insert(l, 2, l[1]) }), `trials\.csv:3: .*not the order of the plan`},
		{"another part", trialsName, swap("box,1,1,1", "box,1,1,2"), `trials\.csv:2: part is 2, want 1 to 1`},
		{"another block than planned", trialsName, swap(",warmup,1,", ",warmup,2,"), `trials\.csv:2: column block is "2", want 1 as in plan\.csv`},
		{"another level than planned", trialsName, swap(",plain,", ",plane,"), `trials\.csv:2: column mode is "plane", want "plain"`},
		{"another session", trialsName, swap("Z-box,box,1", "Z-fox,box,1"), `trials\.csv:2: column session is`},
		{"line ends converted", trialsName, func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, `trials\.csv:1: .*byte for byte`},
		{"a quote opened in the middle", trialsName, swap("box,1,1,1,warmup", "box,1,1,1,\"warmup"), `trials\.csv:\d+: `},
		{"a quote that swallows all", trialsName, swap(",box,8,1,", ",\"box,8,1,"), `trials\.csv:\d+: `},
		{"no UTF-8", trialsName, swap("box,1,1,1,warmup", "box,1,1,1,warm\xffp"), `trials\.csv:2: the row is not UTF-8`},
		{"a zero byte", trialsName, swap("box,1,1,1,warmup", "box,1,1,1,warm\x00p"), `trials\.csv:2: there is a control character`},
		{"another header", trialsName, swap("status,reason", "reason,status"), `trials\.csv:1: the header is`},
		{"an empty file", trialsName, func(string) string { return "" }, `trials\.csv:1: the file is empty`},
		{"the plan's rows exchanged", planName, lines(func(l []string) []string { l[1], l[2] = l[2], l[1]; return l }), `plan\.csv:2: trial 1 of the plan has number`},
		{"a plan that is torn", planName, func(s string) string { return s[:len(s)-1] }, `plan\.csv:\d+: `},
		{"no plan", planName, func(s string) string { return s[:strings.Index(s, "\n")+1] }, `plan\.csv:1: the plan is empty`},
		{"clients out of order", clientsName, lines(func(l []string) []string { l[1], l[6] = l[6], l[1]; return l }), `clients\.csv:\d: trial \d, attempt 1 comes where it does not belong`},
		{"clients of no trial", clientsName, swap("Z-box,1,1,", "Z-box,1,7,"), `clients\.csv:2: trial 1, attempt 7 comes where it does not belong`},
		{"an unknown clock", clientsName, swap(",runner,", ",sundial,"), `clients\.csv:2: column clock is "sundial"`},
		{"a sample that is no number", samplesName, swap(",1.125\n", ",fast\n"), `samples\.csv:2: column rtt is "fast", want a decimal number`},
		{"samples of another session", samplesName, swap("Z-box,1", "Z-fox,1"), `samples\.csv:2: column session is`},
		{"line ends of samples converted", samplesName, func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, `samples\.csv:1: .*byte for byte`},
		{"a newer format", infoName, swap(`"format": 1`, `"format": 2`), `session\.json: the session has format 2`},
		{"an unknown key", infoName, swap(`"format": 1`, `"format": 1, "colour": "red"`), `session\.json: .*colour`},
		{"no JSON", infoName, swap("{", ""), `session\.json: `},
		{"two columns of one name", infoName, swap(`"name": "rtt.p50"`, `"name": "mhz"`), `session\.json: there would be two columns "mhz"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dataDir := memoryDir(t)
			w := create(t, dataDir, at(0))
			appendAll(t, w, story())
			dir := closed(t, w)
			path := filepath.Join(dir, tt.file)
			writeText(t, path, tt.damage(readText(t, path)))
			before := files(t, dataDir)
			_, _, _, err := Continue(dir, Part{}, at(9))
			if err == nil || !regexp.MustCompile(tt.want).MatchString(err.Error()) {
				t.Errorf("Continue: %v\nwant an error that matches %s", err, tt.want)
			}
			if d := diff(before, files(t, dataDir)); d != "" {
				t.Errorf("Continue changed files (-before +after):\n%s", d)
			}
		})
	}
}

func TestASealCutOffAfterItsCompressionIsDoneAgain(t *testing.T) {
	dir := closed(t, func() *Writer { w := create(t, memoryDir(t), at(0)); appendAll(t, w, story()); return w }())
	path := filepath.Join(dir, samplesName)
	want := readText(t, path)
	if err := compressFile(path); err != nil {
		t.Fatal(err)
	}
	for _, both := range []bool{true, false} {
		if !both {
			if err := errors.Join(compressFile(path), os.Remove(path)); err != nil {
				t.Fatal(err)
			}
		}
		w, _, _, err := Continue(dir, Part{}, at(9))
		if err != nil {
			t.Fatal(err)
		}
		closed(t, w)
		if got := readText(t, path); got != want {
			t.Errorf("samples.csv is %q, want it as it was", got)
		}
		if _, err := os.Stat(path + ".gz"); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("samples.csv.gz is still there (%v)", err)
		}
	}
}
