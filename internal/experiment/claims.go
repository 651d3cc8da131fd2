package experiment

import (
	"slices"

	"go.yaml.in/yaml/v4"

	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
)

// claims reads `claims`.
func (r *reader) claims(x *Experiment, n *yaml.Node) {
	for _, e := range entries(n) {
		if claimName.of(e.at) == nil {
			r.Errorf(r.at(e.at), "the name %q of a claim is not of the form [A-Za-z][A-Za-z0-9_-]*", short(e.key))
		}
		x.Claims = append(x.Claims, r.claim(x, e))
	}
	for i, e := range entries(n) {
		r.checkAllOf(x, &x.Claims[i], lookup(e.value, "all-of"))
	}
}

func claimNames(x *Experiment) []string {
	var names []string
	for _, c := range x.Claims {
		names = append(names, c.Name)
	}
	return names
}

// claim reads one claim and checks it against the factors and metrics.
func (r *reader) claim(x *Experiment, e entry) Claim {
	n := e.value
	c := Claim{
		Name: e.key, Pos: r.at(e.at),
		Says:     r.prose(lookup(n, "says")),
		Metric:   plainText(lookup(n, "metric")),
		Stat:     plainText(lookup(n, "stat")),
		AllPairs: plainText(lookup(n, "pairs")) == "all",
		Slope:    plainText(lookup(n, "slope")),
		Fit:      plainText(lookup(n, "fit")),
		X:        plainText(lookup(n, "x")),
		Within:   r.share(lookup(n, "within")),
		AllOf:    texts(lookup(n, "all-of")),
		Untested: r.prose(lookup(n, "untested")),
		Family:   plainText(lookup(n, "family")),
		Machines: texts(lookup(n, "machines")),
	}
	if m := lookup(n, "metric"); m != nil {
		r.metricNamed(x, m)
	}
	if a := lookup(n, "always"); a != nil {
		c.Always = r.formula(a)
	}
	if m := lookup(n, "machines"); m != nil && x.Published == nil {
		r.Errorf(r.at(m), "machines names machines of published numbers, and there are none")
	}
	q := &claimReader{reader: r, x: x, c: &c, n: n}
	q.read()
	return c
}

// claimReader reads what a claim says about treatments.
type claimReader struct {
	*reader
	x  *Experiment
	c  *Claim
	n  *yaml.Node
	ok bool // everything named exists, so that treatments can be looked up
}

func (q *claimReader) read() {
	c := q.c
	q.ok = true
	if w := lookup(q.n, "where"); w != nil {
		c.Where = q.selection(w)
	}
	c.Compare, c.CompareSrc = q.comparison("compare")
	c.Against, c.AgainstSrc = q.comparison("against")
	c.ForEach = q.factorList("for-each")
	c.Over = q.factorList("over")
	for _, name := range []string{"slope", "x"} {
		if f := lookup(q.n, name); f != nil && factorName.of(f) != nil {
			q.ok = q.factorIndex(q.x, f) >= 0 && q.ok
		}
	}
	if claim.variant(q.n) == nil {
		return // no mapping; reported by check
	}
	if e := lookup(q.n, "expect"); e != nil {
		c.Expect = q.expect(e)
	}
	if q.ok && (c.Metric != "" || q.stated() > 0) {
		q.checkFactors()
	}
}

// runNames are the names in selections that are no factors. A claim cannot
// be about another experiment.
var runNames = []string{"machine", "session", "control"}

// controlLabels are the two labels under which `controls: same` runs a
// treatment twice.
var controlLabels = []string{"A", "B"}

// checkControl checks a term about the labels of an A/A control.
func (q *claimReader) checkControl(at diag.Pos, t expr.Term) {
	switch {
	case len(q.x.Same) == 0:
		q.Errorf(at, "control selects nothing: the experiment has no controls: {same: [...]}")
	case !within(t.Levels, controlLabels):
		q.Errorf(at, "control is %s, want A or B", quotedList(t.Levels))
	default:
		return
	}
	q.ok = false
}

// selection reads a mapping, or the text of a selection.
func (q *claimReader) selection(n *yaml.Node) expr.Selection {
	if n.Kind == yaml.MappingNode {
		sel, ok := q.mapping(q.x, n, runNames...)
		q.ok = q.ok && ok
		for _, t := range sel {
			if t.Factor == "control" {
				q.checkControl(q.at(n), t)
			}
		}
		return sel
	}
	sel, err := expr.ParseSelection(plainText(n))
	if err != nil {
		q.problem(origin{node: n}, err)
		q.ok = false
	}
	q.checkSelection(n, sel)
	return sel
}

// checkSelection checks that the factors and levels of a text exist.
func (q *claimReader) checkSelection(n *yaml.Node, sel expr.Selection) {
	for _, t := range sel {
		at := q.within(n, t.Off)
		if t.Factor == "control" {
			q.checkControl(at, t)
		}
		if contains(runNames, t.Factor) {
			continue
		}
		f := q.x.Factor(t.Factor)
		if f == nil {
			q.ok = false
			q.Errorf(at, "unknown factor %q", short(t.Factor))
			q.hintMeant(t.Factor, q.x.factorNames())
			continue
		}
		for _, l := range t.Levels {
			if !contains(f.LevelTexts(), l) {
				q.ok = false
				q.Errorf(at.Shift(len([]rune(t.Factor))+1), "%q has no level %q", f.Name, short(l))
				q.Hint("%s", levelHint(f, l))
			}
		}
	}
}

func (q *claimReader) hintMeant(word string, candidates []string) {
	if meant := diag.Meant(word, candidates); meant != "" {
		q.Hint("%s", meant)
	}
}

// comparison reads `compare` or `against`. What its text says in where
// belongs to the claim's where.
func (q *claimReader) comparison(key string) (*expr.Comparison, string) {
	n := lookup(q.n, key)
	if n == nil || n.Kind != yaml.ScalarNode {
		return nil, ""
	}
	c, err := expr.ParseComparison(n.Value)
	if err != nil {
		q.problem(origin{node: n}, err)
		q.ok = false
		return nil, n.Value
	}
	for _, sel := range []expr.Selection{c.Left, c.Right, c.Where} {
		q.checkSelection(n, sel)
	}
	for _, t := range c.Where {
		if q.c.Where.Levels(t.Factor) != nil {
			q.Errorf(q.within(n, t.Off), "where names %q already", t.Factor)
			continue
		}
		q.c.Where = append(q.c.Where, t)
	}
	c.Where = nil
	if key == "against" && c.Other {
		q.Errorf(q.at(n), "against wants a selection on both sides")
		q.ok = false
	}
	return &c, n.Value
}

// factorList reads a list of factors.
func (q *claimReader) factorList(key string) []string {
	var names []string
	for _, c := range items(lookup(q.n, key)) {
		if factorName.of(c) == nil {
			continue
		}
		if q.factorIndex(q.x, c) < 0 {
			q.ok = false
			continue
		}
		if contains(names, c.Value) {
			q.Errorf(q.at(c), "the factor %q stands twice in %s", c.Value, key)
			continue
		}
		names = append(names, c.Value)
	}
	return names
}

// checkAllOf checks that the parts of a claim exist and do not need it.
func (r *reader) checkAllOf(x *Experiment, c *Claim, n *yaml.Node) {
	for _, part := range items(n) {
		if claimName.of(part) == nil {
			continue
		}
		switch {
		case !contains(claimNames(x), part.Value):
			r.unknown(part, "claim", claimNames(x))
		case part.Value == c.Name || x.restsOn(part.Value, c.Name, map[string]bool{}):
			r.Errorf(r.at(part), "the claim %q rests on itself", c.Name)
		}
	}
}

// restsOn says whether a claim is made of another one, directly or not.
func (x *Experiment) restsOn(claim, other string, seen map[string]bool) bool {
	i := slices.IndexFunc(x.Claims, func(c Claim) bool { return c.Name == claim })
	if i < 0 || seen[claim] {
		return false
	}
	seen[claim] = true
	return slices.ContainsFunc(x.Claims[i].AllOf, func(part string) bool {
		return part == other || x.restsOn(part, other, seen)
	})
}
