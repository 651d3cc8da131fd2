package analysis

import (
	"fmt"

	"fieldbook/analysis/stat"
)

// NormalityWords say what the test of Shapiro and Wilk finds of the numbers
// that t intervals take for normal, at 1 %: of the ratios that claims rest on,
// or, without any, of all pairs of treatments of a metric. Nothing where there
// is none to look at. It informs and decides nothing: with few blocks it sees
// little, and with many what it sees may not matter.
func (r *Result) NormalityWords(metric string) string {
	of, tests := "claimed ratio", r.claimNormality()
	if len(tests) == 0 {
		pairs, err := r.AllPairs(metric, nil)
		if err != nil {
			return ""
		}
		of = "comparison"
		for _, c := range pairs {
			tests = append(tests, c.Ranks.Normality)
		}
	}
	looked, off, least, most := 0, 0, 0, 0
	for _, t := range tests {
		if t.N == 0 || t.Refused != "" {
			continue
		}
		if looked++; looked == 1 || t.N < least {
			least = t.N
		}
		most = max(most, t.N)
		if t.P < flagAlpha {
			off++
		}
	}
	if looked == 0 {
		return ""
	}
	found := "none"
	if off > 0 {
		found = fmt.Sprint(off)
	}
	n := fmt.Sprint(least)
	if most > least {
		n += " to " + fmt.Sprint(most)
	}
	return fmt.Sprintf("Shapiro-Wilk finds the logarithms behind %s of %s other than normal at 1 %% (n = %s)", found, plural(looked, of), n)
}

func (r *Result) claimNormality() []stat.Normality {
	var tests []stat.Normality
	for _, c := range r.Claims {
		for _, p := range c.Parts {
			if p.Normality.N > 0 {
				tests = append(tests, p.Normality)
			}
		}
	}
	return tests
}
