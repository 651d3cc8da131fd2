package analysis

import (
	"math"
	"slices"
)

// Floor is what this experiment's A/A control says of a metric: the same
// treatment under two labels, A over B. Of several controls and machines it
// is the one whose interval reaches furthest from 1. nil without a control.
func (r *Result) Floor(metric string) *Comparison {
	m, err := r.metricIndex(metric)
	if err != nil {
		return nil
	}
	var widest *Comparison
	for _, machine := range r.Machines() {
		if f := r.floorOn(m, machine); f != nil && (widest == nil || reach(f) > reach(widest)) {
			widest = f
		}
	}
	return widest
}

// floorOn is the floor on one machine; "" is any.
func (r *Result) floorOn(metric int, machine string) *Comparison {
	var keys []string
	for _, t := range r.trials {
		if t.usable() && t.Control == "B" && (machine == "" || t.session.Machine == machine) && !slices.Contains(keys, t.key) {
			keys = append(keys, t.key)
		}
	}
	slices.Sort(keys)
	var widest *Comparison
	for _, k := range keys {
		if f := r.floorOf(metric, machine, k); widest == nil || reach(&f) > reach(widest) {
			widest = &f
		}
	}
	return widest
}

// floorOf is the floor of one treatment.
func (r *Result) floorOf(metric int, machine, key string) Comparison {
	scope := r.scopeOf(machine)
	a := r.singleKey(key, scope)
	b := a
	a.control, b.control = "A", "B"
	c := r.compare(metric, []side{a, b}, "A / B where "+a.sel.String())
	c.Exploratory = false
	return c
}

// leastMargin is the least m with lo..hi inside 1/m..m.
func leastMargin(lo, hi float64) float64 {
	return math.Exp(math.Max(math.Abs(math.Log(lo)), math.Abs(math.Log(hi))))
}

// reach is how far an A/A interval extends from 1, on the log scale. One that
// cannot be computed reaches furthest.
func reach(f *Comparison) float64 {
	far := math.Max(math.Abs(math.Log(f.Ratio.Lo)), math.Abs(math.Log(f.Ratio.Hi)))
	if math.IsNaN(far) {
		return math.Inf(1)
	}
	return far
}
