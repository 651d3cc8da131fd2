package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"fieldbook/internal/expr"
)

// ClaimHash is the hash, in hexadecimal, of what a claim states: not of its
// name, its sentence or its family. Sessions record it, so that the text
// behind it must not change. TestClaimHashPinned guards it.
func ClaimHash(c Claim) string {
	sum := sha256.Sum256([]byte(ClaimStatement(c)))
	return hex.EncodeToString(sum[:])
}

// ClaimStatement is what a claim states, in one line, the same for every
// way to write it: "ratio of elapsed, sessions=2 / sessions=1 where
// communication=queue workers=2, for each placement: within 0.9..1.11".
func ClaimStatement(c Claim) string {
	var b strings.Builder
	b.WriteString(c.subject())
	if len(c.Where) > 0 {
		b.WriteString(" where " + c.Where.String())
	}
	for _, part := range []struct {
		word  string
		names []string
	}{{", for each ", c.ForEach}, {", averaged over ", c.Over}, {", on published machines ", c.Machines}} {
		if len(part.names) > 0 {
			b.WriteString(part.word + quotedList(slices.Sorted(slices.Values(part.names))))
		}
	}
	if c.Expect != nil {
		b.WriteString(": " + c.Expect.String())
	} else if c.Fit != "" {
		b.WriteString(": within " + expr.FormatNumber(c.Within))
	}
	return b.String()
}

func quotedList(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = expr.QuoteLevel(w)
	}
	return strings.Join(all, ", ")
}

// subject is what the claim is about.
func (c Claim) subject() string {
	switch {
	case c.Untested != "":
		return "untested: " + c.Untested
	case len(c.AllOf) > 0:
		return "all of " + strings.Join(slices.Sorted(slices.Values(c.AllOf)), ", ")
	case c.Always != nil:
		return "always " + c.Always.String()
	case c.Slope != "":
		return "slope of " + c.Metric + " per doubling of " + c.Slope
	case c.Fit != "":
		return c.Fit + " fit of " + c.Metric + " over " + c.X
	case c.Compare == nil && c.Stat != "":
		return c.Stat + " of " + c.Metric
	case c.Compare == nil:
		return "geomean of " + c.Metric
	}
	s := "ratio of " + c.Metric + ", " + c.Compare.String()
	if c.AllPairs {
		s += " in all pairs"
	}
	if c.Against != nil {
		s += " against " + c.Against.String()
	}
	return s
}

// String is the expectation without its subject: "< 1", "within 0.9..1.11",
// "on both sides of 1".
func (e *Expect) String() string {
	switch e.Op {
	case "both-sides":
		return "on both sides of 1"
	case "within":
		return "within " + expr.FormatNumber(e.Lo) + ".." + expr.FormatNumber(e.Hi)
	}
	return e.Op + " " + expr.FormatNumber(e.Bound)
}
