package report

import "fieldbook/analysis"

func (b *builder) diagnostics(r *analysis.Result) []block { b.place("diagnostics", r); return nil }
