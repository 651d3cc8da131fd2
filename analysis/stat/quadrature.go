package stat

import (
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
)

// legendreNodes is the order of the Gauss-Legendre rule within a panel.
const legendreNodes = 16

// legendre are the nodes and weights on [-1, 1], computed once.
var legendre = sync.OnceValue(func() (rule [2][]float64) {
	rule[0], rule[1] = make([]float64, legendreNodes), make([]float64, legendreNodes)
	quad.Legendre{}.FixedLocations(rule[0], rule[1], -1, 1)
	return rule
})

// integral of f from a to b, by Gauss-Legendre on panels of equal width.
func integral(f func(float64) float64, a, b float64, panels int) float64 {
	rule := legendre()
	half := (b - a) / float64(2*panels)
	sum := 0.0
	for p := range panels {
		mid := a + half*float64(2*p+1)
		for i, node := range rule[0] {
			sum += rule[1][i] * f(mid+half*node)
		}
	}
	return sum * half
}
