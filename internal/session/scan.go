package session

import (
	"bytes"
	"unicode/utf8"
)

// scanner reads rows of the CSV files that this package wrote. It is strict:
// what line would not have written is a fault.
type scanner struct {
	data  []byte
	at    int      // offset of the next row
	line  int      // line of the next row, from 1
	cells [][]byte // of the last row, without quotes; valid until the next
}

func newScanner(data []byte) *scanner { return &scanner{data: data, line: 1} }

// fault is why a row cannot be read. torn says that it is the last of the
// file and lacks its line end: the write was cut off, and even what looks
// whole cannot be trusted. open says that a quote in it is never closed.
type fault struct {
	torn, open bool
	text       string
}

// next reads a row. It is false at the end of the file and where there is a
// fault; the scanner then stays before that row.
func (s *scanner) next() (bool, *fault) {
	if s.at == len(s.data) {
		return false, nil
	}
	end, f := s.split()
	if f != nil {
		f.torn = f.torn || bytes.IndexByte(s.data[s.at:], '\n') < 0
		return false, f
	}
	row := s.data[s.at:end]
	if !utf8.Valid(row) {
		return false, &fault{text: "the row is not UTF-8"}
	}
	s.line += bytes.Count(row, []byte{'\n'})
	s.at = end
	return true, nil
}

// split cuts the row at s.at into cells and is the offset behind it.
func (s *scanner) split() (int, *fault) {
	s.cells = s.cells[:0]
	for i := s.at; ; i++ {
		cell, end, f := s.cell(i)
		switch {
		case f != nil:
			return 0, f
		case end == len(s.data):
			return 0, &fault{torn: true, text: "the last row has no line end"}
		}
		s.cells = append(s.cells, cell)
		switch s.data[end] {
		case '\n':
			return end + 1, nil
		case ',':
			i = end
		default:
			return 0, badByte(s.data[end])
		}
	}
}

// cell is the cell that starts at i, and the offset of what ends it.
func (s *scanner) cell(i int) ([]byte, int, *fault) {
	if i < len(s.data) && s.data[i] == '"' {
		return s.quoted(i + 1)
	}
	end := i
	for end < len(s.data) && s.data[end] != ',' && s.data[end] >= ' ' && s.data[end] != '"' && s.data[end] != 0x7f {
		end++
	}
	return s.data[i:end:end], end, nil
}

func (s *scanner) quoted(start int) ([]byte, int, *fault) {
	for end := start; ; end += 2 {
		n := bytes.IndexByte(s.data[end:], '"')
		if n < 0 {
			return nil, 0, &fault{torn: true, open: true, text: "a quote is not closed"}
		}
		end += n
		if end+1 == len(s.data) || s.data[end+1] != '"' {
			return bytes.ReplaceAll(s.data[start:end], []byte(`""`), []byte(`"`)), end + 1, nil
		}
	}
}

// badByte is the fault of a byte where a cell should have ended.
func badByte(b byte) *fault {
	switch {
	case b == '\r':
		return &fault{text: `the line ends with \r\n: data must be kept byte for byte (.gitattributes: data/** -text)`}
	case b == '"':
		return &fault{text: "there is a quote inside a cell"}
	case b < ' ' || b == 0x7f:
		return &fault{text: "there is a control character outside of quotes"}
	}
	return &fault{text: "there is text behind a closing quote"}
}
