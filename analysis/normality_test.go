package analysis

import (
	"math"
	"strings"
	"testing"
)

func TestNormalityIsToldOfWhatClaimsRestOn(t *testing.T) {
	var calm, wild []float64
	for i := range 20 {
		x := math.Exp(0.02 * math.Sin(float64(3*i)))
		calm = append(calm, x)
		if i == 7 {
			x *= 3
		}
		wild = append(wild, x)
	}
	for _, tt := range []struct {
		name   string
		ratios []float64
		want   string
	}{
		{"no wild block", calm, "Shapiro-Wilk finds the logarithms behind none of 1 claimed ratio other than normal at 1 % (n = 20)"},
		{"a wild block", wild, "Shapiro-Wilk finds the logarithms behind 1 of 1 claimed ratio other than normal at 1 % (n = 20)"},
	} {
		s := ratios(tt.ratios...)
		s.in.Claims = []Claim{newOverOld("ratio < 2")}
		if got := s.result().NormalityWords("elapsed"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		s.in.Claims = nil
		if got, want := s.result().NormalityWords("elapsed"), strings.Replace(tt.want, "claimed ratio", "comparison", 1); got != want {
			t.Errorf("%s, without a claim: %q, want %q", tt.name, got, want)
		}
	}
	if got := ratios(1, 1.1).result().NormalityWords("elapsed"); got != "" {
		t.Errorf("two blocks: %q, want nothing", got)
	}
}
