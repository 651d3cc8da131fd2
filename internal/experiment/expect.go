package experiment

import (
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"

	"fieldbook/internal/expr"
)

const decimal = `[-+]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?`

var (
	expectBound  = regexp.MustCompile(`^(ratio|value|slope) *([<>]) *(` + decimal + `)$`)
	expectWithin = regexp.MustCompile(`^(ratio|value|slope) +within +(` + decimal + `) *\.\. *(` + decimal + `)$`)
	expectBoth   = regexp.MustCompile(`^ratio +on +both +sides +of +1$`)
)

// expect reads what a claim expects. What it is of follows from the
// statement.
func (q *claimReader) expect(n *yaml.Node) *Expect {
	if n.Kind != yaml.ScalarNode || isMissing(n) {
		return nil
	}
	src := strings.TrimSpace(n.Value)
	e := &Expect{Src: src}
	switch {
	case expectBoth.MatchString(src):
		e.Of, e.Op = "ratio", "both-sides"
	case expectBound.MatchString(src):
		m := expectBound.FindStringSubmatch(src)
		e.Of, e.Op = m[1], m[2]
		e.Bound, _ = expr.IsNumber(m[3])
	case expectWithin.MatchString(src):
		m := expectWithin.FindStringSubmatch(src)
		e.Of, e.Op = m[1], "within"
		e.Lo, _ = expr.IsNumber(m[2])
		e.Hi, _ = expr.IsNumber(m[3])
	default:
		q.Errorf(q.at(n), "expect is %q, want %s", short(src), list(q.expectForms()))
		if strings.Contains(src, "<=") || strings.Contains(src, ">=") {
			q.Hint("write < or >: for a measured number there is no difference")
		}
		return nil
	}
	return q.checkExpect(n, e)
}

// expectOf is what the statement at hand can expect something of.
func (q *claimReader) expectOf() string {
	switch claim.variant(q.n).what {
	case "slope":
		return "slope"
	case "compare":
		return "ratio"
	}
	return "value"
}

// stated is how many statements the claim makes; one is allowed.
func (q *claimReader) stated() int {
	n := 0
	for _, key := range statements {
		if lookup(q.n, key) != nil {
			n++
		}
	}
	return n
}

func (q *claimReader) expectForms() []string {
	of := q.expectOf()
	forms := []string{of + " < NUMBER", of + " > NUMBER", of + " within LOW..HIGH"}
	if of == "ratio" {
		forms = append(forms, "ratio on both sides of 1")
	}
	return forms
}

func (q *claimReader) checkExpect(n *yaml.Node, e *Expect) *Expect {
	switch of := q.expectOf(); {
	case e.Of != of && q.stated() > 1: // reported by check
		return nil
	case e.Of != of:
		q.Errorf(q.at(n), "expect is about a %s, and this claim about a %s", e.Of, of)
		q.Hint("write %s", list(q.expectForms()))
		return nil
	case e.Op == "within" && e.Lo >= e.Hi:
		q.Errorf(q.at(n), "within %s..%s goes from a higher to a lower number", expr.FormatNumber(e.Lo), expr.FormatNumber(e.Hi))
	case of == "ratio" && (e.Op == "within" && e.Lo <= 0 || e.Op != "within" && e.Op != "both-sides" && e.Bound <= 0):
		q.Errorf(q.at(n), "a ratio is above 0, so that this bound decides nothing")
	case e.Op == "both-sides" && lookup(q.n, "for-each") == nil:
		q.Errorf(q.at(n), "on both sides of 1 wants for-each: the factors over whose levels the ratio changes")
	}
	return e
}
