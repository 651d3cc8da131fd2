package figure

import (
	"cmp"
	"math"
	"slices"
)

// swarm moves dots that would lie upon each other apart, across the direction
// of their values: at is where each lies along it, in pixels, and the result
// how far each moves to the side. The same dots always move alike; nothing is
// drawn at random. A lane that is full is filled once more.
func swarm(at []float64, diameter, half float64) []float64 {
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(at[i], at[j]) })
	aside := make([]float64, len(at))
	for n, i := range order {
		aside[i] = free(at, aside, order[:n], i, diameter, half)
	}
	return aside
}

// free is the place nearest to the middle of the lane where dot i touches
// none of those before it.
func free(at, aside []float64, before []int, i int, diameter, half float64) float64 {
	var near []int
	for _, j := range slices.Backward(before) {
		if at[i]-at[j] >= diameter {
			break
		}
		if near = append(near, j); float64(len(near)) > 8*half/diameter+8 {
			break // the lane is full
		}
	}
	for step := 0.0; step <= half; step += diameter / 4 {
		for _, x := range []float64{step, -step} {
			if !slices.ContainsFunc(near, func(j int) bool {
				return math.Hypot(at[i]-at[j], x-aside[j]) < diameter*0.98
			}) {
				return x
			}
		}
	}
	slots := max(1, int(2*half/diameter))
	return -half + (float64(len(before)%slots)+0.5)*2*half/float64(slots)
}
