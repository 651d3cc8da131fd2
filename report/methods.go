package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// methods is the paragraph on how the data came about: what was randomized
// and how, blocks, warm-up, stopping, how each number was read, and what the
// intervals are.
func (b *builder) methods(r *analysis.Result) []block {
	b.place("methods", r)
	sessions := r.Data.Sessions
	if len(sessions) == 0 {
		return []block{paragraph{say("Nothing has been measured yet.")}}
	}
	var sentences []string
	sentences = append(sentences, orderSentences(r)...)
	sentences = append(sentences, warmupSentence(sessions), hardSentence(r), stoppingSentence(sessions), controlSentence(r), exclusionSentence(r))
	sentences = slices.DeleteFunc(sentences, func(s string) bool { return s == "" })
	blocks := []block{paragraph{say(strings.Join(sentences, " "))}}
	if items := metricItems(r); len(items) > 0 {
		blocks = append(blocks, paragraph{say("What was measured:")}, bullets{items})
	}
	blocks = append(blocks, omissions(r)...)
	return append(append(blocks, paragraph{say(intervalSentence(sessions))}), b.precision(r)...)
}

// orders says of each order what it does.
var orders = map[string]string{
	"randomized-blocks":      "Each block ran each of the %d treatments once, in an order drawn at random for that block.",
	"complete-randomization": "All trials of the %d treatments ran in one order drawn at random; there are no blocks, so that nothing is paired.",
	"latin-square":           "Each block ran each of the %d treatments once; by a Latin square drawn at random, each treatment stands at each position equally often.",
	"williams":               "Each block ran each of the %d treatments once; by a Williams design, each treatment stands at each position and follows each other one equally often.",
	"modulus":                "The %d treatments ran in a fixed cycle, by the remainder of the trial's number: nothing was drawn at random, each treatment always follows the same other one.",
	"sequential":             "The %d treatments ran one after the other, all trials of one before the next: nothing was drawn at random, and what changes with time cannot be told from the treatments.",
}

// theOne words the orders of an experiment of one treatment.
var theOne = strings.NewReplacer("each of the 1 treatments", "the one treatment", "the 1 treatments", "the one treatment", "The 1 treatments", "The one treatment")

// orderSentences say what each order that was used did, over which sessions.
func orderSentences(r *analysis.Result) []string {
	var out, seen []string
	for _, s := range r.Data.Sessions {
		if slices.Contains(seen, s.Order) {
			continue
		}
		seen = append(seen, s.Order)
		if format := orders[s.Order]; format != "" {
			out = append(out, theOne.Replace(fmt.Sprintf(format, len(s.Treatments))))
		}
	}
	return append(out, sizeSentence(r.Data.Sessions))
}

// manySeeds is how many seeds a sentence names.
const manySeeds = 6

// sizeSentence says how many blocks each session has and from which seed its
// order was drawn, where it was.
func sizeSentence(sessions []*session.Session) string {
	var seeds []string
	for _, s := range sessions {
		if drawnOrder(s.Order) {
			seeds = append(seeds, s.Seed)
		}
	}
	from := ""
	switch n := len(seeds); {
	case n == 1:
		from = ", from seed " + seeds[0]
	case n > manySeeds:
		from = ", from the seeds " + inWords(append(seeds[:manySeeds], itoa(n-manySeeds)+" more"))
	case n > 1:
		from = ", from the seeds " + inWords(seeds)
	}
	size := sizesText(sessions)
	if len(sessions) == 1 {
		return sentenceCase(size) + " ran" + from + "."
	}
	return "There are " + plural(len(sessions), "session") + " of " + size + from + "."
}

// drawnOrder says whether an order is drawn at random.
func drawnOrder(order string) bool { return order != "modulus" && order != "sequential" }

// sizesText is how many blocks sessions have, or trials of each treatment
// where their order has no blocks: "12 or 6 blocks".
func sizesText(sessions []*session.Session) string {
	var blocks, trials []string
	add := func(to *[]string, n int) {
		if !slices.Contains(*to, itoa(n)) {
			*to = append(*to, itoa(n))
		}
	}
	for _, s := range sessions {
		n, _ := s.WholeBlocks()
		if session.Blocked(s.Order) {
			add(&blocks, n)
		} else {
			add(&trials, n*s.Blocks)
		}
	}
	kind := func(sizes []string, noun, after string) []string {
		if len(sizes) == 0 {
			return nil
		}
		if sizes[len(sizes)-1] != "1" {
			noun += "s"
		}
		return []string{strings.Join(sizes, " or ") + " " + noun + after}
	}
	return strings.Join(append(kind(blocks, "block", ""), kind(trials, "trial", " of each treatment")...), " or ")
}

func warmupSentence(sessions []*session.Session) string {
	n := sessions[0].WarmupBlocks
	for _, s := range sessions {
		if s.WarmupBlocks != n {
			return "Warm-up blocks ran first and are kept out of all numbers."
		}
	}
	switch n {
	case 0:
		return "There was no warm-up."
	case 1:
		return "One warm-up block ran first and is kept out of all numbers."
	}
	return fmt.Sprintf("%d warm-up blocks ran first and are kept out of all numbers.", n)
}

func hardSentence(r *analysis.Result) string {
	var names []string
	for _, f := range r.Factors {
		if f.HardToChange {
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return sentence("Hard to change " + isAre(len(names)) + " " + inWords(names) + ": within a block all trials of one level run together, in plots whose order is drawn at random")
}

func controlSentence(r *analysis.Result) string {
	var text string
	for _, s := range r.Data.Sessions {
		for _, row := range s.Plan {
			if row.Control == "B" {
				text = "One treatment ran twice in each block under two labels (A/A): what differs between them is the noise floor."
			}
		}
	}
	if len(r.Unaffected) > 0 {
		text = strings.TrimSpace(text + " No factor should move " + strings.Join(r.Unaffected, ", ") + "; if one does, something else is wrong.")
	}
	return text
}

func metricItems(r *analysis.Result) []phrase {
	var items []phrase
	for _, m := range r.Metrics {
		p := phrase{strong(m.Name)}
		about := []string{}
		if unit := analysis.UnitWord(m.Unit); unit != "" {
			about = append(about, unit)
		}
		if m.Better != "" {
			about = append(about, m.Better+" is better")
		}
		if len(about) > 0 {
			p = append(p, soft(" ("+strings.Join(about, ", ")+")"))
		}
		p = append(p, plain(": "))
		items = append(items, append(p, metricSource(m)...))
	}
	return items
}

// clientWords are what numbers of several clients are reduced to.
var clientWords = map[string]string{
	"jain": "Jain's index (1 where all get the same, 1/n where one gets all)",
	"max":  "the largest value", "mean": "the mean", "min": "the smallest value", "sum": "the sum",
	"span":       "the time from the first client's start to the last one's end",
	"start-skew": "the time between the first client's start and the last one's",
}

// clientSource says what of the clients a metric is.
func clientSource(m session.Metric) phrase {
	text := cmp.Or(clientWords[m.Reduce], m.Reduce)
	p := phrase{plain(text + " over the clients of a trial")}
	of := m.Key
	if m.Per != "" {
		of += " / " + m.Per
	}
	switch {
	case m.Reduce == "span" || m.Reduce == "start-skew":
		p = phrase{plain(text + ", over the clients of a trial")}
	case of != "":
		p = append(phrase{plain(text + " of ")}, code(of), plain(" over the clients of a trial"))
	}
	return append(p, plain("."))
}

// reducedTo is what the numbers of one trial become one by.
func reducedTo(reduce string) string {
	switch {
	case reduce == "p50":
		return "the median"
	case percentile.MatchString(reduce):
		return "the " + ordinal(strings.TrimPrefix(reduce, "p")) + " percentile"
	}
	return "the " + analysis.StatWords(reduce)
}

// ordinal is a number as in "the 91st".
func ordinal(n string) string {
	ends := map[string]string{"1": "st", "2": "nd", "3": "rd"}
	if strings.HasSuffix(n, "11") || strings.HasSuffix(n, "12") || strings.HasSuffix(n, "13") || n == "" {
		return n + "th"
	}
	return n + cmp.Or(ends[n[len(n)-1:]], "th")
}

// metricSource says where a metric's number comes from.
func metricSource(m session.Metric) phrase {
	reduced := ""
	if m.Reduce != "" {
		reduced = ", " + reducedTo(m.Reduce) + " over what one trial gave"
	}
	switch m.From {
	case "wall":
		return say("from the start of the program to its exit, by the monotonic clock.")
	case "rusage":
		return phrase{plain("what the kernel accounted to the program, "), code(m.Key), plain(".")}
	case "json":
		return phrase{code(m.Key), plain(" of the JSON object that the program printed last.")}
	case "regex":
		return say("read from the program's output by a pattern.")
	case "file":
		return say("read from a file that the program left.")
	case "samples":
		return phrase{code(cmp.Or(m.Formula, m.Key)), plain(" of the samples that the program printed" + reduced + ".")}
	case "clients":
		return clientSource(m)
	case "formula":
		return phrase{plain("computed for each trial: "), code(m.Formula), plain(".")}
	}
	return say(m.From + ".")
}

func intervalSentence(sessions []*session.Session) string {
	paired := false
	for _, s := range sessions {
		paired = paired || session.Blocked(s.Order)
	}
	text := "Every interval is a 95 % confidence interval over trials, never over samples inside a trial."
	if paired {
		text += " Ratios are paired within blocks, on the log scale, with Student's t; the exact Hodges-Lehmann interval stands beside it when a claim is judged."
	}
	return text + " No value was dropped for being an outlier."
}
