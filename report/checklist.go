package report

import (
	"fmt"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// How far a rule of a checklist is met. What no data can tell is left to the
// author, in so many words.
const (
	met       = "yes"
	partly    = "in part"
	unmet     = "no"
	nothing   = "does not apply"
	byAuthor  = "the author's to say"
	noChecks  = "There is no data yet to answer the checklists from."
	checksAre = "Two checklists that studies of performance are held against, answered from the data and the experiment file."
)

// ruling is a rule of a checklist with its answer.
type ruling struct {
	Rule    string // what it asks for
	Met     string
	Because string
}

// answer is how far a rule is met, and why.
type answer struct{ Met, Because string }

// checklist answers the twelve rules of Hoefler and Belli (Scientific
// Benchmarking of Parallel Computing Systems, SC 2015) and the seven groups
// of SIGPLAN's Empirical Evaluation Checklist (2018).
func (b *builder) checklist(r *analysis.Result) []block {
	b.place("checklist", r)
	if len(r.Data.Sessions) == 0 {
		return []block{paragraph{say(noChecks)}}
	}
	lists := remembered(b.Memory, r, "checklists", nil, func() [2][]ruling { return [2][]ruling{hoeflerBelli(r), sigplan(r)} })
	return []block{
		paragraph{say(checksAre)},
		rulingTable("The twelve rules of Hoefler and Belli (2015)"+b.of(r)+".", lists[0]),
		rulingTable("The Empirical Evaluation Checklist of SIGPLAN (2018)"+b.of(r)+".", lists[1]),
	}
}

func rulingTable(caption string, list []ruling) *tableBlock {
	t := &tableBlock{Class: "rules", Caption: say(caption), Head: []column{{Title: "rule"}, {Title: "met"}, {Title: "how"}}}
	for _, l := range list {
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{{Phrase: say(l.Rule)}, {Phrase: say(l.Met)}, {Phrase: say(sentence(sentenceCase(l.Because)))}}})
	}
	return t
}

func rule(text string, a answer) ruling { return ruling{text, a.Met, a.Because} }

func hoeflerBelli(r *analysis.Result) []ruling {
	return []ruling{
		rule("1. Speed-ups name their base and its absolute performance", baseAnswer(r)),
		rule("2. What is only a subset has a reason", subsetAnswer(r)),
		rule("3. Costs by the arithmetic mean, rates by the harmonic mean", answer{partly, "treatments are summarized by the geometric mean of trials, which orders costs and rates alike; differences are of arithmetic means, and each table names its statistic"}),
		rule("4. Ratios are not averaged where the costs behind them can be", answer{met, "a ratio is made of the costs of one block, and the mean over blocks has its n and its interval"}),
		rule("5. Deterministic or not; if not, intervals", spreadAnswer(r)),
		rule("6. Normality is not taken for granted", normalAnswer(r)),
		rule("7. Comparisons are statistically sound", comparisonAnswer(r)),
		rule("8. Whether the mean, the median or another percentile matters", centreAnswer(r)),
		rule("9. All factors, their levels and the set-up are documented", setupAnswer(r)),
		rule("10. How parallel time was measured, synchronized and summarized", parallelAnswer(r)),
		rule("11. Upper bounds of performance are shown", boundAnswer(r)),
		rule("12. Plots show what is needed; lines only where something lies between", answer{met, "every trial is a dot in the figures of points and order, and lines join only the levels of a factor whose order means something"}),
	}
}

func sigplan(r *analysis.Result) []ruling {
	return []ruling{
		rule("Claims: explicit", claimAnswer(r)),
		rule("Claims: scoped, with their limits", answer{partly, "verdicts hold for " + placesOf(r) + " and for the levels of the table of factors; limits beyond that are the author's to say"}),
		rule("Comparison: an appropriate baseline", answer{byAuthor, "the data cannot tell which baseline is the right one"}),
		rule("Comparison: fair", fairAnswer(r)),
		rule("Benchmarks: a principled choice", answer{byAuthor, "the data cannot tell what stands for real use"}),
		rule("Analysis: enough trials", trialsAnswer(r)),
		rule("Analysis: appropriate summary, distribution shown", answer{met, "the statistic and the method of each interval are named, and figures show single trials"}),
		rule("Metrics: direct, and all that matter", answer{byAuthor, "measured " + wasWere(len(r.Metrics)) + " " + metricList(r) + "; how each was read stands under how it was measured"}),
		rule("Design: enough information to repeat it", repeatAnswer(r)),
		rule("Design: a reasonable platform", answer{byAuthor, "the platform is recorded, not judged: " + placesOf(r)}),
		rule("Design: key parameters explored", answer{partly, "varied " + wasWere(max(1, len(r.Factors))) + " " + factorList(r) + "; whether others matter is the author's to say"}),
		rule("Design: load that does not wait for the system", answer{byAuthor, "the workload decides when it sends; if it waits for each reply, a stall delays what would have been sent meanwhile, and latencies look better than they were"}),
		rule("Presentation: complete, ratios on a log axis, fitting precision", answer{met, "every treatment has a row and every claim a verdict; ratios are drawn on a log axis; digits follow the width of the interval"}),
	}
}

func baseAnswer(r *analysis.Result) answer {
	if len(r.Treatments()) < 2 {
		return answer{nothing, "there is one treatment, and nothing is set beside it"}
	}
	text := "each ratio names what it is over, and the table of treatments has the absolute numbers"
	sel := selectionOf(r, r.Treatments()[0])
	if len(r.Machines()) == 1 {
		if e, err := r.Value(analysis.Query{Metric: mainMetric(r), Stat: "geomean", Selection: sel}); err == nil && e.Refused == "" {
			text += "; the first, " + sel.String() + ", has " + e.Text()
		}
	}
	return answer{met, text}
}

func subsetAnswer(r *analysis.Result) answer {
	absent, attempts, sessions := standings(r)[analysis.Missing], len(r.Exclusions()), len(r.Data.LeftOut)
	if c := combinationsOf(r); c.text() != "" && !c.whole() {
		text := "not every combination of levels is a treatment, as the table of factors says, and why is the author's to say"
		if absent+attempts+sessions > 0 {
			text += "; besides, " + notCounted(absent, attempts, sessions) + ", for reasons that stand under what was left out"
		}
		return answer{partly, text}
	}
	if absent+attempts+sessions == 0 {
		return answer{met, allTreatments(len(r.Treatments())) + " measured, and no attempt and no session is left out"}
	}
	return answer{met, notCounted(absent, attempts, sessions) + "; the reasons stand under what was left out"}
}

// notCounted says how much of what was planned and tried is in no number.
func notCounted(treatments, attempts, sessions int) string {
	var out, parts []string
	if treatments > 0 {
		out = append(out, plural(treatments, "treatment")+" "+map[bool]string{true: "has", false: "have"}[treatments == 1]+" no data")
	}
	if attempts > 0 {
		parts = append(parts, plural(attempts, "attempt"))
	}
	if sessions > 0 {
		parts = append(parts, plural(sessions, "session"))
	}
	if len(parts) > 0 {
		out = append(out, inWords(parts)+" "+map[bool]string{true: "does", false: "do"}[attempts+sessions == 1]+" not count")
	}
	return strings.Join(out, ", ")
}

// allTreatments is "all 6 treatments were".
func allTreatments(n int) string {
	switch n {
	case 1:
		return "the one treatment was"
	case 2:
		return "both treatments were"
	}
	return "all " + itoa(n) + " treatments were"
}

func spreadAnswer(r *analysis.Result) answer {
	text := "numbers have 95 % intervals over trials"
	if same := constantMetrics(r); len(same) > 0 {
		text += "; the same in all trials of each treatment: " + inWords(same)
	}
	return answer{met, text}
}

// constantMetrics are those that gave one value in all trials of each
// treatment, where there were at least two.
func constantMetrics(r *analysis.Result) []string {
	var names []string
	for _, m := range r.Metrics {
		first, varies, pairs := map[string]float64{}, false, 0
		for _, o := range r.Observations(m.Name, nil) {
			if o.Status != session.OK {
				continue
			}
			key := o.Machine + "\x1f" + strings.Join(o.Levels, "\x1f")
			if x, seen := first[key]; !seen {
				first[key] = o.Value
			} else {
				pairs++
				varies = varies || x != o.Value
			}
		}
		if pairs > 0 && !varies {
			names = append(names, m.Name)
		}
	}
	return names
}

// normalAnswer looks at what t intervals take for normal: of the claims that
// have ratios, else of the comparisons of the main metric.
func normalAnswer(r *analysis.Result) answer {
	var few []string
	for _, c := range r.Claims {
		if c.Few {
			few = append(few, c.Claim.Name)
		}
	}
	text := "intervals by Student's t are on the log scale; beside each stands an exact interval that needs no normality"
	if words := r.NormalityWords(mainMetric(r)); words != "" {
		text += "; " + words
	}
	if len(few) > 0 {
		return answer{partly, text + "; the exact interval would decide otherwise on " + inWords(few)}
	}
	return answer{met, text + "; no verdict rests on which of them is taken"}
}

func comparisonAnswer(r *analysis.Result) answer {
	if len(r.Treatments()) < 2 {
		return answer{nothing, "there is nothing to compare"}
	}
	if blocked(r) {
		return answer{met, "ratios are paired within blocks and have intervals of their own; whether two intervals overlap decides nothing"}
	}
	return answer{partly, "the order has no blocks, so that nothing is paired; ratios have intervals of their own all the same"}
}

// blocked says whether all sessions ran in blocks.
func blocked(r *analysis.Result) bool {
	return !slices.ContainsFunc(r.Data.Sessions, func(s *session.Session) bool { return !session.Blocked(s.Order) })
}

func centreAnswer(r *analysis.Result) answer {
	var tails []string
	for _, m := range r.Metrics {
		if percentile.MatchString(m.Reduce) {
			tails = append(tails, m.Name)
		}
	}
	if len(tails) > 0 {
		return answer{met, "percentiles within trials are metrics of their own: " + inWords(tails)}
	}
	return answer{partly, "figures show every trial, and any percentile of trials can be asked for; no metric is a percentile within trials"}
}

func setupAnswer(r *analysis.Result) answer {
	facts := environments(r.Data.Sessions)
	unknown := 0
	for _, values := range facts {
		if len(values) == 1 && strings.HasPrefix(values[0].value, "unknown") {
			unknown++
		}
	}
	text := plural(len(r.Factors), "factor")
	if n := len(r.Constants); n > 0 {
		text += " and " + plural(n, "constant")
	}
	text += fmt.Sprintf(" with all values; %d facts about the machine", len(facts)-unknown)
	if unknown > 0 {
		return answer{partly, text + fmt.Sprintf("; %d could not be read there", unknown)}
	}
	return answer{met, text}
}

func parallelAnswer(r *analysis.Result) answer {
	if r.HasClients() {
		return answer{met, "the clients of a trial are released together through a barrier; how their numbers become one is said of each metric"}
	}
	return answer{nothing, "a trial is one process that the tool times or that reports itself; how each metric is read is said"}
}

func boundAnswer(r *analysis.Result) answer {
	for _, c := range r.Claims {
		if c.Claim.Fit != "" {
			return answer{met, "the claim " + c.Claim.Name + " sets a line beside what was measured"}
		}
	}
	return answer{unmet, "the experiment file declares no bound"}
}

func claimAnswer(r *analysis.Result) answer {
	if len(r.Claims) == 0 {
		return answer{unmet, "none is declared; all comparisons are exploratory"}
	}
	text := fmt.Sprintf("%s with a checkable statement in the experiment file, %d tested", plural(len(r.Claims), "claim"), r.Tested())
	late := 0
	for _, c := range r.Claims {
		if len(c.PostHoc) > 0 {
			late++
		}
	}
	if late > 0 {
		return answer{partly, text + fmt.Sprintf("; %d of them written after data they are judged on", late)}
	}
	return answer{met, text + ", all older than the data"}
}

func fairAnswer(r *analysis.Result) answer {
	for _, s := range r.Data.Sessions {
		if !drawnOrder(s.Order) {
			return answer{unmet, "the order was not drawn at random (" + s.Order + "), so that what changes with time falls on treatments unevenly"}
		}
	}
	return answer{partly, "all treatments ran on the same machine in an order drawn at random, so that what changes with time meets them alike; whether each was set up as well as the others is the author's to say"}
}

func trialsAnswer(r *analysis.Result) answer {
	least, most := -1, 0
	for _, c := range r.Counts() {
		if n := c.Trials.OK; least < 0 || n < least {
			least = n
		}
		most = max(most, c.Trials.OK)
	}
	text := plural(most, "trial") + " of each treatment"
	switch {
	case most == 0:
		return answer{unmet, "no trial of any treatment counts"}
	case least != most:
		text = fmt.Sprintf("%d to %d trials of a treatment", max(least, 0), most)
	}
	if least < 2 {
		return answer{partly, text + "; no interval can be made of fewer than two"}
	}
	open := 0
	for _, c := range r.Claims {
		if c.Verdict == analysis.Undecided {
			open++
		}
	}
	if open > 0 {
		return answer{partly, text + "; they leave " + plural(open, "claim") + " undecided, with the reason at each"}
	}
	return answer{met, text}
}

func repeatAnswer(r *analysis.Result) answer {
	s := r.Data.Sessions[len(r.Data.Sessions)-1]
	text := "the experiment file, the seed of each session, the recorded data and what was read about the machine are here"
	if _, known := commitOf(s); !known {
		return answer{partly, text + "; which commit ran is not known"}
	}
	return answer{met, text + ", and which commit ran"}
}

// placesOf are the machines in words.
func placesOf(r *analysis.Result) string {
	machines := r.Machines()
	return noun(len(machines), "machine") + " " + inWords(machines)
}

func metricList(r *analysis.Result) string {
	var names []string
	for _, m := range r.Metrics {
		names = append(names, m.Name)
	}
	return inWords(names)
}

func factorList(r *analysis.Result) string {
	if len(r.Factors) == 0 {
		return "no factor"
	}
	return inWords(factorNames(r))
}

// inWords is a list as a sentence has it.
func inWords(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}
