package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
)

// mainResult is the comparison that an experiment is about: that of its first claim
// that sets two sides beside each other, by the part that decides; without
// one, the second treatment over the first. false: there is none.
func mainResult(r *analysis.Result) (analysis.Comparison, bool) {
	for _, c := range r.Claims {
		if c.Weakest < 0 || c.Parts[c.Weakest].Estimate.Kind != analysis.Ratio {
			continue
		}
		e := c.Parts[c.Weakest].Estimate
		of, err := expr.ParseComparison(e.Selection)
		if err != nil {
			continue
		}
		at, _, _ := strings.Cut(c.Parts[c.Weakest].Label, ":") // of a part "placement=apart: left / right", where it is
		where, _ := expr.ParseSelection(at)
		of.Where = append(of.Where, missing(of, slices.Concat(where, missing(expr.Comparison{Left: where}, c.Claim.Where)))...)
		if k, err := r.Compare(e.Metric, of); err == nil && k.Ratio.Refused == "" {
			return k, true
		}
	}
	metric := mainMetric(r)
	if all := r.Treatments(); len(all) > 1 && len(r.Machines()) == 1 && metric != "" {
		k, err := r.Compare(metric, common(expr.Comparison{Left: selectionOf(r, all[1]), Right: selectionOf(r, all[0])}))
		return k, err == nil && k.Ratio.Refused == ""
	}
	return analysis.Comparison{}, false
}

// Size of a sparkline, in pixels.
const (
	sparkWidth  = 220.0
	sparkHeight = 40.0
	sparkInset  = 4.0
)

// mostSparks is how many blocks a sparkline shows, the newest ones.
const mostSparks = 200

// spark draws a ratio block by block, in the order of running: a dot for each
// block, the interval of them all as a zone, and a line at 1. "" where no
// block gave a ratio.
func spark(k analysis.Comparison) string {
	var ratios []float64
	for _, p := range k.Pairs {
		if x := p.Left / p.Right; x > 0 && !math.IsInf(x, 0) {
			ratios = append(ratios, x)
		}
	}
	ratios = ratios[max(0, len(ratios)-mostSparks):]
	if len(ratios) == 0 {
		return ""
	}
	reach := math.Log(1.02)
	for _, x := range ratios {
		reach = math.Max(reach, math.Abs(math.Log(x)))
	}
	y := func(x float64) string {
		return coord(sparkHeight/2 - math.Log(x)/reach*(sparkHeight/2-sparkInset))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="spark" viewBox="0 0 %g %g" role="img" aria-label="the ratio in each of %s">`, sparkWidth, sparkHeight, plural(len(ratios), "block"))
	if k.Ratio.Lo > 0 && k.Ratio.Hi > 0 && !math.IsInf(k.Ratio.Hi, 0) {
		lo, hi := math.Max(k.Ratio.Lo, math.Exp(-reach)), math.Min(k.Ratio.Hi, math.Exp(reach))
		if lo < hi {
			fmt.Fprintf(&b, `<path class="zone" d="M0 %sH%gV%sH0z"/>`, y(lo), sparkWidth, y(hi))
		}
	}
	fmt.Fprintf(&b, `<path class="one" d="M0 %sH%g"/><g class="dot">`, y(1), sparkWidth)
	step := (sparkWidth - 2*sparkInset) / float64(len(ratios))
	for i, x := range ratios {
		fmt.Fprintf(&b, `<circle cx="%s" cy="%s" r="2.2"/>`, coord(sparkInset+(float64(i)+0.5)*step), y(x))
	}
	return b.String() + "</g></svg>"
}

// result is an experiment's main result on the index: block by block, and as
// a number.
func (w *page) result(r *analysis.Result) (analysis.Comparison, bool) {
	k, ok := mainResult(r)
	if !ok {
		return k, false
	}
	w.open("p", "class", "main-result")
	w.b.WriteString(spark(k))
	w.open("span")
	w.text(sentenceCase(k.Metric) + ", " + k.Text + ": ")
	w.value(number(k.Ratio))
	w.close("span")
	w.close("p")
	return k, true
}

// history is the sessions of an experiment, oldest first: those shown, with
// the main result on each alone, and those that are left out, with the reason.
func (w *page) history(r *analysis.Result, k analysis.Comparison, compared bool) {
	facts := r.SessionFacts()
	if len(facts)+len(r.Data.LeftOut) == 0 {
		return
	}
	alone := map[string]analysis.Estimate{}
	if of, err := expr.ParseComparison(k.Text); compared && err == nil {
		list, _ := r.BySession(k.Metric, of) // without it the column stays empty
		for _, s := range list {
			alone[s.Session] = s.Ratio
		}
	}
	t := &tableBlock{Caption: say("Sessions of ", r.Experiment, ", oldest first, with the main result on each alone; then those that are left out."), Head: []column{
		{Title: "session"}, {Title: "recorded"}, {Title: "machine"}, {Title: "blocks", Num: true}, {Title: "main result", Num: true}, {Title: "remark"}}}
	for _, f := range facts {
		one := cell{}
		if e, ok := alone[f.Session]; ok {
			one = ratioCell(e)
		}
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{{Phrase: say(f.Session)}, {Phrase: say(dayOf(f.Started, f.Session)), Sort: f.Started},
			{Phrase: say(f.Machine)}, {Phrase: say(itoa(f.Blocks))}, one, {Phrase: say(f.Note)}}})
	}
	for _, l := range r.Data.LeftOut {
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{{Phrase: say(l.Session)}, {Phrase: say(dayOf("", l.Session))}, {}, {}, {}, {Phrase: say("left out: " + l.Reason)}}})
	}
	t.dropEmpty()
	w.block(fold{Summary: plural(len(t.Rows), "session"), Body: []block{t}})
}
