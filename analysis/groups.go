package analysis

import (
	"fmt"
	"math"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// Groups is whether the treatments of a session that nothing pairs differ at
// all: what the table of effects is to blocks. It does not suppose that all
// have one noise.
type Groups struct {
	Session, Machine string
	Treatments       int
	Log              bool    // of logarithms: all numbers are above zero
	F, DF1, DF2, P   float64 // Welch's analysis of variance
	H, RankP         float64 // Kruskal and Wallis; NaN where a group is below five
	Refused          string
}

// minRankGroup is the least number of trials of each treatment for the
// chi-squared of Kruskal and Wallis.
const minRankGroup = 5

// Groups compares all treatments of a selection, session by session, where
// the order has no blocks and there are more than two of them. The error is for
// a selection that makes no sense.
func (r *Result) Groups(metric string, where expr.Selection) ([]Groups, error) {
	m, err := r.metricWithin(metric, where)
	if err != nil {
		return nil, err
	}
	var all []Groups
	for _, trials := range bySession(r.countingTrials(where)) {
		if groups := numbersByTreatment(trials, m); !trials[0].blocked() && len(groups) > 2 {
			all = append(all, groupsOf(trials[0], groups))
		}
	}
	return all, nil
}

// numbersByTreatment are the numbers of each treatment, in the order in which
// they first ran.
func numbersByTreatment(trials []*trial, metric int) [][]float64 {
	at := map[string]int{}
	var groups [][]float64
	for _, t := range trials {
		x, ok := t.number(metric)
		if !ok {
			continue
		}
		i, known := at[t.key]
		if !known {
			i = len(groups)
			at[t.key], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], x)
	}
	return groups
}

func groupsOf(first *trial, groups [][]float64) Groups {
	nan := math.NaN()
	g := Groups{Session: first.session.Session, Machine: first.session.Machine, Treatments: len(groups), Log: true,
		F: nan, DF1: nan, DF2: nan, P: nan, H: nan, RankP: nan}
	least := math.MaxInt
	for _, xs := range groups {
		least = min(least, len(xs))
		for _, x := range xs {
			g.Log = g.Log && x > 0
		}
	}
	scaled := groups
	if g.Log {
		scaled = nil
		for _, xs := range groups {
			scaled = append(scaled, logsOf(xs))
		}
	}
	w := stat.OneWay(scaled)
	if g.Refused = w.Refused; g.Refused == "" && math.IsNaN(w.WelchP) {
		g.Refused = "a treatment has one trial, or no noise"
	}
	g.F, g.DF1, g.DF2, g.P = w.WelchF, w.WelchDF1, w.WelchDF2, w.WelchP
	if k := stat.KruskalWallis(groups); k.Refused == "" && least >= minRankGroup {
		g.H, g.RankP = k.H, k.P
	}
	return g
}

// GroupsWords say what was found, over all sessions: nothing where there is
// none of the kind.
func GroupsWords(all []Groups) string {
	const why = "Welch's analysis of variance, since nothing is paired and the noise of treatments may differ"
	if len(all) == 1 {
		g := all[0]
		if g.Refused != "" {
			return "whether treatments differ at all was not looked at: " + g.Refused
		}
		return fmt.Sprintf("over all %d treatments F(%.0f, %s) = %s, %s (%s); %s", g.Treatments, g.DF1, significant(g.DF2, 3, false), significant(g.F, 3, false), PText(g.P), why, g.rankWords())
	}
	found, by, ranked, looked := 0, 0, 0, 0
	for _, g := range all {
		if g.Refused == "" {
			looked++
		}
		if g.P < alpha {
			found++
		}
		if !math.IsNaN(g.RankP) {
			ranked++
		}
		if g.RankP < alpha {
			by++
		}
	}
	if looked == 0 {
		return ""
	}
	text := fmt.Sprintf("treatments differ in %d of %s at 5 %% (%s)", found, plural(looked, "session"), why)
	if ranked > 0 {
		text += fmt.Sprintf("; by ranks (Kruskal-Wallis) in %d of %d", by, ranked)
	}
	return text
}

func (g Groups) rankWords() string {
	if math.IsNaN(g.RankP) {
		return fmt.Sprintf("by ranks it takes %d trials of each", minRankGroup)
	}
	return fmt.Sprintf("by ranks (Kruskal-Wallis) H = %s, %s", significant(g.H, 3, false), PText(g.RankP))
}
