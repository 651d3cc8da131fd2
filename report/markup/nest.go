package markup

import (
	"fmt"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// mostNested is how many quotes, lists, footnotes and folded parts may stand
// within one another. Each line is shown to every block that is open, so that
// without a limit the work would grow with the square of the writeup.
const mostNested = 32

// limited opens no block within mostNested others.
type limited struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (l limited) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, at := reader.Position()
	n, state := l.BlockParser.Open(parent, reader, pc)
	if n != nil && n.Kind() == extast.KindFootnote {
		if t := tallied(pc); t.footnotes < mostFootnotes {
			t.footnotes++
		} else {
			tooMuch(pc, flaw{at.Start, fmt.Sprintf("the writeup has more than %d footnotes", mostFootnotes), ""})
			reader.SetPosition(line, at)
			return nil, parser.NoChildren
		}
	}
	if n == nil || !nests(n, state) || depth(parent) < mostNested {
		return n, state
	}
	reader.SetPosition(line, at)
	tooMuch(pc, flaw{at.Start + max(pc.BlockOffset(), 0), fmt.Sprintf("quotes, lists, footnotes and folded parts are nested %d deep; at most %d", mostNested+1, mostNested), ""})
	return nil, parser.NoChildren
}

// Continue implements parser.BlockParser. Once there were too many lines, it
// closes every block.
func (l limited) Continue(n ast.Node, reader text.Reader, pc parser.Context) parser.State {
	t := tallied(pc)
	if t.lines++; t.lines <= mostLines {
		return l.BlockParser.Continue(n, reader, pc)
	}
	_, at := reader.Position()
	tooMuch(pc, flaw{at.Start, fmt.Sprintf("too many lines stand within lists, quotes and other blocks: more than %d, a line counted for each block around it", mostLines), ""})
	return parser.Close
}

// nests says whether a block counts as one within another; an item of a list
// does with its list.
func nests(n ast.Node, state parser.State) bool {
	return state&parser.HasChildren != 0 && n.Kind() != ast.KindListItem
}

// depth is how many blocks a node and what holds it are that limited opened.
func depth(n ast.Node) int {
	d := 0
	for ; n != nil; n = n.Parent() {
		switch n.Kind() {
		case ast.KindBlockquote, ast.KindList, extast.KindFootnote, KindDirective:
			d++
		}
	}
	return d
}

// blockParsers are those of CommonMark and of footnotes, with the limit.
func blockParsers() []util.PrioritizedValue {
	list := append(parser.DefaultBlockParsers(), util.Prioritized(extension.NewFootnoteBlockParser(), 999),
		util.Prioritized(directiveParser{}, 690))
	for i, p := range list {
		list[i].Value = limited{p.Value.(parser.BlockParser)}
	}
	return list
}
