package design

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/internal/experiment"
)

var allOrders = []experiment.Order{
	experiment.RandomizedBlocks, experiment.CompleteRandomization, experiment.LatinSquare,
	experiment.Williams, experiment.Modulus, experiment.Sequential,
}

// drawn is a random experiment that can be planned in one of the orders.
func drawn(t *rapid.T, orders ...experiment.Order) *experiment.Experiment {
	order := rapid.SampledFrom(orders).Draw(t, "order")
	levels := rapid.SliceOfN(rapid.IntRange(1, 3), 1, 3).Draw(t, "levels")
	var hard []int
	if order == experiment.RandomizedBlocks || order == experiment.CompleteRandomization || order == experiment.Sequential {
		hard = rapid.SliceOfN(rapid.IntRange(0, len(levels)-1), 0, 2).Draw(t, "hard")
	}
	x := crossed(order, rapid.IntRange(1, 5).Draw(t, "blocks"), levels, hard...)
	x.Design.WarmupBlocks = rapid.IntRange(0, 2).Draw(t, "warm-up")
	for range rapid.IntRange(0, 2).Draw(t, "controls") {
		f := rapid.IntRange(0, len(levels)-1).Draw(t, "factor")
		x.Same = append(x.Same, experiment.Match{Levels: map[string]string{x.Factors[f].Name: "l0"}})
	}
	switch order {
	case experiment.LatinSquare:
		x.Design.Blocks *= len(unitsOf(x))
	case experiment.Williams:
		x.Design.Blocks *= williamsRows(len(unitsOf(x)))
	}
	return x
}

func hasBlocks(o experiment.Order) bool {
	return o != experiment.CompleteRandomization && o != experiment.Sequential
}

// blocksOf groups the units run by phase and block.
func blocksOf(p *Plan) map[string]map[int][]unit {
	groups := map[string]map[int][]unit{Warmup: {}, Measured: {}}
	for _, t := range p.Trials {
		groups[t.Phase][t.Block] = append(groups[t.Phase][t.Block], unit{t.Treatment, t.Control})
	}
	return groups
}

// counts is how often each unit occurs.
func counts(list []unit) map[unit]int {
	n := make(map[unit]int)
	for _, u := range list {
		n[u]++
	}
	return n
}

// times is each unit of the experiment so often.
func times(x *experiment.Experiment, n int) map[unit]int {
	return counts(slices.Repeat(unitsOf(x), n))
}

func TestEachBlockHoldsEachTreatmentOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawn(t, allOrders...)
		p, err := New(x, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		for phase, want := range map[string]int{Warmup: p.WarmupBlocks, Measured: p.Blocks} {
			groups := blocksOf(p)[phase]
			if !hasBlocks(x.Design.Order) {
				if got := counts(groups[0]); len(groups) > 1 || !reflect.DeepEqual(got, times(x, want)) {
					t.Fatalf("%s has %v in %d groups, want %v in one", phase, got, len(groups), times(x, want))
				}
				continue
			}
			if len(groups) != want {
				t.Fatalf("%s has %d blocks, want %d", phase, len(groups), want)
			}
			for b := 1; b <= want; b++ {
				if got := counts(groups[b]); !reflect.DeepEqual(got, times(x, 1)) {
					t.Fatalf("%s block %d has %v, want each of %v once", phase, b, got, unitsOf(x))
				}
			}
		}
	})
}

// A controlled treatment runs as A and as B, every other one plain.
func TestControlsRunTwice(t *testing.T) {
	x := crossed(experiment.RandomizedBlocks, 3, []int{2, 2})
	x.Same = []experiment.Match{{Levels: map[string]string{"f0": "l0", "f1": "l1"}}, {Levels: map[string]string{"f0": "l0", "f1": "l1"}}}
	for block, units := range blocksOf(mustNew(t, x, 1))[Measured] {
		want := map[unit]int{{1, ""}: 1, {2, "A"}: 1, {2, "B"}: 1, {3, ""}: 1, {4, ""}: 1}
		if got := counts(units); !reflect.DeepEqual(got, want) {
			t.Errorf("block %d has %v, want %v", block, got, want)
		}
	}
}

func TestTrialsAreNumberedWarmUpFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawn(t, allOrders...)
		p, err := New(x, 1)
		if err != nil {
			t.Fatal(err)
		}
		warmups := x.Design.WarmupBlocks * len(unitsOf(x))
		position := 0
		for i, trial := range p.Trials {
			if i == 0 || trial.Phase != p.Trials[i-1].Phase || trial.Block != p.Trials[i-1].Block {
				position = 0
			}
			position++
			if trial.Number != i+1 || (trial.Phase == Warmup) != (i < warmups) || trial.Position != position {
				t.Fatalf("trial %d of the plan is %+v, want position %d", i+1, trial, position)
			}
		}
	})
}

func TestOneSeedGivesOnePlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawn(t, allOrders...)
		seed := rapid.Uint64().Draw(t, "seed")
		a, err1 := New(x, seed)
		b, err2 := New(x, seed)
		if err1 != nil || err2 != nil || !reflect.DeepEqual(a, b) {
			t.Fatalf("two plans of one seed differ (%v, %v)", err1, err2)
		}
	})
}

// Ten blocks of eight treatments have more orders than anybody will meet twice.
func TestTwoSeedsGiveTwoPlans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seeds := rapid.SliceOfNDistinct(rapid.Uint64(), 2, 2, rapid.ID[uint64]).Draw(t, "seeds")
		order := rapid.SampledFrom([]experiment.Order{experiment.RandomizedBlocks, experiment.CompleteRandomization, experiment.LatinSquare, experiment.Williams}).Draw(t, "order")
		x := crossed(order, 16, []int{2, 2, 2})
		a, err1 := New(x, seeds[0])
		b, err2 := New(x, seeds[1])
		if err1 != nil || err2 != nil || sequence(a, Measured) == sequence(b, Measured) {
			t.Fatalf("seeds %v give one order (%v, %v)", seeds, err1, err2)
		}
	})
}

// A plan for fewer blocks is the beginning of one for more, and warm-up
// leaves the measured order as it is.
func TestMoreBlocksOnlyAddToAPlan(t *testing.T) {
	x := crossed(experiment.RandomizedBlocks, 4, []int{5})
	short := mustNew(t, x, 9)
	x.Design.Blocks, x.Design.WarmupBlocks = 6, 3
	long := mustNew(t, x, 9)
	a, b := sequence(short, Measured), sequence(long, Measured)
	if b[:len(a)] != a {
		t.Errorf("4 blocks are %s, the first of 6 are %s", a, b[:len(a)])
	}
}

func TestLatinSquaresBalancePositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawn(t, experiment.LatinSquare)
		p, err := New(x, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		k := len(unitsOf(x))
		for square := 0; square*k < p.Blocks; square++ {
			seen := make(map[[2]int]map[unit]int)
			for _, trial := range p.Trials {
				if trial.Phase != Measured || (trial.Block-1)/k != square {
					continue
				}
				at := [2]int{square, trial.Position}
				if seen[at] == nil {
					seen[at] = make(map[unit]int)
				}
				seen[at][unit{trial.Treatment, trial.Control}]++
			}
			for at, got := range seen {
				if !reflect.DeepEqual(got, times(x, 1)) {
					t.Fatalf("square %d, position %d has %v, want each of %d once", square+1, at[1], got, k)
				}
			}
		}
	})
}

// Williams: in each square each ordered pair of neighbours occurs equally
// often, and each treatment equally often at each position.
func TestWilliamsDesignsBalancePredecessors(t *testing.T) {
	for k := 1; k <= 9; k++ {
		rapid.Check(t, func(t *rapid.T) {
			rows := williams(newSource(rapid.Uint64().Draw(t, "seed"), 1), k)
			pairs, places := make(map[[2]int]int), make(map[[2]int]int)
			for _, row := range rows {
				for j, u := range row {
					places[[2]int{j, u}]++
					if j > 0 {
						pairs[[2]int{row[j-1], u}]++
					}
				}
			}
			want := 1
			if k%2 == 1 && k > 1 {
				want = 2
			}
			if len(rows) != want*k || len(pairs) != k*(k-1) || len(places) != k*k {
				t.Fatalf("k=%d: %d rows, %d pairs, %d places; want %d, %d, %d", k, len(rows), len(pairs), len(places), want*k, k*(k-1), k*k)
			}
			for pair, n := range pairs {
				if n != want {
					t.Fatalf("k=%d: %v occurs %d times, want %d", k, pair, n, want)
				}
			}
			for place, n := range places {
				if n != want {
					t.Fatalf("k=%d: position and treatment %v occur %d times, want %d", k, place, n, want)
				}
			}
		})
	}
}

// A whole plot is one stretch of trials with one combination of the levels of
// all hard-to-change factors, and a block has one for each combination.
func TestWholePlotsAreContiguous(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawn(t, experiment.RandomizedBlocks, experiment.CompleteRandomization, experiment.Sequential)
		p, err := New(x, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		plot, key := 0, ""
		perBlock := make(map[[2]any]map[string]int)
		for _, trial := range p.Trials {
			now, hard := hardLevels(x, trial.Treatment)
			switch {
			case !hard && trial.Plot != 0:
				t.Fatalf("trial %d has plot %d, and no factor is hard to change", trial.Number, trial.Plot)
			case !hard:
				continue
			case trial.Plot == plot+1:
				plot, key = trial.Plot, now
				at := [2]any{trial.Phase, trial.Block}
				if perBlock[at] == nil {
					perBlock[at] = make(map[string]int)
				}
				perBlock[at][now]++
			case trial.Plot != plot || now != key:
				t.Fatalf("trial %d has plot %d and %q after plot %d and %q", trial.Number, trial.Plot, now, plot, key)
			}
		}
		for at, got := range perBlock {
			checkPlots(t, x, p, at, got)
		}
	})
}

func checkPlots(t *rapid.T, x *experiment.Experiment, p *Plan, at [2]any, got map[string]int) {
	want := 1
	if x.Design.Order == experiment.CompleteRandomization {
		want = p.Blocks
		if at[0] == Warmup {
			want = p.WarmupBlocks
		}
	}
	if len(got) != len(plotsOf(x)) {
		t.Fatalf("%v has plots of %v, want %d combinations", at, got, len(plotsOf(x)))
	}
	for key, n := range got {
		if n != want {
			t.Fatalf("%v has %d plots of %q, want %d", at, n, key, want)
		}
	}
}

func hardLevels(x *experiment.Experiment, treatment int) (key string, hard bool) {
	for i, f := range x.Factors {
		if f.HardToChange {
			key, hard = key+x.Treatments[treatment-1].Levels[i]+" ", true
		}
	}
	return key, hard
}

// Every order of a few units comes up equally often: 24 orders in 24,000
// blocks, each within 5 standard deviations of 1,000.
func TestBlocksAreDrawnEvenly(t *testing.T) {
	x := crossed(experiment.RandomizedBlocks, 24_000, []int{4})
	n := make(map[[4]int]int)
	for block, units := range blocksOf(mustNew(t, x, 3))[Measured] {
		if len(units) != 4 {
			t.Fatalf("block %d has %d trials", block, len(units))
		}
		n[[4]int{units[0].treatment, units[1].treatment, units[2].treatment, units[3].treatment}]++
	}
	for order, times := range n {
		if times < 845 || times > 1155 {
			t.Errorf("order %v came %d times, want about 1000", order, times)
		}
	}
	if len(n) != 24 {
		t.Errorf("%d orders came up, want 24", len(n))
	}
}
