package design

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fieldbook/internal/diag"
	"fieldbook/internal/experiment"
)

// crossed is an experiment of all combinations of so many levels per factor;
// the factors named hard are hard to change.
func crossed(order experiment.Order, blocks int, levels []int, hard ...int) *experiment.Experiment {
	x := &experiment.Experiment{Design: experiment.Design{Order: order, Blocks: blocks, Min: blocks, Max: blocks, WarmupBlocks: 1}}
	rows := [][]string{nil}
	for i, n := range levels {
		f := experiment.Factor{Name: fmt.Sprintf("f%d", i), HardToChange: slices.Contains(hard, i)}
		var next [][]string
		for _, row := range rows {
			for l := range n {
				next = append(next, append(slices.Clone(row), fmt.Sprintf("l%d", l)))
			}
		}
		x.Factors, rows = append(x.Factors, f), next
	}
	for i, row := range rows {
		x.Treatments = append(x.Treatments, experiment.Treatment{Number: i + 1, Levels: row})
	}
	return x
}

func mustNew(t testing.TB, x *experiment.Experiment, seed uint64) *Plan {
	t.Helper()
	p, err := New(x, seed)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sequence is the treatments of a phase, block by block: "2 1 | 1A 2 1B".
func sequence(p *Plan, phase string) string {
	var b strings.Builder
	block := 0
	for _, t := range p.Trials {
		if t.Phase != phase {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(" ")
		}
		if t.Block != block && block > 0 {
			b.WriteString("| ")
		}
		block = t.Block
		fmt.Fprintf(&b, "%d%s", t.Treatment, t.Control)
	}
	return b.String()
}

// The sequence for a seed is part of the data format under the name pcg-1: a
// plan that was published must come out the same for ever. Where this test
// fails, the change needs a new Generator, and the old one must stay.
func TestOrdersArePinned(t *testing.T) {
	controlled := crossed(experiment.RandomizedBlocks, 2, []int{3})
	controlled.Same = []experiment.Match{{Levels: map[string]string{"f0": "l1"}}}
	if Generator != "pcg-1" {
		t.Fatalf("Generator is %q; these sequences are those of pcg-1", Generator)
	}
	for _, tt := range []struct {
		name             string
		x                *experiment.Experiment
		seed             uint64
		warmup, measured string
	}{
		{"randomized-blocks", crossed(experiment.RandomizedBlocks, 4, []int{4}), 7, "3 4 2 1", "1 3 2 4 | 1 4 2 3 | 4 3 1 2 | 2 1 4 3"},
		{"another seed", crossed(experiment.RandomizedBlocks, 4, []int{4}), 8, "1 2 4 3", "4 2 1 3 | 3 1 2 4 | 2 1 4 3 | 2 4 1 3"},
		{"complete-randomization", crossed(experiment.CompleteRandomization, 3, []int{4}), 7, "3 4 2 1", "4 2 3 1 1 3 1 4 2 4 3 2"},
		{"latin-square", crossed(experiment.LatinSquare, 4, []int{4}), 7, "3 4 2 1", "4 2 3 1 | 1 3 2 4 | 3 4 1 2 | 2 1 4 3"},
		{"williams, even", crossed(experiment.Williams, 4, []int{4}), 7, "3 4 2 1", "1 3 4 2 | 4 1 2 3 | 3 2 1 4 | 2 4 3 1"},
		{"williams, odd", crossed(experiment.Williams, 6, []int{3}), 7, "3 2 1", "3 2 1 | 1 2 3 | 1 3 2 | 2 3 1 | 3 1 2 | 2 1 3"},
		{"modulus", crossed(experiment.Modulus, 3, []int{4}), 7, "1 2 3 4", "1 2 3 4 | 1 2 3 4 | 1 2 3 4"},
		{"sequential", crossed(experiment.Sequential, 3, []int{3}), 7, "1 2 3", "1 1 1 2 2 2 3 3 3"},
		{"whole plots", crossed(experiment.RandomizedBlocks, 2, []int{2, 3}, 0), 7, "6 4 5 1 3 2", "1 3 2 6 4 5 | 3 1 2 6 5 4"},
		{"whole plots of the second factor", crossed(experiment.CompleteRandomization, 2, []int{2, 2}, 1), 7, "2 4 3 1", "1 3 3 1 2 4 4 2"},
		{"a control", controlled, 7, "3 2B 2A 1", "1 3 2A 2B | 1 2B 2A 3"},
	} {
		p := mustNew(t, tt.x, tt.seed)
		if got := sequence(p, Warmup); got != tt.warmup {
			t.Errorf("%s: the warm-up is %q, want %q", tt.name, got, tt.warmup)
		}
		if got := sequence(p, Measured); got != tt.measured {
			t.Errorf("%s: the measured order is %q, want %q", tt.name, got, tt.measured)
		}
	}
}

// The bounded draws themselves, over some sizes.
func TestDrawsArePinned(t *testing.T) {
	s := newSource(7, streamMeasured)
	var got []int
	for _, n := range []int{1, 2, 10, 100, 1000, 1 << 30, 1<<62 + 1} {
		got = append(got, s.below(n), s.below(n))
	}
	if want := "[0 0 1 1 4 7 38 12 26 724 955540657 31085194 3929063769785341108 834125679362803122]"; fmt.Sprint(got) != want {
		t.Errorf("below draws %v, want %s", got, want)
	}
}

// Of four treatments the old study's counter 23 ran the third, and a counter
// that 4 divides ran the last.
func TestModulusCountsFromOneAfterTheWarmUp(t *testing.T) {
	x := crossed(experiment.Modulus, 10, []int{4})
	x.Design.WarmupBlocks = 3
	p := mustNew(t, x, 1)
	measured := p.Trials[12:]
	for counter, want := range map[int]int{1: 1, 2: 2, 4: 4, 8: 4, 23: 3, 40: 4} {
		if got := measured[counter-1]; got.Treatment != want || got.Phase != Measured {
			t.Errorf("counter %d runs treatment %d (%s), want %d", counter, got.Treatment, got.Phase, want)
		}
	}
}

func TestAnAdaptivePlanIsForTheMostBlocks(t *testing.T) {
	x := crossed(experiment.RandomizedBlocks, 5, []int{3})
	x.Design.Min, x.Design.Max, x.Design.Until = 5, 40, &experiment.Until{Claim: "c", HalfWidth: 0.02}
	if p := mustNew(t, x, 1); p.Blocks != 40 || len(p.Trials) != 41*3 {
		t.Errorf("the plan has %d blocks and %d trials, want 40 and 123", p.Blocks, len(p.Trials))
	}
}

func TestImpossibleDesignsAreRefused(t *testing.T) {
	adaptive := func(o experiment.Order) *experiment.Experiment {
		x := crossed(o, 4, []int{4})
		x.Design.Until, x.Design.Min, x.Design.Max = &experiment.Until{}, 4, 8
		return x
	}
	controlled := crossed(experiment.LatinSquare, 4, []int{4})
	controlled.Same = []experiment.Match{{Levels: map[string]string{"f0": "l1"}}}
	for _, tt := range []struct {
		name string
		x    *experiment.Experiment
		want string
	}{
		{"a square cut short", crossed(experiment.LatinSquare, 5, []int{4}), "the order latin-square of 4 trials a block needs blocks in multiples of 4, not 5; the next is 8"},
		{"a control counts", controlled, "the order latin-square of 5 trials a block needs blocks in multiples of 5, not 4; the next is 5"},
		{"williams, even", crossed(experiment.Williams, 10, []int{2, 2}), "the order williams of 4 trials a block needs blocks in multiples of 4, not 10; the next is 12"},
		{"williams, odd", crossed(experiment.Williams, 10, []int{3}), "the order williams of 3 trials a block needs blocks in multiples of 6, not 10; the next is 12"},
		{"plots in a square", crossed(experiment.LatinSquare, 4, []int{2, 2}, 1), "the order latin-square puts every treatment at every position, which whole plots of f1 do not allow; use randomized-blocks, or drop hard-to-change"},
		{"plots and williams", crossed(experiment.Williams, 4, []int{2, 2}, 0, 1), "the order williams lets every treatment follow every other, which whole plots of f0, f1 do not allow; use"},
		{"plots and modulus", crossed(experiment.Modulus, 4, []int{2, 2}, 0), "the order modulus runs the treatments in one fixed order, which whole plots of f0 do not allow; use"},
		{"adaptive without blocks", adaptive(experiment.Sequential), "the order sequential has no blocks to stop after, so that it needs a fixed number; use randomized-blocks"},
		{"adaptive square", adaptive(experiment.LatinSquare), "stopping after any block would leave a square of the order latin-square incomplete, so that it needs a fixed number; use randomized-blocks"},
		{"no blocks", crossed(experiment.RandomizedBlocks, 0, []int{2}), "blocks is 0, want at least 1"},
		{"no treatment", crossed(experiment.RandomizedBlocks, 1, []int{0}), "there is no treatment to run"},
		{"too many", crossed(experiment.RandomizedBlocks, 5_000_000, []int{2}), "a plan holds at most 10000000 trials; 5000001 blocks of 2 trials are more; ask for fewer blocks"},
		{"more than can be counted", crossed(experiment.RandomizedBlocks, 1<<62, []int{2}), "a plan holds at most"},
		{"an unknown order", crossed("spiral", 1, []int{2}), `order "spiral" is unknown`},
	} {
		tt.x.Design.Pos = diag.Pos{File: "experiment.yaml", Line: 3, Col: 9}
		checked := Check(tt.x)
		if checked == nil || !strings.HasPrefix(checked.Error(), tt.want) {
			t.Errorf("%s: Check = %v, want %s", tt.name, checked, tt.want)
			continue
		}
		_, err := New(tt.x, 1)
		if _, ok := errors.AsType[*Refusal](err); !ok || err.Error() != "experiment.yaml:3:9: "+checked.Error() {
			t.Errorf("%s: New = %v, want that of Check with its place", tt.name, err)
		}
	}
}

func TestSeedsAreWrittenAndRead(t *testing.T) {
	for text, want := range map[string]uint64{
		"7": 7, "0": 0, "0000000000000007": 7, "00000000000000ff": 255, "0xff": 255,
		"18446744073709551615": 1<<64 - 1, "ffffffffffffffff": 1<<64 - 1, "1234567890123456": 0x1234567890123456, "123456789012345": 123456789012345,
	} {
		got, err := ParseSeed(text)
		if got != want || err != nil {
			t.Errorf("ParseSeed(%q) = %d, %v, want %d", text, got, err, want)
		}
		if again, err := ParseSeed(FormatSeed(got)); again != got || err != nil || len(FormatSeed(got)) != 16 {
			t.Errorf("FormatSeed(%d) = %s, which reads as %d, %v", got, FormatSeed(got), again, err)
		}
	}
	for _, text := range []string{"", "-1", "+7", "ff", "7.0", "18446744073709551616", "0x", "1_000", " 7", "000000000000000g"} {
		if seed, err := ParseSeed(text); err == nil {
			t.Errorf("ParseSeed(%q) = %d, want it refused", text, seed)
		}
	}
}

func TestSessionsOfOneBaseHaveTheirOwnSeeds(t *testing.T) {
	seen := make(map[uint64]string)
	for base := range uint64(20) {
		for k := 1; k <= 500; k++ {
			seed, from := SessionSeed(base, k), fmt.Sprintf("session %d of base %d", k, base)
			if other, ok := seen[seed]; ok {
				t.Fatalf("%s has the seed of %s", from, other)
			}
			seen[seed] = from
		}
	}
	if got, want := FormatSeed(SessionSeed(7, 1))+" "+FormatSeed(SessionSeed(7, 2)), "863b891f4c0abd4f 4d58fbd282eaf415"; got != want {
		t.Errorf("the first two seeds of base 7 are %s, want %s", got, want)
	}
}
