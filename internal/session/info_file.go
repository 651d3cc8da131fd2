package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/renameio/v2"
)

// Format is the version of the session folder that this package writes, and
// the newest that it reads.
const Format = 1

// Names of the files of a session.
const (
	infoName       = "session.json"
	experimentName = "experiment.yaml"
	planName       = "plan.csv"
	trialsName     = "trials.csv"
	clientsName    = "clients.csv"
	samplesName    = "samples.csv"
	packageName    = "datapackage.json"
	outputName     = "output"
	patchName      = "source.patch"
)

// readInfo is session.json of the folder, checked.
func readInfo(dir string) (*Info, error) {
	path := filepath.Join(dir, infoName)
	text, err := readPlain(path)
	if err != nil {
		return nil, damagedHead(dir, err)
	}
	info := new(Info)
	var head struct{ Format int }
	if json.Unmarshal(text, &head) == nil && head.Format > Format {
		return nil, fmt.Errorf("%s: the session has format %d; this version of the tool reads up to %d", path, head.Format, Format)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(info); err != nil {
		return nil, damagedHead(dir, fmt.Errorf("%s is no session.json: %w", path, err))
	}
	if dec.More() {
		return nil, fmt.Errorf("%s: there is something behind the JSON object", path)
	}
	if err := info.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if name := filepath.Base(dir); info.Session != name {
		return nil, fmt.Errorf("%s: it is of session %s, but its folder is %s", path, info.Session, name)
	}
	return info, nil
}

// writeInfo replaces session.json as a whole and makes that durable.
func writeInfo(dir string, info *Info) error {
	text, err := encodeJSON(info)
	if err != nil {
		return err
	}
	return replaceFile(filepath.Join(dir, infoName), text)
}

// encodeJSON is indented JSON for people, with `<` and `&` as they are.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}

// replaceFile puts a file in place as a whole: a reader sees the old or the
// new one, and so does the next start after a crash.
func replaceFile(path string, text []byte) error {
	dir := filepath.Dir(path)
	if err := renameio.WriteFile(path, text, 0o644, renameio.WithTempDir(dir)); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

var (
	namePattern   = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	metricPattern = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z0-9_-]+)*$`)
)

// check says what makes the info unfit to describe rows.
func (info *Info) check() error {
	switch {
	case info.Format != Format:
		return fmt.Errorf("format is %d, want %d", info.Format, Format)
	case !ValidID(info.Session):
		return fmt.Errorf("session is %q, want a name such as 20260301T093000Z-label", info.Session)
	case !ValidLabel(info.Machine):
		return fmt.Errorf("machine is %q, want a label of 1 to 40 of a-z, 0-9 and -", info.Machine)
	case info.Session[len(idTime)+1:] != info.Machine:
		return fmt.Errorf("session %s is not named after its machine %s", info.Session, info.Machine)
	}
	if err := info.checkColumns(); err != nil {
		return err
	}
	return info.checkTreatments()
}

// checkColumns wants names that can head a column, each once.
func (info *Info) checkColumns() error {
	for _, f := range info.Factors {
		if !namePattern.MatchString(f.Name) {
			return fmt.Errorf("factor %q is no name", f.Name)
		}
	}
	for _, m := range info.Metrics {
		if !metricPattern.MatchString(m.Name) {
			return fmt.Errorf("metric %q is no name", m.Name)
		}
	}
	for _, layout := range [][]column{trialLayout(info), clientLayout(info), sampleLayout(info)} {
		seen := make(map[string]bool)
		for _, c := range layout {
			if seen[c.Name] {
				return fmt.Errorf("there would be two columns %q", c.Name)
			}
			if c.Name == "" || formula(c.Name) || strings.ContainsFunc(c.Name, unicode.IsControl) || !utf8.ValidString(c.Name) {
				return fmt.Errorf("%q cannot name a column", c.Name)
			}
			seen[c.Name] = true
		}
	}
	return nil
}

// checkTreatments wants treatments numbered from 1 with a level for each
// factor, and parts numbered from 1.
func (info *Info) checkTreatments() error {
	for i, t := range info.Treatments {
		if t.Number != i+1 || len(t.Levels) != len(info.Factors) {
			return fmt.Errorf("treatment %d of the list has number %d and %d levels, want number %d and %d levels", i+1, t.Number, len(t.Levels), i+1, len(info.Factors))
		}
		for _, level := range t.Levels {
			if !utf8.ValidString(level) {
				return fmt.Errorf("the level %s of treatment %d is not UTF-8", strconv.Quote(level), t.Number)
			}
		}
	}
	for i, p := range info.Parts {
		if p.Part != i+1 {
			return fmt.Errorf("part %d of the list has number %d", i+1, p.Part)
		}
	}
	return nil
}

// damagedHead adds to what makes a session unreadable as a whole what a
// person can do.
func damagedHead(dir string, err error) error {
	return fmt.Errorf("%w; restore the session, or set it aside: fieldbook discard %s --because TEXT", err, filepath.Base(dir))
}
