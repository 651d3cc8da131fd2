package session

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzReadCSV reads any bytes as rows of text. What is read and written again
// reads the same, and reading ends with a reason where it ends early.
func FuzzReadCSV(f *testing.F) {
	for _, text := range []string{"a,b\n", "\"a\"\"\nb\",c\n", "a,\"b", "a\"b\n", "\"a\"b\n", "\xff\n", "a\r\n", ",\n\n", "\"\x00\"\n", "a,b"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := newScanner(text)
		for {
			from := s.at
			more, fault := s.next()
			if !more {
				if fault == nil && s.at != len(text) {
					t.Fatalf("reading %q ends at byte %d without a reason", text, s.at)
				}
				return
			}
			var l line
			var want [][]byte
			for _, c := range s.cells {
				l.text(string(c))
				want = append(want, bytes.Clone(c))
			}
			l.end()
			again := newScanner(l.buf)
			if ok, fault := again.next(); !ok || fault != nil || !equalCells(again.cells, want) {
				t.Fatalf("%q reads as %q, is written as %q and reads as %q, %v", text[from:s.at], want, l.buf, again.cells, fault)
			}
		}
	})
}

func equalCells(a, b [][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !bytes.Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// FuzzReadNumber holds the fast way against strconv's.
func FuzzReadNumber(f *testing.F) {
	for _, text := range []string{"", "0", "-0", "1.5", "1e-07", "9007199254740993", "0.1234567890123456789", "-", ".", "1e400", "+1", "0x1", "inf"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fast, ok1 := parseNumber(text)
		if len(text) == 0 {
			return
		}
		slow, ok2 := parseSlow(text)
		if ok1 != ok2 || ok1 && fast != slow {
			t.Fatalf("parseNumber(%q) = %v, %v, strconv has %v, %v", text, fast, ok1, slow, ok2)
		}
		parseInt(text)
	})
}

// FuzzReadSession reads a session of any content. It never panics; what can
// be read can be continued, and is then the same.
func FuzzReadSession(f *testing.F) {
	w := create(f, f.TempDir(), at(0))
	appendAll(f, w, story()[:7])
	all := files(f, closed(f, w))
	f.Add([]byte(all[infoName]), []byte(all[planName]), []byte(all[trialsName]), []byte(all[clientsName]), []byte(all[samplesName]))
	f.Add([]byte(all[infoName]), []byte(all[planName]), []byte(all[trialsName][:len(all[trialsName])-9]), []byte(all[clientsName]), []byte("x"))
	f.Fuzz(func(t *testing.T, info, plan, trials, clients, samples []byte) {
		dir := filepath.Join(memoryDir(t), "20260301T093000Z-box")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string][]byte{infoName: info, planName: plan, trialsName: trials, clientsName: clients, samplesName: samples} {
			writeText(t, filepath.Join(dir, name), string(text))
		}
		s, err := Read(dir)
		if err == nil {
			for range s.Clients() {
			}
			for range s.Samples() {
			}
		}
		w, continued, _, err2 := Continue(dir, Part{}, at(1))
		if err2 != nil {
			return
		}
		closed(t, w)
		if err != nil || diff(s.Rows, continued.Rows) != "" || diff(continued.Rows, mustRead(t, dir).Rows) != "" {
			t.Fatalf("Read has other rows than Continue (%v)", err)
		}
	})
}
