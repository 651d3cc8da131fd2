package markup

import (
	"bytes"
	"regexp"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// KindRole is the kind of a Role.
var KindRole = ast.NewNodeKind("Role")

// Role is {name}`body` inside prose. The body has its line breaks made blanks.
type Role struct {
	ast.BaseInline
	Name        string
	Body        string
	Start, Stop int // byte offsets of the whole role
	pieces      []piece
}

// piece says that from offset body of a role's body on, the bytes stand in
// the source from offset source on.
type piece struct{ body, source int }

// At is the byte offset in the source of an offset in the role's body.
func (r *Role) At(off int) int {
	return sourceOf(r.pieces, off, r.Start)
}

// sourceOf is where an offset of a text stands in the source, by the pieces of
// the text in their order; instead, where it stands before them.
func sourceOf(pieces []piece, off, instead int) int {
	i := sort.Search(len(pieces), func(i int) bool { return pieces[i].body > off })
	if i == 0 {
		return instead
	}
	return pieces[i-1].source + off - pieces[i-1].body
}

// InLink says whether the role stands within the text of a link.
func (r *Role) InLink() bool {
	for n := r.Parent(); n != nil; n = n.Parent() {
		if n.Kind() == ast.KindLink {
			return true
		}
	}
	return false
}

// Kind implements ast.Node.
func (r *Role) Kind() ast.NodeKind { return KindRole }

// Dump implements ast.Node.
func (r *Role) Dump(source []byte, level int) {
	ast.DumpHelper(r, source, level, map[string]string{"Name": r.Name, "Body": r.Body}, nil)
}

type roleParser struct{}

func (roleParser) Trigger() []byte { return []byte{'{'} }

var roleHead = regexp.MustCompile("^\\{([A-Za-z][A-Za-z0-9_:.+-]*)\\}(`+)")

// Parse reads a role, which may go over several lines of its paragraph, as a
// code span may.
func (roleParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, seg := block.PeekLine()
	m := roleHead.FindSubmatchIndex(line)
	if m == nil {
		return nil
	}
	r := &Role{Name: string(line[m[2]:m[3]]), Start: seg.Start}
	r.SetPos(seg.Start)
	ticks := m[5] - m[4]
	block.Advance(m[1])
	if lastTicks(parent, block.Source(), ticks, pc) <= seg.Start-seg.Padding+m[4] {
		report(pc, flaw{r.Start, "the role {" + r.Name + "} has no closing " + strings.Repeat("`", ticks), ""})
		return nil
	}
	var b strings.Builder
	for {
		line, seg := block.PeekLine()
		if line == nil {
			return nil
		}
		at := seg.Start - seg.Padding
		if end := closing(line, ticks); end >= 0 {
			r.take(&b, line[:end], at, parent.Kind() == extast.KindTableCell)
			block.Advance(end + ticks)
			r.Stop = at + end + ticks
			r.Body = b.String()
			return r
		}
		r.take(&b, bytes.TrimRight(line, "\n"), at, false)
		b.WriteByte(' ')
		block.AdvanceLine()
	}
}

// take adds a piece of the source that begins at an offset to the body. In a
// cell of a table a bar is written \|, as in code there.
func (r *Role) take(b *strings.Builder, text []byte, at int, cell bool) {
	for {
		r.pieces = append(r.pieces, piece{b.Len(), at})
		i := bytes.Index(text, []byte(`\|`))
		if i < 0 || !cell {
			b.Write(text)
			return
		}
		b.Write(text[:i])
		at, text = at+i+1, text[i+1:]
	}
}

// closing finds the run of exactly n backticks; -1 where there is none.
func closing(line []byte, n int) int {
	for i := 0; i < len(line); i++ {
		if line[i] != '`' {
			continue
		}
		j := i
		for j < len(line) && line[j] == '`' {
			j++
		}
		if j-i == n {
			return i
		}
		i = j
	}
	return -1
}
