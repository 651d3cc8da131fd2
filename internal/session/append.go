package session

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// Append records one attempt. Session, machine, part and what the plan says
// of the trial are filled in from the session itself; metrics or a client's
// values that are nil are all missing. Clients, samples and outputs are
// written first and the row of trials.csv last: that row is the commit. After
// an error the session holds the attempt either wholly or not
// at all, in memory as well as for Continue; Append may be tried again unless
// it is said that the state on disk is unknown.
func (w *Writer) Append(r Record) error {
	if err := w.accept(&r); err != nil {
		return fmt.Errorf("session %s: %w", w.info.Session, err)
	}
	undo := w.sizes()
	outputs, err := w.appendDetails(&r)
	if err == nil {
		err = w.commit(&r.Row)
	}
	if err == nil {
		w.last = markOf(&r.Row)
		return nil
	}
	if w.broken == nil {
		w.rollBack(undo, outputs)
	}
	return fmt.Errorf("session %s, trial %d: %w", w.info.Session, r.Trial, err)
}

// accept checks a record against plan and order and completes it.
func (w *Writer) accept(r *Record) error {
	switch {
	case w.broken != nil:
		return fmt.Errorf("the state on disk is unknown since an earlier error (%w); continue the session anew", w.broken)
	case w.sealed:
		return errors.New("it is sealed")
	case r.Trial < 1 || r.Trial > len(w.plan):
		return fmt.Errorf("trial %d is not in the plan of %d trials", r.Trial, len(w.plan))
	}
	p := w.plan[r.Trial-1]
	switch {
	case r.Treatment != 0 && r.Treatment != p.Treatment:
		return fmt.Errorf("trial %d is planned for treatment %d, but its record is of treatment %d", r.Trial, p.Treatment, r.Treatment)
	case !slices.Contains(knownStatuses, r.Status):
		return fmt.Errorf("trial %d has status %q, want one of %q", r.Trial, r.Status, knownStatuses)
	case r.Metrics != nil && len(r.Metrics) != len(w.info.Metrics):
		return fmt.Errorf("trial %d has %d metrics, want %d", r.Trial, len(r.Metrics), len(w.info.Metrics))
	}
	if text := w.last.follow(r.Trial, r.Attempt); text != "" {
		return errors.New(text)
	}
	r.Planned, r.Session, r.Machine, r.Part = p, w.info.Session, w.info.Machine, w.part
	r.Metrics = orMissing(r.Metrics, len(w.info.Metrics))
	return checkDetails(w.info, r)
}

// orMissing is the values, or as many missing ones where there are none at
// all: an attempt that never started, a client that reported nothing.
func orMissing(values []float64, n int) []float64 {
	if values == nil && n > 0 {
		return slices.Repeat([]float64{math.NaN()}, n)
	}
	return values
}

// checkDetails wants each client and sample to have the declared columns.
func checkDetails(info *Info, r *Record) error {
	for i := range r.Clients {
		c := &r.Clients[i]
		c.Trial, c.Attempt = r.Trial, r.Attempt
		c.Values = orMissing(c.Values, len(info.ClientColumns))
		if len(c.Values) != len(info.ClientColumns) {
			return fmt.Errorf("trial %d: client %d has %d values, want %d", r.Trial, c.Client, len(c.Values), len(info.ClientColumns))
		}
		if !slices.Contains(knownClocks, c.Clock) {
			return fmt.Errorf("trial %d: client %d has clock %q, want one of %q", r.Trial, c.Client, c.Clock, knownClocks)
		}
	}
	for i := range r.Samples {
		if s := &r.Samples[i]; len(s.Values) != len(info.SampleColumns) {
			return fmt.Errorf("trial %d: sample %d has %d values, want %d", r.Trial, s.Index, len(s.Values), len(info.SampleColumns))
		}
	}
	for name := range r.Outputs {
		if !outputPattern.MatchString(name) {
			return fmt.Errorf("trial %d: %q cannot name an output", r.Trial, name)
		}
	}
	return nil
}

// outputPattern is what an output may be called, and its file in output/.
var outputPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,99}$`)

// outputFile is the file of an attempt's output.
func outputFile(trial, attempt int, name string) string {
	return fmt.Sprintf("%d-%d-%s.txt", trial, attempt, name)
}

// appendDetails writes clients, samples and outputs, durable where each
// attempt is, and is the paths of the outputs.
func (w *Writer) appendDetails(r *Record) ([]string, error) {
	if err := w.appendClients(r); err != nil {
		return nil, err
	}
	if err := w.appendSamples(r); err != nil {
		return nil, err
	}
	outputs, err := w.writeOutputs(r)
	if err == nil && w.opts.Sync == SyncTrial {
		err = w.sync(w.clients, w.samples)
	}
	return outputs, err
}

func (w *Writer) appendClients(r *Record) error {
	if len(r.Clients) == 0 {
		return nil
	}
	w.line.buf = w.line.buf[:0]
	if err := w.open(&w.clients, clientsName, clientLayout(w.info)); err != nil {
		return err
	}
	for i := range r.Clients {
		w.line.client(w.info.Session, &r.Clients[i])
	}
	return w.clients.write(w.line.buf)
}

// chunk is how much of an attempt's samples is written at once.
const chunk = 1 << 20

func (w *Writer) appendSamples(r *Record) error {
	if len(r.Samples) == 0 {
		return nil
	}
	w.line.buf = w.line.buf[:0]
	if err := w.open(&w.samples, samplesName, sampleLayout(w.info)); err != nil {
		return err
	}
	for i := range r.Samples {
		s := r.Samples[i]
		s.Trial, s.Attempt = r.Trial, r.Attempt
		w.line.sample(w.info.Session, &s)
		if len(w.line.buf) >= chunk {
			if err := w.samples.write(w.line.buf); err != nil {
				return err
			}
			w.line.buf = w.line.buf[:0]
		}
	}
	return w.samples.write(w.line.buf)
}

// open makes the file where this attempt is the first with rows for it, and
// puts the header into the buffer where the file is empty.
func (w *Writer) open(a **appender, name string, layout []column) error {
	if *a == nil {
		opened, err := openAppender(filepath.Join(w.dir, name))
		if err != nil {
			return err
		}
		*a = opened
	}
	if (*a).size == 0 {
		w.line.header(layout)
	}
	return nil
}

// writeOutputs writes the kept outputs of an attempt and is their paths.
func (w *Writer) writeOutputs(r *Record) (paths []string, err error) {
	if len(r.Outputs) == 0 {
		return nil, nil
	}
	durable := w.opts.Sync == SyncTrial
	dir := filepath.Join(w.dir, outputName)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(r.Outputs)) {
		path := filepath.Join(dir, outputFile(r.Trial, r.Attempt, name))
		paths = append(paths, path)
		if err := writeNew(path, r.Outputs[name], durable); err != nil {
			return paths, err
		}
	}
	if durable {
		err = errors.Join(syncDir(dir), syncDir(w.dir))
	}
	return paths, err
}

// commit writes the row of trials.csv, and its checksum before it.
func (w *Writer) commit(r *Row) error {
	w.line.buf = w.line.buf[:0]
	w.line.row(r)
	if err := w.sums.write(appendSum(w.sum[:0], w.line.buf)); err != nil {
		return err
	}
	if err := w.trials.write(w.line.buf); err != nil {
		return err
	}
	if w.opts.Sync == SyncTrial {
		return w.sync(w.trials)
	}
	if w.opts.Sync == SyncBlock && w.endsBlock(r.Trial) {
		return w.sync(w.clients, w.samples, w.trials)
	}
	return nil
}

// endsBlock says whether the plan leaves the block after this trial. Where
// there are no blocks, as many trials as there are treatments stand for one.
func (w *Writer) endsBlock(trial int) bool {
	if trial == len(w.plan) {
		return true
	}
	here, next := &w.plan[trial-1], &w.plan[trial]
	if here.Block == 0 {
		return here.Position%len(w.info.Treatments) == 0
	}
	return here.Block != next.Block || here.Phase != next.Phase
}

// sizes are those of clients.csv, samples.csv, trials.csv and its checksums.
type sizes struct{ clients, samples, trials, sums int64 }

func (w *Writer) sizes() sizes {
	s := sizes{trials: w.trials.size, sums: w.sums.size}
	if w.clients != nil {
		s.clients = w.clients.size
	}
	if w.samples != nil {
		s.samples = w.samples.size
	}
	return s
}

// rollBack takes the files back to where they were before an attempt. Where
// that fails too, Continue does it.
func (w *Writer) rollBack(to sizes, outputs []string) {
	err := errors.Join(undo(&w.clients, to.clients), undo(&w.samples, to.samples), w.trials.cutTo(to.trials), w.sums.cutTo(to.sums))
	for _, path := range outputs {
		if e := os.Remove(path); e != nil && !errors.Is(e, os.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	w.broken = err
}

// undo takes a file of details back to a size; one that this attempt made
// goes away.
func undo(a **appender, size int64) error {
	if *a == nil || size > 0 {
		return (*a).cutTo(size)
	}
	err := errors.Join((*a).close(), os.Remove((*a).path))
	*a = nil
	return err
}
