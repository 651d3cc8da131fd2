package report

import (
	"slices"
	"strings"

	"fieldbook/analysis"
)

// claims is the table of verdicts, with those of the experiments that the
// writeup uses, and all parts of claims that have several.
func (b *builder) claims(w *wish) []block {
	sources := b.claimSources(w)
	var all []analysis.ClaimResult
	for _, s := range sources {
		all = append(all, shownClaims(s.r)...)
	}
	if len(all) == 0 {
		return []block{paragraph{say("No claim is declared.")}}
	}
	t := b.claimTable(w, all)
	for _, s := range sources {
		for _, c := range shownClaims(s.r) {
			r := claimRow(c, t.Head)
			r.Key = c.Claim.Name
			if s.name != b.Name {
				r.Key = s.name + ": " + r.Key
				r.Cells[0].Phrase = append(r.Cells[0].Phrase, lineEnd{}, soft("experiment "+s.name))
			} else if target := b.labels[c.Claim.Name]; target != nil && !b.claimsShown {
				r.ID = target.ID
				b.doc.claimed = append(b.doc.claimed, claimEntry{target.ID, c.Claim.Name, c.Verdict})
			}
			t.Rows = append(t.Rows, r)
		}
	}
	b.claimsShown = b.claimsShown || w.r == b.r
	for _, s := range sources {
		name := ""
		if len(sources) > 1 {
			name = "In " + s.name + ": "
		}
		t.Notes = append(t.Notes, claimNotes(s.r, name)...)
		t.Notes = append(t.Notes, b.mixedClaims(s.r)...)
	}
	blocks := []block{t}
	for _, s := range sources {
		blocks = append(blocks, b.parts(s.r)...)
	}
	return blocks
}

// A claimSource is an experiment whose claims are listed.
type claimSource struct {
	name string
	r    *analysis.Result
}

// claimSources are the experiments that the directive names; without one, the
// writeup's own and all that it uses.
func (b *builder) claimSources(w *wish) []claimSource {
	if !w.whole {
		var named []claimSource
		for _, name := range w.of {
			named = append(named, claimSource{name, b.experiment(name, 0, func(int, string, string, ...any) {})})
		}
		return named
	}
	all := []claimSource{{b.Name, w.r}}
	for _, name := range b.uses() {
		b.used[name] = true
		all = append(all, claimSource{name, b.Uses[name]})
	}
	return all
}

// shownClaims leaves out the claims that say nothing themselves and are parts
// of another, which shows them.
func shownClaims(r *analysis.Result) []analysis.ClaimResult {
	inside := map[string]bool{}
	for _, c := range r.Claims {
		for _, name := range c.Claim.AllOf {
			inside[name] = true
		}
	}
	var shown []analysis.ClaimResult
	for _, c := range r.Claims {
		if c.Claim.Says != "" || !inside[c.Claim.Name] {
			shown = append(shown, c)
		}
	}
	return shown
}

// claimTable is the empty table, with the columns that these claims need.
func (b *builder) claimTable(w *wish, all []analysis.ClaimResult) *tableBlock {
	var ratios []analysis.Estimate
	var margins []float64
	published, slopes := false, false
	for _, c := range all {
		published = published || stated(c)
		if c.Weakest >= 0 {
			e := c.Parts[c.Weakest].Estimate
			ratios, slopes = append(ratios, e.PerDoubling()), slopes || e.Kind == analysis.Slope
		}
		if e := c.Claim.Expect; e != nil && e.Op == "within" && e.Of == "ratio" {
			margins = append(margins, e.Lo, e.Hi)
		}
	}
	caption := "Each claim and what the data says."
	bars := slices.ContainsFunc(ratios, func(e analysis.Estimate) bool { return e.Kind == analysis.Ratio && e.Refused == "" })
	if bars {
		caption += " Bars are 95 % intervals of the ratio"
		if slopes {
			caption += ", of a slope that per doubling"
		}
		if len(margins) > 0 {
			caption += "; the grey zone is the margin within which a difference counts as none"
		}
		caption += "."
	}
	head := []column{{Title: "claim"}}
	if published {
		head = append(head, column{Title: "published", Phone: "published"})
	}
	verdict := "verdict"
	if published {
		verdict = "here"
	}
	head = append(head, column{Title: verdict})
	if bars {
		a := ratioAxis(ratios)
		wider := newAxis(append(margins, a.Lo, a.Hi))
		head = append(head, column{Title: "interval of the ratio", Bar: wider})
	}
	head = append(head, column{Title: "estimate", Num: true})
	t := w.newTable(say(caption), head...)
	t.Class = "claims"
	return t
}

func stated(c analysis.ClaimResult) bool {
	return c.PublishedVerdict == analysis.Holds || c.PublishedVerdict == analysis.Fails
}

// claimRow is one claim, shown by the part that decides.
func claimRow(c analysis.ClaimResult, head []column) row {
	var e analysis.Estimate
	label := ""
	if c.Weakest >= 0 {
		e, label = c.Parts[c.Weakest].Estimate, c.Parts[c.Weakest].Label
	}
	r := row{Heads: 1}
	for _, col := range head {
		switch {
		case col.Title == "claim":
			r.Cells = append(r.Cells, cell{Phrase: claimSentence(c, label)})
		case col.Title == "published":
			r.Cells = append(r.Cells, cell{Phrase: publishedWords(c)})
		case col.Title == "here" || col.Title == "verdict":
			r.Cells = append(r.Cells, cell{Phrase: phrase{badge(c.Verdict)}})
		case col.Bar != nil:
			r.Cells = append(r.Cells, barCell(col.Bar, e, c.Verdict, c.Claim.Expect))
		default:
			r.Cells = append(r.Cells, claimEstimate(c, e))
		}
	}
	return r
}

func claimEstimate(c analysis.ClaimResult, e analysis.Estimate) cell {
	if c.Weakest < 0 || e.Refused != "" || e.Method == "" && e.N == 0 {
		return cell{}
	}
	return cell{Phrase: withScale(e)}
}

// withScale is an estimate behind a claim, with what a ratio is per.
func withScale(e analysis.Estimate) phrase {
	p := phrase{number(e)}
	if e.Kind == analysis.Slope {
		p = append(p, lineEnd{}, soft("per doubling"))
	}
	return p
}

func publishedWords(c analysis.ClaimResult) phrase {
	if c.PublishedVerdict == "" {
		return nil
	}
	return phrase{soft(c.PublishedWords())}
}

// claimSentence is the sentence with its name, and what has to be known
// beside the verdict.
func claimSentence(c analysis.ClaimResult, label string) phrase {
	p := phrase{plain(c.Claim.Says)}
	if c.Claim.Says == "" {
		p = phrase{plain(c.Claim.Statement)}
	}
	var remarks []string
	if len(c.Parts) > 1 && label != "" {
		which := "weakest"
		if c.Verdict == analysis.Supported {
			which = "nearest to failing"
		}
		remarks = append(remarks, which+" of "+itoa(len(c.Parts))+" parts: "+label)
	}
	if c.Why != "" {
		remarks = append(remarks, c.Why)
	}
	if c.Few && !strings.Contains(c.Why, "rests on few") {
		remarks = append(remarks, "rests on few blocks")
	}
	if len(c.PostHoc) > 0 {
		remarks = append(remarks, "post hoc: written after the data")
	}
	return append(p, lineEnd{}, soft(strings.Join(append([]string{c.Claim.Name}, remarks...), " · ")))
}

// claimNotes say how many claims were tested, and what adjusting for their
// number did.
func claimNotes(r *analysis.Result, before string) []phrase {
	if len(r.Claims) == 0 {
		return nil
	}
	text := before + plural(len(r.Claims), "claim") + " declared, " + itoa(r.Tested()) + " tested."
	var adjusted []string
	for _, c := range r.Claims {
		if c.Adjusted {
			adjusted = append(adjusted, c.Claim.Name)
		}
	}
	if len(adjusted) > 0 {
		text += " Holm's adjustment over parts or families changed the decision of " + strings.Join(adjusted, ", ") + "."
	}
	return append([]phrase{say(text)}, acrossNote(r, blocked(r))...)
}

// parts lists every part of the claims that have several.
func (b *builder) parts(r *analysis.Result) []block {
	t := &tableBlock{Caption: say("Every part of the claims", b.of(r), " that have several; a claim is supported when all of its parts are."),
		Head: []column{{Title: "claim"}, {Title: "part"}, {Title: "verdict"}, {Title: "estimate", Num: true}, {Title: "p", Num: true}, {Title: "remark"}}}
	for _, c := range shownClaims(r) {
		if len(c.Parts) < 2 {
			continue
		}
		for _, p := range c.Parts {
			t.Rows = append(t.Rows, row{Heads: 2, Cells: []cell{
				{Phrase: say(c.Claim.Name)}, {Phrase: say(p.Label)}, {Phrase: phrase{badge(p.Verdict)}},
				partEstimate(p), {Phrase: say(pText(p.P))}, {Phrase: phrase{soft(p.Why)}},
			}})
		}
		for _, p := range c.PublishedParts {
			t.Rows = append(t.Rows, row{Heads: 2, Cells: []cell{
				{Phrase: say(c.Claim.Name)}, {Phrase: say(publishedLabel(p.Machine))}, {Phrase: phrase{badge(p.Verdict)}},
				{Phrase: say(p.Text)}, {}, {},
			}})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []block{fold{Summary: "Every part of every claim" + b.of(r), Body: []block{t}}}
}

// publishedLabel names a part on earlier numbers: their machine, where they
// name any.
func publishedLabel(machine string) string {
	if machine == "" {
		return "published"
	}
	return "published: " + machine
}

func partEstimate(p analysis.ClaimPart) cell {
	if p.Estimate.Refused != "" || p.Estimate.Method == "" && p.Estimate.N == 0 {
		return cell{}
	}
	return cell{Phrase: withScale(p.Estimate)}
}

// pText is a p-value without its letter, nothing where there is none.
func pText(p float64) string {
	text := analysis.PText(p)
	if text == "p n/a" {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(text, "p "), "= ")
}
