package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// The claims of a whole study, on simulated data of 54 treatments whose truth
// is known: threaded over one session is slowest on two placements, over two
// sessions on the third; a second session saves the queue a twentieth.
func TestClaimsOfAWholeStudy(t *testing.T) {
	s := newStudy(elapsedMS, "communication: queue batched threaded", "sessions: 1 2", "workers: 2 8 32", "placement!: one-cpu two-cpus apart")
	g := rand.New(rand.NewPCG(11, 1))
	s.run(ids(1), "m", "randomized-blocks", 12, func(at trialAt) outcome {
		cost := map[string]float64{"queue 1": 100, "queue 2": 95, "threaded 1": 140, "threaded 2": 136, "batched 1": 40, "batched 2": 41}
		if at.levels[3] == "one-cpu" {
			cost["threaded 2"] = 160
		}
		machine := 1 + 0.1*float64(at.block%4)
		return outcome{value: cost[at.levels[0]+" "+at.levels[1]] * machine * math.Exp(0.005*g.NormFloat64())}
	})
	in := s.input()
	in.Claims = pipeliningClaims()
	want := map[string]struct {
		verdict Verdict
		parts   int
	}{
		"D1": {Supported, 12}, "D2": {Supported, 9}, "D3": {Supported, 3}, "D4": {Supported, 6}, "D5": {Supported, 3},
		"D6": {Supported, 3}, "D7": {Supported, 3}, "D8": {Supported, 15}, "D8-best": {Supported, 9}, "D8-threaded": {Supported, 6}, "D9": {NotJudged, 1},
	}
	r := Analyze(in)
	for _, c := range r.Claims {
		w := want[c.Claim.Name]
		if c.Verdict != w.verdict || len(c.Parts) != w.parts {
			t.Errorf("%s: %s with %d parts (%s), want %s with %d: %s", c.Claim.Name, c.Verdict, len(c.Parts), c.Why, w.verdict, w.parts, strings.Join(labels(c), " | "))
		}
	}
	if r.Tested() != 10 {
		t.Errorf("%d claims tested, want 10", r.Tested())
	}
}
