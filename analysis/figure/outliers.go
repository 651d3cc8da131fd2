package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"fieldbook/analysis"
)

// outliersChart shows how far each trial lies from the median of its
// treatment, in the order of running, and the fences of each session, beyond
// which a trial lies far.
func outliersChart(w *wish) (*chart, error) {
	if w.Facet != "" && w.Facet != byMachine && w.Facet != bySession {
		return nil, fmt.Errorf("the plot %s has panels of machine or session, and no use for %s", Outliers, w.Facet)
	}
	w.partMachines()
	looks, err := w.r.Outliers(w.Metric, w.Where)
	if err != nil {
		return nil, err
	}
	o := &outlierMaker{wish: w, looks: looks, at: w.places()}
	if why := o.refused(); len(w.trials) > 0 && why != "" {
		return nil, fmt.Errorf("outliers are not looked at: %s; the plots %s and %s show each trial", why, Order, Residuals)
	}
	c := &chart{Name: w.Name, Width: 860, Height: 190, Shared: true, Most: mostQuiet, Title: o.title(), Desc: o.desc(), Table: o.table(),
		Legend: []key{{neutral, dot, "one trial"}},
		Notes:  append(notes(w.failures(), w.staleNote(), w.unpublished(), o.unlisted()), o.unfenced()...)}
	for _, f := range w.facets() {
		c.Panels = append(c.Panels, o.panel(f))
	}
	if o.found() {
		c.Legend = append(c.Legend, key{farSign, marked, "far from the others of its treatment"})
	}
	c.Legend = append(c.Legend, key{neutral, fitted, "from here on it lies far"})
	return c, nil
}

// mostQuiet is how many trials that do not lie far are drawn, about: so many
// show a drift, and more hide each other.
const mostQuiet = 1000

// farSign is that of a trial that a look has found.
var farSign = sign{Colour: 2, Shape: 1}

// outlierMaker has the looks at the sessions.
type outlierMaker struct {
	*wish
	looks []analysis.Outliers
	at    map[trialID]float64
}

// refused is why no session could be looked at; empty where one was.
func (o *outlierMaker) refused() string {
	why := "there are no trials"
	for _, l := range o.looks {
		if why = l.Refused; why == "" {
			return ""
		}
	}
	return why
}

// found says whether some trial lies far.
func (o *outlierMaker) found() bool {
	return slices.ContainsFunc(o.looks, func(l analysis.Outliers) bool { return len(l.Far()) > 0 })
}

// unfenced says which sessions have no fences.
func (o *outlierMaker) unfenced() []string {
	var all []string
	for _, l := range o.looks {
		if l.Refused != "" {
			all = append(all, fmt.Sprintf("No fences of session %s: %s", within(l.Session), clean(l.Refused)))
		}
	}
	return all
}

func (o *outlierMaker) panel(facet string) panel {
	p := panel{Title: o.facetTitle(facet), Rules: []rule{{At: 0}}, Value: axis{Title: "distance, in units of the noise", Kind: linear}}
	quiet, far := series{Sign: neutral, Label: "one trial"}, series{Sign: farSign, Label: "far"}
	var fences []series
	for _, l := range o.looks {
		if facet != "" && facet != l.Machine && facet != l.Session {
			continue
		}
		from, to := math.Inf(1), math.Inf(-1)
		for _, t := range l.Trials {
			m := mark{Place: o.at[id(t.Observation)], Value: t.Noise, Look: dot, Stale: t.Stale}
			from, to = math.Min(from, m.Place-0.5), math.Max(to, m.Place+0.5)
			if !t.Far {
				quiet.Marks = append(quiet.Marks, m)
				continue
			}
			m.Look, m.Tip = marked, o.say(l, t)
			far.Marks = append(far.Marks, m)
		}
		for _, at := range []float64{l.Lo, l.Hi} {
			if l.Refused == "" {
				fences = append(fences, series{Sign: neutral, Line: dashed, Label: "fence " + number(at, at),
					Marks: []mark{{Place: from, Value: at, Look: fitted}, {Place: to, Value: at, Look: fitted}}})
			}
		}
	}
	p.Series = append(fences, quiet, far)
	o.rounds(&p, o.beside(facet), o.at)
	return p
}

// say names a trial that lies far.
func (o *outlierMaker) say(l analysis.Outliers, t analysis.DistantTrial) string {
	return o.tip(t.Observation, o.nameOf(t.Observation), spread(values(o.trials)).width()) + ", " + o.off(l, t) + " off the median of its treatment, " +
		number(math.Abs(t.Noise), math.Abs(t.Noise)) + " times the noise"
}

// off is a distance in per cent, or in the unit shown.
func (o *outlierMaker) off(l analysis.Outliers, t analysis.DistantTrial) string {
	if l.Log {
		return clean(l.OffText(t))
	}
	sign := "+"
	if t.Off < 0 {
		sign = "−"
	}
	return sign + o.withUnit(math.Abs(t.Off), math.Abs(t.Off))
}

// nameOf is the treatment of a trial.
func (w *wish) nameOf(t analysis.Observation) string {
	if g := w.groupOf(t.Levels, t.Machine); g != nil {
		return g.fullName()
	}
	return ""
}

func (o *outlierMaker) title() string {
	if len(o.trials) == 0 {
		return o.noTrials()
	}
	return sentence(fmt.Sprintf("%s of %s%s: how far each lies from the median of its treatment", o.quantity(), count(len(o.trials), "trial"), o.scopeAfter()))
}

func (o *outlierMaker) desc() string {
	if len(o.trials) == 0 {
		return "There is no data."
	}
	var words []string
	n := 0
	for _, l := range o.looks {
		n += len(l.Trials)
		for _, t := range l.Far() {
			name := fmt.Sprintf("trial %d", t.Trial)
			if o.sessions > 1 {
				name += " of session " + within(l.Session)
			}
			words = append(words, fmt.Sprintf("%s, %s, %s", name, within(o.nameOf(t.Observation)), o.off(l, t)))
		}
	}
	text := sentence(o.rows()) + ". "
	if len(words) == 0 {
		return text + "None lies far from the others of its treatment."
	}
	return text + fmt.Sprintf("%d of %s %s far from the others of the same treatment: %s.", len(words), groupInt(n), pick(len(words), "lies", "lie"), firstOf(words, "trial"))
}

// unlisted says how many trials the table leaves out; nothing where there is no
// table.
func (o *outlierMaker) unlisted() string {
	all, far := 0, 0
	for _, l := range o.looks {
		all += len(l.Trials)
		far += len(l.Far())
	}
	if far == 0 || far == all {
		return ""
	}
	return fmt.Sprintf("The numbers behind it list what lies far; the other %s are not listed", count(all-far, "trial"))
}

// table is every trial with its distance, those that lie far first. The others
// are quiet: their numbers stand where all trials are shown.
func (o *outlierMaker) table() Table {
	unit := "%"
	for _, l := range o.looks {
		if !l.Log {
			unit = o.unit
		}
	}
	t := Table{Head: append(o.sessionCells("session", "trial"), o.factorHead()...)}
	t.Head = append(t.Head, unitHead("off its treatment's median", unit), "in units of the noise", "lies far")
	var quiet [][]string
	for _, l := range o.looks {
		for _, d := range l.Trials {
			off := d.Off
			if l.Log && unit == "%" {
				off = 100 * math.Expm1(off)
			} else if l.Log {
				off = d.Value - d.Value/math.Exp(off)
			}
			row := append(o.sessionCells(d.Session, strconv.Itoa(d.Trial)), o.factorCells(d.Observation)...)
			row = append(row, fourDigits(off), fourDigits(d.Noise))
			if d.Far {
				t.Rows = append(t.Rows, append(row, "yes"))
			} else {
				quiet = append(quiet, append(row, ""))
			}
		}
	}
	t.Rows, t.Quiet = append(t.Rows, quiet...), len(quiet)
	return t
}

// fourDigits and sixDigits are a computed number for a table, of which no more
// is of use.
func fourDigits(v float64) string { return digitsOf(v, 4) }
func sixDigits(v float64) string  { return digitsOf(v, 6) }

func digitsOf(v float64, n int) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', n-1, 64), 64)
	if err != nil {
		return ""
	}
	return cell(short)
}
