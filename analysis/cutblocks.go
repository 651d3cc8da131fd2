package analysis

import (
	"fmt"
	"slices"

	"fieldbook/internal/session"
)

// A Headline is a number that readers take away, from all blocks and without
// the blocks that were cut.
type Headline struct {
	Name          string // of a claim, or "median elapsed, mode=fast"
	With, Without string // "supported, 0.61× [0.55, 0.68]", "34.2 ms [33.9, 34.6]"
}

// CutBlocks is how many measured blocks a further part of their session
// completed, after a pause that the order did not plan, and what the
// headline numbers are with and without them: the verdict of each claim, and
// the median of a metric for each treatment. Where no block is cut there are
// no headlines.
func (r *Result) CutBlocks(metric string) (cut int, headlines []Headline) {
	in := r.Input
	data := *r.Data
	data.Sessions = slices.Clone(data.Sessions)
	for i, s := range data.Sessions {
		if blocks := s.CutBlocks(); len(blocks) > 0 {
			cut += len(blocks)
			data.Sessions[i] = withoutBlocks(s, blocks)
		}
	}
	if cut == 0 {
		return 0, nil
	}
	in.Data = &data
	return cut, headlinesOf(r, Analyze(in), metric)
}

// withoutBlocks is a session as if some of its measured blocks had not been
// planned.
func withoutBlocks(s *session.Session, blocks map[int]bool) *session.Session {
	gone := func(p session.Planned) bool { return p.Phase == measured && blocks[p.Block] }
	rest := *s
	rest.Plan = slices.DeleteFunc(slices.Clone(s.Plan), gone)
	rest.Rows = slices.DeleteFunc(slices.Clone(s.Rows), func(row session.Row) bool { return gone(row.Planned) })
	return &rest
}

// mostHeadlines is how many treatments have a headline.
const mostHeadlines = 24

func headlinesOf(all, rest *Result, metric string) []Headline {
	var list []Headline
	for i, c := range all.Claims {
		if c.Weakest >= 0 && i < len(rest.Claims) {
			list = append(list, Headline{c.Claim.Name, verdictText(c), verdictText(rest.Claims[i])})
		}
	}
	machines := all.Machines()
	for _, machine := range machines {
		for _, levels := range all.treatments[:min(mostHeadlines, len(all.treatments))] {
			of := all.selectionOf(levels)
			at := append(all.scopeOf(machine), of...)
			with, err1 := all.Value(Query{Metric: metric, Stat: "median", Selection: at})
			without, err2 := rest.Value(Query{Metric: metric, Stat: "median", Selection: at})
			if err1 != nil {
				continue
			}
			h := Headline{fmt.Sprintf("median %s, %s", metric, of), with.Text(), na("")}
			if err2 == nil {
				h.Without = without.Text()
			}
			if len(machines) > 1 {
				h.Name += ", on " + machine
			}
			list = append(list, h)
		}
	}
	return list
}

func verdictText(c ClaimResult) string {
	if c.Weakest < 0 {
		return string(c.Verdict)
	}
	return string(c.Verdict) + ", " + c.Parts[c.Weakest].Estimate.Text()
}
