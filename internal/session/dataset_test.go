package session

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// record makes a session at a second of its own, changed before it begins,
// with so many attempts of the story, sealed where they are all.
func recordSession(t *testing.T, dataDir string, second, attempts int, change func(*Info)) string {
	t.Helper()
	info := smallInfo()
	if change != nil {
		change(&info)
	}
	w, err := Create(dataDir, info, smallPlan(&info, 3), nil, at(second))
	if err != nil {
		t.Fatal(err)
	}
	appendAll(t, w, story()[:attempts])
	if attempts == len(story()) {
		if err := w.Seal(); err != nil {
			t.Fatal(err)
		}
	}
	return closed(t, w)
}

func remark(t *testing.T, dir, kind, text string) {
	t.Helper()
	if err := AddRemark(dir, kind, text, start); err != nil {
		t.Fatal(err)
	}
}

func idsOf(d *Dataset) string {
	var ids []string
	for _, s := range d.Sessions {
		ids = append(ids, s.Session[13:15])
	}
	return strings.Join(ids, " ")
}

func TestOnlyGoodSessionsMakeADataset(t *testing.T) {
	dataDir := memoryDir(t)
	all := len(story())
	recordSession(t, dataDir, 1, all, nil)
	recordSession(t, dataDir, 2, all, func(i *Info) { i.Purpose = "pilot" })
	recordSession(t, dataDir, 3, 5, nil)
	remark(t, recordSession(t, dataDir, 4, all, nil), DiscardRemark, "the fan was off")
	remark(t, recordSession(t, dataDir, 5, 5, nil), AbandonRemark, "kernel differs")
	recordSession(t, dataDir, 6, all, func(i *Info) { i.Metrics[0].Unit = "ms" })
	recordSession(t, dataDir, 7, all, func(i *Info) { i.Factors[0].Unit = "x" })
	recordSession(t, dataDir, 8, all, func(i *Info) { i.Factors[0].Name = "kind" })
	recordSession(t, dataDir, 9, all, nil)
	d, err := ReadDataset(dataDir, Choose{})
	if err != nil {
		t.Fatal(err)
	}
	if got := idsOf(d); got != "01 09" || d.Started != 9 || len(d.Sessions[0].Rows) != all {
		t.Errorf("sessions %s of %d with %d rows, want 01 09 of 9 with %d", got, d.Started, len(d.Sessions[0].Rows), all)
	}
	want := []LeftOut{
		{"02", "pilot"}, {"03", "not complete"}, {"04", "discarded: the fan was off"}, {"05", "abandoned: kernel differs"},
		{"06", "unit of wall is ms, here s"}, {"07", "unit of mode is x, here none"}, {"08", "its factors are kind, here mode"},
	}
	for i := range want {
		want[i].Session = "202603" + "01T0930" + want[i].Session + "Z-box"
	}
	if diff := diff(want, d.LeftOut); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
}

func TestSessionsCanBeAskedForByName(t *testing.T) {
	dataDir := memoryDir(t)
	pilot := filepath.Base(recordSession(t, dataDir, 1, 5, func(i *Info) { i.Purpose = "pilot" }))
	recordSession(t, dataDir, 2, len(story()), nil)
	d, err := ReadDataset(dataDir, Choose{IDs: []string{pilot}})
	if err != nil || idsOf(d) != "01" || len(d.LeftOut) != 1 {
		t.Errorf("ReadDataset = %s, left out %v, %v; want the pilot alone", idsOf(d), d.LeftOut, err)
	}
	if _, err := ReadDataset(dataDir, Choose{IDs: []string{"20200101T000000Z-box"}}); err == nil || !strings.Contains(err.Error(), pilot) {
		t.Errorf("ReadDataset of an unknown session: %v, want those that there are", err)
	}
}

func TestSessionsAgreeWithTheFileAsItStands(t *testing.T) {
	dataDir := memoryDir(t)
	recordSession(t, dataDir, 1, len(story()), nil)
	like := smallInfo()
	like.Metrics[0].Unit = "ms"
	d, err := ReadDataset(dataDir, Choose{Like: &like})
	if err != nil || len(d.Sessions) != 0 || len(d.LeftOut) != 1 || d.LeftOut[0].Reason != "unit of wall is s, here ms" {
		t.Errorf("ReadDataset = %s, %v, %v", idsOf(d), d.LeftOut, err)
	}
}

func TestNoDataIsAnEmptyDataset(t *testing.T) {
	d, err := ReadDataset(filepath.Join(memoryDir(t), "none"), Choose{})
	if err != nil || d.Started != 0 || len(d.Sessions) != 0 {
		t.Errorf("ReadDataset = %+v, %v, want an empty one", d, err)
	}
	if _, ok, err := Unfinished(filepath.Join(memoryDir(t), "none"), "box"); ok || err != nil {
		t.Errorf("Unfinished = %v, %v", ok, err)
	}
}

// Damage is never left out in silence; only a person's discard does that.
func TestADamagedSessionStopsTheReadingUntilItIsDiscarded(t *testing.T) {
	for _, name := range []string{infoName, trialsName} {
		dataDir := memoryDir(t)
		dir := recordSession(t, dataDir, 1, len(story()), nil)
		path := filepath.Join(dir, name)
		text := readText(t, path)
		writeText(t, path, text[:len(text)-3])
		if _, err := ReadDataset(dataDir, Choose{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("ReadDataset with a damaged %s: %v, want an error that names it", name, err)
		}
		remark(t, dir, DiscardRemark, "the disk broke")
		if d, err := ReadDataset(dataDir, Choose{}); err != nil || len(d.LeftOut) != 1 {
			t.Errorf("ReadDataset after the discard: %v, %v", d, err)
		}
	}
}

func TestTheNewestUnfinishedSessionOfThisMachineIsFound(t *testing.T) {
	dataDir := memoryDir(t)
	recordSession(t, dataDir, 1, 3, nil)
	want := recordSession(t, dataDir, 2, 3, nil)
	remark(t, recordSession(t, dataDir, 3, 3, nil), AbandonRemark, "other kernel")
	remark(t, recordSession(t, dataDir, 4, 3, nil), DiscardRemark, "no")
	recordSession(t, dataDir, 5, 3, func(i *Info) { i.Purpose = "pilot" })
	recordSession(t, dataDir, 6, 3, func(i *Info) { i.Machine = "fox" })
	recordSession(t, dataDir, 7, len(story()), nil)
	if dir, ok, err := Unfinished(dataDir, "box"); dir != want || !ok || err != nil {
		t.Errorf("Unfinished = %q, %v, %v, want %q", dir, ok, err, want)
	}
}

func TestRemarksAreReadBack(t *testing.T) {
	dir := recordSession(t, memoryDir(t), 1, len(story()), nil)
	before := files(t, dir)
	remark(t, dir, NoteRemark, "a \"quoted\" note,\nof two lines")
	if err := Accept(dir, "only a comment moved", []Change{{"aa", "cc"}, {"bb", "dd"}}, start); err != nil {
		t.Fatal(err)
	}
	remark(t, dir, DiscardRemark, "first reason")
	remark(t, dir, DiscardRemark, "second reason")
	s := mustRead(t, dir)
	stamp := start.Format(time.RFC3339)
	const moved = "only a comment moved"
	want := []Remark{
		{At: stamp, Kind: "note", Text: "a \"quoted\" note,\nof two lines"}, {stamp, "accept", moved, Change{"aa", "cc"}}, {stamp, "accept", moved, Change{"bb", "dd"}},
		{At: stamp, Kind: "discard", Text: "first reason"}, {At: stamp, Kind: "discard", Text: "second reason"},
	}
	if d := diff(want, s.Remarks); d != "" || s.Discarded != "second reason" || s.Abandoned != "" {
		t.Errorf("discarded %q, remarks (-want +got):\n%s", s.Discarded, d)
	}
	if d := diff(before, files(t, dir)); d != "" {
		t.Errorf("a remark changed the session (-before +after):\n%s", d)
	}
	if AddRemark(dir, "praise", "x", start) == nil || AddRemark(dir, DiscardRemark, "", start) == nil || AddRemark(dir, AcceptRemark, "x", start) == nil {
		t.Error("AddRemark took an unknown kind, a discard without a reason, or an acceptance of nothing")
	}
	if Accept(dir, "", []Change{{"aa", "cc"}}, start) == nil || Accept(dir, "x", nil, start) == nil {
		t.Error("Accept took an acceptance without a reason, or of nothing")
	}
	if why, ok := s.Accepts(Change{"aa", "cc"}); !ok || why != moved {
		t.Errorf("Accepts = %q, %v, want the reason", why, ok)
	}
	if _, ok := s.Accepts(Change{"aa", "ee"}); ok {
		t.Error("a later change counts as accepted too")
	}
}

func TestStateOfASession(t *testing.T) {
	dataDir := memoryDir(t)
	w := create(t, dataDir, at(0))
	appendAll(t, w, story()[:6]) // up to the interrupted attempt at trial 5
	s := mustRead(t, w.Dir())
	if _, ok := s.Final(5); ok || s.Done(5, 9) || s.Attempts(5) != 1 {
		t.Errorf("trial 5 is done or final after an interruption; attempts %d", s.Attempts(5))
	}
	if r, ok := s.Final(4); !ok || r.Attempt != 2 {
		t.Errorf("Final(4) = attempt %d, %v; want the second", r.Attempt, ok)
	}
	if n, rest := s.WholeBlocks(); n != 1 || !rest {
		t.Errorf("WholeBlocks = %d, %v, want 1 and the interrupted rest", n, rest)
	}
	closed(t, w)
	w, s, _, err := Continue(w.Dir(), Part{}, at(1))
	if err != nil || s.Parts[1].FirstTrial != 5 {
		t.Fatalf("Continue: %v, part 2 begins with trial %d, want 5", err, s.Parts[1].FirstTrial)
	}
	appendAll(t, w, story()[6:8])
	s = mustRead(t, w.Dir())
	if s.Done(6, 1) || !s.Done(6, 0) || !s.Done(5, 0) || s.Done(7, 0) {
		t.Error("a time-out is done with no retries left, and not with one")
	}
	closed(t, w)
	w, _, _, err = Continue(w.Dir(), Part{}, at(2))
	if err != nil {
		t.Fatal(err)
	}
	appendAll(t, w, story()[8:])
	s = mustRead(t, closed(t, w))
	if d := diff(map[int]bool{}, s.CutBlocks()); d == "" || !s.CutBlocks()[2] || len(s.CutBlocks()) != 1 {
		t.Errorf("CutBlocks = %v, want block 2: its trials ran in parts 2 and 3", s.CutBlocks())
	}
	if n, rest := s.WholeBlocks(); n != 3 || rest {
		t.Errorf("WholeBlocks = %d, %v, want all 3", n, rest)
	}
}
