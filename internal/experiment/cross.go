package experiment

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
)

// maxTreatments bounds the crossing; a mistake in the factors is far more
// likely than an experiment of that size.
const maxTreatments = 10_000

// cross makes the treatments: all combinations of the factors, where those
// of one zip move together, without what `exclude` matches, with what
// `include` adds.
func (r *reader) cross(x *Experiment, n *yaml.Node) {
	groups := r.groups(x, lookup(n, "zip"))
	total := 1
	for _, g := range groups {
		if total *= max(g.size, 1); total > maxTreatments {
			r.Errorf(r.at(lookup(n, "factors")), "the factors make more than %d treatments", maxTreatments)
			return
		}
	}
	var all [][]string
	combine(x, groups, make([]string, len(x.Factors)), &all)
	all = r.exclude(x, all, lookup(n, "exclude"))
	all = r.include(x, all, lookup(n, "include"))
	for i, levels := range all {
		x.Treatments = append(x.Treatments, Treatment{Number: i + 1, Levels: levels})
	}
	if e := lookup(n, "exclude"); len(all) == 0 && e != nil && !r.Failed() {
		r.Errorf(r.at(e), "no treatment is left")
	}
}

// group is a set of factors, by index, that move together.
type group struct {
	factors []int
	size    int // levels of each
}

// groups are the factors in their order, those of one zip as one.
func (r *reader) groups(x *Experiment, zip *yaml.Node) []group {
	with := make([]int, len(x.Factors)) // factor -> first factor of its zip, plus 1
	for _, list := range items(zip) {
		x.Zip = append(x.Zip, texts(list))
		first := -1
		for _, c := range items(list) {
			i := r.factorIndex(x, c)
			switch {
			case i < 0:
			case with[i] > 0 || i == first:
				r.Errorf(r.at(c), "the factor %q stands in zip twice", c.Value)
			case first < 0:
				first = i
				with[i] = i + 1
			case len(x.Factors[i].Levels) != len(x.Factors[first].Levels):
				r.Errorf(r.at(c), "%q has %d levels, %q has %d", c.Value, len(x.Factors[i].Levels), x.Factors[first].Name, len(x.Factors[first].Levels))
				r.Hint("factors that move together have equally many levels")
			default:
				with[i] = first + 1
			}
		}
	}
	return grouped(x, with)
}

func grouped(x *Experiment, with []int) []group {
	var groups []group
	at := map[int]int{}
	for i := range x.Factors {
		root := i
		if with[i] > 0 {
			root = with[i] - 1
		}
		if g, ok := at[root]; ok {
			groups[g].factors = append(groups[g].factors, i)
			continue
		}
		at[root] = len(groups)
		groups = append(groups, group{[]int{i}, len(x.Factors[i].Levels)})
	}
	return groups
}

// combine appends every combination of the groups' levels, the first group
// slowest.
func combine(x *Experiment, groups []group, levels []string, all *[][]string) {
	if len(groups) == 0 {
		*all = append(*all, slices.Clone(levels))
		return
	}
	for k := range groups[0].size {
		for _, i := range groups[0].factors {
			levels[i] = x.Factors[i].Levels[k].Text
		}
		combine(x, groups[1:], levels, all)
	}
}

// exclude drops the treatments that a mapping matches.
func (r *reader) exclude(x *Experiment, all [][]string, n *yaml.Node) [][]string {
	for _, c := range items(n) {
		sel, ok := r.mapping(x, c)
		if !ok {
			continue
		}
		kept := slices.DeleteFunc(slices.Clone(all), func(levels []string) bool { return x.matches(sel, levels) })
		if len(kept) == len(all) {
			r.Warnf(r.at(c), "exclude matches no treatment")
		}
		all = kept
	}
	return all
}

func (x *Experiment) matches(sel expr.Selection, levels []string) bool {
	return sel.Matches(func(factor string) (string, bool) {
		i := slices.IndexFunc(x.Factors, func(f Factor) bool { return f.Name == factor })
		if i < 0 {
			return "", false
		}
		return levels[i], true
	})
}

// include adds complete treatments.
func (r *reader) include(x *Experiment, all [][]string, n *yaml.Node) [][]string {
	for _, c := range items(n) {
		sel, ok := r.mapping(x, c)
		if !ok {
			continue
		}
		levels := make([]string, len(x.Factors))
		var open []string
		for i, f := range x.Factors {
			if l := sel.Levels(f.Name); len(l) == 1 {
				levels[i] = l[0]
			} else {
				open = append(open, f.Name)
			}
		}
		switch {
		case len(open) > 0:
			r.Errorf(r.at(c), "the treatment has no level of %s", strings.Join(open, ", "))
			r.Hint("include adds one complete treatment")
		case slices.ContainsFunc(all, func(t []string) bool { return slices.Equal(t, levels) }):
			r.Errorf(r.at(c), "the treatment is already there")
		default:
			all = append(all, levels)
		}
	}
	return all
}

// mapping reads {FACTOR: LEVEL or [LEVELS], ...} as a selection, and says
// whether all of it exists. Keys in free may have any value.
func (r *reader) mapping(x *Experiment, n *yaml.Node, free ...string) (expr.Selection, bool) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil, false
	}
	var sel expr.Selection
	ok := true
	for _, e := range entries(n) {
		i := -1
		if !contains(free, e.key) {
			i = r.factorIndex(x, e.at)
		}
		if i < 0 && !contains(free, e.key) {
			ok = false
			continue
		}
		t := expr.Term{Factor: e.key}
		list := items(e.value)
		if e.value.Kind == yaml.ScalarNode && !isMissing(e.value) {
			list = []*yaml.Node{e.value}
		}
		for _, l := range list {
			ok = (i < 0 || r.levelOf(&x.Factors[i], l)) && ok
			t.Levels = append(t.Levels, plainText(l))
		}
		ok = ok && len(t.Levels) > 0
		sel = append(sel, t)
	}
	return sel, ok
}

// factorIndex is the index of the factor that a node names; -1, and an
// error, where there is none.
func (r *reader) factorIndex(x *Experiment, n *yaml.Node) int {
	i := slices.IndexFunc(x.Factors, func(f Factor) bool { return f.Name == plainText(n) })
	if i < 0 && n.Kind == yaml.ScalarNode {
		r.unknown(n, "factor", x.factorNames())
	}
	return i
}

func (x *Experiment) factorNames() []string {
	var names []string
	for _, f := range x.Factors {
		names = append(names, f.Name)
	}
	return names
}

// Matches says whether a treatment has all the levels of a match.
func (m Match) Matches(x *Experiment, t Treatment) bool {
	for factor, level := range m.Levels {
		if have, ok := x.Level(t, factor); !ok || have != level {
			return false
		}
	}
	return true
}

// Factor is the factor of a name, nil where there is none.
func (x *Experiment) Factor(name string) *Factor {
	for i := range x.Factors {
		if x.Factors[i].Name == name {
			return &x.Factors[i]
		}
	}
	return nil
}

// LevelTexts are the levels as written.
func (f *Factor) LevelTexts() []string {
	var all []string
	for _, l := range f.Levels {
		all = append(all, l.Text)
	}
	return all
}

// levelOf checks that a node names a level of a factor.
func (r *reader) levelOf(f *Factor, n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode || contains(f.LevelTexts(), n.Value) {
		return n.Kind == yaml.ScalarNode
	}
	r.Errorf(r.at(n), "%q has no level %q", f.Name, short(n.Value))
	r.Hint("%s", levelHint(f, n.Value))
	return false
}

// levelHint tells which levels there are, and of a number written in another
// way that levels are compared as text.
func levelHint(f *Factor, wrong string) string {
	if v, ok := expr.IsNumber(wrong); ok {
		for _, l := range f.Levels {
			if w, ok := expr.IsNumber(l.Text); ok && v == w {
				return "levels are text: write " + l.Text
			}
		}
	}
	if near := diag.Nearest(wrong, f.LevelTexts()); near != "" {
		return diag.Meant(wrong, f.LevelTexts())
	}
	return "levels: " + strings.Join(f.LevelTexts(), ", ")
}
