package session

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// asNobody runs f as a user who may write nothing here, even where the tests
// run as root. The thread that loses its rights ends with the goroutine.
func asNobody(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if os.Getuid() == 0 {
			unix.SetfsuidRetUid(65534)
		}
		f()
	}()
	<-done
}

func TestAReadOnlyFolderCanBeReadAndSaysWhyItCannotBeWritten(t *testing.T) {
	dataDir := memoryDir(t)
	dir := closed(t, func() *Writer { w := create(t, dataDir, at(0)); appendAll(t, w, story()[:3]); return w }())
	whole := sealedSession(t, dataDir, at(5))
	for _, d := range []string{dataDir, dir, whole, filepath.Join(whole, outputName)} {
		if err := os.Chmod(d, 0o555); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(d, 0o755)
	}
	before := files(t, dataDir)
	asNobody(func() {
		if s, err := Read(dir); err != nil || len(s.Rows) != 3 {
			t.Errorf("Read: %v", err)
		}
		if d, err := ReadDataset(dataDir, Choose{}); err != nil || len(d.Sessions) != 1 {
			t.Errorf("ReadDataset: %v", err)
		}
		if differences, err := Verify(whole); err != nil || len(differences) > 0 {
			t.Errorf("Verify: %v, %v", differences, err)
		}
		info := smallInfo()
		_, createErr := Create(dataDir, info, smallPlan(&info, 1), nil, at(9))
		_, _, _, continueErr := Continue(dir, Part{}, at(9))
		for what, err := range map[string]error{"Create": createErr, "Continue": continueErr, "AddRemark": AddRemark(dir, NoteRemark, "x", start)} {
			if !errors.Is(err, os.ErrPermission) {
				t.Errorf("%s in a read-only folder: %v, want permission denied", what, err)
			}
		}
	})
	if d := diff(before, files(t, dataDir)); d != "" {
		t.Errorf("files changed (-before +after):\n%s", d)
	}
}

func TestAFileInThePlaceOfTheDataFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	writeText(t, path, "")
	info := smallInfo()
	if _, err := Create(path, info, smallPlan(&info, 1), nil, at(0)); err == nil {
		t.Error("Create made a session inside a file")
	}
	if _, err := ReadDataset(path, Choose{}); err == nil {
		t.Error("ReadDataset read a file as a folder")
	}
}
