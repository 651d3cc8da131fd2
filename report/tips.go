package report

import (
	"slices"
	"strings"
)

// sharedTips are, by column, the parts that the tips of all its values have
// in common, where there are at least three. They stand once, at the head of
// the column, and no longer at each value.
func (t *tableBlock) sharedTips() map[int][]string {
	count, shared := map[int]int{}, map[int][]string{}
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			for _, s := range c.Phrase {
				v, ok := s.(value)
				if !ok || v.Tip == "" {
					continue
				}
				parts := strings.Split(v.Tip, "; ")
				if count[i]++; count[i] == 1 {
					shared[i] = parts
				}
				shared[i] = slices.DeleteFunc(shared[i], func(p string) bool { return !slices.Contains(parts, p) })
			}
		}
	}
	for i, n := range count {
		if n < 3 {
			delete(shared, i)
		}
	}
	return shared
}

// cell writes what stands in a table's cell. What a value is, its row and its
// column say; of the rest, what all values of the column share is left out.
func (w *page) cell(p phrase, shared []string) {
	for _, s := range p {
		v, ok := s.(value)
		if !ok {
			w.span(s)
			continue
		}
		v.What, v.Tip = "", own(v.Tip, shared)
		if v.Tip != "" || v.Stale || v.Long {
			w.value(v)
			continue
		}
		w.text(v.Text)
		if v.Interval != "" {
			w.text(" ")
			w.element("i", v.Interval)
		}
	}
}

// own is what of a tip the other values of its column do not share.
func own(tip string, shared []string) string {
	if shared == nil {
		return tip
	}
	parts := strings.Split(tip, "; ")
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return slices.Contains(shared, p) }), "; ")
}

// takeTip is the tip that the cell of a single value has in place of the value;
// beside it may stand less important text.
func takeTip(p phrase, shared []string) (phrase, string) {
	at := -1
	for i, s := range p {
		switch s.(type) {
		case value:
			if at >= 0 {
				return p, ""
			}
			at = i
		case plain, soft:
		default:
			return p, ""
		}
	}
	if at < 0 {
		return p, ""
	}
	v := p[at].(value)
	if v.Stale || v.Long {
		return p, ""
	}
	tip := own(v.Tip, shared)
	v.Tip = ""
	p = slices.Clone(p)
	p[at] = v
	return p, tip
}
