package analysis

import (
	"fmt"
	"math"

	"fieldbook/analysis/stat"
)

// EffectModel is whether the model behind a table of effects suits its data.
// It changes no number: what is claimed rests on the contrasts of blocks, each
// with a noise of its own.
type EffectModel struct {
	stat.BlockModel
	Plain []Effect // interactions of the numbers themselves, where treatments are more than a fifth apart
}

// largeRatio is the ratio of treatments beyond which it matters whether an interaction
// is one of ratios or of differences.
const largeRatio = 1.2

// modelOf looks at the model of a table that has been made.
func (r *Result) modelOf(metric int, factors []int, d stat.Design) EffectModel {
	m := EffectModel{BlockModel: stat.CheckBlocks(d)}
	if !apartBy(d, math.Log(largeRatio)) {
		return m
	}
	d.Y = mapped(d.Y, math.Exp)
	for _, row := range stat.FactorialBlocks(d).Rows {
		if len(row.Term) < 2 {
			continue
		}
		e := Effect{Metric: r.Metrics[metric].Name, SS: row.SS, MS: row.MS, DF: row.DF, F: row.F, P: row.P, ErrorDF: row.ErrorDF, Error: row.ErrorName}
		for _, t := range row.Term {
			e.Factors = append(e.Factors, r.Factors[factors[t]].Name)
		}
		m.Plain = append(m.Plain, e)
	}
	return m
}

// apartBy says whether the means of two treatments lie further apart.
func apartBy(d stat.Design, distance float64) bool {
	sum, n := map[string]float64{}, map[string]float64{}
	for i, y := range d.Y {
		k := fmt.Sprint(d.Levels[i])
		sum[k] += y
		n[k]++
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for k, s := range sum {
		lo, hi = math.Min(lo, s/n[k]), math.Max(hi, s/n[k])
	}
	return hi-lo > distance
}

// Doubts are what a reader of the table must know. Each of the two tests
// supposes that what the other looks for is not there.
func (m EffectModel) Doubts() []string {
	bent := m.Nonadditivity.P < flagAlpha
	noise := fmt.Sprintf("%s-fold in variance (Brown-Forsythe, %s)", significant(m.NoiseRatio, 2, false), PText(m.BrownForsytheP))
	tukey := fmt.Sprintf("Tukey's test of non-additivity, %s", PText(m.Nonadditivity.P))
	const lean = "lean on the ratios, each of which has its own noise"
	switch {
	case bent && m.Uneven:
		return []string{"treatments act otherwise in slow blocks than in fast ones (" + tukey + "), or some are noisier than others, " + noise + ", which cannot be told apart: " + lean}
	case bent:
		return []string{"treatments act otherwise in slow blocks than in fast ones (" + tukey + "): one ratio for all blocks is their mean"}
	case m.Uneven:
		return []string{"the noise of treatments differs " + noise + ", which one F for all does not bear well: " + lean}
	}
	return nil
}

// Words are what was looked at and what was found, a sentence each, without the
// doubts.
func (m EffectModel) Words(effects []Effect) []string {
	var all []string
	if w := m.worth(); w != "" {
		all = append(all, w)
	}
	if p := m.Nonadditivity.P; p >= flagAlpha {
		all = append(all, fmt.Sprintf("Treatments are not seen to act otherwise in slow blocks than in fast ones (Tukey's test of non-additivity, %s).", PText(p)))
	}
	if !m.Uneven && !math.IsNaN(m.NoiseRatio) {
		all = append(all, fmt.Sprintf("The noise of treatments differs up to %s-fold in variance, which one F for all bears (up to four; Brown-Forsythe, %s).", significant(m.NoiseRatio, 2, false), PText(m.BrownForsytheP)))
	}
	for _, e := range m.Plain {
		for _, same := range effects {
			if andList(same.Factors) == andList(e.Factors) {
				all = append(all, fmt.Sprintf("Whether %s depend on each other is a question of the scale: of ratios, as here, %s; of differences %s.", andList(e.Factors), PText(same.P), PText(e.P)))
			}
		}
	}
	return all
}

// worth is what the blocks gained.
func (m EffectModel) worth() string {
	if math.IsNaN(m.Efficiency) {
		return ""
	}
	gained := fmt.Sprintf("for this precision an order without them would have taken %s times as many trials", significant(m.Efficiency, 2, false))
	spread := fmt.Sprintf("blocks differ by %s, trials within them by %s (standard deviations)", percent(math.Sqrt(m.BlockVariance)), percent(math.Sqrt(m.MeanSquareError)))
	if m.Efficiency > 1 {
		return "Blocks were worth it: " + gained + "; " + spread + "."
	}
	return "Blocks gained nothing here, and cost little: " + gained + "; " + spread + "."
}
