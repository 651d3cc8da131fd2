package report

import (
	"net/url"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/report/theme"
)

// claimEntry is a claim that the page has a row of.
type claimEntry struct {
	ID, Name string
	Verdict  analysis.Verdict
}

// claimLinks are the claims with their verdicts, for the side of the page; nil
// for none.
func claimLinks(list []claimEntry) *theme.Claims {
	if len(list) == 0 {
		return nil
	}
	out := &theme.Claims{Summary: verdictCounts(list)}
	for _, c := range list {
		_, class := signOf(badge(c.Verdict))
		out.All = append(out.All, theme.Claim{Entry: theme.Entry{Href: "#" + url.PathEscape(c.ID), Text: show(c.Name)}, Verdict: string(c.Verdict), Class: class})
	}
	return out
}

// verdictCounts is "5 supported, 8 refuted, 6 undecided".
func verdictCounts(list []claimEntry) string {
	verdicts := []analysis.Verdict{analysis.Supported, analysis.Refuted, analysis.Undecided}
	count := map[analysis.Verdict]int{}
	for _, c := range list {
		if count[c.Verdict]++; !slices.Contains(verdicts, c.Verdict) {
			verdicts = append(verdicts, c.Verdict)
		}
	}
	var parts []string
	for _, v := range verdicts {
		if count[v] > 0 {
			parts = append(parts, itoa(count[v])+" "+string(v))
		}
	}
	return strings.Join(parts, ", ")
}
