package session

import (
	"math"
	"strings"
	"syscall"
	"testing"
)

func nan() float64 { return math.NaN() }

// fullDisk is a file on a disk with so much room left. What does not fit is
// written as far as it fits.
type fullDisk struct {
	file
	room       *int
	noTruncate bool
	noSync     bool
}

func (f *fullDisk) Write(b []byte) (int, error) {
	n := min(len(b), *f.room)
	*f.room -= n
	if _, err := f.file.Write(b[:n]); err != nil {
		return 0, err
	}
	if n < len(b) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

func (f *fullDisk) Truncate(size int64) error {
	if f.noTruncate {
		return syscall.EIO
	}
	return f.file.Truncate(size)
}

func (f *fullDisk) Sync() error {
	if f.noSync {
		return syscall.EIO
	}
	return f.file.Sync()
}

// onFullDisk is a writer of three recorded trials whose files share the room.
func onFullDisk(t *testing.T, room int, set func(*fullDisk)) *Writer {
	t.Helper()
	w := create(t, memoryDir(t), at(0))
	appendAll(t, w, story()[:3])
	for _, a := range []*appender{w.trials, w.sums, w.clients, w.samples} {
		disk := &fullDisk{file: a.file, room: &room}
		if set != nil {
			set(disk)
		}
		a.file = disk
	}
	return w
}

// Wherever the disk gets full, the attempt is not there, the session can go
// on when there is room again, and Continue finds it in order.
func TestAFullDiskLeavesWholeAttempts(t *testing.T) {
	size := attemptSize(t)
	for room := range size {
		free := room
		w := onFullDisk(t, 0, func(f *fullDisk) { f.room = &free })
		before := files(t, w.Dir())
		err := w.Append(story()[3])
		if err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Fatalf("Append with room for %d of %d bytes: %v, want no space left", room, size, err)
		}
		if d := diff(before, files(t, w.Dir())); d != "" {
			t.Fatalf("room for %d bytes: a failed Append left (-before +after):\n%s", room, d)
		}
		free = 1 << 20
		appendAll(t, w, story()[3:])
		if s := mustRead(t, closed(t, w)); len(s.Rows) != len(story()) {
			t.Fatalf("room for %d bytes: %d rows in the end, want %d", room, len(s.Rows), len(story()))
		}
	}
}

// attemptSize is the bytes that the fourth attempt of the story takes.
func attemptSize(t *testing.T) int {
	free := 1 << 20
	w := onFullDisk(t, 0, func(f *fullDisk) { f.room = &free })
	defer w.Close()
	appendAll(t, w, story()[3:4])
	return 1<<20 - free
}

// The first attempt makes clients.csv and samples.csv; where it fails they go.
func TestAFailedFirstAttemptLeavesNoFile(t *testing.T) {
	w := create(t, memoryDir(t), at(0))
	before := files(t, w.Dir())
	room := 0
	whole := w.trials.file
	w.trials.file = &fullDisk{file: whole, room: &room}
	if err := w.Append(story()[0]); err == nil {
		t.Fatal("Append on a full disk succeeded")
	}
	if d := diff(before, files(t, w.Dir())); d != "" {
		t.Errorf("a failed Append left (-before +after):\n%s", d)
	}
	w.trials.file = whole
	appendAll(t, w, story())
	if s := mustRead(t, closed(t, w)); len(s.Rows) != len(story()) || len(clientsOf(t, s)) != 2*len(story()) {
		t.Errorf("%d rows in the end, want %d", len(s.Rows), len(story()))
	}
}

func TestWhatCannotBeCutBackIsLeftToContinue(t *testing.T) {
	w := onFullDisk(t, 20, func(f *fullDisk) { f.noTruncate = true })
	if err := w.Append(story()[3]); err == nil {
		t.Fatal("Append on a full disk succeeded")
	}
	for range 2 {
		if err := w.Append(story()[3]); err == nil || !strings.Contains(err.Error(), "unknown since an earlier error") {
			t.Errorf("Append after a failed roll-back: %v, want it refused", err)
		}
	}
	if err := w.Seal(); err == nil {
		t.Error("Seal after a failed roll-back succeeded")
	}
	closed(t, w)
	finish(t, w.Dir())
	if s := mustRead(t, w.Dir()); len(s.Rows) != len(story()) {
		t.Errorf("%d rows after Continue, want %d", len(s.Rows), len(story()))
	}
}

func TestAFailedSyncEndsTheWriting(t *testing.T) {
	w := onFullDisk(t, 1<<20, func(f *fullDisk) { f.noSync = true })
	w.opts.Sync = SyncTrial
	for range 2 {
		if err := w.Append(story()[3]); err == nil {
			t.Error("Append succeeded though nothing is durable")
		}
	}
	if err := w.Close(); err == nil {
		t.Error("Close does not tell that nothing is durable")
	}
	finish(t, w.Dir())
}

// countingDisk counts syncs.
type countingDisk struct {
	file
	syncs *int
}

func (f countingDisk) Sync() error { *f.syncs++; return f.file.Sync() }

func TestRowsAreSyncedAsOftenAsAsked(t *testing.T) {
	for sync, want := range map[Sync]int{SyncTrial: 11, SyncBlock: 6, SyncNone: 0} {
		opts := at(0)
		opts.Sync = sync
		w := create(t, memoryDir(t), opts)
		n := 0
		w.trials.file = countingDisk{w.trials.file, &n}
		appendAll(t, w, story())
		if n != want { // each attempt at the last trial of a block ends it
			t.Errorf("sync %d: %d syncs of trials.csv, want %d", sync, n, want)
		}
		closed(t, w)
	}
}
