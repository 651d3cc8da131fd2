package report

import (
	"maps"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
	"fieldbook/report/markup"
)

var roleNames = []string{"claim", "published", "ref", "value"}

// role is what a role stands for.
func (b *builder) role(r *markup.Role) phrase {
	w := words{r.Body, r.At}
	switch r.Name {
	case "value":
		return b.valueRole(w, false)
	case "published":
		return b.valueRole(w, true)
	case "claim":
		return b.claimRole(w)
	case "ref":
		return b.refRole(w, r.InLink())
	}
	return phrase{b.wrong(r.Start, diag.Meant(r.Name, roleNames), "unknown role {%s}", r.Name)}
}

// uses are the names of the other experiments, sorted.
func (b *builder) uses() []string { return slices.Sorted(maps.Keys(b.Uses)) }

func (b *builder) valueRole(w words, published bool) phrase {
	q, problem := b.question(w, published)
	if problem != "" {
		return phrase{problem}
	}
	if published && q.r.Published == nil {
		return phrase{b.wrong(w.at(0), "`published: {file: …}` in the experiment file names them", "%s has no published numbers", q.r.Experiment)}
	}
	if q.stat == "found" {
		v, err := q.found()
		if err != nil {
			return phrase{b.unanswered(w, err)}
		}
		return phrase{v}
	}
	if q.stat == "crossing" {
		v, err := q.crossing()
		if err != nil {
			return phrase{b.unanswered(w, err)}
		}
		return phrase{v}
	}
	a, err := rememberedOr(b.Memory, q.r, "value", q.asks(), q.answer)
	if err != nil {
		return phrase{b.unanswered(w, err)}
	}
	e := a.Estimate
	if e.Refused != "" {
		_, off := (&words{text: w.text}).next()
		switch {
		case published:
			return phrase{b.wrong(w.at(off), "", "the published numbers do not hold this: %s", e.Refused)}
		case q.x == "" && q.ambiguous():
			return phrase{b.wrong(w.at(off), "", "%s", e.Refused)}
		}
	}
	if q.as == "words" && e.Refused == "" {
		return phrase{value{Text: a.shows, What: what(e), Tip: tipWith(tip(e), b.mixedTip(q)), Stale: len(e.Stale) > 0, Long: true, of: &e}}
	}
	v := numberIn(e, q.as)
	v.Tip = tipWith(v.Tip, b.mixedTip(q))
	if r := e.Remark(); q.x != "" && r != "" && e.Refused == "" {
		v.Interval = strings.TrimSpace(v.Interval + " (" + r + ")")
		v.Long = true
	}
	v.Long = v.Long || e.Refused != "" // the reason is a clause
	return phrase{v}
}

// unanswered is a question that the data cannot answer as it was put.
func (b *builder) unanswered(w words, err error) flaw {
	_, off := (&words{text: w.text}).next()
	return b.refuse(w.at(off), err)
}

// asks is all that the answer depends on.
func (q question) asks() []any {
	var comparison expr.Comparison
	if q.comparison != nil {
		comparison = *q.comparison
	}
	return []any{q.published, q.stat, q.metric, q.selection, q.comparison != nil, comparison, q.x}
}

// answered is an estimate that was asked for, and, of a comparison, what it shows
// in words.
type answered struct {
	analysis.Estimate
	shows string
}

// answer is what was asked for.
func (q question) answer() (answered, error) {
	if q.x != "" {
		return q.curveAnswer()
	}
	if q.comparison == nil {
		query := analysis.Query{Metric: q.metric, Stat: q.stat, Selection: q.selection}
		if q.published {
			e, err := q.r.PublishedValue(query)
			return answered{Estimate: e}, err
		}
		e, err := q.r.Value(query)
		return answered{Estimate: e}, err
	}
	switch {
	case q.published && q.stat == "breakeven":
		e, err := q.r.PublishedBreakEven(q.metric, *q.comparison)
		return answered{Estimate: e}, err
	case q.published:
		e, err := q.r.PublishedRatio(q.metric, *q.comparison)
		return answered{Estimate: e}, err
	}
	c, err := q.r.Compare(q.metric, *q.comparison)
	if q.stat == "difference" {
		return answered{Estimate: c.Difference}, err
	}
	return answered{c.Ratio, c.Words(0)}, err
}

// ambiguous says whether a question leaves a factor or the machine open.
func (q question) ambiguous() bool {
	sel := q.selection
	if q.comparison != nil {
		sel = slices.Concat(q.comparison.Left, q.comparison.Where)
	}
	if len(q.r.Machines()) > 1 && sel.Levels("machine") == nil {
		return true
	}
	if q.comparison != nil || q.stat == "n" {
		return false
	}
	in := 0
	for _, levels := range q.r.Treatments() {
		if sel.Matches(func(f string) (string, bool) { return levelOf(q.r, levels, f) }) {
			in++
		}
	}
	return in > 1
}

// levelOf is a treatment's level of a factor; what is no factor matches as it
// is asked for.
func levelOf(r *analysis.Result, levels []string, factor string) (string, bool) {
	if i := factorNamed(r, factor); i >= 0 && i < len(levels) {
		return levels[i], true
	}
	return "", false
}

// refRole is a link to a figure, a table, a claim or a heading.
func (b *builder) refRole(w words, inLink bool) phrase {
	label, off := w.next()
	if label == "" {
		return phrase{b.wrong(w.at(off), diag.Meant("", b.knownLabels()), "{ref} names nothing")}
	}
	t := b.labels[label]
	if t == nil {
		return phrase{b.wrong(w.at(off), diag.Meant(label, b.knownLabels()), "nothing here is named %q", label)}
	}
	if problem := b.end(w, "ref", label); problem != "" {
		return phrase{problem}
	}
	if inLink {
		return phrase{b.wrong(w.at(off), "take one of the two away", "{ref} is a link and stands within the text of another")}
	}
	if len(t.also) > 0 {
		b.problems.Warnf(b.at(w.at(off)), "{ref} goes to the first of %d headings of this text, in line %d", 1+len(t.also), b.at(t.At).Line)
		b.problems.Hint("reword the other, in line %d", b.at(t.also[0]).Line)
	}
	return phrase{link{"#" + t.ID, t.Text}}
}

// end complains about what stands behind the name that a role takes.
func (b *builder) end(w words, role, name string) flaw {
	rest, off := w.next()
	if rest == "" {
		return ""
	}
	return b.wrong(w.at(off), "", "{%s} takes one name, and behind %q stands %q", role, name, rest)
}

// claimForms are the forms of {claim} beside the whole clause.
var claimForms = []string{"published", "verdict"}

// claimIn is a claim's verdict in one of its forms.
func claimIn(c analysis.ClaimResult, as string) string {
	switch as {
	case "verdict":
		return "is " + string(c.Verdict)
	case "published":
		return c.PublishedClause()
	}
	return c.Words()
}

// claimRole is a clause with the verdict of a claim.
func (b *builder) claimRole(w words) phrase {
	r := b.r
	as, asOff := w.as()
	if asOff >= 0 && !slices.Contains(claimForms, as) {
		return phrase{b.wrong(w.at(asOff), diag.Meant(as, claimForms), "unknown form %q of {claim}", "as="+as)}
	}
	name, off := w.next()
	if other, ok := strings.CutPrefix(name, "experiment="); ok {
		var problem flaw
		r = b.experiment(other, off+len("experiment="), func(off int, hint, format string, args ...any) {
			problem = b.wrong(w.at(off), hint, format, args...)
		})
		if problem != "" {
			return phrase{problem}
		}
		name, off = w.next()
	}
	if name == "" {
		return phrase{b.wrong(w.at(off), "", "{claim} names no claim")}
	}
	var known []string
	for _, c := range r.Claims {
		if c.Claim.Name == name {
			if problem := b.end(w, "claim", name); problem != "" {
				return phrase{problem}
			}
			if as == "published" && r.Published == nil {
				return phrase{b.wrong(w.at(asOff), "", "%s has no published numbers", r.Experiment)}
			}
			return phrase{value{Text: claimIn(c, as), Tip: c.Claim.Statement, Long: true}}
		}
		known = append(known, c.Claim.Name)
	}
	return phrase{b.wrong(w.at(off), diag.Meant(name, known), "unknown claim %q", name)}
}
