package session

import (
	"path/filepath"
	"testing"
)

// Sessions outlive the program that wrote them: this one of format 1 must
// read for ever, and its seal must hold.
func TestASessionOfFormat1StillReads(t *testing.T) {
	dir := "testdata/format-1/20260301T093000Z-box"
	s := mustRead(t, dir)
	if len(s.Rows) != len(story()) || len(clientsOf(t, s)) != 2*len(story()) || len(samplesOf(t, s)) != 4*len(story()) {
		t.Errorf("%d rows, want %d", len(s.Rows), len(story()))
	}
	if differences, err := Verify(dir); len(differences) > 0 || err != nil {
		t.Errorf("Verify = %v, %v", differences, err)
	}
	if d, err := ReadDataset(filepath.Dir(dir), Choose{}); err != nil || len(d.Sessions) != 1 {
		t.Errorf("ReadDataset = %v, %v", d, err)
	}
}

// What is written today is format 1 to the byte. A change that is meant needs
// a new format, or, where old readers do not mind, a new copy in testdata.
func TestFormat1IsWrittenToTheByte(t *testing.T) {
	got := files(t, sealedSession(t, memoryDir(t), at(0)))
	if d := diff(files(t, "testdata/format-1/20260301T093000Z-box"), got); d != "" {
		t.Errorf("the files of a session (-testdata +written):\n%s", d)
	}
}
