package runner

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"fieldbook/internal/session"
)

// object is a JSON object of a process's output, its members not yet decoded.
type object map[string]json.RawMessage

// objects finds the JSON objects in a stream of lines. An object begins a
// line, blanks apart, and may go over several; what follows it on its last
// line is ignored, as is everything that is no object.
type objects struct {
	take    func(o object, end int64)
	tooLong bool // an object was longer than longObject and passed over

	buf    []byte // lines of an object that is not complete
	depth  int
	quoted bool // the next byte lies in a string
	escape bool // the next byte is escaped
}

// line takes the next line; end is its offset in the stream.
func (s *objects) line(line []byte, end int64) {
	if s.depth == 0 {
		s.begin(line, end)
		return
	}
	s.goOn(line, end)
}

func (s *objects) begin(line []byte, end int64) {
	if !startsObject(line) {
		return
	}
	rest := bytes.TrimLeft(bytes.TrimLeft(line, " \t")[1:], " \t")
	if len(rest) > 0 && rest[0] != '"' && rest[0] != '}' {
		return
	}
	s.buf = s.buf[:0]
	s.goOn(bytes.TrimLeft(line, " \t"), end)
}

// goOn adds a line to the object that has begun. A string that is open at a
// line's end is no JSON: then this line may begin another object.
func (s *objects) goOn(line []byte, end int64) {
	n, done := s.scan(line)
	first := len(s.buf) == 0
	switch {
	case len(s.buf)+n > longObject:
		s.tooLong = true
		s.drop()
	case done:
		s.whole(append(s.buf, line[:n]...), end)
	case s.quoted:
		s.drop()
		if !first {
			s.begin(line, end)
		}
	default:
		s.buf = append(append(s.buf, line...), '\n')
	}
}

// scan follows braces and strings to the end of the object or of the line.
func (s *objects) scan(line []byte) (n int, done bool) {
	for i, c := range line {
		switch {
		case s.escape:
			s.escape = false
		case s.quoted:
			s.escape, s.quoted = c == '\\', c != '"'
		case c == '"':
			s.quoted = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth--; s.depth == 0 {
				return i + 1, true
			}
		}
	}
	return len(line), false
}

func (s *objects) whole(text []byte, end int64) {
	var o object
	if json.Unmarshal(text, &o) == nil {
		s.take(o, end)
	} else if loose := loosened(text); loose != nil && json.Unmarshal(loose, &o) == nil {
		s.take(o, end)
	} // what is no JSON after all is other output
	s.drop()
}

// loosened is the text of an object with the empty text for a member without
// a value, and a text for NaN and the infinities, as many languages print
// them: so the key is found, and the reason says what stood there. It is nil
// where the text has nothing of that kind.
func loosened(text []byte) []byte {
	var out []byte
	copied := 0
	replace := func(from, to int, by string) {
		out = append(append(out, text[copied:from]...), by...)
		copied = to
	}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			i = pastString(text, i)
		case c == ':':
			i = past(text, i+1, func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' })
			if i < len(text) && (text[i] == ',' || text[i] == '}') {
				replace(i, i, `""`)
			}
		case isLetter(c):
			from, to := i, past(text, i, isLetter)
			if from > 0 && (text[from-1] == '-' || text[from-1] == '+') {
				from--
			}
			if notFinite(string(text[from:to])) != "" {
				replace(from, to, `"`+string(text[from:to])+`"`)
			}
			i = to
		default:
			i++
		}
	}
	if out == nil {
		return nil
	}
	return append(out, text[copied:]...)
}

// pastString is the place after the string that begins at from.
func pastString(text []byte, from int) int {
	for i := from + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// past is the first place from which on a byte is not of the kind.
func past(text []byte, from int, kind func(byte) bool) int {
	for from < len(text) && kind(text[from]) {
		from++
	}
	return from
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func (s *objects) drop() {
	s.depth, s.quoted, s.escape = 0, false, false
	if s.buf = s.buf[:0]; cap(s.buf) > chunk {
		s.buf = nil
	}
}

// find follows a key such as a.b.0: members by name, elements by index. A
// member whose name itself has dots is found under its whole name.
func (o object) find(key string) (json.RawMessage, bool) {
	if v, ok := o[key]; ok {
		return v, true
	}
	for at := strings.IndexByte(key, '.'); at >= 0; {
		if v, ok := o[key[:at]]; ok {
			return findIn(v, key[at+1:])
		}
		next := strings.IndexByte(key[at+1:], '.')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return nil, false
}

func findIn(v json.RawMessage, key string) (json.RawMessage, bool) {
	var o object
	if json.Unmarshal(v, &o) == nil {
		return o.find(key)
	}
	var list []json.RawMessage
	if json.Unmarshal(v, &list) != nil {
		return nil, false
	}
	index, rest, more := strings.Cut(key, ".")
	i, err := strconv.Atoi(index)
	if err != nil || i < 0 || i >= len(list) {
		return nil, false
	}
	if !more {
		return list[i], true
	}
	return findIn(list[i], rest)
}

// numberOf reads a JSON number; problem says what stands there instead.
func numberOf(v json.RawMessage) (f float64, problem string) {
	if string(v) == "null" {
		return 0, session.ValueNull
	}
	if json.Unmarshal(v, &f) == nil {
		return f, ""
	}
	var text string
	if json.Unmarshal(v, &text) == nil {
		if problem := notFinite(text); problem != "" {
			return 0, problem
		}
	}
	return 0, shorten(string(v), 60) + " is not a number"
}
