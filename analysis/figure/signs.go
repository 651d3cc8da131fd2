package figure

import (
	"fmt"
	"slices"
	"strings"
)

// signs gives each group its sign: those of one level of the first thing that
// varies share a hue, as long as there are hues and tones enough. Levels take
// their place among all that their factor declares, so that a treatment looks
// the same in several figures. Where there are more groups than signs, colour
// and shape tell levels of two factors, and the note says what they do not
// tell.
func (w *wish) signs() (of map[*group]sign, note string) {
	of = map[*group]sign{}
	if len(w.varying) == 2 && w.paired(of) {
		return of, ""
	}
	if len(w.varying) < 2 || len(w.labels()) <= colours {
		w.numbered(of)
		return of, ""
	}
	first, second := w.varying[0], w.varying[1]
	for _, g := range w.groups {
		of[g] = sign{colourOf(w.rank(first, g.level(first)), w.size(first)), w.rank(second, g.level(second)) % shapes}
	}
	if len(w.varying) > 2 {
		note = fmt.Sprintf("Colour tells %s and shape tells %s; treatments that differ in %s alone share a sign",
			first, second, strings.Join(w.varying[2:], ", "))
	}
	return of, note
}

// paired gives each level of the first factor a hue and each of the second a
// tone of it, if four hues of two tones are enough.
func (w *wish) paired(of map[*group]sign) bool {
	first, second := w.varying[0], w.varying[1]
	if w.size(first) > colours/2 || w.size(second) > 2 {
		return false
	}
	for _, g := range w.groups {
		n := 2*w.rank(first, g.level(first)) + w.rank(second, g.level(second))
		of[g] = sign{n, n}
	}
	return true
}

// numbered gives each label a sign by its place.
func (w *wish) numbered(of map[*group]sign) {
	labels := w.labels()
	for _, g := range w.groups {
		n, size := slices.Index(labels, g.name()), len(labels)
		if len(w.varying) == 1 {
			n, size = w.rank(w.varying[0], g.level(w.varying[0])), w.size(w.varying[0])
		}
		of[g] = sign{colourOf(n, size), (n + n/colours) % shapes}
	}
}

// labels are the distinct names of groups, in their order.
func (w *wish) labels() []string {
	var all []string
	for _, g := range w.groups {
		if n := g.name(); !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

// colourOf is the colour of the n-th of so many: the strong tones first, and
// both of each hue where there are more.
func colourOf(n, size int) int {
	if size <= colours/2 {
		return 2 * n
	}
	return []int{0, 2, 4, 6, 1, 3, 5, 7}[n%colours]
}

// size is how many levels a name has: those that its factor declares, if they
// are not too many, else those of this figure.
func (w *wish) size(name string) int {
	if i := w.factor(name); i >= 0 && len(w.r.Factors[i].Levels) <= colours && w.allDeclared(name) {
		return len(w.r.Factors[i].Levels)
	}
	return len(w.levels(name))
}

// rank is the place of a level among those that size counts.
func (w *wish) rank(name, level string) int {
	if i := w.factor(name); i >= 0 && len(w.r.Factors[i].Levels) <= colours && w.allDeclared(name) {
		return slices.Index(w.r.Factors[i].Levels, level)
	}
	return max(0, slices.Index(w.levels(name), level))
}

func (w *wish) allDeclared(name string) bool {
	declared := w.r.Factors[w.factor(name)].Levels
	return !slices.ContainsFunc(w.levels(name), func(l string) bool { return !slices.Contains(declared, l) })
}

// legend is one entry for each label, or, where signs are shared, the entries
// of colour and of shape.
func (w *wish) legend(of map[*group]sign, l look, shared bool) []key {
	var keys []key
	seen := map[string]bool{}
	add := func(s sign, label string) {
		if !seen[label] {
			seen[label] = true
			keys = append(keys, key{s, l, label})
		}
	}
	if !shared {
		for _, g := range w.groups {
			add(of[g], g.name())
		}
		return keys
	}
	for _, g := range w.groups {
		add(sign{of[g].Colour, 0}, w.varying[0]+" "+shown(w.label(w.varying[0], g.level(w.varying[0]))))
	}
	for _, g := range w.groups {
		add(sign{neutral.Colour, of[g].Shape}, w.varying[1]+" "+shown(w.label(w.varying[1], g.level(w.varying[1]))))
	}
	return keys
}

// explain begins the legend with what tells series apart; one series needs no
// sign. Where signs are shared each entry names its own factor, so that the
// legend has no heading.
func (c *chart) explain(w *wish, of map[*group]sign, l look, shared string) {
	if len(w.varying) == 0 {
		return
	}
	c.Legend = w.legend(of, l, shared != "")
	if shared == "" {
		c.Heading = w.heading()
	}
}
