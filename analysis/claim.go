package analysis

func (r *Result) judgeClaims() []ClaimResult { return nil }
