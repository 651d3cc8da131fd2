package session

import (
	"path/filepath"
	"testing"
)

// FuzzReadRemarks reads any bytes as remarks. What can be read can be added
// to, and reads back the same with one remark more.
func FuzzReadRemarks(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "20260301T093000Z-box")
	for _, text := range []string{"plain", "=1+1", "'@x", "two\nlines, and \"quotes\""} {
		if err := AddRemark(dir, NoteRemark, text, start); err != nil {
			f.Fatal(err)
		}
	}
	f.Add([]byte(readText(f, remarksPath(dir))))
	f.Add([]byte("at,kind,text\n2026-03-01T09:30:00Z,note,x"))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := filepath.Join(memoryDir(t), "20260301T093000Z-box")
		writeText(t, remarksPath(dir), string(text))
		before, err := readRemarks(dir)
		if err != nil {
			return
		}
		if err := AddRemark(dir, NoteRemark, "one more", start); err != nil {
			t.Fatal(err)
		}
		after, err := readRemarks(dir)
		if err != nil || len(after) != len(before)+1 || diff(before, after[:len(before)]) != "" {
			t.Fatalf("%q reads as %v and then as %v, %v", text, before, after, err)
		}
	})
}
