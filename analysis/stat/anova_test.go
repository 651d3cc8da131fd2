package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// crossed draws a full crossing in blocks with noise.
func crossed(t *rapid.T, blocks int, counts ...int) Design {
	var d Design
	for b := range blocks {
		slow := rapid.Float64Range(-5, 5).Draw(t, "slow")
		for _, c := range crossing(counts) {
			d.Block = append(d.Block, 10*b)
			d.Levels = append(d.Levels, c)
			d.Y = append(d.Y, slow+rapid.Float64Range(-3, 3).Draw(t, "y")+float64(c[0]))
		}
	}
	return d
}

// sameRows tells whether two tables have the same lines.
func sameRows(a, b ANOVA) bool {
	if a.Refused != b.Refused || len(a.Rows) != len(b.Rows) {
		return false
	}
	for i := range a.Rows {
		x, y := a.Rows[i], b.Rows[i]
		if !near(x.SS, y.SS, 1e-9) || x.DF != y.DF || x.ErrorDF != y.ErrorDF || !near(x.P, y.P, 1e-7) {
			return false
		}
	}
	return near(a.Residual.SS, b.Residual.SS, 1e-9) && near(a.Blocks.SS, b.Blocks.SS, 1e-9)
}

// In complete blocks the closed form and all three types of projections agree.
func TestBalancedTablesAgreeWithProjections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SampledFrom([][]int{{2}, {3}, {2, 2}, {2, 3}, {3, 2}, {2, 2, 2}}).Draw(t, "levels")
		d := crossed(t, rapid.IntRange(5, 6).Draw(t, "blocks"), counts...)
		want := FactorialBlocks(d)
		for _, types := range []SumsOfSquares{TypeI, TypeII, TypeIII} {
			if got := Unbalanced(d, types); !sameRows(got, want) {
				t.Fatalf("type %d of %+v:\n%+v\nclosed form:\n%+v", types, d, got, want)
			}
		}
	})
}

func TestTablesIgnoreNamesAndOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := crossed(t, 5, 2, 3)
		d.HardFactors = []bool{true, false}
		changed := Design{HardFactors: d.HardFactors}
		for _, i := range rapid.Permutation(identity(len(d.Y))).Draw(t, "order") {
			changed.Block = append(changed.Block, -7*d.Block[i]+3)
			changed.Levels = append(changed.Levels, []int{5 - 2*d.Levels[i][0], 10 * d.Levels[i][1]})
			changed.Y = append(changed.Y, 3*d.Y[i])
		}
		for name, table := range map[string]func(Design) ANOVA{"blocks": FactorialBlocks, "split plot": SplitPlot} {
			a, b := table(d), table(changed)
			for i := range a.Rows {
				if !near(9*a.Rows[i].SS, b.Rows[i].SS, 1e-9) || !near(a.Rows[i].P, b.Rows[i].P, 1e-7) {
					t.Fatalf("%s: %+v, renamed and shuffled %+v", name, a.Rows[i], b.Rows[i])
				}
			}
		}
	})
}

func TestSumsOfSquaresAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := crossed(t, 5, 2, 3)
		d.HardFactors = []bool{true, false}
		for name, a := range map[string]ANOVA{"blocks": FactorialBlocks(d), "split plot": SplitPlot(d)} {
			ss, df := a.Blocks.SS+a.Plots.SS+a.Residual.SS, a.Blocks.DF+a.Plots.DF+a.Residual.DF
			for _, r := range a.Rows {
				ss, df = ss+r.SS, df+r.DF
			}
			if !near(ss, sumSquares(d.Y), 1e-9) || df != float64(len(d.Y)-1) {
				t.Fatalf("%s: sums of squares %v with %v degrees, total %v with %d", name, ss, df, sumSquares(d.Y), len(d.Y)-1)
			}
		}
	})
}

// With two levels everywhere the F of a whole table's effect, against the
// spread of its own block contrasts, is the square of their t.
func TestContrastOfTwoTreatmentsIsTheTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := crossed(t, 6, 2)
		x, why := BlockContrasts(d, []int{0})
		a := FactorialBlocks(d)
		p := PairedT(x, 0, 0.95)
		if why != "" || !near(a.Rows[0].P, p.P, 1e-9) || !near(a.Rows[0].F, p.T*p.T, 1e-7) {
			t.Fatalf("%s: table %+v, contrast %+v", why, a.Rows[0], p)
		}
	})
}

// The whole-plot factor is tested as if each whole plot were one number.
func TestWholePlotsCountOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := crossed(t, 6, 2, 3)
		d.HardFactors = []bool{true, false}
		means := Design{}
		for b := range 6 {
			for level := range 2 {
				sum := 0.0
				for i := range d.Y {
					if d.Block[i] == 10*b && d.Levels[i][0] == level {
						sum += d.Y[i] / 3
					}
				}
				means.Block, means.Levels, means.Y = append(means.Block, b), append(means.Levels, []int{level}), append(means.Y, sum)
			}
		}
		got, want := SplitPlot(d).Rows[0], FactorialBlocks(means).Rows[0]
		if !near(got.F, want.F, 1e-7) || !near(got.P, want.P, 1e-9) || got.ErrorName != plotError {
			t.Fatalf("%+v, from the means of whole plots %+v", got, want)
		}
	})
}

func TestContrastsOfATwoByTwo(t *testing.T) {
	d := Design{
		Levels: [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 0}, {0, 1}, {1, 0}, {1, 1}},
		Block:  []int{1, 1, 1, 1, 2, 2, 2, 2},
		Y:      []float64{1, 2, 4, 8, 0, 0, 0, 1},
	}
	for _, c := range []struct {
		name string
		term []int
		want [2]float64
	}{
		{"first factor", []int{0}, [2]float64{(4+8)/2.0 - (1+2)/2.0, 0.5}},
		{"second factor", []int{1}, [2]float64{(2+8)/2.0 - (1+4)/2.0, 0.5}},
		{"interaction", []int{0, 1}, [2]float64{(8 - 4) - (2 - 1), 1}},
	} {
		got, why := BlockContrasts(d, c.term)
		if why != "" || len(got) != 2 || got[0] != c.want[0] || got[1] != c.want[1] {
			t.Errorf("%s: %v (%s), want %v", c.name, got, why, c.want)
		}
	}
}

func TestIncompleteBlocksAreLeftOutAndCounted(t *testing.T) {
	var d Design
	for b := range 10 {
		for level := range 3 {
			if b == 4 && level == 1 {
				continue
			}
			d.Block, d.Levels = append(d.Block, b), append(d.Levels, []int{level})
			d.Y = append(d.Y, math.Sin(float64(3*b+level)))
		}
	}
	if a := FactorialBlocks(d); a.N != 9 || a.Dropped != 1 || a.Refused != "" || len(a.Warnings) == 0 {
		t.Errorf("one of ten blocks lacks a treatment: %+v", a)
	}
	few := Design{Block: d.Block[6:], Levels: d.Levels[6:], Y: d.Y[6:]}
	for i := range few.Y { // two more blocks with a treatment twice
		if few.Block[i] > 7 && few.Levels[i][0] == 2 {
			few.Levels[i] = []int{0}
		}
	}
	if a := FactorialBlocks(few); a.Refused == "" {
		t.Errorf("three of eight blocks are incomplete: %+v, must refuse", a)
	}
}

func TestTablesWithoutErrorGiveNoTest(t *testing.T) {
	var d Design
	for b := range 6 {
		for level := range 3 {
			d.Block, d.Levels = append(d.Block, b), append(d.Levels, []int{level})
			d.Y = append(d.Y, 0.1*float64(b)+0.7*float64(level))
		}
	}
	for name, a := range map[string]ANOVA{"closed form": FactorialBlocks(d), "projections": Unbalanced(d, TypeII)} {
		if a.Refused != "" || !math.IsNaN(a.Rows[0].P) || len(a.Warnings) == 0 {
			t.Errorf("%s: %+v, want an undefined p-value and a warning", name, a)
		}
	}
}

func TestSplitPlotRefusesFewWholePlotsAndMixedOnes(t *testing.T) {
	d := Design{HardFactors: []bool{true, false}}
	for b := range 5 {
		for _, c := range crossing([]int{2, 2}) {
			d.Block, d.Levels, d.Plot = append(d.Block, b), append(d.Levels, c), append(d.Plot, c[0])
			d.Y = append(d.Y, math.Sin(float64(len(d.Y))))
		}
	}
	if a := SplitPlot(d); a.Refused != "" || a.Rows[0].ErrorDF != 4 || a.Rows[1].ErrorDF != 8 {
		t.Errorf("five blocks: %+v", a)
	}
	three := Design{HardFactors: d.HardFactors, Block: d.Block[:12], Levels: d.Levels[:12], Y: d.Y[:12]}
	if a := SplitPlot(three); a.Refused == "" {
		t.Errorf("three whole plots a level: %+v, must refuse", a)
	}
	d.Plot[0] = 1
	if a := SplitPlot(d); a.Refused == "" {
		t.Errorf("a whole plot with two levels: %+v, must refuse", a)
	}
}

// Tested as randomized blocks, a whole-plot factor without effect is found
// far too often; tested against whole plots, as often as promised.
func TestSplitPlotKeepsItsLevel(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	g := rand.New(rand.NewPCG(3, 4))
	const draws = 1500
	right, wrong := 0.0, 0.0
	for range draws {
		d := Design{HardFactors: []bool{true, false}}
		for b := range 6 {
			for level := range 2 {
				plot := g.NormFloat64()
				for sub := range 3 {
					d.Block, d.Levels = append(d.Block, b), append(d.Levels, []int{level, sub})
					d.Y = append(d.Y, plot+g.NormFloat64())
				}
			}
		}
		right += heaviside(0.05 - SplitPlot(d).Rows[0].P)
		wrong += heaviside(0.05 - FactorialBlocks(d).Rows[0].P)
	}
	if right/draws < 0.035 || right/draws > 0.065 || wrong/draws < 0.15 {
		t.Errorf("significant in %.1f %% (as blocks %.1f %%), want 5 and many more", 100*right/draws, 100*wrong/draws)
	}
}

func TestTypeThreeRefusesEmptyCombinations(t *testing.T) {
	var d Design
	for b := range 8 {
		for _, c := range crossing([]int{2, 2}) {
			if c[0] == 1 && c[1] == 1 {
				continue
			}
			d.Block, d.Levels, d.Y = append(d.Block, b), append(d.Levels, c), append(d.Y, math.Sin(float64(len(d.Y))))
		}
	}
	if a := Unbalanced(d, TypeIII); a.Refused == "" {
		t.Errorf("type III: %+v, must refuse", a)
	}
	if a := Unbalanced(d, TypeII); a.Refused != "" || len(a.Warnings) == 0 {
		t.Errorf("type II: %+v, want a warning", a)
	}
}

func TestCarryOverRefusesAFixedOrder(t *testing.T) {
	var sequence, period, treatment, previous []int
	var y []float64
	for s := range 6 {
		for p := range 4 {
			sequence, period, treatment = append(sequence, s), append(period, p), append(treatment, p)
			previous, y = append(previous, p-1), append(y, math.Sin(float64(len(y))))
		}
	}
	if c := CarryOver(sequence, period, treatment, previous, y); c.Refused == "" {
		t.Errorf("%+v, must refuse", c)
	}
}

func TestCarryOverFindsWhatIsThere(t *testing.T) {
	var sequence, period, treatment, previous []int
	var y []float64
	g := rand.New(rand.NewPCG(5, 6))
	for s, row := range append(Williams(4), Williams(4)...) {
		last := -1
		for p, tr := range row {
			v := float64(tr) + 0.1*g.NormFloat64()
			if last == 1 {
				v++
			}
			sequence, period, treatment = append(sequence, s), append(period, p), append(treatment, tr)
			previous, y = append(previous, last), append(y, v)
			last = tr
		}
	}
	c := CarryOver(sequence, period, treatment, previous, y)
	if c.Refused != "" || c.Carry.P > 1e-6 || c.Carry.DF != 3 || c.Treatment.P > 1e-10 {
		t.Errorf("%+v, want a clear effect of the predecessor", c)
	}
}

func TestOneWayOfTwoGroupsIsThePooledT(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbersOf(t, "a", 2, 8), numbersOf(t, "b", 2, 8)
		w := OneWay([][]float64{a, b})
		pooled := (sumSquares(a) + sumSquares(b)) / float64(len(a)+len(b)-2)
		if pooled == 0 {
			return
		}
		d := average(a) - average(b)
		want := d * d / pooled / (1/float64(len(a)) + 1/float64(len(b)))
		if !near(w.F, want, 1e-8) {
			t.Fatalf("F of %v and %v = %v, want %v", a, b, w.F, want)
		}
		if welch := WelchT(a, b, 0.95); welch.Refused == "" && !Constant(a) && !Constant(b) && !near(w.WelchP, welch.P, 1e-8) {
			t.Fatalf("Welch's p of %v and %v = %v, want %v", a, b, w.WelchP, welch.P)
		}
	})
}

func TestWilliamsBalancesNeighbours(t *testing.T) {
	for k := 2; k <= 12; k++ {
		rows := Williams(k)
		want := 1 + k%2
		if len(rows) != k*want {
			t.Errorf("Williams(%d) has %d rows, want %d", k, len(rows), k*want)
		}
		for i, counts := range Neighbours(rows, k) {
			for j, n := range counts {
				if i != j && n != want || i == j && n != 0 {
					t.Errorf("Williams(%d): %d follows %d %d times", k, j+1, i+1, n)
				}
			}
		}
		for period := range k {
			seen := map[int]int{}
			for _, row := range rows {
				seen[row[period]]++
			}
			if len(seen) != k {
				t.Errorf("Williams(%d), period %d: %v", k, period, seen)
			}
		}
	}
	if Williams(1) != nil {
		t.Error("Williams(1) is no design")
	}
}
