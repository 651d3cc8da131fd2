package report

import (
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// factors is the table of what was varied.
func (w *wish) factors() *tableBlock {
	w.b.place("factors", w.r)
	t := w.newTable(say("What was varied, and the values it took."), column{Title: "factor"}, column{Title: "levels"}, column{Title: "unit"}, column{Title: "remark"})
	for i, f := range w.r.Factors {
		var levels []string
		for _, l := range declaredLevels(w.r, i) {
			if label := levelLabel(f, l); label != l && l != "" {
				l += " (" + label + ")"
			} else {
				l = label
			}
			levels = append(levels, l)
		}
		var remarks []string
		if f.Scale == "log" {
			remarks = append(remarks, "log scale")
		}
		if f.HardToChange {
			remarks = append(remarks, "hard to change")
		}
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{
			{Phrase: say(f.Name)}, {Phrase: say(strings.Join(levels, ", "))}, {Phrase: say(strings.TrimPrefix(f.Unit, "1"))}, {Phrase: phrase{soft(strings.Join(remarks, ", "))}},
		}})
	}
	defer t.dropEmpty()
	if text := combinationsOf(w.r).text(); text != "" {
		t.Notes = append(t.Notes, say(text))
	}
	for _, c := range w.r.Constants {
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{{Phrase: say(c.Name)}, {Phrase: say(c.Value)}, {}, {Phrase: phrase{soft("constant")}}}})
	}
	return t
}

// mostApart is how many pairs of levels that never meet a note lists.
const mostApart = 6

// combinations are the treatments of an experiment among all combinations of
// the levels that it declares.
type combinations struct {
	factors    []session.Factor
	levels     [][]string // of each factor
	treatments [][]string
	all        int
}

func combinationsOf(r *analysis.Result) combinations {
	c := combinations{factors: r.Factors, treatments: r.Treatments(), all: 1}
	for i := range r.Factors {
		levels := declaredLevels(r, i)
		c.levels = append(c.levels, levels)
		c.all *= len(levels)
	}
	return c
}

// text says how many combinations of levels are treatments, where
// not all are, and which are not: levels that no treatment has, factors that
// move together, levels of two factors that never meet. Empty where all are.
func (c combinations) text() string {
	short := func(t []string) bool { return len(t) < len(c.factors) }
	if c.all == len(c.treatments) || len(c.treatments) == 0 || slices.ContainsFunc(c.treatments, short) {
		return ""
	}
	text := "Of the " + itoa(c.all) + " combinations of these levels " + itoa(len(c.treatments)) + " are treatments"
	if len(c.treatments) == 1 {
		text = "Of the " + itoa(c.all) + " combinations of these levels one is a treatment"
	}
	var why []string
	if none := c.unused(); len(none) > 0 {
		why = append(why, "none has "+strings.Join(none, " or "))
	}
	tied, apart := c.pairs()
	why = append(why, tied...)
	if more := len(apart) - mostApart; more > 0 {
		apart = append(apart[:mostApart], plural(more, "further pair")+" of levels never "+map[bool]string{true: "meets", false: "meet"}[more == 1])
	}
	if why = append(why, apart...); len(why) == 0 {
		return text + "."
	}
	return text + ": " + strings.Join(why, "; ") + "."
}

// name is a level with its factor.
func (c combinations) name(i int, level string) string { return withFactor(c.factors[i], level) }

// used says whether a treatment has a level.
func (c combinations) used(i int, level string) bool {
	return slices.ContainsFunc(c.treatments, func(t []string) bool { return t[i] == level })
}

// unused are the levels that no treatment has.
func (c combinations) unused() []string {
	var names []string
	for i, levels := range c.levels {
		for _, l := range levels {
			if !c.used(i, l) {
				names = append(names, c.name(i, l))
			}
		}
	}
	return names
}

// pairs are the pairs of factors that move together, each level of one with a
// single level of the other, and the pairs of levels of other factors that
// never meet.
func (c combinations) pairs() (tied, apart []string) {
	for i := range c.factors {
		for j := i + 1; j < len(c.factors); j++ {
			if c.tied(i, j) {
				tied = append(tied, c.factors[i].Name+" and "+c.factors[j].Name+" move together")
				continue
			}
			apart = append(apart, c.never(i, j)...)
		}
	}
	return tied, apart
}

// tied says whether two factors move together.
func (c combinations) tied(i, j int) bool {
	n, m := len(c.inUse(i)), len(c.inUse(j))
	return n > 1 && n == m && len(c.never(i, j)) == n*m-n
}

// follows says whether a factor moves together with one before it.
func (c combinations) follows(j int) bool {
	for i := range j {
		if c.tied(i, j) {
			return true
		}
	}
	return false
}

// whole says whether all combinations are treatments but for factors that move
// together, which leaves nothing out.
func (c combinations) whole() bool {
	free := 1
	for j := range c.factors {
		if !c.follows(j) {
			free *= len(c.levels[j])
		}
	}
	return free == len(c.treatments)
}

func (c combinations) inUse(i int) []string {
	return slices.DeleteFunc(slices.Clone(c.levels[i]), func(l string) bool { return !c.used(i, l) })
}

// never are the pairs of levels of two factors that no treatment has.
func (c combinations) never(i, j int) []string {
	meet := map[[2]string]bool{}
	for _, t := range c.treatments {
		meet[[2]string{t[i], t[j]}] = true
	}
	var names []string
	for _, a := range c.inUse(i) {
		for _, b := range c.inUse(j) {
			if !meet[[2]string{a, b}] {
				names = append(names, c.name(i, a)+" never meets "+c.name(j, b))
			}
		}
	}
	return names
}
