package markup

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// KindDirective is the kind of a Directive.
var KindDirective = ast.NewNodeKind("Directive")

// Directive is a fence whose info is {name}: lines `:key: value`, then a
// body. The body's paragraphs are its children; those of {details} are blocks
// of any kind, directives too, whose fences are shorter than its own.
type Directive struct {
	ast.BaseBlock
	Name        string
	Argument    string // what follows {name} on the fence's line
	ArgumentAt  int
	Options     []Option
	Late        []Option // lines of its caption that read as options
	Start, Stop int      // byte offsets, from the opening fence to the end of the closing one
	fence       byte
	length      int
	indent      int
	closed      bool
	lines       []text.Segment
	// Of a directive that holds blocks: where its head ends, before the line
	// end, and where its closing fence begins; began: its head is over.
	headEnd, closeAt int
	began            bool
}

// holders are the directives that hold blocks of any kind.
var holders = map[string]bool{"details": true}

// Holds says whether the directive holds blocks of any kind.
func (d *Directive) Holds() bool { return holders[d.Name] }

// Option is one line `:key: value` of a directive.
type Option struct {
	Key, Value     string
	KeyAt, ValueAt int // byte offsets
}

// Kind implements ast.Node.
func (d *Directive) Kind() ast.NodeKind { return KindDirective }

// IsRaw implements ast.Node: the directive's own lines are no prose.
func (d *Directive) IsRaw() bool { return true }

// Dump implements ast.Node.
func (d *Directive) Dump(source []byte, level int) {
	ast.DumpHelper(d, source, level, map[string]string{"Name": d.Name, "Argument": d.Argument}, nil)
}

type directiveParser struct{}

func (directiveParser) Trigger() []byte             { return []byte{'`', '~'} }
func (directiveParser) CanInterruptParagraph() bool { return true }
func (directiveParser) CanAcceptIndentedLine() bool { return false }

var directiveHead = regexp.MustCompile("^(`{3,}|~{3,})[ \t]*\\{([A-Za-z][A-Za-z0-9_:.+-]*)\\}[ \t]*([^\n]*?)[ \t]*\n?$")

func (directiveParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := reader.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 {
		return nil, parser.NoChildren
	}
	m := directiveHead.FindSubmatchIndex(line[pos:])
	if m == nil || line[pos] == '`' && bytes.IndexByte(line[pos+m[6]:], '`') >= 0 {
		return nil, parser.NoChildren
	}
	at := seg.Start - seg.Padding + pos
	d := &Directive{
		Name: string(line[pos+m[4] : pos+m[5]]), Argument: string(line[pos+m[6] : pos+m[7]]), ArgumentAt: at + m[6],
		Start: at, Stop: seg.Stop, fence: line[pos], length: m[3] - m[2], indent: pos,
	}
	d.SetPos(at)
	if d.Holds() {
		d.headEnd, d.closeAt = endOfLine(reader.Source(), at), -1
		reader.AdvanceToEOL()
		return d, parser.HasChildren
	}
	return d, parser.NoChildren
}

func (directiveParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	d := node.(*Directive)
	line, seg := reader.PeekLine()
	if width, pos := util.IndentWidth(line, reader.LineOffset()); width < 4 && d.closes(line[pos:]) {
		d.closed, d.Stop, d.closeAt = true, seg.Stop, seg.Start-seg.Padding+pos
		reader.AdvanceToEOL()
		return parser.Close
	}
	if d.Holds() {
		return d.hold(line, seg, reader, pc)
	}
	skip := 0
	for skip < d.indent && skip < len(line) && line[skip] == ' ' {
		skip++
	}
	d.Stop = seg.Stop
	d.lines = append(d.lines, text.NewSegment(seg.Start+max(0, skip-seg.Padding), seg.Stop))
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// hold takes the lines of the head, and leaves those after it to the blocks
// that they belong to.
func (d *Directive) hold(line []byte, seg text.Segment, reader text.Reader, pc parser.Context) parser.State {
	d.Stop = seg.Stop
	switch {
	case d.began:
	case optionLine.Match(line):
		d.lines = []text.Segment{seg}
		d.readOptions(reader.Source(), pc)
		d.headEnd = endOfLine(reader.Source(), seg.Start)
		reader.AdvanceToEOL()
	case !util.IsBlank(line):
		d.began = true
	}
	skip := 0
	for skip < d.indent && skip < len(line) && line[skip] == ' ' && seg.Padding == 0 && d.began {
		skip++
	}
	reader.Advance(skip)
	return parser.Continue | parser.HasChildren
}

// endOfLine is where the line that holds an offset ends, before its newline.
func endOfLine(src []byte, off int) int {
	if i := bytes.IndexByte(src[off:], '\n'); i >= 0 {
		return off + i
	}
	return len(src)
}

// closes says whether a line is the closing fence.
func (d *Directive) closes(line []byte) bool {
	n := 0
	for n < len(line) && line[n] == d.fence {
		n++
	}
	return n >= d.length && util.IsBlank(line[n:])
}

func (directiveParser) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	d := node.(*Directive)
	if !d.closed {
		report(pc, flaw{d.Start, "the directive {" + d.Name + "} has no closing " + strings.Repeat(string(d.fence), d.length), ""})
	}
	for d.Stop > d.Start && reader.Source()[d.Stop-1] == '\n' {
		d.Stop--
	}
	if !d.Holds() {
		d.readBody(reader.Source(), d.readOptions(reader.Source(), pc))
	}
}

var optionLine = regexp.MustCompile(`^[ \t]*:([A-Za-z][A-Za-z0-9_-]*):(?:[ \t]+(.*?))?[ \t]*\n?$`)

// readOptions reads the lines before the body, and gives their number.
func (d *Directive) readOptions(src []byte, pc parser.Context) int {
	for i, seg := range d.lines {
		line := src[seg.Start:seg.Stop]
		o, ok := readOption(src, seg)
		switch {
		case ok:
			d.Options = append(d.Options, o)
		case len(bytes.TrimSpace(line)) == 0:
		case bytes.HasPrefix(bytes.TrimSpace(line), []byte(":")):
			off := seg.Start + bytes.IndexByte(line, ':')
			report(pc, flaw{off, "an option of {" + d.Name + "} is a line `:key: value`", ""})
		default:
			return i
		}
	}
	return len(d.lines)
}

// readOption reads one line `:key: value`.
func readOption(src []byte, seg text.Segment) (Option, bool) {
	line := src[seg.Start:seg.Stop]
	m := optionLine.FindSubmatchIndex(line)
	if m == nil {
		return Option{}, false
	}
	o := Option{Key: string(line[m[2]:m[3]]), KeyAt: seg.Start + m[2], ValueAt: seg.Start + m[1]}
	if m[4] >= 0 {
		o.Value, o.ValueAt = string(line[m[4]:m[5]]), seg.Start+m[4]
	}
	return o, true
}

// readBody makes the lines from the given one on into paragraphs.
func (d *Directive) readBody(src []byte, from int) {
	var p *ast.Paragraph
	for _, seg := range d.lines[from:] {
		if o, ok := readOption(src, seg); ok {
			d.Late = append(d.Late, o)
		}
		seg = seg.TrimLeftSpace(src)
		if seg.IsEmpty() || util.IsBlank(src[seg.Start:seg.Stop]) {
			p = nil
			continue
		}
		if p == nil {
			p = ast.NewParagraph()
			p.SetPos(seg.Start)
			d.AppendChild(d, p)
		}
		p.Lines().Append(seg)
	}
	for c := d.FirstChild(); c != nil; c = c.NextSibling() {
		last := c.Lines().Len() - 1
		seg := c.Lines().At(last)
		c.Lines().Set(last, seg.TrimRightSpace(src))
	}
}
