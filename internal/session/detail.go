package session

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
)

// Clients yields the rows of clients.csv, in the order of trials.csv; none
// where there is no such file. Rows whose attempt has no row in trials.csv
// (yet) are passed over at the end of a session that is not sealed. An error
// ends the sequence.
func (s *Session) Clients() iter.Seq2[Client, error] {
	return func(yield func(Client, error) bool) {
		err := s.details(clientsName, clientLayout(&s.Info), func(f *fields) (more bool) {
			c := Client{Trial: f.int(), Attempt: f.int(), Client: f.int(), Clock: f.word(knownClocks), StartNS: f.int64(), FinishNS: f.int64()}
			c.Values = make([]float64, len(s.ClientColumns))
			f.numbers(c.Values)
			return f.bad != "" || yield(c, nil)
		})
		if err != nil {
			yield(Client{}, err)
		}
	}
}

// Samples yields the rows of samples.csv, compressed or not, as Clients does
// those of clients.csv. They are read as they are asked for, so that memory
// does not grow with their number. Values is used again for the next row:
// what is to be kept must be copied.
func (s *Session) Samples() iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		values := make([]float64, len(s.SampleColumns))
		err := s.details(samplesName, sampleLayout(&s.Info), func(f *fields) (more bool) {
			c := Sample{Trial: f.int(), Attempt: f.int(), Client: f.int(), Index: f.int(), Values: values}
			f.numbers(values)
			return f.bad != "" || yield(c, nil)
		})
		if err != nil {
			yield(Sample{}, err)
		}
	}
}

// details calls row for each row of a file that belongs to a recorded
// attempt, with the cells after the session's id still to be read.
func (s *Session) details(name string, layout []column, row func(*fields) (more bool)) error {
	d, err := openDetails(s.Dir, name, layout, &s.Info)
	if d == nil || err != nil {
		return err
	}
	defer d.close()
	at := 0 // of s.Rows
	for {
		trial, attempt, err := d.next()
		if err == errTorn && !s.Sealed || err == io.EOF {
			return nil
		}
		if err != nil {
			return d.place(err)
		}
		if at = advance(s.Rows, at, trial, attempt); at == len(s.Rows) {
			if s.Sealed {
				return d.place(notRecorded(trial, attempt))
			}
			return nil
		}
		if s.Rows[at].Trial != trial || s.Rows[at].Attempt != attempt {
			return d.place(notRecorded(trial, attempt))
		}
		more := row(&d.fields)
		if d.bad != "" {
			return d.place(errors.New(d.bad))
		}
		if !more {
			return nil
		}
	}
}

// advance is the first row from at on that is not before the attempt.
func advance(rows []Row, at, trial, attempt int) int {
	for at < len(rows) && (rows[at].Trial < trial || rows[at].Trial == trial && rows[at].Attempt < attempt) {
		at++
	}
	return at
}

func notRecorded(trial, attempt int) error {
	return fmt.Errorf("trial %d, attempt %d comes where it does not belong: %s does not have it there", trial, attempt, trialsName)
}

// detailReader reads clients.csv or samples.csv, whose cells are plain words
// and numbers, line by line.
type detailReader struct {
	fields
	path    string
	session []byte
	file    *os.File
	buf     *bufio.Reader
	line    int   // of the row read last
	end     int64 // where that row ends
}

// errTorn is a last line without line end.
var errTorn = errors.New("the last row has no line end")

// openDetails opens a file of details behind its header; nil where there is
// none.
func openDetails(dir, name string, layout []column, info *Info) (*detailReader, error) {
	path := filepath.Join(dir, name)
	file, err := openPlain(path)
	zipped := errors.Is(err, os.ErrNotExist)
	if zipped {
		path += ".gz"
		file, err = openPlain(path)
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d := &detailReader{fields: fields{layout: layout}, path: path, session: []byte(info.Session), file: file, buf: bufio.NewReaderSize(file, 1<<16)}
	if err := d.begin(zipped); err != nil {
		d.close()
		if err == io.EOF || err == errTorn {
			return nil, nil
		}
		return nil, d.place(err)
	}
	return d, nil
}

// begin reads the header. An empty file, or one whose header is torn, was
// cut off before the first row.
func (d *detailReader) begin(zipped bool) error {
	if zipped {
		z, err := gzip.NewReader(d.buf)
		if err != nil {
			return err
		}
		d.buf = bufio.NewReaderSize(z, 1<<16)
	}
	text, err := d.text()
	if err != nil {
		return err
	}
	var want line
	want.header(d.layout)
	if n := len(text); n > 0 && text[n-1] == '\r' {
		return errors.New(badByte('\r').text)
	}
	if string(text)+"\n" != string(want.buf) {
		return fmt.Errorf("the header is %s, want %s", shown(text), shown(want.buf[:len(want.buf)-1]))
	}
	return nil
}

func (d *detailReader) close() { d.file.Close() }

// place puts file and line before an error.
func (d *detailReader) place(err error) error { return problem(d.path, d.line, err.Error()) }

// text is the next line without its end.
func (d *detailReader) text() ([]byte, error) {
	d.line++
	text, err := d.buf.ReadSlice('\n')
	d.end += int64(len(text))
	switch {
	case err == io.EOF && len(text) > 0:
		return text, errTorn
	case err == bufio.ErrBufferFull:
		return nil, d.tooLong()
	case err != nil:
		return nil, err
	}
	return text[:len(text)-1], nil
}

// tooLong is the fault of a line that does not fit the buffer: torn where it
// has no end at all.
func (d *detailReader) tooLong() error {
	for {
		switch _, err := d.buf.ReadSlice('\n'); err {
		case bufio.ErrBufferFull:
		case io.EOF:
			return errTorn
		case nil:
			return errors.New("the line is too long")
		default:
			return err
		}
	}
}

// next splits the next row and is the trial and attempt that it is of, of a
// torn row too as far as they are whole. The cells behind the session's id
// are then there to be read.
func (d *detailReader) next() (trial, attempt int, err error) {
	text, err := d.text()
	if err == errTorn {
		trial, attempt = d.tornOf(text)
	}
	if err != nil {
		return trial, attempt, err
	}
	d.cells = d.cells[:0]
	for {
		comma := bytes.IndexByte(text, ',')
		if comma < 0 {
			break
		}
		d.cells = append(d.cells, text[:comma])
		text = text[comma+1:]
	}
	d.start(append(d.cells, text))
	if d.bad == "" && !bytes.Equal(d.fields.next(), d.session) {
		d.fail(d.cells[0], fmt.Sprintf("%q", d.session))
	}
	trial, attempt = d.int(), d.int()
	if d.bad != "" {
		return 0, 0, errors.New(d.bad)
	}
	d.at = 1
	return trial, attempt, nil
}

// tornOf is the trial and attempt of a torn row, 0 where it ends before them.
func (d *detailReader) tornOf(text []byte) (trial, attempt int) {
	cells := bytes.SplitN(text, []byte{','}, 4)
	if len(cells) < 4 {
		return 0, 0
	}
	t, _ := parseInt(cells[1])
	a, _ := parseInt(cells[2])
	return int(t), int(a)
}
