package runner

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fieldbook/internal/experiment"
	"fieldbook/internal/expr"
)

// samples are the observations that one process reported, by column; all
// columns are of one length, with NaN where a sample has no such key.
type samples struct {
	columns [][]float64
	n       int
	problem string
}

// take keeps the samples of an object, and says whether it was one of
// samples: {"sample": {...}} or {"samples": {"key": [...], ...}}.
func (s *samples) take(o object, keys []string) bool {
	one, isOne := o["sample"]
	many, isMany := o["samples"]
	var members object
	switch {
	case isOne && len(o) == 1 && json.Unmarshal(one, &members) == nil:
		s.one(members, keys)
	case isMany && len(o) == 1 && json.Unmarshal(many, &members) == nil:
		s.many(members, keys)
	default:
		return false
	}
	return true
}

func (s *samples) one(members object, keys []string) {
	for i, k := range keys {
		f := math.NaN()
		if v, ok := members.find(k); ok {
			var problem string
			if f, problem = numberOf(v); problem != "" {
				s.problem, f = "sample "+itoa(int64(s.n+1))+": "+k+": "+problem, math.NaN()
			}
		}
		s.columns[i] = append(s.columns[i], f)
	}
	s.n++
}

// many takes arrays; those that no metric mentions need only the length.
func (s *samples) many(members object, keys []string) {
	n, first := -1, ""
	for _, name := range slices.Sorted(keysOf(members)) {
		var column []float64
		if err := json.Unmarshal(members[name], &column); err != nil {
			s.problem = fmt.Sprintf("samples: %s is no array of numbers", name)
			return
		}
		if n >= 0 && len(column) != n {
			s.problem = fmt.Sprintf("samples: %s has %d numbers, %s has %d", name, len(column), first, n)
			return
		}
		n, first = len(column), name
		if i := slices.Index(keys, name); i >= 0 {
			s.columns[i] = append(s.columns[i], column...)
		}
	}
	s.n += max(n, 0)
	for i := range s.columns {
		for len(s.columns[i]) < s.n {
			s.columns[i] = append(s.columns[i], math.NaN())
		}
	}
}

func keysOf(o object) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range o {
			if !yield(k) {
				return
			}
		}
	}
}

// values are a metric's numbers, one a sample; samples without the keys that
// the metric mentions are passed over.
func (s *samples) values(m *experiment.Metric, keys []string, env expr.Env) ([]float64, error) {
	if m.Formula == nil {
		column := s.columns[slices.Index(keys, m.Key)]
		return slices.DeleteFunc(slices.Clone(column), math.IsNaN), nil
	}
	var row int
	missing := false
	lookup := func(name string) (expr.Value, bool) {
		i := slices.Index(keys, name)
		if i < 0 {
			return env(name)
		}
		f := s.columns[i][row]
		missing = missing || math.IsNaN(f)
		return expr.Number(f), true
	}
	var out []float64
	for row = range s.n {
		missing = false
		v, err := m.Formula.Eval(lookup)
		switch {
		case missing:
		case err != nil:
			return nil, fmt.Errorf("sample %d: %w", row+1, err)
		case v.Kind != expr.KindNumber:
			return nil, fmt.Errorf("sample %d: the formula gives no number", row+1)
		default:
			out = append(out, v.Num)
		}
	}
	return out, nil
}

// reduceSamples makes one number of a trial's samples, which are not empty:
// p50, p99.9, median, mean, min, max, sum, count, sd. It sorts xs.
func reduceSamples(how string, xs []float64) (float64, error) {
	slices.Sort(xs)
	n := float64(len(xs))
	switch how {
	case "min":
		return xs[0], nil
	case "max":
		return xs[len(xs)-1], nil
	case "median":
		return quantile(xs, 0.5), nil
	case "sum":
		return sum(xs), nil
	case "count":
		return n, nil
	case "mean":
		return mean(xs), nil
	case "sd":
		return deviation(xs), nil
	}
	p, err := strconv.ParseFloat(strings.TrimPrefix(how, "p"), 64)
	if !strings.HasPrefix(how, "p") || err != nil || p < 0 || p > 100 {
		return 0, fmt.Errorf("reduce %q is not known: p0 to p100, median, mean, min, max, sum, count, sd", how)
	}
	return quantile(xs, p/100), nil
}

// quantile is Hyndman and Fan's type 7, as R and numpy have it, of sorted xs.
func quantile(xs []float64, p float64) float64 {
	h := p * float64(len(xs)-1)
	i := int(math.Floor(h))
	if i+1 >= len(xs) {
		return xs[len(xs)-1]
	}
	return xs[i] + (h-float64(i))*(xs[i+1]-xs[i])
}

// sum is compensated (Neumaier), so that a million samples lose no digits.
func sum(xs []float64) float64 {
	total, lost := 0.0, 0.0
	for _, x := range xs {
		t := total + x
		if math.Abs(total) >= math.Abs(x) {
			lost += total - t + x
		} else {
			lost += x - t + total
		}
		total = t
	}
	return total + lost
}

func mean(xs []float64) float64 { return sum(xs) / float64(len(xs)) }

// deviation is the standard deviation with n-1; NaN of fewer than two.
func deviation(xs []float64) float64 {
	if len(xs) < 2 {
		return math.NaN()
	}
	m, squares := mean(xs), make([]float64, len(xs))
	for i, x := range xs {
		squares[i] = (x - m) * (x - m)
	}
	return math.Sqrt(sum(squares) / float64(len(xs)-1))
}
