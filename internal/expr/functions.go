package expr

import (
	"maps"
	"math"
	"slices"
	"strings"

	"fieldbook/internal/diag"
)

// function is one of the language: how many arguments it takes (max 0: any
// number), and what it computes of them. A non-empty problem says which
// argument is impossible, and why.
type function struct {
	min, max int
	usage    string
	of       func(x []float64) (result float64, problem string)
}

// functions are all functions of the language. `if` is computed by eval,
// since it leaves the part that is not chosen alone.
var functions = map[string]function{
	"if":    {3, 3, "if(condition, a, b)", nil},
	"share": {3, 3, "share(total, n, i)", share},
	"min":   {1, 0, "min(a, …)", total(slices.Min[[]float64])},
	"max":   {1, 0, "max(a, …)", total(slices.Max[[]float64])},
	"abs":   {1, 1, "abs(a)", single(math.Abs)},
	"floor": {1, 1, "floor(a)", single(math.Floor)},
	"ceil":  {1, 1, "ceil(a)", single(math.Ceil)},
	"round": {1, 1, "round(a)", single(math.Round)}, // halves away from zero
	"sqrt":  {1, 1, "sqrt(a)", from(0, "the root of a negative number", math.Sqrt)},
	"ln":    {1, 1, "ln(a)", from(math.SmallestNonzeroFloat64, "the logarithm of a number that is not positive", math.Log)},
	"log2":  {1, 1, "log2(a)", from(math.SmallestNonzeroFloat64, "the logarithm of a number that is not positive", math.Log2)},
}

// Functions are the names of all functions, sorted. No name of an experiment
// may be one.
func Functions() []string { return slices.Sorted(maps.Keys(functions)) }

func meantFunction(word string) string {
	if near := diag.Nearest(word, Functions()); near != "" {
		return diag.Meant(word, Functions())
	}
	return "functions: " + strings.Join(Functions(), ", ")
}

func single(f func(float64) float64) func([]float64) (float64, string) {
	return func(x []float64) (float64, string) { return f(x[0]), "" }
}

func total(f func([]float64) float64) func([]float64) (float64, string) {
	return func(x []float64) (float64, string) { return f(x), "" }
}

// from is a function of one argument that is defined from least on.
func from(least float64, problem string, f func(float64) float64) func([]float64) (float64, string) {
	return func(x []float64) (float64, string) {
		if x[0] < least {
			return 0, problem
		}
		return f(x[0]), ""
	}
}

// share is the part of total that falls to the i-th of n, counted from 0.
// Each gets total // n, and the first gets the remainder besides.
func share(x []float64) (float64, string) {
	total, n, i := x[0], x[1], x[2]
	switch {
	case total != math.Floor(total) || total < 0:
		return 0, "share of a total that is no whole number"
	case n != math.Floor(n) || n < 1:
		return 0, "share among a number that is no whole number from 1 on"
	case i != math.Floor(i) || i < 0 || i >= n:
		return 0, "share of a number i that is not within 0..n-1"
	}
	part := math.Floor(total / n)
	if i == 0 {
		part += math.Mod(total, n)
	}
	return part, ""
}

func (n *node) call(env Env) (Value, error) {
	x := make([]float64, len(n.args))
	for i, arg := range n.args {
		f, err := arg.number(env)
		if err != nil {
			return Value{}, err
		}
		x[i] = f
	}
	if slices.ContainsFunc(x, math.IsNaN) {
		return Unknown(KindNumber), nil
	}
	f, problem := functions[n.word].of(x)
	if problem != "" {
		return Value{}, errorAt(n.off, "%s", problem)
	}
	return n.finite(f)
}
