package stat

import "math"

// nelderMead minimizes f from a start as R's optim does with abstol 1e-9 and
// its other settings left alone (Nash, Compact Numerical Methods, algorithm
// 19): the tests repeat a program that stops its search early.
func nelderMead(f func([2]float64) float64, start [2]float64) [2]float64 {
	const abstol, maxCalls = 1e-9, 500
	s := newSimplex(f, start)
	tolerance := math.Sqrt(0x1p-52) * (math.Abs(s.v[0]) + math.Sqrt(0x1p-52))
	for s.calls <= maxCalls {
		low, high := s.extremes()
		if s.v[high] <= s.v[low]+tolerance || s.v[low] <= abstol || !s.step(low, high) {
			break
		}
	}
	return s.p[s.low]
}

// simplex are three points with their values.
type simplex struct {
	f     func([2]float64) float64
	p     [3][2]float64
	v     [3]float64
	low   int // the best so far
	size  float64
	calls int
}

func newSimplex(f func([2]float64) float64, start [2]float64) *simplex {
	s := &simplex{f: f}
	step := 0.1 * math.Max(math.Abs(start[0]), math.Abs(start[1]))
	if step == 0 {
		step = 0.1
	}
	for i := range s.p {
		s.p[i] = start
		if i > 0 {
			s.p[i][i-1] += step
			s.size += 10 * step
		}
		s.v[i] = s.value(s.p[i])
	}
	return s
}

func (s *simplex) value(x [2]float64) float64 {
	s.calls++
	return s.f(x)
}

// extremes are the points of the lowest and the highest value.
func (s *simplex) extremes() (low, high int) {
	low, high = s.low, s.low
	for j, v := range s.v {
		if v < s.v[low] {
			low = j
		}
		if v > s.v[high] {
			high = j
		}
	}
	s.low = low
	return low, high
}

// step replaces the worst point, or shrinks towards the best one; false where
// shrinking no longer helps.
func (s *simplex) step(low, high int) bool {
	var center [2]float64
	for j, p := range s.p {
		if j != high {
			center[0] += p[0] / 2
			center[1] += p[1] / 2
		}
	}
	reflected := along(s.p[high], center, 2)
	v := s.value(reflected)
	if v < s.v[low] {
		s.p[high], s.v[high] = reflected, v
		further := along(center, reflected, 2)
		if w := s.value(further); w < v {
			s.p[high], s.v[high] = further, w
		}
		return true
	}
	worse := v >= s.v[high]
	if !worse {
		s.p[high], s.v[high] = reflected, v
	}
	inner := along(s.p[high], center, 0.5)
	if w := s.value(inner); w < s.v[high] {
		s.p[high], s.v[high] = inner, w
		return true
	}
	return !worse || s.shrink(low)
}

// shrink halves the distances to the best point.
func (s *simplex) shrink(low int) bool {
	size := 0.0
	for j := range s.p {
		if j == low {
			continue
		}
		s.p[j] = along(s.p[low], s.p[j], 0.5)
		size += math.Abs(s.p[j][0]-s.p[low][0]) + math.Abs(s.p[j][1]-s.p[low][1])
		s.v[j] = s.value(s.p[j])
	}
	smaller := size < s.size
	s.size = size
	return smaller
}

// along is the point at t on the line from a (0) to b (1).
func along(a, b [2]float64, t float64) [2]float64 {
	return [2]float64{(1-t)*a[0] + t*b[0], (1-t)*a[1] + t*b[1]}
}
