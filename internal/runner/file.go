package runner

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"fieldbook/internal/experiment"
	"fieldbook/internal/expr"
)

// fileMark tells whether a file has been written since.
type fileMark struct {
	changed time.Time
	size    int64
}

// markFile notes a file's state before a trial; the zero mark is no file.
func markFile(path string) fileMark {
	info, err := os.Stat(path)
	if err != nil {
		return fileMark{}
	}
	return fileMark{info.ModTime(), info.Size()}
}

// coarse is more than the step of a file system's clock.
const coarse = 20 * time.Millisecond

// filePath is the path that a metric is read from.
func filePath(d *experiment.Metric, env expr.Env, folder string) (string, error) {
	path, err := expand(*d.Path, env)
	if err != nil || filepath.IsAbs(path) {
		return path, err
	}
	return filepath.Join(folder, path), nil
}

// fromFile reads a file that the trial has written. One that was there
// before, unchanged, is another trial's.
func (m *taken) fromFile(d *experiment.Metric, i int) (float64, error) {
	path, err := filePath(d, m.env, m.folder)
	if err != nil {
		return math.NaN(), err
	}
	f, err := os.Open(path)
	if err != nil {
		return math.NaN(), err
	}
	defer f.Close()
	if before := m.files[path]; before != (fileMark{}) && before == markFile(path) && time.Since(before.changed) > coarse+time.Duration(m.wall) {
		return math.NaN(), fmt.Errorf("%s was there before and this trial has not written it", path)
	}
	var r reading
	o := objects{take: func(o object, _ int64) {
		if v, ok := o.find(d.Key); ok {
			r.count++
			r.value, r.problem = numberOf(v)
		}
	}}
	ls := lines{take: o.line}
	if d.Pattern != "" {
		ls.take = func(line []byte, _ int64) { r.match(m.r.patterns[i], line) }
	}
	if err := ls.readAll(f); err != nil {
		return math.NaN(), err
	}
	return r.result(d, path)
}

// readAll feeds a whole file.
func (l *lines) readAll(f io.Reader) error {
	buf := make([]byte, chunk)
	for {
		n, err := f.Read(buf)
		l.feed(buf[:n])
		if err == io.EOF {
			l.end()
			return nil
		}
		if err != nil {
			return err
		}
	}
}
