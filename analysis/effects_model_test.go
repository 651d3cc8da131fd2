package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"fieldbook/analysis/stat"
)

// R 4.2.2 on machine m1 of factorial.csv: anova(m, update(m, . ~ . + fitted²)),
// the relative efficiency of blocks from the mean squares, variances of the
// residuals by treatment, and the interaction of lm(time_s ~ …).
func TestEffectModelAgainstReference(t *testing.T) {
	tables, err := factorialStudy(t).result().Effects("time", nil)
	if err != nil {
		t.Fatal(err)
	}
	m := tables[0].Model
	for name, pair := range map[string][2]float64{
		"non-additivity F": {m.Nonadditivity.F, 0.892251658634328}, "p": {m.Nonadditivity.P, 0.353563818613126},
		"efficiency": {m.Efficiency, 4.87863742940838}, "noise": {m.NoiseRatio, 2.37692676271841}, "its p": {m.BrownForsytheP, 0.402637387001596},
		"interaction of differences": {m.Plain[0].P, 0.808672},
	} {
		if !near(pair[0], pair[1], 1e-6) {
			t.Errorf("%s = %v, want %v", name, pair[0], pair[1])
		}
	}
	words := strings.Join(m.Words(tables[0].Effects), "\n")
	for _, want := range []string{
		"Blocks were worth it: for this precision an order without them would have taken 4.9 times as many trials; blocks differ by ",
		"not seen to act otherwise in slow blocks than in fast ones (Tukey's test of non-additivity, p = 0.35).",
		"The noise of treatments differs up to 2.4-fold in variance",
		"Whether mode and sessions depend on each other is a question of the scale: of ratios, as here, p = 0.56; of differences p = 0.81.",
	} {
		if !strings.Contains(words, want) {
			t.Errorf("no %q in\n%s", want, words)
		}
	}
	if d := m.Doubts(); len(d) != 0 {
		t.Errorf("doubts %q", d)
	}
}

func TestEffectModelIsDoubted(t *testing.T) {
	of := func(seed uint64, block func(b int) float64, noise map[string]float64) EffectModel {
		g := rand.New(rand.NewPCG(seed, 5))
		s := newStudy(elapsedMS, "version: a b c")
		s.run(ids(1), "m", "randomized-blocks", 20, func(at trialAt) outcome {
			v := at.levels[0]
			x := 100 + 50*float64(strings.Index("abc", v))
			return outcome{value: (x + block(at.block)) * math.Exp(noise[v]*g.NormFloat64())}
		})
		tables, err := s.result().Effects("elapsed", nil)
		if err != nil {
			t.Fatal(err)
		}
		return tables[0].Model
	}
	quiet := map[string]float64{"a": 0.01, "b": 0.01, "c": 0.01}
	added := of(1, func(b int) float64 { return 10 * float64(b) }, quiet)
	if d := added.Doubts(); len(d) != 1 || !strings.HasPrefix(d[0], "treatments act otherwise in slow blocks than in fast ones (Tukey's test of non-additivity, p < 0.0001), or some are noisier") {
		t.Errorf("blocks that add instead of multiply: %q", d)
	}
	a := EffectModel{BlockModel: stat.BlockModel{Uneven: true, NoiseRatio: 5.1, BrownForsytheP: 0.2, Nonadditivity: stat.ANOVARow{P: 0.5}}}
	if d := a.Doubts(); len(d) != 1 || d[0] != "the noise of treatments differs 5.1-fold in variance (Brown-Forsythe, p = 0.2), which one F for all does not bear well: lean on the ratios, each of which has its own noise" {
		t.Errorf("%q", d)
	}
	calm := of(3, func(int) float64 { return 0 }, quiet)
	if w := strings.Join(calm.Words(nil), "\n"); len(calm.Doubts()) != 0 || !strings.HasPrefix(w, "Blocks gained nothing here, and cost little: ") && !strings.HasPrefix(w, "Blocks were worth it: ") {
		t.Errorf("%q, doubts %q", w, calm.Doubts())
	}
}
