package analysis

import "fieldbook/analysis/stat"

// Estimate is a value with its interval, unit and origin; never a bare float.
type Estimate struct {
	stat.Estimate
	Metric    string
	Kind      Kind
	Stat      string   // "geomean", "median", "mean", "p99", …; of a ratio: "ratio"
	Unit      string   // "×" is never a unit: ratios have "1"
	Selection string   // canonical text of what was selected or compared
	Stale     []string // reasons why rows behind it no longer belong to the experiment
	Published bool     // an earlier study's number: it has no interval, and none is made up

	shownIn string // the unit of its texts; empty: one that fits the value
}

// Kind tells how an estimate is to be read.
type Kind int

const (
	Absolute Kind = iota // in the metric's unit
	Ratio                // of two absolutes of one metric
	Difference
	Slope // log of the ratio per doubling
)

// Comparison is two selections side by side.
type Comparison struct {
	Metric, Unit, Better string
	Text                 string   // canonical: "communication=threaded / communication=queue where …"
	Left, Right          Estimate // absolute: geometric means with their own intervals
	Ratio                Estimate // I95: paired t over blocks on the log scale
	Ratio90              Estimate // I90, the same
	HL                   Estimate // exact Hodges-Lehmann interval of the same contrast
	Ranks                Ranks    // the rest of what ranks say
	Difference           Estimate // of arithmetic means, in the unit
	P                    float64  // two-sided, of ratio 1; NaN where not computable
	SignFlipP            float64  // randomization test over the orders that could have been drawn; NaN where none was
	Holm                 float64  // P adjusted for those looked at together with it; NaN: alone
	Smallest             float64  // the smallest margin m that would be proven: I90 inside (1/m, m)
	Between              Heterogeneity
	Pairs                []Pair // what went in, by block
	Incomplete           int    // blocks left out since one side is missing
	Paired               bool
	Exploratory          bool // no claim declared it
}

// Pair is one block's contrast.
type Pair struct {
	Session     string
	Block       int
	Left, Right float64
}

// Effect is a row of the factorial overview: a main effect or interaction of
// one metric on the log scale.
type Effect struct {
	Metric  string
	Factors []string // one: a main effect
	SS, MS  float64
	DF      float64
	F, P    float64
	ErrorDF float64
	Error   string   // "residual" or "whole plots"
	Ratio   Estimate // for an effect of one degree of freedom: its ratio with interval; else Refused
}

// Verdict of a claim, or of a part of it.
type Verdict string

const (
	Supported Verdict = "supported"
	Refuted   Verdict = "refuted"
	Undecided Verdict = "undecided"
	NotJudged Verdict = "not judged" // untested, no data, or only stale data
	Holds     Verdict = "holds"      // on published numbers
	Fails     Verdict = "fails"
	NotStated Verdict = "not stated"
)

// ClaimResult is a claim with its verdict on the data and on the published
// numbers.
type ClaimResult struct {
	Claim            Claim
	Verdict          Verdict
	Why              string // one clause for a reader, such as "about 31 blocks would decide it"
	Parts            []ClaimPart
	Weakest          int      // index of the part that decides or is furthest from deciding; -1
	PostHoc          []string // sessions that started before the claim was written
	Few              bool     // the exact interval would give another verdict: "rests on few blocks", or trials
	PublishedVerdict Verdict
	PublishedParts   []PublishedPart
	Adjusted         bool // Holm over its parts or family changed a decision

	told []string // of Why what a sentence needs that gives the weakest part's number
}

// ClaimPart is one level, pair or machine of a claim.
type ClaimPart struct {
	Label    string // "placement=one-cpu", or "" where the claim has one part
	Verdict  Verdict
	Estimate Estimate // I95
	I90      Estimate
	P        float64 // of the decision, before Holm; NaN where none
	Blocks   int     // that would decide it; 0: not computable or decided
	Why      string
	// Normality is the test of what the interval of a ratio takes for normal; its
	// N is 0 where there is none.
	Normality stat.Normality
}

// PublishedPart is a claim on one published machine.
type PublishedPart struct {
	Machine string
	Verdict Verdict // Holds, Fails, NotStated
	Value   float64
	Text    string
}
