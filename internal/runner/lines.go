package runner

import (
	"bytes"
	"slices"
	"strconv"
)

const (
	// longLine is the longest line that is handed on whole, unless it may
	// be a JSON object. Of a longer one the first and the last lineEdge
	// bytes are handed on, as two lines: a pattern that matches across the
	// cut is not found.
	longLine = 1 << 20
	lineEdge = 64 << 10
	// longObject bounds a JSON object, over one line or several.
	longObject = 16 << 20
)

// lines cuts a stream into lines in bounded memory. Take gets each line
// without its line end, and the offset in the stream just after it; the line
// is valid only during the call.
type lines struct {
	take func(line []byte, end int64)
	buf  []byte // the line that has begun, or its end where it is long
	head []byte // the start of a long line; nil: the line is not long
	at   int64  // bytes fed
}

// feed takes the next bytes of the stream.
func (l *lines) feed(b []byte) {
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			l.at += int64(len(b))
			l.keep(b)
			return
		}
		l.at += int64(i + 1)
		if len(l.buf) == 0 && l.head == nil {
			l.take(trimCR(b[:i]), l.at)
		} else {
			l.keep(b[:i])
			l.emit()
		}
		b = b[i+1:]
	}
}

// end hands on a last line that has no line end.
func (l *lines) end() {
	if len(l.buf) > 0 || l.head != nil {
		l.emit()
	}
}

// keep adds to the line that has begun.
func (l *lines) keep(b []byte) {
	l.buf = append(l.buf, b...)
	if l.head == nil && (len(l.buf) <= longLine || startsObject(l.buf) && len(l.buf) <= longObject) {
		return
	}
	edge := l.buf[len(l.buf)-lineEdge:]
	switch {
	case l.head == nil:
		l.head = slices.Clone(l.buf[:lineEdge])
		l.buf = append(make([]byte, 0, 4*lineEdge), edge...) // the long array is let go
	case len(l.buf) > 2*lineEdge:
		l.buf = l.buf[:copy(l.buf, edge)]
	}
}

func (l *lines) emit() {
	if l.head != nil {
		l.take(l.head, l.at)
		l.buf = l.buf[max(0, len(l.buf)-lineEdge):]
	}
	l.take(trimCR(l.buf), l.at)
	l.buf, l.head = l.buf[:0], nil
}

// trimCR drops the carriage return of a line that ends in CR LF.
func trimCR(b []byte) []byte { return bytes.TrimSuffix(b, []byte("\r")) }

// startsObject says whether the first character that is not blank is a brace.
func startsObject(b []byte) bool {
	b = bytes.TrimLeft(b, " \t")
	return len(b) > 0 && b[0] == '{'
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
