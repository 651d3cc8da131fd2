package main

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fieldbook/internal/design"
	"fieldbook/internal/session"
)

func (a *app) planCmd() *cobra.Command {
	var seed, format string
	var blocks int
	var need needFlags
	cmd := &cobra.Command{
		Use:   "plan NAME",
		Short: "Print the trials of a session in their order, or how many blocks each claim needs",
		Long: "Plan draws the order of trials from a seed and prints it. The same file and seed give the\n" +
			"same plan everywhere; without --seed one is drawn. Nothing is run or recorded.\n\n" +
			"With --precision or --power it says from what is recorded, pilots included, how many blocks\n" +
			"each claim needs, and how long they take. --power is the chance that each part of a claim is\n" +
			"decided, if the truth is no difference, or amid a margin that leaves it out; with --effect,\n" +
			"if it is that far off the claim's bound, or off no difference where a margin is claimed.",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if need.asked() && (seed != "" || blocks > 0) {
				return usage("--seed and --blocks are for the order of trials, --precision and --power say how many blocks are needed")
			}
			return a.each(args, func(_ *notebook, s *study) error {
				if need.asked() {
					return a.printNeeds(s, need, format)
				}
				if s.x == nil {
					return failed("%s has data but no experiment.yaml: there is nothing to plan", s.name)
				}
				if blocks > 0 {
					s.setBlocks(blocks)
				}
				p, err := s.plan(seed, 0)
				if err != nil {
					return err
				}
				return a.printPlan(s, p, format)
			})
		},
	}
	cmd.Flags().StringVar(&seed, "seed", "", "draw the order from this `seed`")
	cmd.Flags().IntVar(&blocks, "blocks", 0, "plan this many `blocks` instead of the file's number")
	cmd.Flags().StringVar(&need.precision, "precision", "", "say how many blocks give intervals of ± this `share`, such as 3%")
	cmd.Flags().StringVar(&need.power, "power", "", "say how many blocks decide each claim with this `chance`, such as 0.8")
	cmd.Flags().StringVar(&need.effect, "effect", "", "with --power: if the truth is this `share` off the bound")
	cmd.Flags().StringVar(&format, "format", "text", "text, json or csv")
	return cmd
}

// setBlocks overrides the file's number of blocks.
func (s *study) setBlocks(n int) {
	d := &s.x.Design
	d.Blocks, d.Min, d.Max, d.Until = n, n, n, nil
}

// plan draws the plan of a session. Without a seed, session k (from 1)
// derives its own from the file's base, or a fresh one is drawn.
func (s *study) plan(seed string, k int) (*design.Plan, error) {
	value, err := s.seed(seed, k)
	if err != nil {
		return nil, err
	}
	p, err := design.New(s.x, value)
	if err != nil {
		return nil, failed("%s: %v", s.name, err)
	}
	return p, nil
}

func (s *study) seed(flag string, k int) (uint64, error) {
	if flag != "" {
		value, err := design.ParseSeed(flag)
		if err != nil {
			return 0, usage("--seed: %v", err)
		}
		return value, nil
	}
	if base := s.x.Design.Seed; base != nil {
		return design.SessionSeed(*base, k), nil
	}
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b[:]), nil
}

// planned is the plan as it stands in plan.csv.
func planned(s *study, p *design.Plan) []session.Planned {
	levels := map[int][]string{}
	for _, t := range p.Treatments {
		levels[t.Number] = t.Levels
	}
	rows := make([]session.Planned, len(p.Trials))
	for i, t := range p.Trials {
		rows[i] = session.Planned{Trial: t.Number, Phase: t.Phase, Block: t.Block, Plot: t.Plot,
			Position: t.Position, Treatment: t.Treatment, Control: t.Control, Levels: levels[t.Treatment]}
	}
	return rows
}

func (a *app) printPlan(s *study, p *design.Plan, format string) error {
	head := []string{"trial", "phase", "block", "plot", "position", "treatment", "control"}
	for _, f := range s.x.Factors {
		head = append(head, f.Name)
	}
	var rows [][]string
	for _, t := range planned(s, p) {
		rows = append(rows, append([]string{strconv.Itoa(t.Trial), t.Phase, strconv.Itoa(t.Block), strconv.Itoa(t.Plot),
			strconv.Itoa(t.Position), strconv.Itoa(t.Treatment), t.Control}, t.Levels...))
	}
	switch format {
	case "csv":
		return writeCSV(a.stdout, head, rows)
	case "json":
		return writeJSON(a.stdout, map[string]any{"experiment": s.name, "seed": design.FormatSeed(p.Seed),
			"order": p.Order, "blocks": p.Blocks, "warmup_blocks": p.WarmupBlocks, "trials": objects(head, rows)})
	case "text":
		data, _ := session.ReadDataset(s.data, session.Choose{}) // where it cannot be read no time is told
		fmt.Fprintln(a.stdout, s.summary(p, data))
		columns(a.stdout, append([][]string{head}, rows...), 0, 2, 3, 4, 5)
		return nil
	}
	return badFormat(format)
}

// summary says how many trials a plan has, in which order, and how long they
// took when they were last recorded; no data: that is not known.
func (s *study) summary(p *design.Plan, data *session.Dataset) string {
	var b strings.Builder
	rounds := p.Blocks + p.WarmupBlocks
	if session.Blocked(string(p.Order)) {
		fmt.Fprintf(&b, "%s × %s = ", count(len(p.Treatments), "treatment"), count(rounds, "block"))
	} else {
		fmt.Fprintf(&b, "%s, %d times each: ", count(len(p.Treatments), "treatment"), rounds)
	}
	fmt.Fprint(&b, count(len(p.Trials), "trial"))
	if d := s.x.Design; d.Until != nil {
		fmt.Fprintf(&b, " at the most (from block %d on it stops when %s is precise enough)", d.Min, d.Until.Claim)
	}
	if seconds := expected(p, data); seconds > 0 {
		fmt.Fprintf(&b, ", about %s", roughly(time.Duration(seconds*float64(time.Second))))
	}
	fmt.Fprintf(&b, "; order %s from seed %s", p.Order, design.FormatSeed(p.Seed))
	return b.String()
}

// expected is how long a plan would take, in seconds, from the newest session
// of the data: the mean time between the starts of its trials, which includes
// all that runs between them. 0: nothing is recorded.
func expected(p *design.Plan, data *session.Dataset) float64 {
	if data == nil || len(data.Sessions) == 0 {
		return 0
	}
	return perTrial(data.Sessions[len(data.Sessions)-1]) * float64(len(p.Trials))
}

// perTrial is the mean time in seconds from a trial's start to the next
// one's, pauses between the parts of a session left out.
func perTrial(s *session.Session) float64 {
	var sum float64
	var n int
	for i, row := range s.Rows {
		span := row.Duration
		if i+1 < len(s.Rows) && s.Rows[i+1].Part == row.Part {
			span = s.Rows[i+1].Started.Sub(row.Started).Seconds()
		}
		if span > 0 {
			sum += span
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
