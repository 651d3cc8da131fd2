package expr

// Expr is a parsed expression.
type Expr struct{ src string }

// Template is a parsed string with `{…}`.
type Template struct{ src string }
