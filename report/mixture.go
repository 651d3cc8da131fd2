package report

import (
	"slices"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
)

// A ratio of treatments with two modes is a ratio of mixtures: it stands as it
// is, no verdict changes, and the reader is told once where ratios are shown.

// mixed are the treatments, without a name the distances of all trials from
// their treatments' means, of which the look at modes finds more than one within
// blocks in some session.
func (b *builder) mixed(r *analysis.Result, metric string) []expr.Selection {
	looks, err := rememberedOr(b.Memory, r, "modality", []any{metric}, func() ([]analysis.Modality, error) { return r.Modality(metric, nil) })
	if err != nil {
		return nil // the metric is complained about elsewhere
	}
	var all []expr.Selection
	for _, look := range looks {
		for _, s := range look.Samples {
			known := slices.ContainsFunc(all, func(o expr.Selection) bool { return o.String() == s.Of.String() })
			if look.Refused == "" && s.Flagged() && !s.Between() && !known {
				all = append(all, s.Of)
			}
		}
	}
	return all
}

// mixedIn are those that one of the sides may hold.
func (b *builder) mixedIn(r *analysis.Result, metric string, sides ...expr.Selection) []expr.Selection {
	return slices.DeleteFunc(slices.Clone(b.mixed(r, metric)), func(of expr.Selection) bool {
		return !slices.ContainsFunc(sides, func(side expr.Selection) bool {
			return side.Matches(func(factor string) (string, bool) {
				if l := of.Levels(factor); l != nil {
					return l[0], true
				}
				return side.Levels(factor)[0], true
			})
		})
	})
}

// mixedNote says of treatments that they have several modes; none where there
// are none.
func mixedNote(metric string, of []expr.Selection) []phrase {
	if len(of) == 0 {
		return nil
	}
	var names []string
	for _, s := range of {
		if s == nil {
			names = []string{"trials, less their treatments' means,"}
			break
		}
		names = append(names, s.String())
	}
	return []phrase{say(sentence("Of " + metric + ", " + inWords(names) + " have more than one mode within blocks (dip test, W_MULTIMODAL): a ratio is about their mix, and the figure of modes shows it"))}
}

// mixedComparisons is the note of a table of comparisons.
func (w *wish) mixedComparisons() []phrase {
	compare := w.compare
	if len(compare) == 0 {
		compare = w.againstFirst()
	}
	var sides []expr.Selection
	for _, c := range compare {
		c = w.complete(c)
		sides = append(sides, slices.Concat(c.Left, c.Where))
		if c.Other {
			sides = append(sides, c.Where)
		} else {
			sides = append(sides, slices.Concat(c.Right, c.Where))
		}
	}
	return mixedNote(w.metric, w.b.mixedIn(w.r, w.metric, sides...))
}

// mixedClaims are the notes of a table of claims, one for each metric of which
// a ratio is claimed.
func (b *builder) mixedClaims(r *analysis.Result) []phrase {
	sides, metrics := map[string][]expr.Selection{}, []string{}
	for _, c := range shownClaims(r) {
		k := c.Claim
		if k.Compare == nil {
			continue
		}
		if !slices.Contains(metrics, k.Metric) {
			metrics = append(metrics, k.Metric)
		}
		where := slices.Concat(k.Where, k.Compare.Where)
		sides[k.Metric] = append(sides[k.Metric], slices.Concat(k.Compare.Left, where), slices.Concat(k.Compare.Right, where))
	}
	var notes []phrase
	for _, m := range metrics {
		notes = append(notes, mixedNote(m, b.mixedIn(r, m, sides[m]...))...)
	}
	return notes
}

// mixedTip is what the tooltip of a number adds where what it is of has several modes.
func (b *builder) mixedTip(q question) string {
	if q.comparison == nil || q.published || q.x != "" {
		return ""
	}
	c := q.comparison
	for _, p := range mixedNote(q.metric, b.mixedIn(q.r, q.metric, slices.Concat(c.Left, c.Where), slices.Concat(c.Right, c.Where))) {
		return p.text()
	}
	return ""
}

// tipWith is a tooltip with a part more.
func tipWith(tip, more string) string {
	if tip == "" || more == "" {
		return tip + more
	}
	return tip + "; " + more
}
