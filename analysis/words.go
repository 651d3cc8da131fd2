package analysis

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"fieldbook/analysis/stat"
)

// Words says what a comparison shows, in a clause. margin is a declared
// ratio above 1 within which a difference counts as none; 0: none was
// declared. It never calls sides different when the interval allows that they
// are not, and never equal because a difference was not found.
func (c Comparison) Words(margin float64) string {
	switch {
	case c.Ratio.Refused != "":
		return "not comparable: " + strings.TrimSuffix(strings.TrimPrefix(c.Ratio.Refused, "n/a ("), ")")
	case math.IsNaN(c.Ratio.Lo) || !c.Ratio.bounded():
		return c.Ratio.ValueText() + ", without an interval: nothing can be said of a difference"
	}
	words := c.plainWords()
	if margin > 1 {
		words = c.marginWords(margin)
	}
	return words + c.Ratio.caution()
}

// plainWords tell direction and size where the interval excludes 1.
func (c Comparison) plainWords() string {
	lo, hi := c.Ratio.Lo, c.Ratio.Hi
	switch {
	case lo == 1 && hi == 1 && c.Paired:
		return "equal in every block, without any variation (is the clock too coarse?)"
	case lo == 1 && hi == 1:
		return "equal in every trial, without any variation (is the clock too coarse?)"
	case hi < 1:
		return c.change() + " lower" + c.goodOrBad("lower")
	case lo > 1:
		return c.rise() + c.goodOrBad("higher")
	}
	return "inconclusive: between " + c.Ratio.sided(lo) + " and " + c.Ratio.sided(hi)
}

// manyTimes is the ratio from which on a rise is said as a factor: 6,300 % is
// read as nothing but "much".
const manyTimes = 10

// rise is what a ratio above 1 is in words: "24 % [23, 25] higher", or
// "64 times as much [60, 68]".
func (c Comparison) rise() string {
	if c.Ratio.Value < manyTimes {
		return c.change() + " higher"
	}
	w := c.Ratio.scaled()
	end := func(x float64) string { return Grouped(w.number(x)) }
	return end(c.Ratio.Value) + " times as much " + bracket(end(c.Ratio.Lo), end(c.Ratio.Hi), c.Ratio.Lo, c.Ratio.Hi)
}

// change is the size of a change with its interval, without a sign.
func (c Comparison) change() string {
	p := func(x float64) float64 { return 100 * math.Abs(x-1) }
	w := c.Ratio.percents("")
	ends := []float64{p(c.Ratio.Lo), p(c.Ratio.Hi)}
	slices.Sort(ends)
	return w.number(p(c.Ratio.Value)) + " % [" + w.number(ends[0]) + ", " + w.number(ends[1]) + "]"
}

func (c Comparison) goodOrBad(direction string) string {
	switch c.Better {
	case "":
		return ""
	case direction:
		return " (better)"
	}
	return " (worse)"
}

// sided is a bound of a ratio as "3.1 % lower", with the digits that the ratio
// has as a percentage.
func (e Estimate) sided(ratio float64) string {
	if ratio >= manyTimes && !math.IsInf(ratio, 0) {
		return Grouped(e.scaled().number(ratio)) + " times as much"
	}
	w := e.percents("")
	w.half = math.Min(w.half, 99) // whole percents at least: 50 % is not 100 %
	size := w.number(100*math.Abs(ratio-1)) + " %"
	switch {
	case ratio < 1:
		return size + " lower"
	case ratio > 1:
		return size + " higher"
	}
	return "no change"
}

// marginWords are the words for a declared margin.
func (c Comparison) marginWords(m float64) string {
	within := sizeOf(m)
	inside := c.Ratio90.Lo > 1/m && c.Ratio90.Hi < m
	outside := c.Ratio.Hi < 1/m || c.Ratio.Lo > m
	differs := c.Ratio.Hi < 1 || c.Ratio.Lo > 1
	switch {
	case inside && !differs:
		return "practically equivalent (within ±" + within + ")"
	case inside:
		return "different, but by less than " + within + ": terribly small"
	case outside:
		return "different by more than " + within
	case differs:
		return "different; size relative to " + within + " undecided"
	}
	if n := c.blocksFor(m); n > 0 {
		return "inconclusive; about " + plural(n, "block") + " would settle it"
	}
	return "inconclusive"
}

func sizeOf(margin float64) string { return significant(100*(margin-1), 2, false) + " %" }

// blocksFor is how many blocks would settle a comparison by a margin.
func (c Comparison) blocksFor(m float64) int {
	n := float64(c.Ratio.N)
	if c.Ratio.DF <= 0 || n == 0 {
		return 0
	}
	half := (math.Log(c.Ratio.Hi) - math.Log(c.Ratio.Lo)) / 2
	sd := half / stat.TQuantile((1+c.Ratio.Confidence)/2, c.Ratio.DF) * math.Sqrt(n)
	return stat.BlocksToDecide(math.Log(c.Ratio.Value), sd, -math.Log(m), math.Log(m), true)
}

// caution is what must be said with any word about an estimate.
func (e Estimate) caution() string {
	var words []string
	for _, w := range e.Warnings {
		switch w.Code {
		case Confounded:
			words = append(words, "treatment and time are confounded")
		case NotRandomized:
			words = append(words, "nothing was randomized")
		case StaleData:
			words = append(words, "the data is stale")
		}
	}
	if len(words) == 0 {
		return ""
	}
	return ", but " + andList(words)
}

// Words is a claim's verdict as a clause that goes after the claim's name:
// "is supported: ratio 0.610× [0.550, 0.680], 12 blocks".
func (c ClaimResult) Words() string {
	s := "is " + string(c.Verdict)
	if c.Verdict == NotJudged {
		return s + ": " + c.Why
	}
	var facts []string
	if f := c.fact(); f != "" {
		facts = append(facts, f)
	}
	if len(facts) > 0 {
		facts = append(facts, c.told...)
	} else if c.Why != "" {
		facts = append(facts, c.Why)
	}
	if len(c.PostHoc) > 0 {
		facts = append(facts, "post hoc")
	}
	if len(facts) == 0 {
		return s
	}
	return s + ": " + strings.Join(facts, "; ")
}

// fact is the weakest part's number.
func (c ClaimResult) fact() string {
	if c.Weakest < 0 {
		return ""
	}
	p := c.Parts[c.Weakest]
	if p.Estimate.Refused != "" || math.IsNaN(p.Estimate.Value) {
		return ""
	}
	s := StatWords(p.Estimate.Stat) + " " + p.Estimate.Text()
	if p.Estimate.Kind == Slope {
		s += " per doubling"
	}
	s += ", " + plural(p.Estimate.N, p.Estimate.unitOfAnalysis())
	if len(c.Parts) > 1 && p.Label != "" {
		s += " (" + p.Label + ")"
	}
	return s
}

// statWords are the statistics that a sentence names otherwise.
var statWords = map[string]string{"geomean": "geometric mean", "sd": "standard deviation", "cv": "coefficient of variation"}

// StatWords is a statistic in a sentence: "geometric mean" for "geomean".
func StatWords(stat string) string { return firstOf(statWords[stat], stat) }

// unitOfAnalysis is what an estimate's N counts.
func (e Estimate) unitOfAnalysis() string {
	if strings.Contains(e.Method, "over blocks") {
		return "block"
	}
	if strings.Contains(e.Method, "over sessions") {
		return "session"
	}
	return "trial"
}

// PublishedClause is a claim's verdict on an earlier study's numbers as a
// clause that goes after the claim's name: "holds on 2 of 3 machines", "holds on
// none of 3 machines", "fails" of a study that names no machine, "is not stated".
func (c ClaimResult) PublishedClause() string {
	words := strings.TrimPrefix(c.PublishedWords(), "fails: ")
	if none, ok := strings.CutPrefix(words, "holds on 0 of "); ok {
		return "holds on none of " + none
	}
	if words == string(NotStated) {
		return "is " + words
	}
	return words
}

// PublishedWords is a claim's verdict on an earlier study's numbers: "holds on
// 3 of 3 machines", "fails: holds on 2 of 3 machines", "not stated".
func (c ClaimResult) PublishedWords() string {
	stated, holds := 0, 0
	for _, p := range c.PublishedParts {
		if p.Verdict != NotStated {
			stated++
		}
		if p.Verdict == Holds {
			holds++
		}
	}
	tally := fmt.Sprintf("%d of %s", holds, plural(stated, "machine"))
	if len(c.PublishedParts) == 1 && c.PublishedParts[0].Machine == "" {
		return string(c.PublishedVerdict) // a study that names no machine
	}
	switch c.PublishedVerdict {
	case Holds:
		return "holds on " + tally
	case Fails:
		return "fails: holds on " + tally
	}
	return string(NotStated)
}

var wordLike = regexp.MustCompile(`^\pL[^=,]*\pL`)

// SaysItself says whether a level's label says without its factor what it is:
// a word does, and neither a number, nor a letter, nor a bare yes.
func SaysItself(label string) bool {
	bare := []string{"on", "off", "yes", "no", "true", "false", "none"}
	return wordLike.MatchString(label) && !slices.Contains(bare, strings.ToLower(label))
}
