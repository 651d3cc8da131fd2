package figure

import "math"

// Kinds of axis.
type axisKind string

const (
	linear   axisKind = "linear"
	logarith axisKind = "log"
	category axisKind = "category"
)

// span is a closed range of values.
type span struct{ Lo, Hi float64 }

// nothing is the range of no values; include widens it.
var nothing = span{math.Inf(1), math.Inf(-1)}

func (s span) empty() bool { return !(s.Lo <= s.Hi) }

func (s span) include(vs ...float64) span {
	for _, v := range vs {
		s.Lo, s.Hi = math.Min(s.Lo, v), math.Max(s.Hi, v)
	}
	return s
}

// equal says whether all values in the range are one value: what differs by
// less than 1e-12 of its size is noise of arithmetic, and no axis can tell
// it apart.
func (s span) equal() bool {
	return s.width() <= 1e-12*math.Max(math.Abs(s.Lo), math.Abs(s.Hi))
}

// width is Hi - Lo, finite for finite bounds.
func (s span) width() float64 {
	return math.Min(s.Hi-s.Lo, math.MaxFloat64)
}

// widen is the range of an axis that shows s: a little more on both sides,
// and something to look at where all is equal.
func (s span) widen(kind axisKind, share float64) span {
	switch {
	case kind == logarith:
		lo, hi := math.Log(s.Lo), math.Log(s.Hi)
		pad := (hi - lo) * share
		if s.equal() {
			pad = 0.1
		}
		return span{math.Max(math.SmallestNonzeroFloat64, math.Exp(lo-pad)), bounded(math.Exp(hi + pad))}
	case s.equal():
		pad := math.Abs(s.Hi) * 0.1
		if pad == 0 {
			pad = 1
		}
		return span{bounded(s.Lo - pad), bounded(s.Hi + pad)}
	}
	pad := s.width() * share
	return span{bounded(s.Lo - pad), bounded(s.Hi + pad)}
}

// bounded keeps a bound finite.
func bounded(v float64) float64 {
	return math.Max(-math.MaxFloat64, math.Min(math.MaxFloat64, v))
}

// scale maps values to pixels. Domain is not empty and, on a log axis,
// positive.
type scale struct {
	kind     axisKind
	domain   span
	from, to float64 // pixels at the domain's ends
}

// at is the place of v; beyond the domain's ends it stays at the end.
func (s scale) at(v float64) float64 {
	lo, hi := s.domain.Lo, s.domain.Hi
	if s.kind == logarith {
		lo, hi, v = math.Log(lo), math.Log(hi), math.Log(math.Max(v, math.SmallestNonzeroFloat64))
	}
	// Halves, since the difference of two large numbers may be infinite.
	t := (v/2 - lo/2) / (hi/2 - lo/2)
	if math.IsNaN(t) {
		t = 0.5
	}
	return s.from + math.Max(0, math.Min(1, t))*(s.to-s.from)
}

// value is the value that lies at a share, 0 to 1, of the domain.
func (s scale) value(share float64) float64 {
	lo, hi := s.domain.Lo, s.domain.Hi
	switch {
	case share <= 0:
		return lo
	case share >= 1:
		return hi
	case s.kind == logarith:
		return math.Exp(math.Log(lo)*(1-share) + math.Log(hi)*share)
	}
	return lo*(1-share) + hi*share
}

// band is how many pixels one category takes.
func (s scale) band() float64 {
	return math.Abs(s.to-s.from) / math.Max(1, s.domain.Hi-s.domain.Lo)
}
