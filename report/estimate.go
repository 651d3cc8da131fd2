package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"fieldbook/analysis"
)

// commonUnit is the unit that fits every value of a column; "" where each
// needs its own.
func commonUnit(values []analysis.Estimate) string {
	unit := ""
	for _, e := range values {
		if e.Refused != "" || math.IsNaN(e.Value) {
			continue
		}
		u := unitOf(e)
		if unit != "" && u != unit {
			return ""
		}
		unit = u
	}
	return unit
}

// unitOf is the unit that an estimate's text ends with.
func unitOf(e analysis.Estimate) string {
	text := e.ValueText()
	if i := strings.LastIndex(text, " "); i >= 0 {
		return text[i+1:]
	}
	return ""
}

// estimateCells are an estimate and its interval; the unit stands in the
// head where there is one for all.
func estimateCells(e analysis.Estimate, unit string) []cell {
	v := number(e)
	text := e.ValueText()
	if unit != "" {
		text = strings.TrimSuffix(text, " "+unit)
	}
	order := ""
	if !math.IsNaN(e.Value) {
		order = sortKey(e.Value)
	}
	if e.Refused != "" || math.IsNaN(e.Value) {
		return []cell{dashCell(), {Phrase: phrase{soft(e.ValueText())}}}
	}
	interval := phrase{soft("none: " + e.NoInterval())}
	switch why := e.NoInterval(); {
	case why == "" && strings.HasPrefix(e.IntervalText(), "n/a"):
		interval = phrase{soft("–")}
	case why == "":
		interval = phrase{soft(e.IntervalText())}
	case e.Published:
		interval = phrase{soft("not stated")}
	}
	return []cell{{Phrase: phrase{value{Text: text, What: v.What, Tip: v.Tip, Stale: v.Stale, of: v.of}}, Sort: order}, {Phrase: interval}}
}

// sortKey is a number that orders rows, no longer than that takes.
func sortKey(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// ratioCell is a ratio with its interval.
func ratioCell(e analysis.Estimate) cell {
	if e.Refused == "" && e.Value == 1 && e.N == 0 && math.IsNaN(e.Lo) {
		return cell{Phrase: phrase{soft("1")}, Sort: "1"}
	}
	return estimateCell(e, "")
}

// estimateCell is an estimate in one of the forms of a role, a dash where
// there is none.
func estimateCell(e analysis.Estimate, as string) cell {
	if e.Refused != "" || math.IsNaN(e.Value) {
		return dashCell()
	}
	return cell{Phrase: phrase{numberIn(e, as)}, Sort: sortKey(e.Value)}
}

// dashCell stands where there is no number and the reason stands elsewhere.
func dashCell() cell { return cell{Phrase: phrase{soft("–")}} }

// number is an estimate as a value of a document.
func number(e analysis.Estimate) value { return numberIn(e, "") }

// numberIn is an estimate in one of the forms of a role.
func numberIn(e analysis.Estimate, as string) value {
	v := value{What: what(e), Tip: tip(e), Stale: len(e.Stale) > 0}
	e = e.PerDoubling()
	v.of = &e
	if e.Refused != "" || math.IsNaN(e.Value) {
		v.Text = e.ValueText()
		return v
	}
	switch as {
	case "percent":
		v.Text, v.Interval = splitInterval(e.PercentText())
	case "value":
		v.Text = e.ValueText()
	case "interval":
		v.Text = e.IntervalText()
	default:
		v.Text, v.Interval = splitInterval(e.Text())
	}
	return v
}

// splitInterval parts a text before its interval or remark in brackets.
func splitInterval(s string) (text, interval string) {
	if i := strings.IndexAny(s, "[("); i > 0 && s[i-1] == ' ' {
		return s[:i-1], s[i:]
	}
	return s, ""
}

// what says what a number is.
func what(e analysis.Estimate) string {
	if e.Metric == "" {
		return ""
	}
	text := e.Metric
	if e.Stat != "" {
		text = e.Stat + " of " + text
	}
	if e.Selection != "" {
		text += ", " + e.Selection
	}
	return text
}

// tip is what stands behind a number: n, method, rows, doubts.
func tip(e analysis.Estimate) string {
	var parts []string
	if e.N > 0 {
		parts = append(parts, fmt.Sprintf("n = %d", e.N))
	}
	if e.Confidence > 0 && !math.IsNaN(e.Lo) && !math.IsNaN(e.Hi) {
		parts = append(parts, fmt.Sprintf("%.3g %% interval", 100*e.Confidence))
	}
	if e.Method != "" {
		parts = append(parts, e.Method)
	}
	if e.Kind == analysis.Slope && !math.IsNaN(e.Value) {
		parts = append(parts, fmt.Sprintf("judged as a logarithm per doubling, %.3g", e.Value))
	}
	for _, w := range e.Warnings {
		parts = append(parts, w.Text)
	}
	return strings.Join(parts, "; ")
}
