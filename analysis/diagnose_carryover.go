package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// CarryOver is a look at whether what ran just before a trial shows in its
// number, over all sessions of a machine that were not run in a fixed cycle.
type CarryOver struct {
	Machine  string
	Sessions []string
	Log      bool // effects are ratios; else they are in the metric's unit
	// Factors are what tells the trial before: its treatment, under the name
	// "", or, where treatments are too many for that, each of its factors.
	Factors        []Predecessors
	F, DF, ErrorDF float64
	P              float64 // NaN: not looked at, or there is no noise
	Refused        string
}

// Predecessors are the levels of one factor of the trial before.
type Predecessors struct {
	Factor string // "": the whole treatment
	Levels []Aftermath
}

// Aftermath is what trials give after one treatment, or one level.
type Aftermath struct {
	After  expr.Selection
	Effect Estimate // over the mean of all of them: a ratio where Log, else a difference
	Trials []Followed
}

// Followed is a trial with what block, position, treatment and the other
// factors of its predecessor leave of its number: a ratio where Log. The
// (geometric) mean over an Aftermath's trials is its effect, but for what the
// model leaves of the first trial of a session, which followed none.
type Followed struct {
	Observation
	Left float64
}

// CarryOver looks at each machine, by the trials within a selection; what ran
// before them may be any trial of the session. The error is for a question
// that makes no sense.
func (r *Result) CarryOver(metric string, where expr.Selection) ([]CarryOver, error) {
	m, err := r.metricWithin(metric, where)
	if err != nil {
		return nil, err
	}
	var all []CarryOver
	for _, machine := range r.machinesIn(where) {
		all = append(all, r.carryOverOn(m, machine, where))
	}
	return all, nil
}

// why is why there was no look; empty where there was.
func (c CarryOver) why() string {
	if c.Refused == "" && math.IsNaN(c.P) {
		return "there is no noise to weigh it against"
	}
	return c.Refused
}

// Flagged says that the look found something.
func (c CarryOver) Flagged() bool { return c.why() == "" && c.P < flagAlpha }

// Most is the treatment or level after which numbers lie off furthest; nil
// where no effects could be computed.
func (c CarryOver) Most() *Aftermath {
	var most *Aftermath
	far := func(a Aftermath) float64 {
		if c.Log {
			return math.Abs(math.Log(a.Effect.Value))
		}
		return math.Abs(a.Effect.Value)
	}
	for _, f := range c.Factors {
		for i := range f.Levels {
			if most == nil || far(f.Levels[i]) > far(*most) {
				most = &f.Levels[i]
			}
		}
	}
	return most
}

// Words are the finding as a sentence without its stop.
func (c CarryOver) Words() string {
	if why := c.why(); why != "" {
		return "carry-over not looked at: " + why
	}
	by := ""
	if names := c.factorNames(); len(names) > 0 {
		by = ", told by " + andList(names) + ","
	}
	if !c.Flagged() {
		return fmt.Sprintf("quiet: what ran just before a trial%s is not seen in its number (%s)", by, PText(c.P))
	}
	after := ""
	if most := c.Most(); most != nil {
		after = fmt.Sprintf(", most after %s: %s", most.After, most.Text())
	}
	return fmt.Sprintf("carry-over: what ran just before a trial%s shows in its number%s (%s)", by, after, PText(c.P))
}

// factorNames are the factors that tell the trial before; none where its
// treatment does.
func (c CarryOver) factorNames() []string {
	var names []string
	for _, f := range c.Factors {
		if f.Factor != "" {
			names = append(names, f.Factor)
		}
	}
	return names
}

// Text is the effect as a change, "+2.3 % [+1.1, +3.5]", or in the metric's
// unit.
func (a Aftermath) Text() string {
	if a.Effect.Kind == Ratio {
		return a.Effect.PercentText()
	}
	return a.Effect.Text()
}

// carryOver is the look as a diagnostic.
func (r *Result) carryOver(metric int, machine string) Diagnostic {
	c := r.carryOverOn(metric, machine, nil)
	d := Diagnostic{Metric: r.Metrics[metric].Name, Machine: machine, Check: "carry-over", Value: c.F, P: c.P, Flag: c.Flagged(), Text: c.Words()}
	if len(c.Sessions) == 1 {
		d.Session = c.Sessions[0]
	}
	return d
}

// carryOverOn is the look at one machine: by the predecessor's treatment where
// each followed each other one twice, else by the levels of its factors.
func (r *Result) carryOverOn(metric int, machine string, where expr.Selection) CarryOver {
	f := r.followed(metric, machine, where)
	c := CarryOver{Machine: machine, Sessions: f.sessions, Log: f.log, F: math.NaN(), P: math.NaN()}
	if f.fixed && len(f.y) == 0 {
		c.Refused = "the order is a fixed cycle, so that what a trial leaves behind cannot be told from the treatment that follows"
		return c
	}
	test := stat.CarryOver(f.sequence, f.period, f.treatment, f.previous, f.y)
	if !strings.HasPrefix(test.Refused, "not every treatment") {
		if c.Refused = test.Refused; c.Refused == "" && !r.effectsAfter(&c, f, metric, []int{-1}) {
			c.F, c.DF, c.ErrorDF, c.P = test.Carry.F, test.Carry.DF, test.Carry.ErrorDF, test.Carry.P
		}
		return c
	}
	factors := r.varying(f.levelsOf())
	switch {
	case len(factors) > 1 && f.work() > mostWork:
		c.Refused = fmt.Sprintf("%s of %s are too many to look at", plural(len(f.y), "trial"), plural(len(f.keys), "treatment"))
	case len(factors) < 2 || !r.effectsAfter(&c, f, metric, factors):
		c.Refused = "it takes each treatment twice right after each other one"
	}
	return c
}

// mostWork is how much work a look by factors may be, about a second.
const mostWork = 1e8

// work is about how many multiplications a look by factors takes: treatments
// and places in a block are columns of its model.
func (f *followed) work() float64 {
	columns := 2 * float64(len(f.keys))
	return float64(len(f.y)) * columns * columns
}

// levelsOf are the levels of all treatments that ran before or after another.
func (f *followed) levelsOf() [][]string {
	var all [][]string
	for _, k := range f.keys {
		all = append(all, strings.Split(k, levelSep))
	}
	return all
}

// effectsAfter fills in the effects, by the predecessor's levels of some
// factors, of which -1 is its whole treatment; false where they cannot be
// told apart.
func (r *Result) effectsAfter(c *CarryOver, f *followed, metric int, factors []int) bool {
	previous, names := make([][]int, len(factors)), make([][]expr.Selection, len(factors))
	for k, factor := range factors {
		previous[k], names[k] = r.codes(f, factor)
	}
	fit := stat.CarryOverEffects(f.sequence, f.period, f.treatment, previous, f.y)
	if fit.Refused != "" {
		return false
	}
	c.F, c.DF, c.ErrorDF, c.P = fit.Carry.F, fit.Carry.DF, fit.Carry.ErrorDF, fit.Carry.P
	for k, factor := range factors {
		p := Predecessors{}
		if factor >= 0 {
			p.Factor = r.Factors[factor].Name
		}
		for _, a := range fit.After[k] {
			one := Aftermath{After: names[k][a.Level], Effect: r.effectAfter(a.Effect, metric, f.log)}
			for i, t := range f.trials {
				if previous[k][i] == a.Level {
					one.Trials = append(one.Trials, Followed{observation(t, metric), f.back(a.Effect.Value + fit.Residuals[i])})
				}
			}
			one.Effect.N = len(one.Trials)
			p.Levels = append(p.Levels, one)
		}
		if factor < 0 {
			r.sortByTreatment(p.Levels)
		}
		c.Factors = append(c.Factors, p)
	}
	return true
}

// sortByTreatment puts what followed treatments into the order of these; one
// that the experiment has no more comes last.
func (r *Result) sortByTreatment(levels []Aftermath) {
	at := map[string]int{}
	for i, t := range r.Treatments() {
		at[r.selectionOf(t).String()] = i + 1
	}
	place := func(a Aftermath) int { return cmp.Or(at[a.After.String()], len(at)+1) }
	slices.SortStableFunc(levels, func(a, b Aftermath) int { return cmp.Compare(place(a), place(b)) })
}

// codes number the predecessor of each trial by its level of a factor, in the
// order that the factor declares, or by its treatment, and name the numbers.
func (r *Result) codes(f *followed, factor int) (previous []int, names []expr.Selection) {
	if factor < 0 {
		for _, levels := range f.levelsOf() {
			names = append(names, r.selectionOf(levels))
		}
		return f.previous, names
	}
	name := r.Factors[factor].Name
	levels := slices.Clone(r.Factors[factor].Levels)
	for _, p := range f.previous {
		if p < 0 {
			previous = append(previous, -1)
			continue
		}
		level := strings.Split(f.keys[p], levelSep)[factor]
		at := slices.Index(levels, level)
		if at < 0 {
			at, levels = len(levels), append(levels, level)
		}
		previous = append(previous, at)
	}
	for _, l := range levels {
		names = append(names, expr.Selection{{Factor: name, Levels: []string{l}}})
	}
	return previous, names
}

// effectAfter is an effect as a reader sees it.
func (r *Result) effectAfter(e stat.Estimate, metric int, log bool) Estimate {
	m := r.Metrics[metric]
	if log {
		return Estimate{Estimate: through(e, math.Exp), Metric: m.Name, Kind: Ratio, Stat: "ratio", Unit: "1"}
	}
	return Estimate{Estimate: e, Metric: m.Name, Kind: Difference, Stat: "difference", Unit: m.Unit}
}

// followed is the trials of one machine with what ran just before each.
type followed struct {
	trials                                []*trial // ok, with a number
	y                                     []float64
	sequence, period, treatment, previous []int
	keys                                  []string // of treatments, by their number here
	sessions                              []string
	fixed                                 bool // some session's order is a fixed cycle
	log                                   bool // y is logarithms
}

// back turns a number of the model into what a reader sees.
func (f *followed) back(x float64) float64 {
	if f.log {
		return math.Exp(x)
	}
	return x
}

// followed collects the trials of a machine.
func (r *Result) followed(metric int, machine string, where expr.Selection) *followed {
	f := &followed{}
	number := map[string]int{}
	for _, of := range bySession(r.trials) {
		s := of[0].session
		if s.Machine != machine {
			continue
		}
		if FixedPredecessors(s) != nil {
			f.fixed = true
			continue
		}
		f.session(of, metric, number, func(t *trial) bool { return r.matches(t, where) })
	}
	f.y, f.log = onLogScale(f.y)
	return f
}

// session adds the trials of one session, whose first one followed none.
func (f *followed) session(trials []*trial, metric int, number map[string]int, wanted func(*trial) bool) {
	var before *trial
	sequence, place := len(f.sequence)+1, 0
	block := -1
	for _, t := range trials {
		if !t.ran() {
			continue
		}
		if t.Block != block {
			block, place = t.Block, 0
			sequence++
		}
		place++
		if x, ok := t.number(metric); ok && t.usable() && wanted(t) {
			previous := -1
			if before != nil {
				previous = f.numberOf(before.key, number)
			}
			period := place
			if t.Block == 0 {
				period = 0
			}
			f.trials, f.y = append(f.trials, t), append(f.y, x)
			f.sequence, f.period = append(f.sequence, sequence), append(f.period, period)
			f.treatment, f.previous = append(f.treatment, f.numberOf(t.key, number)), append(f.previous, previous)
			if !slices.Contains(f.sessions, t.session.Session) {
				f.sessions = append(f.sessions, t.session.Session)
			}
		}
		before = t
	}
}

func (f *followed) numberOf(key string, number map[string]int) int {
	if _, known := number[key]; !known {
		number[key] = len(f.keys)
		f.keys = append(f.keys, key)
	}
	return number[key]
}

// onLogScale takes logarithms where all numbers are above zero.
func onLogScale(y []float64) (scaled []float64, log bool) {
	if len(y) == 0 || slices.Min(y) <= 0 {
		return y, false
	}
	return logsOf(y), true
}

// offText is how far a number lies off, of logarithms as a change: "+2.3 %".
func offText(x float64, log bool) string {
	if log {
		x = 100 * math.Expm1(x)
	}
	text := significant(math.Abs(x), 2, false)
	if log {
		text += " %"
	}
	if x < 0 {
		return "−" + text
	}
	return "+" + text
}
