package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/analysis/figure"
)

// forClients makes the metric that fairness is about the default.
func (w *wish) forClients() {
	if m := w.r.ClientMetric(); m != "" && (w.d == nil || !hasOption(w.d, "metric")) {
		w.metric = m
	}
}

// clients is the table of {table} clients, with what each client got folded
// below.
func (w *wish) clients() []block {
	w.forClients()
	all, err := rememberedOr(w.b.Memory, w.r, "clients", []any{w.metric, w.where}, func() ([]analysis.ClientSpread, error) { return w.r.ClientSpread(w.metric, w.where) })
	all = slices.Clone(all) // which is sorted
	if err != nil {
		w.refuse(w.optionAt("metric"), err)
		return nil
	}
	return w.clientBlocks(all)
}

func (w *wish) clientBlocks(all []analysis.ClientSpread) []block {
	if len(all) == 0 {
		return []block{paragraph{say("No trial has several clients yet.")}}
	}
	w.order(all)
	blocks := []block{w.clientTable(all)}
	if t := w.shareTable(all); len(t.Rows) > 0 {
		blocks = append(blocks, fold{Summary: "What each client got" + w.b.of(w.r), Body: []block{t}})
	}
	return blocks
}

// order puts the treatments of one level of `by` together.
func (w *wish) order(all []analysis.ClientSpread) {
	by := factorNamed(w.r, w.by)
	if by < 0 {
		return
	}
	declared := declaredLevels(w.r, by)
	level := func(c analysis.ClientSpread) int {
		if by >= len(c.Levels) {
			return 0
		}
		return slices.Index(declared, c.Levels[by])
	}
	slices.SortStableFunc(all, func(a, b analysis.ClientSpread) int { return level(a) - level(b) })
}

// clientNaming are the columns that say which treatment; that of `by` first.
func (w *wish) clientNaming(all []analysis.ClientSpread) []naming {
	rows := make([]treated, len(all))
	for i, c := range all {
		rows[i] = treated{machine: c.Machine, levels: c.Levels}
	}
	factors, _ := w.varying(rows)
	slices.SortStableFunc(factors, func(a, b int) int { return boolInt(w.r.Factors[b].Name == w.by) - boolInt(w.r.Factors[a].Name == w.by) })
	list := w.naming(false, len(machinesOf(rows)) > 1, factors)
	if len(list) == 0 {
		list = w.naming(false, true, nil)
	}
	return list
}

// clientTable is one row for each treatment of several clients.
func (w *wish) clientTable(all []analysis.ClientSpread) *tableBlock {
	names := w.clientNaming(all)
	head := columns(names)
	counted := factorNamed(w.r, "clients") < 0
	if counted {
		head = append(head, column{Title: "clients", Num: true})
	}
	head = append(head, column{Title: "trials", Num: true}, column{Title: "CV over clients", Num: true}, column{Title: "at most", Num: true},
		column{Title: "largest over smallest", Num: true}, column{Title: "Jain’s index", Num: true}, column{Title: "of noise alone", Num: true},
		column{Title: "least served"}, column{Title: "starved"}, column{Title: "p, by client", Num: true}, column{Title: "p, by start", Num: true})
	t := w.newTable(say("How evenly clients were served, by ", all[0].Share, "."), head...)
	for _, c := range all {
		r := namedRow(names, treated{machine: c.Machine, levels: c.Levels})
		if counted {
			r.Cells = append(r.Cells, cell{Phrase: say(itoa(c.Clients))})
		}
		r.Cells = append(r.Cells, clientCells(c)...)
		t.Rows = append(t.Rows, r)
	}
	t.Notes = clientNotes(all)
	return t
}

// clientCells are what the trials of one treatment say.
func clientCells(c analysis.ClientSpread) []cell {
	limit := dashCell()
	if !math.IsNaN(c.CVLimit) {
		limit = cell{Phrase: say(analysis.NumberText(round(100*c.CVLimit)) + " %"), Sort: sortKey(c.CVLimit)}
	}
	return []cell{
		{Phrase: say(itoa(len(c.Trials)))}, estimateCell(c.CV, "percent"), limit, ratioCell(c.MaxMin), estimateCell(c.Jain, ""), jainOfNoise(c.NoiseJain),
		{Phrase: leastServed(c.ByNumber, "client ")}, {Phrase: starvedWords(c)}, {Phrase: say(pText(c.ByNumber.P))}, {Phrase: say(pText(c.ByStart.P))},
	}
}

func jainOfNoise(j float64) cell {
	if math.IsNaN(j) {
		return dashCell()
	}
	return cell{Phrase: say(analysis.NumberText(j))}
}

// leastServed names the client, or place, with the smallest share.
func leastServed(f analysis.Favour, what string) phrase {
	i := f.Slowest()
	if i < 0 {
		return nil
	}
	return phrase{plain(what + itoa(i) + ": "), number(f.Shares[i].Ratio)}
}

// starvedWords say who got less than half of the fair share, and how often.
func starvedWords(c analysis.ClientSpread) phrase {
	if c.Refused != "" {
		return phrase{soft("–")}
	}
	if len(c.Starved) == 0 {
		return say("none")
	}
	var words []string
	for _, s := range c.Starved {
		words = append(words, fmt.Sprintf("client %d in %s", s.Client, plural(s.Trials, "trial")))
	}
	return phrase{strong("⚑"), plain(" " + strings.Join(words, ", "))}
}

// clientNotes say what the columns are, and what is missing and why.
func clientNotes(all []analysis.ClientSpread) []phrase {
	notes := []phrase{say("What is compared is each client’s rate, ", all[0].Share, ". CV, its one-sided 95 % limit (at most) and Jain’s index, 1/(1 + CV²), are geometric means over trials with t intervals of ln CV; largest over smallest is a median. "+
		"The index of noise alone is what clients that are served alike would have with this noise; indices of different numbers of clients cannot be compared. "+
		"p is Friedman’s, of trials as blocks: small where the same clients, or the same places in the order of starting, are favoured. It is exploratory, and not adjusted for the number of rows.")}
	reasons := map[string][]string{}
	var order []string
	add := func(why string, c analysis.ClientSpread) {
		if why != "" && reasons[why] == nil {
			order = append(order, why)
		}
		if why != "" {
			reasons[why] = append(reasons[why], c.Selection.String())
		}
	}
	left := 0
	for _, c := range all {
		left += c.LeftOut
		if c.Refused != "" {
			add(c.Refused, c)
			continue
		}
		for _, why := range []string{c.Jain.Refused, c.MaxMin.Refused, c.ByNumber.Refused, c.ByStart.Refused} {
			add(why, c)
		}
	}
	for _, why := range order {
		of := slices.Compact(reasons[why])
		text := strings.Join(of, "; ")
		if len(of) == len(all) && len(all) > 1 || len(of) > 4 {
			text = itoa(len(of)) + " of " + plural(len(all), "treatment")
		}
		notes = append(notes, say(text, ": ", strings.TrimSuffix(strings.TrimPrefix(why, "n/a ("), ")"), "."))
	}
	if left > 0 {
		notes = append(notes, say(plural(left, "trial"), " left out, since a client is missing or gave no number."))
	}
	return notes
}

// shareTable is each client's share, by its number and by its place in the
// order of starting.
func (w *wish) shareTable(all []analysis.ClientSpread) *tableBlock {
	names := w.clientNaming(all)
	t := &tableBlock{Caption: say("Each client’s rate over the mean rate of its trial: mean over trials with 95 % interval; p of the fair share, after Holm over the clients of a treatment.")}
	t.Head = append(columns(names), column{Title: "by"}, column{Title: "number", Num: true}, column{Title: "share", Num: true}, column{Title: "p after Holm", Num: true})
	for _, c := range all {
		for _, view := range []struct {
			name string
			of   analysis.Favour
		}{{"client", c.ByNumber}, {"start", c.ByStart}} {
			for i, s := range view.of.Shares {
				r := namedRow(names, treated{machine: c.Machine, levels: c.Levels})
				r.Cells = append(r.Cells, cell{Phrase: say(view.name)}, cell{Phrase: say(itoa(i))}, ratioCell(s.Ratio), cell{Phrase: say(pText(s.Holm))})
				t.Rows = append(t.Rows, r)
			}
		}
	}
	return t
}

// clientSection is what a report that nobody wrote says of clients.
func (b *builder) clientSection() {
	if !b.r.HasClients() || b.r.ClientMetric() == "" {
		return
	}
	w := b.generated()
	w.forClients()
	all, err := w.r.ClientSpread(w.metric, nil)
	if err != nil || len(all) == 0 {
		return
	}
	w.slot.id, w.slot.number = b.tableSlot("")
	blocks := w.clientBlocks(all)
	if slices.ContainsFunc(all, func(c analysis.ClientSpread) bool { return c.Refused == "" }) {
		blocks = append([]block{b.figure(figure.Clients)}, blocks...)
	}
	b.section("Were the clients served alike?", blocks...)
}

// spreadFigure shows whether the noise of the main metric differs over the
// first numeric factor that varies; none where there is nothing to compare.
func (b *builder) spreadFigure() []block {
	for i, f := range b.r.Factors {
		if !f.Numeric || len(declaredLevels(b.r, i)) < 2 {
			continue
		}
		spreads, err := b.r.Spread(mainMetric(b.r), f.Name, nil)
		if err != nil || !slices.ContainsFunc(spreads, func(s analysis.Spread) bool { return s.Refused == "" }) {
			return nil
		}
		return []block{b.figure(figure.Spread)}
	}
	return nil
}
