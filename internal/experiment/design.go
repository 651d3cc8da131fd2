package experiment

import (
	"strconv"

	"go.yaml.in/yaml/v4"

	"fieldbook/internal/diag"
)

// The defaults of `design`.
const (
	defaultBlocks  = 10
	defaultWarmups = 1
)

// design reads `design`.
func (r *reader) design(x *Experiment, n *yaml.Node) {
	d := Design{Order: RandomizedBlocks, Blocks: defaultBlocks, WarmupBlocks: defaultWarmups, Pos: diag.Pos{File: r.file, Line: 1}}
	if n != nil {
		d.Pos = r.at(n)
	}
	if o := plainText(lookup(n, "order")); contains(orderNames(), o) {
		d.Order = Order(o)
	}
	if b := lookup(n, "blocks"); b != nil {
		r.blocks(&d, b)
	}
	if w := lookup(n, "warmup-blocks"); w != nil {
		d.WarmupBlocks = r.whole(w)
	}
	if s := lookup(n, "seed"); s != nil {
		if seed, err := strconv.ParseUint(s.Value, 10, 64); err == nil {
			d.Seed = &seed
		}
	}
	if d.Until == nil {
		d.Min, d.Max = d.Blocks, d.Blocks
	}
	x.Design = d
}

// leastLook is the first block after which a stopping rule may look without
// being fooled by few blocks that happen to agree: from 10 on a 95 % interval
// covers 94 %, from 3 on 90 % (Chow & Robbins, Ann. Math. Stat. 36, 1965).
const leastLook = 10

func (r *reader) blocks(d *Design, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		d.Blocks = r.whole(n)
		return
	}
	d.Min, d.Max = r.whole(lookup(n, "min")), r.whole(lookup(n, "max"))
	d.Blocks = d.Max
	until := lookup(n, "until")
	d.Until = &Until{Claim: plainText(lookup(until, "claim")), HalfWidth: r.share(lookup(until, "half-width"))}
	if d.Min > d.Max {
		r.Errorf(r.at(n), "min is %d, above max, which is %d", d.Min, d.Max)
	}
	if d.Min > 0 && d.Min < leastLook {
		r.Warnf(r.at(lookup(n, "min")), "min is %d: a rule that looks before block %d stops too early by chance, and its intervals hold less than they say", d.Min, leastLook)
	}
	if d.Order == CompleteRandomization || d.Order == Sequential {
		r.Errorf(r.at(n), "the order %s has no blocks after which it could stop", d.Order)
		r.Hint("write blocks as one number: the runs of each treatment")
	}
}

// maxWhole bounds numbers of blocks, retries and the like.
const maxWhole = 1_000_000

// whole is a whole number; what is none is reported by check.
func (r *reader) whole(n *yaml.Node) int {
	i, err := strconv.Atoi(plainText(n))
	if err != nil {
		return 0
	}
	if i > maxWhole {
		r.Errorf(r.at(n), "%d is too large, allowed are %d", i, maxWhole)
	}
	return min(i, maxWhole)
}

// until checks, once claims are read, that the one that stops an adaptive
// experiment exists and has an interval.
func (r *reader) until(x *Experiment, n *yaml.Node) {
	if x.Design.Until == nil {
		return
	}
	at := lookup(lookup(lookup(lookup(n, "design"), "blocks"), "until"), "claim")
	if at == nil {
		return
	}
	for _, c := range x.Claims {
		if c.Name == x.Design.Until.Claim {
			if c.Expect == nil {
				r.Errorf(r.at(at), "the claim %q has no interval that could decide", c.Name)
				r.Hint("name a claim with compare, slope or a value")
			}
			return
		}
	}
	r.unknown(at, "claim", claimNames(x))
}

// unknown reports a name that does not exist, with what may be meant.
func (r *reader) unknown(n *yaml.Node, kind string, candidates []string) {
	r.Errorf(r.at(n), "unknown %s %q", kind, short(plainText(n)))
	if meant := diag.Meant(plainText(n), candidates); meant != "" {
		r.Hint("%s", meant)
	}
}
