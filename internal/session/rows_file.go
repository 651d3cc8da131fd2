package session

import (
	"bytes"
	"fmt"
	"path/filepath"
)

var (
	knownStatuses = []string{OK, Invalid, Failed, Timeout, Interrupted, Skipped}
	knownClocks   = []string{"workload", "runner"}
)

// rowsFile is what trials.csv holds. Of a file whose last row has no line
// end, torn is that row, tornLine its line, and size where it begins.
type rowsFile struct {
	rows     []Row
	size     int64
	torn     []byte
	tornLine int
	sums     *sums // nil: the session is sealed
}

// readRows is trials.csv of the folder. A torn last row is not read and no
// error; anything else that is wrong is, with its line. Rows of a session that
// is not sealed are held to their checksums.
func readRows(dir string, info *Info, plan []Planned, sealed bool) (*rowsFile, error) {
	path := filepath.Join(dir, trialsName)
	text, err := readPlain(path)
	if err != nil {
		return nil, err
	}
	s := newScanner(text)
	r := rowReader{fields: fields{layout: trialLayout(info)}, info: info, plan: plan}
	if err := readHeader(path, s, r.layout); err != nil {
		return nil, err
	}
	r.rows = make([]Row, 0, bytes.Count(text[s.at:], []byte{'\n'}))
	if !sealed {
		if r.sums, err = readSums(dir); err != nil {
			return nil, err
		}
	}
	for {
		at, from := s.line, s.at
		more, fault := s.next()
		if fault != nil && fault.torn && !holdsRows(text[s.at:], info.Session) {
			return &rowsFile{r.rows, int64(s.at), bytes.Clone(text[s.at:]), at, r.sums}, nil
		}
		if fault != nil {
			return nil, problem(path, at, fault.text)
		}
		if !more {
			return &rowsFile{rows: r.rows, size: int64(s.at), sums: r.sums}, nil
		}
		wrong := r.add(s.cells)
		if wrong == "" && r.sums != nil {
			wrong = r.sums.hold(text[from:s.at])
		}
		if wrong != "" {
			return nil, problem(path, at, wrong)
		}
	}
}

// holdsRows says whether what looks like one torn row swallowed whole rows,
// as it does behind a damaged quote: each row begins with the session's id.
func holdsRows(torn []byte, session string) bool {
	return bytes.Contains(torn, []byte("\n"+session+","))
}

// rowReader reads rows one after the other and holds each against the plan
// and the row before it.
type rowReader struct {
	fields
	info *Info
	plan []Planned
	rows []Row
	last mark
	sums *sums // nil: the rows are held to the seal
	// metrics is memory for the metrics of rows to come, so that not each
	// row asks for its own.
	metrics []float64
}

// add reads a row; it says what is wrong with it, or nothing.
func (r *rowReader) add(cells [][]byte) string {
	r.start(cells)
	if r.bad != "" {
		return r.bad
	}
	var row Row
	r.same(r.info.Session)
	r.same(r.info.Machine)
	row.Trial, row.Attempt, row.Part = r.int(), r.int(), r.int()
	if text := r.misplaced(&row); text != "" {
		return text
	}
	row.Session, row.Machine = r.info.Session, r.info.Machine
	row.Planned = r.plan[row.Trial-1]
	r.samePlanned(&row.Planned)
	r.outcome(&row)
	if r.bad != "" {
		return r.bad
	}
	r.last = markOf(&row)
	r.rows = append(r.rows, row)
	return ""
}

// misplaced holds trial, attempt and part against plan and row before.
func (r *rowReader) misplaced(row *Row) string {
	if r.bad != "" {
		return r.bad
	}
	before := 1
	if n := len(r.rows); n > 0 {
		before = r.rows[n-1].Part
	}
	switch {
	case row.Trial < 1 || row.Trial > len(r.plan):
		return fmt.Sprintf("trial %d is not in the plan of %d trials", row.Trial, len(r.plan))
	case row.Part < before || row.Part > len(r.info.Parts):
		return fmt.Sprintf("part is %d, want %d to %d", row.Part, before, len(r.info.Parts))
	}
	return r.last.follow(row.Trial, row.Attempt)
}

// samePlanned wants the cells to repeat the row of plan.csv.
func (r *rowReader) samePlanned(p *Planned) {
	r.same(p.Phase)
	for _, want := range [...]int{p.Block, p.Plot, p.Position, p.Treatment} {
		if n := r.int(); n != want {
			r.fail(r.cells[r.at-1], fmt.Sprintf("%d as in %s", want, planName))
		}
	}
	r.same(p.Control)
	for _, level := range p.Levels {
		r.same(Guarded(level))
	}
}

// outcome reads the cells from started to the end of the row.
func (r *rowReader) outcome(row *Row) {
	row.Started, row.Duration, row.Status = r.time(), r.number(), r.word(knownStatuses)
	row.Reason, row.Exit, row.Signal = r.free(), r.exit(), r.text()
	row.StdoutBytes, row.StderrBytes = r.int64(), r.int64()
	row.Metrics = r.room(len(r.info.Metrics))
	r.numbers(row.Metrics)
	row.State = State{
		Load1: r.number(), ForeignCPU: r.number(), MHz: r.number(),
		TempC: r.number(), Throttled: r.number(), QuietS: r.number(),
	}
}

// room is a slice of n numbers with a capacity of its own.
func (r *rowReader) room(n int) []float64 {
	if len(r.metrics) < n {
		r.metrics = make([]float64, 256*n)
	}
	list := r.metrics[:n:n]
	r.metrics = r.metrics[n:]
	return list
}
