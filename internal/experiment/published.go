package experiment

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
)

// PublishedRow is one number of an earlier study. Levels are by factor; a
// factor that the study does not state is absent.
type PublishedRow struct {
	Machine   string
	Levels    map[string]string
	Metric    string
	Value     float64
	Unit      string
	Aggregate string // "value", "mean" or "sum"
	N         int    // runs behind the number; 0: not stated
	Note      string
	Line      int // in the file
}

// publishedColumns are the columns of a file of published numbers besides
// the factors. A file has at least metric, value and unit.
var publishedColumns = []string{"machine", "metric", "value", "unit", "aggregate", "n", "note"}

// ReadPublished reads a CSV file of published numbers and checks it against
// the experiment. file is the path as messages show it. A row whose value is
// empty is left out with a warning: nothing is made up for it. Where the list
// has errors there are no rows.
func ReadPublished(file string, src []byte, x *Experiment) ([]PublishedRow, diag.List) {
	p := &publishedReader{file: file, x: x, first: map[string]int{}}
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if i := badText(src); i >= 0 {
		p.Errorf(diag.Pos{File: file, Line: 1 + bytes.Count(src[:i], []byte("\n"))}, "the file is not UTF-8 text")
		p.Hint("save it as UTF-8")
		return nil, p.List
	}
	p.lines = strings.Split(string(src), "\n")
	p.read(src)
	p.checkMachines()
	if p.Failed() {
		return nil, p.Sorted()
	}
	return p.rows, p.Sorted()
}

// badText is the place of a byte that no UTF-8 text has; -1 where there is none.
func badText(src []byte) int {
	if i := bytes.IndexByte(src, 0); i >= 0 {
		return i
	}
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

type publishedReader struct {
	file  string
	x     *Experiment
	lines []string
	rows  []PublishedRow
	first map[string]int // what a row is about -> its line
	diag.List
}

// read reads the table. Semicolons between columns are refused, but such a
// file is still read on, since its numbers are probably written in another
// way, too, and are worth a message each.
func (p *publishedReader) read(src []byte) {
	table := csv.NewReader(bytes.NewReader(src))
	table.FieldsPerRecord = -1
	header, _, _ := strings.Cut(string(src), "\n")
	for _, sep := range []struct {
		sign rune
		name string
	}{{';', "semicolons"}, {'\t', "tabs"}} {
		if !strings.Contains(header, ",") && strings.ContainsRune(header, sep.sign) {
			p.Errorf(diag.Pos{File: p.file, Line: 1}, "the columns are separated by %s, want commas", sep.name)
			table.Comma = sep.sign
		}
	}
	names, err := table.Read()
	if err != nil {
		p.broken(err)
		return
	}
	columns := p.header(table, names)
	for {
		record, err := table.Read()
		if err == io.EOF {
			return
		}
		if err != nil {
			p.broken(err)
			return
		}
		p.row(table, columns, record)
	}
}

// broken reports what is no CSV.
func (p *publishedReader) broken(err error) {
	if e, ok := errors.AsType[*csv.ParseError](err); ok {
		p.Errorf(p.pos(e.Line, e.Column), "cannot read the CSV: %s", e.Err)
		return
	}
	if err == io.EOF {
		p.Errorf(diag.Pos{File: p.file, Line: 1}, "the file is empty; want a header with metric, value and unit")
		return
	}
	p.Errorf(diag.Pos{File: p.file}, "cannot read the CSV: %s", err)
}

// pos turns a line and a byte column, from 1, into a place.
func (p *publishedReader) pos(line, column int) diag.Pos {
	at := diag.Pos{File: p.file, Line: line, Col: column}
	if line >= 1 && line <= len(p.lines) && column >= 1 && column <= len(p.lines[line-1])+1 {
		at.Col = utf8.RuneCountInString(p.lines[line-1][:column-1]) + 1
	}
	return at
}

// header checks the names of the columns.
func (p *publishedReader) header(table *csv.Reader, names []string) []string {
	known := append(p.x.factorNames(), publishedColumns...)
	columns := make([]string, len(names))
	for i, name := range names {
		columns[i] = strings.TrimSpace(name)
		at := p.pos(table.FieldPos(i))
		switch {
		case !contains(known, columns[i]):
			p.Errorf(at, "unknown column %q", short(columns[i]))
			p.Hint("%s", diag.Meant(columns[i], known))
		case contains(columns[:i], columns[i]):
			p.Errorf(at, "the column %q stands twice", columns[i])
		}
	}
	for _, name := range []string{"metric", "value", "unit"} {
		if !contains(columns, name) {
			p.Errorf(diag.Pos{File: p.file, Line: 1}, "there is no column %q", name)
		}
	}
	return columns
}

// cell is one value of a row with its place.
type cell struct {
	text string
	at   diag.Pos
}

// row reads one record.
func (p *publishedReader) row(table *csv.Reader, columns, record []string) {
	line, _ := table.FieldPos(0)
	at := diag.Pos{File: p.file, Line: line}
	if len(record) != len(columns) {
		p.Errorf(at, "the row has %d columns, the header has %d", len(record), len(columns))
		return
	}
	before := len(p.List)
	cells := map[string]cell{}
	for i, name := range columns {
		cells[name] = cell{record[i], p.pos(table.FieldPos(i))}
	}
	row := PublishedRow{Line: line, Machine: cells["machine"].text, Note: cells["note"].text, Levels: map[string]string{}}
	for _, f := range p.x.Factors {
		p.level(&row, &f, cells[f.Name])
	}
	p.metric(&row, cells)
	p.aggregate(&row, cells)
	value := p.value(&row, cells["value"])
	if len(p.List) == before && value {
		p.add(row, at)
	}
}

func (p *publishedReader) level(row *PublishedRow, f *Factor, c cell) {
	if c.text == "" {
		return
	}
	if !contains(f.LevelTexts(), c.text) {
		p.Errorf(c.at, "%q has no level %q", f.Name, short(c.text))
		p.Hint("%s", levelHint(f, c.text))
		return
	}
	row.Levels[f.Name] = c.text
}

// metric reads the metric and checks that the number can be brought into the
// metric's unit.
func (p *publishedReader) metric(row *PublishedRow, cells map[string]cell) {
	c, unit := cells["metric"], cells["unit"]
	if c.at.Line == 0 {
		return
	}
	m := p.x.Metric(c.text)
	if m == nil {
		p.Errorf(c.at, "unknown metric %q", short(c.text))
		p.Hint("%s", diag.Meant(c.text, p.x.metricNames()))
		return
	}
	row.Metric, row.Unit = m.Name, unit.text
	if unit.at.Line > 0 && !convertible(unit.text, m.Unit) {
		p.Errorf(unit.at, "the unit is %q, that of %q is %q", short(unit.text), m.Name, m.Unit)
		p.Hint("convert the number to %s", m.Unit)
	}
}

func (p *publishedReader) aggregate(row *PublishedRow, cells map[string]cell) {
	c, n := cells["aggregate"], cells["n"]
	if row.Aggregate = c.text; c.text == "" {
		row.Aggregate = "value"
	} else if !contains([]string{"value", "mean", "sum"}, c.text) {
		p.Errorf(c.at, "aggregate is %q, want value, mean or sum", short(c.text))
	}
	if n.text == "" {
		if row.Aggregate == "sum" {
			p.Errorf(c.at, "a sum wants n, the number of runs that are summed")
		}
		return
	}
	count, err := strconv.Atoi(n.text)
	if err != nil || count < 1 {
		p.Errorf(n.at, "n is %q, want a whole number, at least 1", short(n.text))
	}
	row.N = count
}

// value reads the number, and says whether there is one. Only plain decimals
// are read: a comma or a second point may mean two things.
func (p *publishedReader) value(row *PublishedRow, c cell) bool {
	if c.at.Line == 0 {
		return false
	}
	if c.text == "" {
		p.Warnf(c.at, "the value is missing; the row is left out")
		return false
	}
	number, ok := expr.IsNumber(c.text)
	if !ok {
		p.Errorf(c.at, "the value %q is no decimal number such as 1234.56", short(c.text))
		if strings.Contains(c.text, ",") || strings.Count(c.text, ".") > 1 {
			p.Hint("write a point before the decimals and nothing between the thousands")
		}
		return false
	}
	row.Value = number
	return true
}

// add keeps a row, unless another one states the same.
func (p *publishedReader) add(row PublishedRow, at diag.Pos) {
	var about []string
	for _, f := range p.x.Factors {
		about = append(about, fmt.Sprintf("%q", row.Levels[f.Name]))
	}
	key := strings.Join(append(about, fmt.Sprintf("%q %q", row.Machine, row.Metric)), " ")
	if line, again := p.first[key]; again {
		p.Errorf(at, "the row states the same as line %d", line)
		p.Hint("one number for each machine, treatment and metric")
		return
	}
	p.first[key] = row.Line
	p.rows = append(p.rows, row)
}

// checkMachines checks that the machines that claims name were published.
func (p *publishedReader) checkMachines() {
	var machines []string
	for _, row := range p.rows {
		if !contains(machines, row.Machine) {
			machines = append(machines, row.Machine)
		}
	}
	if p.Failed() {
		return
	}
	for _, c := range p.x.Claims {
		for _, m := range c.Machines {
			if !slices.Contains(machines, m) {
				p.Errorf(c.Pos, "the claim %q names the machine %q, which %s has not", c.Name, short(m), p.file)
				p.Hint("%s", diag.Meant(m, machines))
			}
		}
	}
}
