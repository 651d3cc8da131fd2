package runner

import (
	"bytes"
	"slices"
	"strings"
	"time"
)

const (
	chunk     = 64 << 10 // read at once; a pipe holds as much
	keptHead  = 32 << 10 // of each output stream, for attempts that are not ok
	keptTail  = 32 << 10
	spoolRoom = 4 << 20 // read but not yet scanned, over all streams of an attempt
)

// stream takes one output stream of one process. While the process runs it
// only counts and spools, so that nothing else competes with the trial; lines
// are scanned after the end, or when the spool is full. Memory is bounded
// whatever the process writes.
type stream struct {
	bytes int64   // taken so far
	spool []byte  // taken, not yet scanned
	room  int     // how much the spool may hold
	marks []mark  // when what was taken, where timed
	timed bool    // remember times
	lines *lines  // nil: nobody reads lines
	kept  capture // head and tail
}

// mark says that all bytes up to end had been read at a moment.
type mark struct{ end, ns int64 }

// reset makes the stream ready for the next process, keeping its memory.
func (s *stream) reset(room int, timed bool, take func(line []byte, end int64)) {
	s.bytes, s.spool, s.marks = 0, s.spool[:0], s.marks[:0]
	s.room, s.timed, s.lines = max(room, 2*chunk), timed, nil
	s.kept.reset()
	if take != nil {
		s.lines = &lines{take: take}
	}
}

// space is where the next read goes; there is always some after flush.
func (s *stream) space() []byte {
	if cap(s.spool)-len(s.spool) < chunk {
		s.spool = slices.Grow(s.spool, chunk)
	}
	return s.spool[len(s.spool) : len(s.spool)+chunk]
}

// took says that a read put n bytes into space.
func (s *stream) took(n int, now int64) {
	s.spool = s.spool[:len(s.spool)+n]
	s.bytes += int64(n)
	if s.timed {
		s.marks = append(s.marks, mark{s.bytes, now})
	}
}

// full says that flush must come before the next read.
func (s *stream) full() bool { return len(s.spool)+chunk > s.room }

// flush scans what is spooled, piece by piece. Between keeps an eye on the
// process meanwhile; nil where there is no need.
func (s *stream) flush(between func()) {
	for piece := range slices.Chunk(s.spool, chunk) {
		s.kept.take(piece)
		if s.lines != nil {
			s.lines.feed(piece)
		}
		if between != nil {
			between()
		}
	}
	s.spool, s.marks = s.spool[:0], s.marks[:0]
}

// finish scans the rest; a last line without a line end counts as a line.
func (s *stream) finish() {
	s.flush(nil)
	if s.lines != nil {
		s.lines.end()
	}
}

// readAt is when the byte before an offset had been read; 0 where the stream
// is not timed. It is known for what is being flushed.
func (s *stream) readAt(end int64) int64 {
	i, _ := slices.BinarySearchFunc(s.marks, end, func(m mark, end int64) int { return int(min(max(m.end-end, -1), 1)) })
	if i == len(s.marks) {
		return 0
	}
	return s.marks[i].ns
}

// capture keeps the first and the last bytes of a stream.
type capture struct {
	head, tail []byte
	cut        int64 // bytes between them that were dropped
}

func (c *capture) reset() { c.head, c.tail, c.cut = c.head[:0], c.tail[:0], 0 }

func (c *capture) take(b []byte) {
	n := min(len(b), keptHead-len(c.head))
	c.head = append(c.head, b[:n]...)
	c.tail = append(c.tail, b[n:]...)
	if extra := len(c.tail) - keptTail; extra > chunk {
		c.cut += int64(extra)
		c.tail = slices.Delete(c.tail, 0, extra)
	}
}

// text is a copy of what was kept, with a line that says where and how much
// is missing.
func (c *capture) text() []byte {
	tail, cut := c.tail, c.cut
	if extra := len(tail) - keptTail; extra > 0 {
		tail, cut = tail[extra:], cut+int64(extra)
	}
	if cut == 0 {
		return slices.Concat(c.head, tail)
	}
	return slices.Concat(c.head, []byte("\n[fieldbook: "+itoa(cut)+" bytes cut here]\n"), tail)
}

// lastLine is the last line that is not blank, shortened, for a message.
func (c *capture) lastLine() string {
	text := bytes.TrimSpace(slices.Concat(c.head, c.tail))
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		text = text[i+1:]
	}
	return shorten(strings.ToValidUTF8(strings.TrimSpace(string(text)), "\uFFFD"), 200)
}

// lastLines is the end of what was kept, for the message of a set-up command
// that failed.
func (c *capture) lastLines() string {
	all := strings.Split(strings.ToValidUTF8(strings.TrimSpace(string(slices.Concat(c.head, c.tail))), "\uFFFD"), "\n")
	all = all[max(0, len(all)-15):]
	for i, l := range all {
		all[i] = shorten(l, 300)
	}
	return strings.Join(all, "\n")
}

// shorten cuts a text after max characters.
func shorten(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most]) + "…"
}

func seconds(ns int64) float64 { return time.Duration(ns).Seconds() }
