package expr

// Expr is a parsed expression.
type Expr struct {
	src   string
	root  *node
	names []Name
}

// String is the expression as written.
func (e *Expr) String() string { return e.src }

// Names are the names used, in the order of the text, repeats included.
// Functions are not names.
func (e *Expr) Names() []Name { return e.names }

// node is a piece of an expression: a literal (op ""), a name (op "name"), a
// function call (op "call"), or an operator; "neg" is the unary minus.
type node struct {
	op   string
	off  int
	word string // of a name or function
	val  Value  // of a literal
	args []*node
}

// The limits keep hostile input from exhausting the stack; no expression
// that a person writes comes near.
const (
	maxDepth  = 200
	maxLength = 10000
)

// Parse reads an expression.
func Parse(src string) (*Expr, error) {
	if len(src) > maxLength {
		return nil, errorAt(0, "the expression is longer than %d characters", maxLength)
	}
	tokens, err := lex(src)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens}
	if p.peek().kind == tokEnd {
		return nil, errorAt(0, "an expression is missing")
	}
	root, err := p.binary(0)
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != tokEnd {
		return nil, unexpected(t)
	}
	return &Expr{src: src, root: root, names: p.names}, nil
}

type parser struct {
	tokens []token
	at     int
	depth  int
	names  []Name
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) take() token {
	t := p.tokens[p.at]
	if t.kind != tokEnd {
		p.at++
	}
	return t
}

// accept takes the next token where it is one of these operators.
func (p *parser) accept(ops ...string) (token, bool) {
	if t := p.peek(); t.kind == tokOp {
		for _, op := range ops {
			if t.text == op {
				return p.take(), true
			}
		}
	}
	return token{}, false
}

func unexpected(t token) *Error {
	if t.kind == tokEnd {
		return errorAt(t.off, "the expression ends too early")
	}
	return errorAt(t.off, "unexpected %q", t.text)
}

// levels are the binary operators, the loosest first. Between the second and
// the third stands `not`, which binds looser than a comparison.
var levels = [][]string{
	{"or"},
	{"and"},
	{"==", "!=", "<", "<=", ">", ">="},
	{"+", "-"},
	{"*", "/", "//", "%"},
}

const comparison = 2 // index in levels

// binary reads operators of the given level and tighter, left to right.
func (p *parser) binary(level int) (*node, error) {
	if level == len(levels) {
		return p.unary()
	}
	if level == comparison {
		if t, ok := p.accept("not"); ok {
			return p.prefix("not", t, func() (*node, error) { return p.binary(comparison) })
		}
	}
	left, err := p.binary(level + 1)
	for n := 0; err == nil; n++ {
		t, ok := p.accept(levels[level]...)
		if !ok {
			return left, nil
		}
		if level == comparison && n > 0 {
			return nil, errorAt(t.off, "a second comparison %q", t.text).hint("join two comparisons by and")
		}
		var right *node
		right, err = p.binary(level + 1)
		left = &node{op: t.text, off: t.off, args: []*node{left, right}}
	}
	return nil, err
}

func (p *parser) unary() (*node, error) {
	if t, ok := p.accept("-"); ok {
		return p.prefix("neg", t, p.unary)
	}
	return p.primary()
}

// prefix reads the operand of a prefix operator.
func (p *parser) prefix(op string, t token, operand func() (*node, error)) (*node, error) {
	if err := p.deeper(t); err != nil {
		return nil, err
	}
	defer p.shallower()
	x, err := operand()
	return &node{op: op, off: t.off, args: []*node{x}}, err
}

func (p *parser) deeper(t token) error {
	if p.depth++; p.depth > maxDepth {
		return errorAt(t.off, "nested more than %d deep", maxDepth)
	}
	return nil
}

func (p *parser) shallower() { p.depth-- }

func (p *parser) primary() (*node, error) {
	t := p.take()
	switch {
	case t.kind == tokNumber:
		v := Level(t.text)
		if v.Kind != KindNumber {
			return nil, errorAt(t.off, "the number %s is too large", t.text)
		}
		return &node{off: t.off, val: v}, nil
	case t.kind == tokText:
		return &node{off: t.off, val: Value{Kind: KindText, Text: t.text}}, nil
	case t.kind == tokName:
		if open, ok := p.accept("("); ok {
			return p.call(t, open)
		}
		p.names = append(p.names, Name{t.text, t.off})
		return &node{op: "name", off: t.off, word: t.text}, nil
	case t.kind == tokOp && t.text == "(":
		return p.parenthesis(t)
	}
	return nil, unexpected(t)
}

func (p *parser) parenthesis(open token) (*node, error) {
	if err := p.deeper(open); err != nil {
		return nil, err
	}
	defer p.shallower()
	x, err := p.binary(0)
	if err != nil {
		return nil, err
	}
	return x, p.close(open)
}

func (p *parser) close(open token) error {
	if _, ok := p.accept(")"); ok {
		return nil
	}
	if p.peek().kind == tokEnd {
		return errorAt(open.off, "the parenthesis is never closed")
	}
	return unexpected(p.peek())
}

// call reads the arguments of a function and checks their number.
func (p *parser) call(name, open token) (*node, error) {
	f, ok := functions[name.text]
	if !ok {
		return nil, errorAt(name.off, "unknown function %q", name.text).hint("%s", meantFunction(name.text))
	}
	if err := p.deeper(open); err != nil {
		return nil, err
	}
	defer p.shallower()
	n := &node{op: "call", off: name.off, word: name.text}
	for more := p.peek().text != ")" || p.peek().kind != tokOp; more; _, more = p.accept(",") {
		x, err := p.binary(0)
		if err != nil {
			return nil, err
		}
		n.args = append(n.args, x)
	}
	if err := p.close(open); err != nil {
		return nil, err
	}
	if len(n.args) < f.min || f.max > 0 && len(n.args) > f.max {
		return nil, errorAt(name.off, "%s has %d arguments", name.text, len(n.args)).hint("write %s", f.usage)
	}
	return n, nil
}
