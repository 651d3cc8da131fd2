package runner

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fieldbook/internal/experiment"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// taken is all that metrics of one attempt are read from.
type taken struct {
	r         *reader
	env       expr.Env // factors, constants, the run's names
	folder    string   // where the paths of files start
	wall      int64    // nanoseconds
	exits     []exit
	floor     int64 // bytes: below it, maxrss is the runner's own
	harvests  []*harvest
	clients   []session.Client // filled where there is a barrier
	files     map[string]fileMark
	values    []float64 // by metric
	state     []int     // by metric: 0 not yet, 1 being computed, 2 done
	problems  []string
	isClients bool
}

// measure reads every metric and then the conditions of `valid`. Problems
// are metrics that are missing or no finite number; invalid is the first
// condition that does not hold.
func (m *taken) measure() (values []float64, problems []string, invalid string) {
	m.values = nans(len(m.r.x.Metrics))
	m.state = make([]int, len(m.values))
	for i := range m.r.x.Metrics {
		m.metric(i)
	}
	if len(m.problems) == 0 {
		invalid = m.invalid()
	}
	return m.values, m.problems, invalid
}

// metric computes one metric, once.
func (m *taken) metric(i int) (float64, bool) {
	switch m.state[i] {
	case 1:
		return math.NaN(), false // refused when the file is read; no endless round here
	case 0:
		m.state[i] = 1
		v, err := m.read(&m.r.x.Metrics[i], i)
		if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
			v, err = math.NaN(), errors.New("the value is not a finite number")
		}
		if err != nil {
			m.problems = append(m.problems, m.r.x.Metrics[i].Name+": "+err.Error())
		}
		m.values[i], m.state[i] = v, 2
	}
	return m.values[i], !math.IsNaN(m.values[i])
}

func (m *taken) read(d *experiment.Metric, i int) (float64, error) {
	switch d.From {
	case experiment.FromWall:
		return inUnit(float64(m.wall), d.Unit)
	case experiment.FromRusage:
		return m.rusage(d)
	case experiment.FromJSON, experiment.FromRegex:
		return m.fromOutput(d, i)
	case experiment.FromFile:
		return m.fromFile(d, i)
	case experiment.FromSamples:
		return m.fromSamples(d)
	case experiment.FromClients:
		return m.fromClients(d)
	case experiment.FromFormula:
		v, err := d.Formula.Eval(m.lookup)
		if err == nil && v.Kind != expr.KindNumber {
			err = errors.New("the formula gives no number")
		}
		if err != nil {
			return math.NaN(), err
		}
		return v.Num, nil
	}
	return math.NaN(), fmt.Errorf("from %q is not known", d.From)
}

// lookup is for formulas: metrics of the same trial, then factors and
// constants.
func (m *taken) lookup(name string) (expr.Value, bool) {
	i := slices.IndexFunc(m.r.x.Metrics, func(d experiment.Metric) bool { return d.Name == name })
	if i < 0 {
		return m.env(name)
	}
	v, _ := m.metric(i)
	return expr.Number(v), true
}

// rusage is the sum over a trial's processes, the largest for maxrss.
func (m *taken) rusage(d *experiment.Metric) (float64, error) {
	var total rusage
	for _, e := range m.exits {
		u := e.rusage
		total.user += u.user
		total.system += u.system
		total.maxrss = max(total.maxrss, u.maxrss)
		total.minflt += u.minflt
		total.majflt += u.majflt
		total.voluntary += u.voluntary
		total.involuntary += u.involuntary
	}
	switch d.Key {
	case "cpu":
		return inUnit(float64(total.user+total.system), d.Unit)
	case "user":
		return inUnit(float64(total.user), d.Unit)
	case "system":
		return inUnit(float64(total.system), d.Unit)
	case "maxrss":
		if total.maxrss <= m.floor {
			return math.NaN(), fmt.Errorf("at most %d KiB, which is what the tool itself uses and the kernel counts for a program at its start; for small programs: command `time -f maxrss=%%M PROGRAM` and from: regex, stream: stderr", m.floor>>10)
		}
		return bytesIn(float64(total.maxrss), d.Unit)
	}
	counts := map[string]int64{"minflt": total.minflt, "majflt": total.majflt, "vcsw": total.voluntary, "ivcsw": total.involuntary}
	n, ok := counts[d.Key]
	if !ok {
		return math.NaN(), fmt.Errorf("rusage has no %q", d.Key)
	}
	return float64(n), nil
}

func (m *taken) fromOutput(d *experiment.Metric, i int) (float64, error) {
	if len(m.harvests) > 1 {
		return math.NaN(), fmt.Errorf("from %s reads one process, and there were %d clients: use from: clients", d.From, len(m.harvests))
	}
	h := m.harvests[0]
	where := "standard output"
	if d.Stream == "stderr" {
		where = "standard error"
	}
	v, err := h.found[i].result(d, where)
	if err != nil && h.found[i].count == 0 && h.objects.tooLong {
		err = fmt.Errorf("%w (a JSON object longer than %d MiB was passed over)", err, longObject>>20)
	}
	return v, err
}

// result is what was read, or why it is no value.
func (f *reading) result(d *experiment.Metric, where string) (float64, error) {
	switch {
	case f.count == 0 && d.Pattern != "":
		return math.NaN(), fmt.Errorf("nothing on %s matches %s", where, d.Pattern)
	case f.count == 0:
		return math.NaN(), fmt.Errorf("no JSON object on %s has the key %s", where, d.Key)
	case d.MatchOnly && f.count > 1:
		return math.NaN(), fmt.Errorf("%d matches of %s on %s, want only one", f.count, d.Pattern, where)
	case f.problem != "":
		return math.NaN(), errors.New(f.problem)
	}
	return f.value, nil
}

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

// fromSamples reduces the samples of all clients together.
func (m *taken) fromSamples(d *experiment.Metric) (float64, error) {
	var xs []float64
	for _, h := range m.harvests {
		if h.samples.problem != "" {
			return math.NaN(), errors.New(h.samples.problem)
		}
		more, err := h.samples.values(d, m.r.samples, m.env)
		if err != nil {
			return math.NaN(), err
		}
		xs = append(xs, more...)
	}
	if len(xs) == 0 {
		what := "the key " + d.Key
		if d.Formula != nil {
			what = "what the formula needs"
		}
		return math.NaN(), fmt.Errorf("no sample has %s", what)
	}
	return reduceSamples(d.Reduce, xs)
}

// invalid is the first condition that does not hold, with the values of its
// names; empty: all hold.
func (m *taken) invalid() string {
	for _, f := range m.r.x.Valid {
		v, err := f.Eval(m.lookup)
		switch {
		case err != nil:
			return f.String() + ": " + err.Error()
		case v.Kind != expr.KindBool:
			return f.String() + " is no condition"
		case !v.Bool:
			return f.String() + " does not hold: " + m.valuesOf(f)
		}
	}
	return ""
}

// valuesOf lists the names of a formula with their values.
func (m *taken) valuesOf(f experiment.Formula) string {
	var parts []string
	for _, n := range f.Names() {
		if v, ok := m.lookup(n.Name); ok {
			parts = append(parts, n.Name+" = "+v.Text)
		}
	}
	slices.Sort(parts)
	return strings.Join(slices.Compact(parts), ", ")
}
