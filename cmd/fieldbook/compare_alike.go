package main

import (
	"fmt"
	"math"
	"slices"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// findAlike finds the sessions that tell how far sessions of one work on one
// machine differ: those in use that ran what A or what B ran, where each is
// one session.
func (c *comparison) findAlike() error {
	if len(c.a.result.Data.Sessions) != 1 || len(c.b.result.Data.Sessions) != 1 {
		return nil
	}
	x, y := c.a.newest(), c.b.newest()
	var err error
	if c.alike.A, err = c.a.alike(x.Dir, y.Dir); err != nil || ranAlike(x, y) {
		return err
	}
	c.alike.B, err = c.b.alike(x.Dir, y.Dir)
	return err
}

// alike are the further sessions of a side's work, each analysed by itself.
// One that cannot be read tells nothing, and is not what was asked about.
func (c compared) alike(without ...string) (all []*analysis.Result, err error) {
	ids, err := session.IDs(c.study.data)
	if err != nil {
		return nil, err
	}
	mine := c.newest()
	for _, id := range ids {
		data, err := session.ReadDataset(c.study.data, session.Choose{IDs: []string{id}, Like: &mine.Info})
		if err != nil || len(data.Sessions) == 0 {
			continue
		}
		one := data.Sessions[0]
		if slices.Contains(without, one.Dir) || !one.Sealed || one.Aside() != "" || one.Purpose != mine.Purpose || !ranAlike(mine, one) {
			continue
		}
		r, err := c.study.asRecorded(data)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// ranAlike says whether two sessions of one machine ran the same treatments,
// each with the same work.
func ranAlike(x, y *session.Session) bool {
	if x.Experiment != y.Experiment || x.Machine != y.Machine || len(x.Treatments) != len(y.Treatments) {
		return false
	}
	ids := recordedIdentities(y)
	for _, t := range x.Treatments {
		if ids[treatmentKey(t.Levels)] != t.Identity {
			return false
		}
	}
	return true
}

// noiseNote says beyond which noise something counts as moved.
func (c comparison) noiseNote() string {
	others, most := 0, 0.0
	for _, m := range c.metrics {
		for _, s := range slices.Concat(m.Values, m.Ratios) {
			others = max(others, s.Others)
			if s.Others > 0 && s.Change.Kind == analysis.Ratio {
				most = max(most, math.Expm1(s.Spread))
			}
		}
	}
	if others > 0 {
		return fmt.Sprintf("note: the noise is that within A and within B, and how far %d other sessions of the same work on the same\n"+
			"machine differ from each other (a standard deviation of up to %.2g %%); what moved is beyond both.", others, 100*most)
	}
	text := "note: the noise is that within A and within B alone. Sessions of one program on one machine differ by more: by\n" +
		"what all trials of a session have in common, such as a neighbour's load or the layout of memory. "
	if len(c.a.result.Data.Sessions) != 1 || len(c.b.result.Data.Sessions) != 1 {
		return text + "Compare single\nsessions to have that taken into account, too."
	}
	return text + fmt.Sprintf("With four\nother sessions of the same work that counts, too; there are %d.", len(c.alike.A)+len(c.alike.B))
}
