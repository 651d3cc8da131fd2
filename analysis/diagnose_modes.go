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

// minModes is the least number of trials in which modes are looked for.
const minModes = 50

// Modality is a look whether the numbers of one session have more than one
// mode: treatment by treatment where each has trials enough, else all trials
// less their treatment's mean. The dip test flags (Hartigan & Hartigan 1985),
// with Holm over the treatments; the lowlands between modes part them.
type Modality struct {
	Session, Machine string
	Log              bool // distances from a treatment's mean are logarithms
	Samples          []ModeSample
	Refused          string
}

// ModeSample is numbers in which modes were looked for.
type ModeSample struct {
	Of     expr.Selection // the treatment; nil: the distances of all trials from their treatments' means
	Trials []Observation  // in the order in which they ran
	Values []float64      // of each: in the metric's unit, of distances as Log says
	Dip, P float64        // Holm's over all samples of the session
	// Together is how far the trials of a block share a mode, of distances from
	// treatments' means: 0, no more than if all lay in the largest; 1, all do; NaN
	// where modes are not told apart, or there are no blocks.
	Together float64
	Modes    []stat.Mode // where the test flags, ascending; empty where the lowlands show none, or there are fewer than 100 values
	Smoothed stat.KernelDensity
}

// Modality looks at each session, by its trials within a selection. The error
// is for a question that makes no sense.
func (r *Result) Modality(metric string, where expr.Selection) ([]Modality, error) {
	m, err := r.metricWithin(metric, where)
	if err != nil {
		return nil, err
	}
	var all []Modality
	for _, trials := range bySession(r.countingTrials(where)) {
		one := r.modalityOf(trials, m)
		for i := range one.Samples {
			one.Samples[i].Smoothed = stat.Density(one.Samples[i].Values, densityPlaces)
		}
		all = append(all, one)
	}
	return all, nil
}

// modalityOf is the look at the trials of one session.
func (r *Result) modalityOf(trials []*trial, metric int) Modality {
	o := Modality{Session: trials[0].session.Session, Machine: trials[0].session.Machine}
	if o.Refused = r.modeSamples(&o, trials, metric); o.Refused != "" {
		return o
	}
	ps := make([]float64, len(o.Samples))
	for i := range o.Samples {
		s := &o.Samples[i]
		dip := stat.Dip(s.Values)
		s.Dip, ps[i] = dip.D, dip.P
	}
	for i, p := range stat.Holm(ps) {
		s := &o.Samples[i]
		if s.P = p; s.Flagged() {
			s.Modes, _ = stat.Lowlands(s.Values)
		}
		if len(s.Modes) < 2 {
			s.Modes = nil
		}
		s.Together = s.together()
	}
	return o
}

// muchTogether is from which Together on modes are those of blocks.
const muchTogether = 0.75

// together counts the trials that lie in the mode of most trials of their
// block, beyond those that would if all were counted to the largest mode, as a
// share of what is left (as Goodman and Kruskal's lambda, JASA 49, 1954).
func (s ModeSample) together() float64 {
	if s.Of != nil || len(s.Modes) == 0 {
		return math.NaN()
	}
	in, all := map[int][]int{}, make([]int, len(s.Modes))
	for i, t := range s.Trials {
		if t.Block == 0 {
			return math.NaN()
		}
		if in[t.Block] == nil {
			in[t.Block] = make([]int, len(s.Modes))
		}
		mode := s.modeOf(s.Values[i])
		in[t.Block][mode]++
		all[mode]++
	}
	agree := 0
	for _, modes := range in {
		agree += slices.Max(modes)
	}
	largest := slices.Max(all)
	return float64(agree-largest) / float64(len(s.Values)-largest)
}

// modeOf is the mode that a value belongs to.
func (s ModeSample) modeOf(x float64) int {
	for i, m := range s.Modes {
		if x <= m.Hi {
			return i
		}
	}
	return len(s.Modes) - 1
}

// Between says that modes are those of blocks: the machine is slow, or fast,
// for whole blocks.
func (s ModeSample) Between() bool { return s.Together >= muchTogether }

// Flagged says that the dip test found more than one mode.
func (s ModeSample) Flagged() bool { return s.P < flagAlpha }

// most is the sample with the least p-value.
func (o Modality) most() ModeSample {
	worst := o.Samples[0]
	for _, s := range o.Samples {
		if s.P < worst.P {
			worst = s
		}
	}
	return worst
}

// modes is the look as a diagnostic.
func (r *Result) modes(d Diagnostic, trials []*trial, metric int) Diagnostic {
	d.Check = "modes"
	o := r.modalityOf(trials, metric)
	if o.Refused != "" {
		d.Text = "modes not looked at: " + o.Refused
		return d
	}
	s := o.most()
	d.Value, d.P = s.Dip, s.P
	if d.Flag = s.Flagged(); !d.Flag {
		d.Text = fmt.Sprintf("quiet: no more than one mode seen (dip test, %s)", PText(d.P))
		return d
	}
	d.Text = fmt.Sprintf("modes: %s have more than one mode (dip test, %s)", s.words(), PText(d.P))
	if shares := o.Shares(s, r.Metrics[metric].Unit); shares != "" {
		d.Text += ": " + shares
	}
	if s.Between() {
		d.Text += "; most blocks lie in one of them as a whole, so that a comparison within blocks feels little of them"
	} else {
		d.Text += "; what a ratio says is about their mix"
	}
	return d
}

// words say what the numbers of a sample are.
func (s ModeSample) words() string {
	if s.Of == nil {
		return "the trials less their treatments' means"
	}
	return "the numbers of " + s.Of.String()
}

// modeSamples are the numbers of each treatment, or of all together; or the
// reason why there was no look.
func (r *Result) modeSamples(o *Modality, trials []*trial, metric int) (why string) {
	by, keys, order, total := map[string]*ModeSample{}, []string{}, map[string]int{}, 0
	for _, t := range trials {
		x, ok := t.number(metric)
		if !ok {
			continue
		}
		s := by[t.key]
		if s == nil {
			s = &ModeSample{Of: r.selectionOf(t.levels)}
			by[t.key], keys, order[t.key] = s, append(keys, t.key), t.Treatment
		}
		s.Trials, s.Values = append(s.Trials, observation(t, metric)), append(s.Values, x)
		total++
	}
	if total < minModes {
		return fmt.Sprintf("it takes %d trials, and there are %d", minModes, total)
	}
	least := math.MaxInt
	slices.SortFunc(keys, func(a, b string) int { return cmp.Compare(order[a], order[b]) })
	for _, k := range keys {
		least = min(least, len(by[k].Values))
		o.Samples = append(o.Samples, *by[k])
	}
	if least < minModes {
		residuals := residualsOf(trials, metric)
		all := ModeSample{Values: withoutTreatments(residuals)}
		for _, res := range residuals {
			all.Trials = append(all.Trials, res.Observation)
		}
		o.Log, o.Samples = residuals[0].Log, []ModeSample{all}
	}
	for _, s := range o.Samples {
		if 2*countDistinct(s.Values) < len(s.Values) {
			return "many numbers are equal; is the clock too coarse?"
		}
	}
	return ""
}

// Shares are the modes of a sample in words: "62 % about 10.2 ms, 38 % about
// 13.1 ms"; nothing where they are not told apart.
func (o Modality) Shares(s ModeSample, unit string) string {
	var words []string
	for _, m := range s.Modes {
		where := "about " + significant(m.Median, 3, false) + unitSuffix(unit)
		if s.Of == nil {
			where = "about " + offText(m.Median, o.Log)
			if !o.Log {
				where += unitSuffix(unit)
			}
		}
		words = append(words, percent(m.Share)+" "+where)
	}
	return strings.Join(words, ", ")
}
