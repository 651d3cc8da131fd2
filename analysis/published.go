package analysis

import (
	"errors"

	"fieldbook/internal/expr"
)

// PublishedValue answers a query on the published numbers; no interval is
// ever made up for them. Selections may name machine=.
func (r *Result) PublishedValue(q Query) (Estimate, error) {
	return Estimate{}, errors.New("published numbers are not read yet")
}

// PublishedRatio is the ratio of two published numbers, without an interval.
func (r *Result) PublishedRatio(metric string, c expr.Comparison) (Estimate, error) {
	return Estimate{}, errors.New("published numbers are not read yet")
}

func (r *Result) onPublished(Claim) (Verdict, []PublishedPart) { return NotStated, nil }
