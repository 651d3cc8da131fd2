package session

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestASealedSessionIsAsItWasSealed(t *testing.T) {
	dir := sealedSession(t, memoryDir(t), at(0))
	if differences, err := Verify(dir); len(differences) > 0 || err != nil {
		t.Errorf("Verify = %v, %v, want nothing", differences, err)
	}
}

// flipped is the text with the bits of one byte changed.
func flipped(text string, at int) string {
	b := []byte(text)
	b[at] ^= 0x11
	return string(b)
}

func TestVerifyFindsAFlipInEachFile(t *testing.T) {
	dir := sealedSession(t, memoryDir(t), at(0))
	for name, text := range files(t, dir) {
		path := filepath.Join(dir, name)
		for at := 0; at < len(text); at += 1 + len(text)/97 {
			writeText(t, path, flipped(text, at))
			differences, err := Verify(dir)
			if err != nil || len(differences) == 0 || name != packageName && (len(differences) != 1 || differences[0].File != name) {
				t.Errorf("byte %d of %s flipped: Verify = %v, %v", at, name, differences, err)
			}
		}
		for _, other := range []string{text + "\n", text[:len(text)/2]} {
			writeText(t, path, other)
			if differences, err := Verify(dir); err != nil || len(differences) == 0 {
				t.Errorf("%s has another length: Verify = %v, %v", name, differences, err)
			}
		}
		writeText(t, path, text)
	}
}

// Whoever changes a file and its hash still cannot keep the seal.
func TestVerifyFindsEveryFlipInTheSealItself(t *testing.T) {
	dir := sealedSession(t, memoryDir(t), at(0))
	path := filepath.Join(dir, packageName)
	text := readText(t, path)
	step := 1
	if testing.Short() {
		step = 11
	}
	for at := 0; at < len(text); at += step {
		if sealHolds([]byte(flipped(text, at))) {
			t.Fatalf("byte %d of %s flipped, and the seal holds", at, packageName)
		}
	}
	for at := 0; at < len(text); at += 101 {
		writeText(t, path, flipped(text, at))
		if differences, err := Verify(dir); err != nil || !slices.ContainsFunc(differences, func(d Difference) bool { return d.File == packageName }) {
			t.Fatalf("byte %d of %s flipped: Verify = %v, %v", at, packageName, differences, err)
		}
	}
}

func TestVerifyFindsWhatIsMissingAndWhatIsTooMuch(t *testing.T) {
	dir := sealedSession(t, memoryDir(t), at(0))
	writeText(t, filepath.Join(dir, "notes.txt"), "mine")
	if err := os.Remove(filepath.Join(dir, clientsName)); err != nil {
		t.Fatal(err)
	}
	differences, err := Verify(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []Difference{{clientsName, "missing"}, {"notes.txt", "not part of the sealed session"}}
	if d := diff(want, differences); d != "" {
		t.Errorf("Verify (-want +got):\n%s", d)
	}
	closed(t, create(t, filepath.Dir(dir), at(5)))
	open := filepath.Join(filepath.Dir(dir), "20260301T093005Z-box")
	if differences, err := Verify(open); err != nil || len(differences) != 1 || !strings.Contains(differences[0].String(), "not sealed") {
		t.Errorf("Verify of an open session = %v, %v", differences, err)
	}
}

// A package from a stranger cannot make Verify read outside of its folder.
func TestVerifyStaysInTheFolder(t *testing.T) {
	dataDir := memoryDir(t)
	dir := sealedSession(t, dataDir, at(0))
	path := filepath.Join(dir, packageName)
	outside := filepath.Join(dataDir, "outside")
	writeText(t, outside, "secret")
	writeText(t, path, strings.Replace(readText(t, path), `"path": "clients.csv"`, `"path": "../outside"`, 1))
	differences, err := Verify(dir)
	if err != nil || len(differences) != 3 {
		t.Errorf("Verify = %v, %v, want ../outside missing, clients.csv too much, the seal broken", differences, err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(dir); err == nil || !strings.Contains(err.Error(), "neither a file nor a folder") {
		t.Errorf("Verify of a link: %v, want it refused", err)
	}
}

func TestOnlyWholeBlocksAreSealed(t *testing.T) {
	whole := story()
	for _, tt := range []struct {
		attempts int
		want     string // part of the error; empty: it is sealed
	}{
		{0, "no measured block is whole"}, {2, "no measured block is whole"}, {3, "no measured block is whole"},
		{5, ""}, {6, "ends within a block, at trial 5 of 8"}, {7, "within a block"}, {8, ""}, {9, ""}, {10, "within a block"}, {11, ""},
	} {
		w := create(t, memoryDir(t), at(0))
		appendAll(t, w, whole[:tt.attempts])
		err := w.Seal()
		if got := err == nil; got != (tt.want == "") || !got && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Seal after %d attempts: %v, want %q", tt.attempts, err, tt.want)
		}
		if err == nil {
			if w.Append(attempt(8, 9, OK)) == nil || w.Seal() == nil || w.AddFile("source.patch", nil) == nil || w.Look(Look{}) == nil {
				t.Error("a sealed session takes more")
			}
		}
		closed(t, w)
		if _, _, _, err2 := Continue(w.Dir(), Part{}, at(1)); err == nil && (err2 == nil || !strings.Contains(err2.Error(), "it is sealed")) {
			t.Errorf("Continue of a sealed session: %v", err2)
		}
	}
}

// longSession has more samples than stay uncompressed.
func longSession(t testing.TB, dataDir string) string {
	w := create(t, dataDir, at(0))
	for _, r := range story() {
		s := r.Samples[0]
		for i := range 5000 {
			s.Index = i + 10
			r.Samples = append(r.Samples, s)
		}
		appendAll(t, w, []Record{r})
	}
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	return closed(t, w)
}

func TestManySamplesAreCompressedAtTheSeal(t *testing.T) {
	dir := longSession(t, memoryDir(t))
	all := files(t, dir)
	if _, plain := all[samplesName]; plain || all[samplesName+".gz"] == "" {
		t.Errorf("the session has samples.csv %v, samples.csv.gz of %d bytes; want only the second", plain, len(all[samplesName+".gz"]))
	}
	if got, want := len(samplesOf(t, mustRead(t, dir))), 5004*len(story()); got != want {
		t.Errorf("%d samples read back, want %d", got, want)
	}
	if differences, err := Verify(dir); len(differences) > 0 || err != nil {
		t.Errorf("Verify = %v, %v", differences, err)
	}
	if d := diff(all, files(t, longSession(t, memoryDir(t)))); d != "" {
		t.Errorf("the same rows give other bytes (-first +second):\n%s", d)
	}
}

func TestTheSealDescribesEveryColumn(t *testing.T) {
	dir := sealedSession(t, memoryDir(t), at(0))
	var p dataPackage
	if err := json.Unmarshal([]byte(readText(t, filepath.Join(dir, packageName))), &p); err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, r := range p.Resources {
		seen[r.Path] = true
		if r.Schema == nil {
			continue
		}
		header, _, _ := strings.Cut(readText(t, filepath.Join(dir, r.Path)), "\n")
		var names []string
		for _, f := range r.Schema.Fields {
			names = append(names, f.Name)
			if f.Name == "rtt.p50" && f.Unit != "us" {
				t.Errorf("%s: the unit of rtt.p50 is %q, want us", r.Path, f.Unit)
			}
		}
		if got := strings.Join(names, ","); got != header {
			t.Errorf("%s: the fields are %s, the header is %s", r.Path, got, header)
		}
	}
	for name := range files(t, dir) {
		if !seen[name] && name != packageName {
			t.Errorf("%s is not in the package", name)
		}
	}
}

// The columns and their order are the data format.
func TestTheHeadersArePinned(t *testing.T) {
	dir := sealedSession(t, memoryDir(t), at(0))
	for name, want := range map[string]string{
		planName:    "trial,phase,block,plot,position,treatment,control,mode",
		trialsName:  "session,machine,trial,attempt,part,phase,block,plot,position,treatment,control,mode,started,duration_s,status,reason,exit,signal,stdout_bytes,stderr_bytes,wall,rtt.p50,load1,foreign_cpu,mhz,temp_c,throttled,quiet_s",
		clientsName: "session,trial,attempt,client,clock,start_ns,finish_ns,calls",
		samplesName: "session,trial,attempt,client,index,rtt",
	} {
		if got, _, _ := strings.Cut(readText(t, filepath.Join(dir, name)), "\n"); got != want {
			t.Errorf("%s begins with\n%s\nwant\n%s", name, got, want)
		}
	}
	row := "20260301T093000Z-box,box,5,1,1,measured,2,0,1,1,,plain,2026-03-01T09:30:05.001Z,1.7083333333333333,interrupted,interrupted,,SIGKILL,5,0,1.7083333333333333,,0.25,,2400,,0,1e-07\n"
	if text := readText(t, filepath.Join(dir, trialsName)); !strings.Contains(text, row) {
		t.Errorf("trials.csv is\n%s\nwant in it\n%s", text, row)
	}
}
