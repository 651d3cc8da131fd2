package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis/stat"
)

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

// carryOver looks whether the treatment that ran just before a trial shows in
// its number, over all sessions of a machine that were not run in a fixed
// cycle.
func (r *Result) carryOver(metric int, machine string) Diagnostic {
	f := r.followed(metric, machine)
	d := Diagnostic{Metric: r.Metrics[metric].Name, Machine: machine, Check: "carry-over", Value: math.NaN(), P: math.NaN()}
	if len(f.sessions) == 1 {
		d.Session = f.sessions[0]
	}
	test := stat.CarryOver(f.sequence, f.period, f.treatment, f.previous, f.y)
	switch {
	case f.fixed && len(f.y) == 0:
		d.Text = "carry-over not looked at: the order is a fixed cycle, so that what a trial leaves behind cannot be told from the treatment that follows"
	case strings.HasPrefix(test.Refused, "not every treatment"):
		d.Text = "carry-over not looked at: it takes each treatment twice right after each other one"
	case test.Refused != "":
		d.Text = "carry-over not looked at: " + test.Refused
	case math.IsNaN(test.Carry.P):
		d.Text = "carry-over not looked at: there is no noise to weigh it against"
	default:
		d.Value, d.P = test.Carry.F, test.Carry.P
		if d.Flag = d.P < flagAlpha; d.Flag {
			d.Text = fmt.Sprintf("carry-over: what ran just before a trial shows in its number, %s (%s)", r.burden(f), PText(d.P))
		} else {
			d.Text = fmt.Sprintf("quiet: what ran just before a trial is not seen in its number (%s)", PText(d.P))
		}
	}
	return d
}

// followed collects the trials of a machine.
func (r *Result) followed(metric int, machine string) *followed {
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
		f.session(of, metric, number)
	}
	f.y, f.log = onLogScale(f.y)
	return f
}

// session adds the trials of one session, whose first one followed none.
func (f *followed) session(trials []*trial, metric int, number map[string]int) {
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
		if x, ok := t.number(metric); ok && t.usable() {
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

// burden is the predecessor after which numbers stand out most: "most after
// version=new, by +2.3 %".
func (r *Result) burden(f *followed) string {
	sum, n := make([]float64, len(f.keys)), make([]float64, len(f.keys))
	for i, res := range additiveFit(f.trials, f.y) {
		if p := f.previous[i]; p >= 0 {
			sum[p] += f.y[i] - res
			n[p]++
		}
	}
	worst := 0
	for p := range sum {
		if n[p] > 0 && math.Abs(sum[p]/n[p]) > math.Abs(sum[worst]/math.Max(1, n[worst])) {
			worst = p
		}
	}
	after := r.selectionOf(strings.Split(f.keys[worst], levelSep)).String()
	return "most after " + after + ": " + offText(sum[worst]/n[worst], f.log)
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
