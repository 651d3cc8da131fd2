package main

import (
	"fmt"
	"slices"

	"fieldbook/analysis"
	"fieldbook/internal/diag"
	"fieldbook/internal/session"
)

// compared is one of the two things that compare sets side by side.
type compared struct {
	study  *study
	shown  string // NAME/ID, or NAME for all sessions in use
	result *analysis.Result
}

// verdictPair is a claim of both sides with its verdicts.
type verdictPair struct {
	name   string
	a, b   analysis.ClaimResult
	moved  bool // from supported to refuted, or back
	differ bool // the statements do: there is nothing to compare
}

// comparison is all that compare has to say.
type comparison struct {
	a, b    compared
	alike   analysis.Alike
	metrics []analysis.MetricShifts
	claims  []verdictPair
	facts   []factPair
}

// compareSessions compares two sessions, or all in use of two experiments.
func (a *app) compareSessions(left, right string, metrics []string, format string) error {
	n, err := a.open()
	if err != nil {
		return err
	}
	var c comparison
	if c.a, err = a.side(n, left); err != nil {
		return err
	}
	if c.b, err = a.side(n, right); err != nil {
		return err
	}
	only, err := c.wanted(metrics)
	if err != nil {
		return err
	}
	if err := c.findAlike(); err != nil {
		return err
	}
	if c.metrics, err = analysis.Shifts(c.a.result, c.b.result, c.alike, only); err != nil {
		return failed("%s and %s cannot be set side by side: %v", c.a.shown, c.b.shown, err)
	}
	c.claims = verdictPairs(c.a.result, c.b.result)
	c.facts = factPairs(c.a, c.b)
	if err := a.printComparison(c, format); err != nil {
		return err
	}
	if c.moved() {
		return exit{code: exitDiffers}
	}
	return nil
}

// side is what a word of the command line means: the sessions in use of an
// experiment, or one session, of whatever state.
func (a *app) side(n *notebook, word string) (compared, error) {
	names, err := n.chooseRecorded(nil)
	if err != nil {
		return compared{}, err
	}
	name, choose := word, session.Choose{}
	if !slices.Contains(names, word) {
		one, err := n.find(word)
		if err != nil {
			return compared{}, err
		}
		name, choose.IDs = one.experiment, []string{one.id}
	}
	s, err := n.load(name)
	if err != nil {
		return compared{}, err
	}
	choose.SameWork = true
	data, err := session.ReadDataset(s.data, choose)
	if err != nil {
		return compared{}, err
	}
	if len(data.Sessions) == 0 {
		return compared{}, failed("%s has no session that is in use", name)
	}
	r, err := s.asRecorded(data)
	c := compared{study: s, shown: name, result: r}
	if choose.IDs != nil {
		c.shown += "/" + choose.IDs[0]
	}
	return c, err
}

// asRecorded analyses data as data of the treatments that it was recorded
// for: nothing is stale. The metrics and claims are those of the experiment
// as it stands, where it still has the same factors.
func (s *study) asRecorded(data *session.Dataset) (*analysis.Result, error) {
	in, err := inputFromData(s.name, data)
	if s.x != nil && sameFactors(s.x, data.Sessions[0]) {
		in, err = s.input(data)
	}
	if err != nil {
		return nil, err
	}
	in.Identity, in.Changed, in.Published = nil, nil, nil
	if in.Clients, err = clientRows(data); err != nil {
		return nil, err
	}
	return analysis.Analyze(in), nil
}

// wanted are the metrics to compare: those asked for, else those that analyze
// would show.
func (c comparison) wanted(asked []string) ([]string, error) {
	if len(asked) == 0 {
		asked = []string{""}
	}
	var names []string
	for _, name := range asked {
		shown, err := shownMetrics(c.a.result, name)
		if err != nil {
			return nil, err
		}
		for _, m := range shown {
			names = append(names, m.Name)
		}
	}
	return names, nil
}

// verdictPairs are the claims of both sides, in the order of the first. A
// verdict that was not reached on one side, or is undecided there, has not
// changed: that one side decides what the other leaves open is no evidence
// that the two differ (Gelman & Stern, The American Statistician 60, 2006).
func verdictPairs(a, b *analysis.Result) []verdictPair {
	var all []verdictPair
	for _, x := range a.Claims {
		i := slices.IndexFunc(b.Claims, func(y analysis.ClaimResult) bool { return y.Claim.Name == x.Claim.Name })
		if i < 0 || x.Claim.Untested != "" {
			continue
		}
		y := b.Claims[i]
		p := verdictPair{name: x.Claim.Name, a: x, b: y, differ: x.Claim.Hash != y.Claim.Hash}
		p.moved = !p.differ && x.Verdict != y.Verdict && decided(x) && decided(y)
		all = append(all, p)
	}
	return all
}

func decided(c analysis.ClaimResult) bool {
	return c.Verdict == analysis.Supported || c.Verdict == analysis.Refuted
}

// moved says whether an estimate moved or a verdict changed.
func (c comparison) moved() bool {
	return c.shifted() || slices.ContainsFunc(c.claims, func(p verdictPair) bool { return p.moved })
}

// shifted says whether an estimate moved.
func (c comparison) shifted() bool {
	return slices.ContainsFunc(c.metrics, func(m analysis.MetricShifts) bool {
		return slices.ContainsFunc(slices.Concat(m.Values, m.Ratios), analysis.Shift.Moved)
	})
}

func (a *app) printComparison(c comparison, format string) error {
	switch format {
	case "json":
		return writeJSON(a.stdout, c.object())
	case "csv":
		head, rows := c.rows()
		return writeCSV(a.stdout, head, rows)
	}
	columns(a.stdout, [][]string{{"A", c.a.shown, c.a.says()}, {"B", c.b.shown, c.b.says()}})
	for _, m := range c.metrics {
		a.printShifts(m)
	}
	a.printVerdicts(c.claims)
	if len(c.facts) > 0 {
		rows := [][]string{{"what differs", "A", "B"}}
		for _, f := range c.facts {
			rows = append(rows, []string{f.name, f.a, f.b})
		}
		fmt.Fprintln(a.stdout)
		columns(a.stdout, rows)
	}
	fmt.Fprintln(a.stdout, "\n"+c.noiseNote())
	return nil
}

// says where and when a side was recorded.
func (c compared) says() string {
	blocks := 0
	for _, one := range c.result.Data.Sessions {
		blocks += recordedBlocks(one)
	}
	first := c.result.Data.Sessions[0]
	text := fmt.Sprintf("%s on %s, from %s", count(blocks, "block"), first.Machine, first.Parts[0].Started)
	if n := len(c.result.Data.Sessions); n > 1 {
		text = count(n, "session") + ", " + text
	}
	return text
}

func (a *app) printShifts(m analysis.MetricShifts) {
	fmt.Fprintln(a.stdout)
	if m.Refused != "" {
		fmt.Fprintln(a.stdout, diag.Printable(fmt.Sprintf("%s: not compared: %s", m.Metric.Name, m.Refused)))
		return
	}
	rows := [][]string{{metricHead(m.Metric), "A", "B", "B of A", ""}}
	for _, s := range slices.Concat(m.Values, m.Ratios) {
		rows = append(rows, []string{s.Of, s.A.Text(), s.B.Text(), s.Change.Text(), movedText(s)})
	}
	columns(a.stdout, rows)
	for i, only := range [][]string{m.OnlyA, m.OnlyB} {
		for _, t := range only {
			fmt.Fprintln(a.stdout, diag.Printable(fmt.Sprintf("only in %s: %s", []string{"A", "B"}[i], t)))
		}
	}
}

func movedText(s analysis.Shift) string {
	if !s.Moved() {
		return ""
	}
	if s.Holm < 1e-4 {
		return "moved (p < 0.0001)"
	}
	return fmt.Sprintf("moved (p = %.2g)", s.Holm)
}

func (a *app) printVerdicts(claims []verdictPair) {
	if len(claims) == 0 {
		return
	}
	rows := [][]string{{"claim", "A", "B", ""}}
	for _, p := range claims {
		note := ""
		switch {
		case p.differ:
			note = "other statements"
		case p.moved:
			note = "changed"
		case decided(p.a) && !decided(p.b):
			note = "decided in A alone"
		case decided(p.b) && !decided(p.a):
			note = "decided in B alone"
		}
		rows = append(rows, []string{p.name, string(p.a.Verdict), string(p.b.Verdict), note})
	}
	fmt.Fprintln(a.stdout)
	columns(a.stdout, rows)
}
