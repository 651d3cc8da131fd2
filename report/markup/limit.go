package markup

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// What a writeup has at most, of things whose work grows with their square.
const (
	mostMarks       = 1000      // in one paragraph, heading or cell of a table: * _ ~ ` [ ] < {
	mostFootnotes   = 1000      // in all
	mostDefinitions = 1000      // of links, in one paragraph
	mostCells       = 500_000   // of all tables: a row that is shorter than the head is filled up
	mostLines       = 2_000_000 // that open blocks are shown, one for each block
	mostTargets     = 4 << 20   // bytes of what all links go to and of their titles
)

// tally counts what the limits are for.
type tally struct {
	block     ast.Node    // the one that marks are counted in
	at        int         // the offset of its last mark
	marks     int         // so far
	ticks     map[int]int // by length, where its last run of backticks begins
	footnotes int
	cells     int
	lines     int // shown to open blocks
}

var tallyKey = parser.NewContextKey()

func tallied(pc parser.Context) *tally {
	return pc.ComputeIfAbsent(tallyKey, func() any { return &tally{} }).(*tally)
}

// measured reads no more than mostMarks marks in one block.
type measured struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (m measured) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	t := tallied(pc)
	if t.block != parent {
		*t = tally{block: parent, at: -1, footnotes: t.footnotes, cells: t.cells, lines: t.lines}
	}
	_, at := block.Position()
	if at.Start != t.at { // else another parser looked at it
		t.at = at.Start
		t.marks++
	}
	if t.marks <= mostMarks {
		return m.InlineParser.Parse(parent, block, pc)
	}
	tooMuch(pc, flaw{at.Start, fmt.Sprintf("the paragraph has more than %d marks such as *, [, ` and <", mostMarks), "split it"})
	return nil
}

// lastTicks is where the last run of so many backticks begins in a block; -1
// where there is none.
func lastTicks(block ast.Node, src []byte, n int, pc parser.Context) int {
	t := tallied(pc)
	if t.ticks == nil {
		t.ticks = map[int]int{}
		for _, seg := range block.Lines().Sliced(0, block.Lines().Len()) {
			line := src[seg.Start:seg.Stop]
			for i := bytes.IndexByte(line, '`'); i >= 0 && i < len(line); {
				length := len(line[i:]) - len(bytes.TrimLeft(line[i:], "`"))
				t.ticks[length] = seg.Start + i
				next := bytes.IndexByte(line[i+length:], '`')
				if next < 0 {
					break
				}
				i += length + next
			}
		}
	}
	if at, ok := t.ticks[n]; ok {
		return at
	}
	return -1
}

// ticked looks for the end of a span of code only where there is one.
type ticked struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (p ticked) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, at := block.PeekLine()
	n := len(line) - len(bytes.TrimLeft(line, "`"))
	if lastTicks(parent, block.Source(), n, pc) > at.Start {
		return p.InlineParser.Parse(parent, block, pc)
	}
	block.Advance(n)
	return ast.NewTextSegment(at.WithStop(at.Start + n))
}

// closingMeasured is measured for a parser that has to know where a block ends.
type closingMeasured struct {
	measured
	parser.CloseBlocker
}

// measure gives inline parsers their limit.
func measure(list []util.PrioritizedValue) []util.PrioritizedValue {
	for i, p := range list {
		m := measured{p.Value.(parser.InlineParser)}
		if m.InlineParser == parser.NewCodeSpanParser() {
			m.InlineParser = ticked(m)
		}
		list[i].Value = m
		if c, ok := p.Value.(parser.CloseBlocker); ok {
			list[i].Value = closingMeasured{m, c}
		}
	}
	return list
}

// fewDefinitions reads the definitions of links.
type fewDefinitions struct{}

func (fewDefinitions) Transform(p *ast.Paragraph, reader text.Reader, pc parser.Context) {
	n := 0
	for _, seg := range p.Lines().Sliced(0, p.Lines().Len()) {
		if bytes.HasPrefix(bytes.TrimLeft(seg.Value(reader.Source()), " "), []byte("[")) {
			n++
		}
	}
	if n > mostDefinitions {
		tooMuch(pc, flaw{p.Lines().At(0).Start, fmt.Sprintf("%d lines that define links follow one another; at most %d", n, mostDefinitions), "put a blank line between them"})
		return
	}
	parser.LinkReferenceParagraphTransformer.Transform(p, reader, pc)
}

// fewCells reads tables.
type fewCells struct{ parser.ParagraphTransformer }

func (f fewCells) Transform(p *ast.Paragraph, reader text.Reader, pc parser.Context) {
	columns := 0
	for _, seg := range p.Lines().Sliced(0, p.Lines().Len()) {
		if line := seg.Value(reader.Source()); len(bytes.Trim(line, " \t\n|:-")) == 0 {
			columns = max(columns, bytes.Count(line, []byte("|"))+1)
		}
	}
	t := tallied(pc)
	if t.cells+columns*p.Lines().Len() > mostCells {
		tooMuch(pc, flaw{p.Lines().At(0).Start, fmt.Sprintf("the tables up to this one have more than %d cells", mostCells), ""})
		return
	}
	t.cells += columns * p.Lines().Len()
	f.ParagraphTransformer.Transform(p, reader, pc)
}

// bars makes | of \| in the code within cells of tables.
type bars struct{}

func (bars) Transform(doc *ast.Document, r text.Reader, _ parser.Context) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if _, cell := n.(*extast.TableCell); !cell || !entering {
			return ast.WalkContinue, nil
		}
		_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if n.Kind() == ast.KindCodeSpan && entering {
				takeBars(n, r.Source())
			}
			return ast.WalkContinue, nil
		})
		return ast.WalkSkipChildren, nil
	})
}

// takeBars cuts the text of a span of code before each bar.
func takeBars(span ast.Node, src []byte) {
	for c := span.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok {
			continue
		}
		i := bytes.Index(t.Segment.Value(src), []byte(`\|`))
		if i < 0 {
			continue
		}
		at := t.Segment.Start + i
		rest := ast.NewRawTextSegment(t.Segment.WithStart(at + 1))
		before := ast.NewRawTextSegment(t.Segment.WithStop(at))
		span.ReplaceChild(span, t, before)
		span.InsertAfter(span, before, rest)
		c = before
	}
}

// tables reads tables.
func tables() []parser.Option {
	return []parser.Option{
		parser.WithParagraphTransformers(util.Prioritized(fewCells{extension.NewTableParagraphTransformer()}, 200)),
		parser.WithASTTransformers(util.Prioritized(bars{}, 0)),
	}
}
