package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldbook/analysis"
	"fieldbook/internal/design"
	"fieldbook/internal/diag"
	"fieldbook/internal/experiment"
	"fieldbook/internal/session"
)

// needFlags are those of `plan` that ask how many blocks claims need.
type needFlags struct{ precision, power, effect string }

func (f needFlags) asked() bool { return f.precision != "" || f.power != "" || f.effect != "" }

// goal reads the flags.
func (f needFlags) goal() (analysis.PlanGoal, error) {
	var g analysis.PlanGoal
	for _, one := range []struct {
		name, text string
		into       *float64
		below      float64
	}{{"precision", f.precision, &g.Precision, 10}, {"power", f.power, &g.Power, 1}, {"effect", f.effect, &g.Effect, 10}} {
		if one.text == "" {
			continue
		}
		x, err := share(one.text)
		if err != nil || !(x > 0 && x < one.below) {
			return g, usage("--%s is %q, want a share such as 3%% or 0.03, above 0 and below %g", one.name, one.text, one.below)
		}
		*one.into = x
	}
	switch {
	case f.precision != "" && f.power != "":
		return g, usage("--precision and --power are two goals: name one of them")
	case f.effect != "" && f.power == "":
		return g, usage("--effect says what --power is of: name a power too, such as --power 0.8")
	}
	return g, nil
}

// share reads "3%", "3 %" or "0.03".
func share(text string) (float64, error) {
	digits, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if percent {
		x /= 100
	}
	return x, err
}

// needs is all that `plan` says of how many blocks claims need.
type needs struct {
	study *study
	goal  analysis.PlanGoal
	r     *analysis.Result
	// newest is the session whose durations stand for those to come: the last
	// of this machine, or of another one where this has none.
	newest *session.Session
	claims []analysis.ClaimNeed
	splits []analysis.Split
}

// printNeeds says from what is recorded, pilots included, how many blocks each
// claim needs.
func (a *app) printNeeds(s *study, f needFlags, format string) error {
	g, err := f.goal()
	if err != nil {
		return err
	}
	r, err := s.withPilots()
	if err != nil {
		return err
	}
	if len(r.Data.Sessions) == 0 {
		return failed("%s: nothing is recorded to plan from; `fieldbook run %s --pilot --blocks 10` records a pilot", s.name, s.name)
	}
	if len(r.Input.Claims) == 0 {
		return failed("%s declares no claims: blocks are planned for what a claim says", s.name)
	}
	n := &needs{study: s, goal: g, r: r, newest: a.newestHere(r.Data.Sessions), claims: r.Plan(g)}
	if n.splits, err = splits(r); err != nil {
		return err
	}
	switch format {
	case "text":
		a.needsText(n)
		return nil
	case "json":
		return writeJSON(a.stdout, n.object())
	case "csv":
		head, rows := n.table()
		return writeCSV(a.stdout, head, rows)
	}
	return badFormat(format)
}

// withPilots analyses the sessions in use and the pilots.
func (s *study) withPilots() (*analysis.Result, error) {
	data, err := session.ReadDataset(s.data, session.Choose{})
	if err != nil {
		return nil, err
	}
	ids := []string{}
	for _, one := range data.Sessions {
		ids = append(ids, one.Session)
	}
	for _, l := range data.LeftOut {
		if l.Reason == "pilot" {
			ids = append(ids, l.Session)
		}
	}
	return s.result(ids)
}

// newestHere is the newest session of this machine, or of any.
func (a *app) newestHere(sessions []*session.Session) *session.Session {
	label, err := a.machineLabel()
	for _, s := range slices.Backward(sessions) {
		if err == nil && s.Machine == label {
			return s
		}
	}
	return sessions[len(sessions)-1]
}

// blocks is a number of blocks as the order can have them: Latin squares and
// Williams designs take multiples.
func (n *needs) blocks(wanted int) int {
	x := n.study.x
	if x == nil || x.Design.Order != experiment.LatinSquare && x.Design.Order != experiment.Williams {
		return wanted
	}
	own := *x
	for b := wanted; b < wanted+2*len(x.Treatments); b++ {
		own.Design.Blocks, own.Design.Min, own.Design.Max, own.Design.Until = b, b, b, nil
		if _, err := design.New(&own, 1); err == nil {
			return b
		}
	}
	return wanted
}

// takes is how long a need takes, warm-up included; 0 where nothing tells.
func (n *needs) takes(p analysis.Need, blocks int) time.Duration {
	measured := 0
	for _, row := range n.newest.Plan {
		if row.Phase == "measured" {
			measured++
		}
	}
	per := perTrial(n.newest)
	trials := float64(len(n.newest.Plan)-measured) + float64(blocks)*float64(measured)/math.Max(1, float64(n.newest.Blocks))
	if p.Unit == "session" {
		trials = float64(blocks * len(n.newest.Plan))
	}
	return time.Duration(per * trials * float64(time.Second))
}

func (a *app) needsText(n *needs) {
	fmt.Fprintln(a.stdout, n.head())
	rows := [][]string{{"claim", "recorded", "half-width", "needed", "takes", "remark"}}
	for _, c := range n.claims {
		if c.Worst < 0 {
			rows = append(rows, []string{c.Claim, "", "", "n/a", "", "it has no part"})
			continue
		}
		rows = append(rows, n.row(c))
	}
	columns(a.stdout, rows)
	for _, s := range n.splits {
		fmt.Fprintln(a.stdout, diag.Printable(splitText(s)))
	}
}

// mostNamed is how many sessions a line names.
const mostNamed = 4

// head says what is planned for, and what it rests on.
func (n *needs) head() string {
	goal := "a 95 % interval of ±" + percent(n.goal.Precision)
	if n.goal.Power > 0 {
		goal = "a verdict with a chance of " + percent(n.goal.Power)
	}
	var ids []string
	pilots := 0
	for _, s := range n.r.Data.Sessions {
		id := s.Session
		if s.Purpose == "pilot" {
			id += " (pilot)"
			pilots++
		}
		ids = append(ids, id)
	}
	which := strings.Join(ids, ", ")
	if len(ids) > mostNamed {
		which = fmt.Sprintf("%s to %s, %s among them", ids[0], ids[len(ids)-1], count(pilots, "pilot"))
	}
	one := n.takes(analysis.Need{}, 1) - n.takes(analysis.Need{}, 0)
	return fmt.Sprintf("%s: blocks for %s, by the spread in %s: %s\none block takes about %s on %s; noise is taken at the upper 80 %% limit of what was seen",
		n.study.name, goal, count(len(ids), "session"), which, roughly(one), n.newest.Machine)
}

// row is a claim by the part that takes most.
func (n *needs) row(c analysis.ClaimNeed) []string {
	p := c.Parts[c.Worst]
	if p.Refused != "" {
		why := p.Refused
		if p.Part != "" && slices.ContainsFunc(c.Parts, func(o analysis.Need) bool { return o.Refused != why }) {
			why = p.Part + ": " + why
		}
		return []string{c.Claim, recordedText(p), "", "n/a", "", why}
	}
	var remarks []string
	if len(c.Parts) > 1 && p.Part != "" {
		remarks = append(remarks, fmt.Sprintf("most of %s: %s", count(len(c.Parts), "part"), p.Part))
	}
	if p.If != "" {
		remarks = append(remarks, p.If)
	}
	blocks := n.blocks(p.Blocks)
	if blocks != p.Blocks {
		remarks = append(remarks, fmt.Sprintf("%d, and the order takes multiples", p.Blocks))
	}
	if p.N >= blocks {
		remarks = append(remarks, "recorded already")
	}
	return []string{c.Claim, recordedText(p), widthText(p.HalfWidth), count(blocks, p.Unit), roughly(n.takes(p, blocks)), strings.Join(remarks, "; ")}
}

func recordedText(p analysis.Need) string {
	if p.Unit == "" {
		return ""
	}
	return count(p.N, p.Unit)
}

func widthText(w float64) string {
	if math.IsNaN(w) {
		return ""
	}
	return "±" + percent(w)
}

// percent is a share to two significant digits.
func percent(x float64) string { return strconv.FormatFloat(100*x, 'g', 2, 64) + " %" }

// table is a row for each part of each claim, at full precision.
func (n *needs) table() ([]string, [][]string) {
	head := []string{"experiment", "claim", "part", "unit", "recorded", "sd", "sd_upper", "half_width", "if", "needed", "seconds", "refused"}
	var rows [][]string
	for _, c := range n.claims {
		for _, p := range c.Parts {
			row := []string{n.study.name, c.Claim, p.Part, p.Unit, strconv.Itoa(p.N), exact(p.SD), exact(p.Upper), exact(p.HalfWidth), p.If, "", "", p.Refused}
			if p.Refused == "" {
				blocks := n.blocks(p.Blocks)
				row[9], row[10] = strconv.Itoa(blocks), exact(math.Round(10*n.takes(p, blocks).Seconds())/10)
			}
			rows = append(rows, row)
		}
	}
	return head, rows
}

func (n *needs) object() map[string]any {
	goal := map[string]any{}
	for name, x := range map[string]float64{"precision": n.goal.Precision, "power": n.goal.Power, "effect": n.goal.Effect} {
		if x > 0 {
			goal[name] = x
		}
	}
	sessions := []map[string]any{}
	for _, s := range n.r.Data.Sessions {
		whole, _ := s.WholeBlocks()
		sessions = append(sessions, map[string]any{"session": s.Session, "purpose": s.Purpose, "machine": s.Machine, "blocks": whole})
	}
	claims := []map[string]any{}
	for _, c := range n.claims {
		parts := []map[string]any{}
		for _, p := range c.Parts {
			part := map[string]any{"part": p.Part, "unit": p.Unit, "recorded": p.N, "sd": orNull(p.SD), "sd_upper": orNull(p.Upper), "half_width": orNull(p.HalfWidth),
				"if": p.If, "needed": nil, "seconds": nil, "refused": p.Refused}
			if p.Refused == "" {
				blocks := n.blocks(p.Blocks)
				part["needed"], part["seconds"] = blocks, math.Round(10*n.takes(p, blocks).Seconds())/10
			}
			parts = append(parts, part)
		}
		claims = append(claims, map[string]any{"claim": c.Claim, "worst": c.Worst, "parts": parts})
	}
	split := []map[string]any{}
	for _, s := range n.splits {
		split = append(split, map[string]any{"column": s.Column, "treatments": s.Treatments, "trials": s.Trials, "samples": s.Samples,
			"sd_within": orNull(s.Within), "sd_between": orNull(s.Between), "best_samples": orNull(s.Best), "refused": s.Refused})
	}
	return map[string]any{"experiment": n.study.name, "goal": goal, "sessions": sessions, "machine": n.newest.Machine, "claims": claims, "split": split}
}

// orNull is a number as JSON has it.
func orNull(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return x
}
