package session

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"time"

	"github.com/google/renameio/v2"

	"fieldbook/internal/diag"
)

// Continue opens a session that is not sealed, to append a further part. What
// a crash left half-written is cut off first: a last row of trials.csv
// without line end, even one that looks whole (a copy stays beside the
// folder), and clients, samples and outputs of an attempt that has no row
// there. The warnings say what was cut off. Damage anywhere else is an error
// with file and line, and then nothing is changed. The part's number, first
// trial and, where it is empty, start are filled in.
func Continue(dir string, part Part, opts Options) (*Writer, *Session, diag.List, error) {
	dir = filepath.Clean(dir)
	if _, err := os.Stat(filepath.Join(dir, infoName)); err != nil {
		return nil, nil, nil, fmt.Errorf("continuing session %s: %w", filepath.Base(dir), err)
	}
	held, err := takeLock(dir)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("continuing session %s: %w", filepath.Base(dir), err)
	}
	s, notes, err := recoverSession(dir)
	if err == nil {
		err = s.addPart(part, opts)
	}
	if err != nil {
		return nil, nil, notes, errors.Join(fmt.Errorf("continuing session %s: %w", filepath.Base(dir), err), held.release())
	}
	info := s.Info
	w, err := openWriter(dir, &info, s.Plan, lastMark(s.Rows), held, opts)
	return w, s, notes, err
}

// recoverSession reads the session and cuts off what is half-written. All is
// read before anything is cut.
func recoverSession(dir string) (*Session, diag.List, error) {
	s, err := readHead(dir)
	if err != nil {
		return nil, nil, err
	}
	if s.Sealed {
		return nil, nil, errors.New("it is sealed")
	}
	if err := noLinks(dir); err != nil {
		return nil, nil, err
	}
	if s.Plan, err = readPlan(dir, &s.Info); err != nil {
		return nil, nil, err
	}
	if len(s.Plan) == 0 {
		return nil, nil, problem(filepath.Join(dir, planName), 1, "the plan is empty")
	}
	file, err := readRows(dir, &s.Info, s.Plan, false)
	if err != nil {
		return nil, nil, err
	}
	s.Rows = file.rows
	if err := unzipSamples(dir); err != nil {
		return nil, nil, err
	}
	clients, err1 := s.findCut(clientsName, clientLayout(&s.Info))
	samples, err2 := s.findCut(samplesName, sampleLayout(&s.Info))
	outputs, err3 := s.strayOutputs()
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, nil, err
	}
	notes, err := s.cutTorn(file)
	for _, c := range []*cut{clients, samples} {
		if err == nil {
			err = c.do(&notes)
		}
	}
	for _, path := range outputs {
		err = errors.Join(err, os.Remove(path))
	}
	if err == nil {
		err = file.sums.write(dir)
	}
	return s, notes, errors.Join(err, removeLeftovers(dir), syncDir(dir))
}

// noLinks refuses a folder with anything but files and folders in it: nothing
// is written through a link to some other place.
func noLinks(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	_, err = sealedFiles(root)
	return err
}

// addPart writes the new part into session.json.
func (s *Session) addPart(p Part, opts Options) error {
	p.Part = len(s.Parts) + 1
	last := lastMark(s.Rows)
	if p.FirstTrial = last.trial + 1; last.status == Interrupted {
		p.FirstTrial = last.trial
	}
	if p.Started == "" {
		p.Started = opts.now().UTC().Format(time.RFC3339)
	}
	s.Parts = append(s.Parts, p)
	return writeInfo(s.Dir, &s.Info)
}

// cutTorn cuts the torn last row off trials.csv, once a copy of it is safe
// beside the folder.
func (s *Session) cutTorn(file *rowsFile) (diag.List, error) {
	if file.torn == nil {
		return nil, nil
	}
	kept, err := keepCopy(s.Dir, file.torn)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(s.Dir, trialsName)
	if err := truncate(path, file.size); err != nil {
		return nil, err
	}
	var notes diag.List
	notes.Warnf(diag.Pos{File: path, Line: file.tornLine},
		"the last row was cut off while it was written and is not trusted; its trial is run again, a copy of the row is in %s", kept)
	return notes, nil
}

// keepCopy writes what is cut off into the first free SESSION.torn-N.csv.
func keepCopy(dir string, text []byte) (string, error) {
	for n := 1; ; n++ {
		path := fmt.Sprintf("%s.torn-%d.csv", dir, n)
		err := writeNew(path, text, true)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		return path, errors.Join(err, syncDir(filepath.Dir(path)))
	}
}

func truncate(path string, size int64) error {
	f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(size), f.Sync(), f.Close())
}

var attemptOutput = regexp.MustCompile(`^([1-9][0-9]{0,9})-([1-9][0-9]{0,9})-`)

// strayOutputs are the kept outputs of attempts that are not recorded.
func (s *Session) strayOutputs() ([]string, error) {
	dir := filepath.Join(s.Dir, outputName)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var stray []string
	for _, e := range entries {
		m := attemptOutput.FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		trial, _ := strconv.Atoi(m[1])
		attempt, _ := strconv.Atoi(m[2])
		if attempt > s.Attempts(trial) {
			stray = append(stray, filepath.Join(dir, e.Name()))
		}
	}
	return stray, err
}

// unzipSamples goes back to samples.csv where a seal was cut off after its
// compression.
func unzipSamples(dir string) error {
	path := filepath.Join(dir, samplesName)
	if _, err := os.Stat(path + ".gz"); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		if err := unzipFile(path); err != nil {
			return fmt.Errorf("%s.gz: %w", path, err)
		}
	}
	return errors.Join(os.Remove(path+".gz"), syncDir(dir))
}

// unzipFile makes path of path.gz.
func unzipFile(path string) error {
	in, err := os.Open(path + ".gz")
	if err != nil {
		return err
	}
	defer in.Close()
	z, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	out, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer out.Cleanup()
	if _, err := io.Copy(out, z); err != nil {
		return err
	}
	return out.CloseAtomicallyReplace()
}

// leftover is a file that was about to replace another when the program
// ended.
var leftover = regexp.MustCompile(`^\.(session\.json|datapackage\.json|samples\.csv|samples\.csv\.gz)[0-9]+$`)

func removeLeftovers(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if leftover.MatchString(e.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}
