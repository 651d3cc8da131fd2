package session

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// startedLayout has fixed digits, to the millisecond: the finest that every
// reader of CSV takes.
const startedLayout = "2006-01-02T15:04:05.000Z"

// line builds rows of CSV: RFC 4180 with "\n", UTF-8, cells quoted only
// where they must be.
type line struct {
	buf []byte
	in  bool // within a row: the next cell needs a comma
}

func (l *line) comma() {
	if l.in {
		l.buf = append(l.buf, ',')
	}
	l.in = true
}

func (l *line) end() {
	l.buf = append(l.buf, '\n')
	l.in = false
}

// text adds a cell of any text. Bytes that are no UTF-8 become U+FFFD.
func (l *line) text(s string) {
	l.comma()
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !needsQuotes(s) {
		l.buf = append(l.buf, s...)
		return
	}
	l.buf = append(l.buf, '"')
	for i := range len(s) {
		if s[i] == '"' {
			l.buf = append(l.buf, '"')
		}
		l.buf = append(l.buf, s[i])
	}
	l.buf = append(l.buf, '"')
}

// free adds a cell of a person's or a program's own text.
func (l *line) free(s string) { l.text(Guarded(s)) }

// needsQuotes: what RFC 4180 demands, all control characters, and blanks at
// the ends, which some readers drop.
func needsQuotes(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == ',' || c == 0x7f {
			return true
		}
	}
	return s != "" && (s[0] == ' ' || s[len(s)-1] == ' ')
}

// word adds a cell that is known to need no quotes.
func (l *line) word(s string) {
	l.comma()
	l.buf = append(l.buf, s...)
}

func (l *line) int(n int64) {
	l.comma()
	l.buf = strconv.AppendInt(l.buf, n, 10)
}

// number adds the shortest decimal that reads back as x, without an exponent
// from 1e-6 to below 1e21. NaN and infinities are an empty cell: missing.
func (l *line) number(x float64) {
	l.comma()
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return
	}
	if whole := int64(x); math.Abs(x) < 1<<53 && float64(whole) == x && (whole != 0 || !math.Signbit(x)) {
		l.buf = strconv.AppendInt(l.buf, whole, 10)
		return
	}
	form := byte('f')
	if size := math.Abs(x); size != 0 && (size < 1e-6 || size >= 1e21) {
		form = 'e'
	}
	l.buf = strconv.AppendFloat(l.buf, x, form, -1, 64)
}

func (l *line) time(t time.Time) {
	l.comma()
	l.buf = t.UTC().AppendFormat(l.buf, startedLayout)
}

func (l *line) header(columns []column) {
	for _, c := range columns {
		l.text(c.Name)
	}
	l.end()
}

// planned adds the cells of plan.csv that follow the trial's number.
func (l *line) planned(p *Planned) {
	l.text(p.Phase)
	l.int(int64(p.Block))
	l.int(int64(p.Plot))
	l.int(int64(p.Position))
	l.int(int64(p.Treatment))
	l.text(p.Control)
	for _, level := range p.Levels {
		l.free(level)
	}
}

// row adds a row of trials.csv.
func (l *line) row(r *Row) {
	l.word(r.Session)
	l.word(r.Machine)
	l.int(int64(r.Trial))
	l.int(int64(r.Attempt))
	l.int(int64(r.Part))
	l.planned(&r.Planned)
	l.time(r.Started)
	l.number(r.Duration)
	l.word(r.Status)
	l.free(r.Reason)
	if r.Exit < 0 {
		l.word("")
	} else {
		l.int(int64(r.Exit))
	}
	l.text(r.Signal)
	l.int(r.StdoutBytes)
	l.int(r.StderrBytes)
	l.numbers(r.Metrics)
	s := &r.State
	for _, x := range [...]float64{s.Load1, s.ForeignCPU, s.MHz, s.TempC, s.Throttled, s.QuietS} {
		l.number(x)
	}
	l.end()
}

func (l *line) numbers(list []float64) {
	for _, x := range list {
		l.number(x)
	}
}

// client adds a row of clients.csv.
func (l *line) client(session string, c *Client) {
	l.word(session)
	l.int(int64(c.Trial))
	l.int(int64(c.Attempt))
	l.int(int64(c.Client))
	l.word(c.Clock)
	l.int(c.StartNS)
	l.int(c.FinishNS)
	l.numbers(c.Values)
	l.end()
}

// sample adds a row of samples.csv.
func (l *line) sample(session string, s *Sample) {
	l.word(session)
	l.int(int64(s.Trial))
	l.int(int64(s.Attempt))
	l.int(int64(s.Client))
	l.int(int64(s.Index))
	l.numbers(s.Values)
	l.end()
}

// planText is plan.csv.
func planText(info *Info, plan []Planned) []byte {
	var l line
	l.header(planLayout(info))
	for i := range plan {
		l.int(int64(plan[i].Trial))
		l.planned(&plan[i])
		l.end()
	}
	return l.buf
}
