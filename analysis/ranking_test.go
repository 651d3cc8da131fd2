package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// race is runners of two speeds, two of each, with independent noise of 1 %.
func race(order, better string, blocks int) *Result {
	s := newStudy(session.Metric{Name: "elapsed", Unit: "ms", Better: better, From: "json"}, "runner: p q r s")
	noise := rand.New(rand.NewPCG(5, 7))
	speed := map[string]float64{"p": 10, "q": 10.01, "r": 12, "s": 12.01}
	s.run(ids(1), "m", order, blocks, func(at trialAt) outcome {
		return outcome{value: speed[at.levels[0]] * math.Exp(0.01*noise.NormFloat64())}
	})
	return s.result()
}

func ranked(t *testing.T, r *Result, order ...string) Ranking {
	t.Helper()
	var sels []expr.Selection
	for _, o := range order {
		sels = append(sels, sel(o))
	}
	k, err := r.Ranking("elapsed", sels)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestARankingGroupsWhatIsNotToldApart(t *testing.T) {
	k := ranked(t, race("randomized-blocks", "lower", 20), "runner=p", "runner=q", "runner=r", "runner=s")
	if want := []string{"a", "a", "b", "b"}; !slices.Equal(k.Groups, want) || k.Pairs != 6 || k.Apart != 4 {
		t.Errorf("groups %q, %d of %d pairs told apart; want %q and 4 of 6", k.Groups, k.Apart, k.Pairs, want)
	}
	if k.Tukey != 4 || k.Nemenyi != 4 || k.UnevenNoise || k.Blocks != 20 {
		t.Errorf("Tukey tells %d apart, Nemenyi %d, uneven noise %v, of %d blocks; want 4, 4, even, 20", k.Tukey, k.Nemenyi, k.UnevenNoise, k.Blocks)
	}
	if k.Resamples != 9999 || !(k.Same > 0.02 && k.Same < 0.9) || !(k.First > k.Same && k.First < 1) {
		t.Errorf("of %d resamples %v have the order, and %v its first: where two pairs are a toss neither is certain", k.Resamples, k.Same, k.First)
	}
	if !(k.P < 1e-4) || !(k.W > 0.6 && k.W < 1) {
		t.Errorf("W = %v, p = %v of Friedman's test; blocks rank much alike", k.W, k.P)
	}
}

// The order that the data has is found more often in resamples than any
// other, whichever direction is the better one.
func TestResamplesKnowTheBetterDirection(t *testing.T) {
	up := ranked(t, race("randomized-blocks", "higher", 20), "runner=s", "runner=p")
	if up.First != 1 || up.Same != 1 {
		t.Errorf("12 is above 10 in %v of the resamples, ranked so in %v; want all", up.First, up.Same)
	}
	down := ranked(t, race("randomized-blocks", "lower", 20), "runner=s", "runner=p")
	if down.First != 0 || down.Same != 0 {
		t.Errorf("12 is below 10 in %v of the resamples, ranked so in %v; want none", down.First, down.Same)
	}
}

func TestLettersFollowTheComparisonsOfAllPairs(t *testing.T) {
	r := race("randomized-blocks", "lower", 20)
	pairs, err := r.AllPairs("elapsed", nil)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"p", "q", "r", "s"}
	k := ranked(t, r, "runner=p", "runner=q", "runner=r", "runner=s")
	for _, c := range pairs {
		left, right, _ := strings.Cut(strings.ReplaceAll(c.Text, "runner=", ""), " / ")
		shared := strings.ContainsAny(k.Groups[slices.Index(names, left)], k.Groups[slices.Index(names, right)])
		if shared != (c.Holm >= 0.05) {
			t.Errorf("%s: Holm p = %v, a letter shared: %v", c.Text, c.Holm, shared)
		}
	}
}

func TestARankingWithoutBlocksHasLettersOnly(t *testing.T) {
	k := ranked(t, race("sequential", "lower", 20), "runner=p", "runner=q", "runner=r", "runner=s")
	if want := []string{"a", "a", "b", "b"}; !slices.Equal(k.Groups, want) || k.Resamples != 0 || k.Tukey != -1 || k.Nemenyi != -1 || !math.IsNaN(k.Same) {
		t.Errorf("groups %q, resamples %d, Tukey %d, Nemenyi %d, same %v", k.Groups, k.Resamples, k.Tukey, k.Nemenyi, k.Same)
	}
}

func TestRankingsThatTheDataCannotBear(t *testing.T) {
	if k := ranked(t, race("randomized-blocks", "lower", 2), "runner=p", "runner=s"); k.Groups != nil || !strings.Contains(k.Refused, "too few") {
		t.Errorf("two blocks: groups %q, refused %q", k.Groups, k.Refused)
	}
	if k := ranked(t, race("randomized-blocks", "lower", 9), "runner=p", "runner=s"); k.Groups == nil || k.Resamples != 0 {
		t.Errorf("nine blocks: groups %q, %d resamples; fewer than ten are not resampled", k.Groups, k.Resamples)
	}
	var levels []string
	for i := range 31 {
		levels = append(levels, strconv.Itoa(i))
	}
	s := newStudy(elapsedMS, "n: "+strings.Join(levels, " "))
	s.run(ids(1), "m", "randomized-blocks", 3, withNoise(func(l []string) float64 { return 1 }, 0.1))
	for i := range levels {
		levels[i] = "n=" + levels[i]
	}
	if k := ranked(t, s.result(), levels...); k.Groups != nil || !strings.Contains(k.Refused, "30 treatments") {
		t.Errorf("31 treatments: groups %q, refused %q", k.Groups, k.Refused)
	}
	if _, err := race("randomized-blocks", "lower", 3).Ranking("elapsed", []expr.Selection{sel("runner=p,q")}); err == nil {
		t.Error("two treatments in one place are ranked")
	}
}
