package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// leftOut counts values that a figure cannot show.
type leftOut struct {
	Of                   int // all values, shown or not
	NaN, Infinite, Empty int
	NotPositive          int // on a log axis
}

// notes are the counts as sentences for a reader.
func (o leftOut) notes() []string {
	var notes, parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{o.NaN, "NaN"}, {o.Infinite, "infinite"}, {o.Empty, "empty"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	if len(parts) > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d left out: %s", o.NaN+o.Infinite+o.Empty, o.Of, strings.Join(parts, ", ")))
	}
	if o.NotPositive > 0 {
		notes = append(notes, fmt.Sprintf("%s <= 0 cannot be shown on a log axis", count(o.NotPositive, "value")))
	}
	return notes
}

// settle makes a chart drawable: it leaves out what has no place on its axes
// and counts it, thins what is too much, and finds the range of each value
// axis.
func (c *chart) settle() {
	trials := c.trials() > 0
	for i := range c.Panels {
		c.Panels[i].drop(&c.Out, trials)
	}
	c.Notes = append(c.Notes, c.Out.notes()...)
	c.thin()
	shared := nothing
	for i := range c.Panels {
		p := &c.Panels[i]
		p.Value.Shown = p.shown()
		if !p.Value.Shown.empty() {
			shared = shared.include(p.Value.Shown.Lo, p.Value.Shown.Hi)
		}
	}
	if c.Loose && c.mostlyEmpty(shared) {
		c.Shared = false
		c.Notes = append(c.Notes, "Each panel has a value axis of its own")
	} else if c.tooFar(shared) {
		c.Shared = false
		c.Notes = append(c.Notes, "Each panel has a value axis of its own, since one for all would press some of them flat")
	}
	cut := 0
	for i := range c.Panels {
		p := &c.Panels[i]
		if c.Shared {
			p.Value.Shown = shared
		}
		p.Value.settle()
		cut += p.cut()
	}
	if cut > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s on beyond the edge of the figure", pick(cut, "1 interval goes", fmt.Sprintf("%d intervals go", cut))))
	}
	if slices.ContainsFunc(c.Panels, func(p panel) bool { return p.Value.Equal }) {
		c.Notes = append(c.Notes, "All values on an axis with one tick are equal, or differ by less than 1e-12 of their size")
	}
}

// mostlyEmpty says whether each of several panels would use less than a third
// of a shared axis.
func (c *chart) mostlyEmpty(shared span) bool {
	return len(c.Panels) > 1 && !shared.empty() && !slices.ContainsFunc(c.Panels, func(p panel) bool {
		if p.Value.Kind == logarith {
			return 3*math.Log(p.Value.Shown.Hi/p.Value.Shown.Lo) > math.Log(shared.Hi/shared.Lo)
		}
		return 3*p.Value.Shown.width() > shared.width()
	})
}

// A log axis that several panels share covers at most so much, if one of them
// would use less than a tenth of it.
const mostShared = 1000.0

// tooFar says whether panels lie so far from each other that one log axis has
// no labels within what some of them show.
func (c *chart) tooFar(shared span) bool {
	return c.Shared && !c.Stacked && len(c.Panels) > 1 && !shared.empty() && slices.ContainsFunc(c.Panels, func(p panel) bool {
		s := p.Value.Shown
		return p.Value.Kind == logarith && !s.empty() && shared.Hi/shared.Lo > mostShared && 10*math.Log(s.Hi/s.Lo) < math.Log(shared.Hi/shared.Lo)
	})
}

// settle fills in the domain.
func (a *axis) settle() {
	if a.Shown.empty() {
		a.Domain = span{0, 1}
		if a.Kind == logarith {
			a.Domain = span{1, 10}
		}
		return
	}
	a.Equal = a.Shown.equal()
	if a.Domain == (span{}) {
		a.Domain = a.Shown.widen(a.Kind, 0.05)
	}
}

// drop takes out the marks that the value axis cannot show, and counts them:
// trials, where the figure has any, and else estimates. Bounds of intervals
// that it cannot show become open.
func (p *panel) drop(all *leftOut, trials bool) {
	log := p.Value.Kind == logarith
	for i := range p.Series {
		s := &p.Series[i]
		s.Marks = slices.DeleteFunc(s.Marks, func(m mark) bool {
			if m.Look == gone {
				return false
			}
			out := all
			if trials && !m.single() {
				out = &leftOut{} // of trials that are counted themselves
			}
			out.Of++
			switch {
			case math.IsNaN(m.Value):
				out.NaN++
			case math.IsInf(m.Value, 0):
				out.Infinite++
			case log && m.Value <= 0:
				out.NotPositive++
			default:
				return false
			}
			return true
		})
		for j := range s.Marks {
			s.Marks[j].Interval = s.Marks[j].Interval.usable(log)
		}
	}
}

// usable is an interval without bounds that no axis has: none at all where a
// bound is not a number, open ends where it is infinite.
func (iv *interval) usable(log bool) *interval {
	if iv == nil || math.IsNaN(iv.Lo) || math.IsNaN(iv.Hi) || log && iv.Hi <= 0 {
		return nil
	}
	u := *iv
	u.CutLo = u.CutLo || math.IsInf(u.Lo, -1) || log && u.Lo <= 0
	u.CutHi = u.CutHi || math.IsInf(u.Hi, 1)
	return &u
}

// shown is the range of a panel's values: of all marks, of zones and rules,
// and of intervals so far as they do not press everything else together.
func (p *panel) shown() span {
	values := nothing
	for _, s := range p.Series {
		for _, m := range s.Marks {
			if m.Look != gone {
				values = values.include(m.Value)
			}
		}
	}
	if values.empty() {
		return values
	}
	for _, r := range p.Rules {
		if !r.AtPlace {
			values = values.include(r.At)
		}
	}
	for _, z := range p.Zones {
		for _, v := range []float64{z.Lo, z.Hi} {
			if !math.IsInf(v, 0) && (p.Value.Kind != logarith || v > 0) {
				values = values.include(v)
			}
		}
	}
	limit := values.reach(p.Value.Kind)
	for _, s := range p.Series {
		for _, m := range s.Marks {
			if iv := m.Interval; iv != nil && !iv.CutLo {
				values = values.include(math.Max(limit.Lo, iv.Lo))
			}
			if iv := m.Interval; iv != nil && !iv.CutHi {
				values = values.include(math.Min(limit.Hi, iv.Hi))
			}
		}
	}
	return values
}

// reach is how far intervals may widen an axis whose values have this range:
// three times as far on either side.
func (s span) reach(kind axisKind) span {
	if kind == logarith {
		far := math.Pow(math.Max(2, s.Hi/s.Lo), 3)
		return span{s.Lo / far, bounded(s.Hi * far)}
	}
	far := 3 * math.Max(s.width(), math.Max(math.Abs(s.Lo), math.Abs(s.Hi))/4)
	return span{bounded(s.Lo - far), bounded(s.Hi + far)}
}

// cut ends intervals at the domain and counts those that go on.
func (p *panel) cut() int {
	n := 0
	d := p.Value.Domain
	for i := range p.Series {
		for j := range p.Series[i].Marks {
			iv := p.Series[i].Marks[j].Interval
			if iv == nil {
				continue
			}
			iv.CutLo = iv.CutLo || iv.Lo < d.Lo
			iv.CutHi = iv.CutHi || iv.Hi > d.Hi
			if iv.CutLo {
				iv.Lo = d.Lo
			}
			if iv.CutHi {
				iv.Hi = d.Hi
			}
			if iv.CutLo || iv.CutHi {
				n++
			}
		}
	}
	return n
}

// count is a number with its noun.
func count(n int, noun string) string {
	return fmt.Sprintf("%s %s", groupInt(n), pick(n, noun, noun+"s"))
}

func groupInt(n int) string { return decimal{int64(n), 0}.plain(0) }

// pick chooses between singular and plural.
func pick(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
