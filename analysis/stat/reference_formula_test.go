package stat

import (
	"math"
	"strconv"
	"strings"
)

// parseCurve reads the formula of a nonlinear case: numbers, x, the
// parameters b1, b2, ..., exp, + - * / ^ and brackets. Unary minus binds less
// than ^, as in R.
func parseCurve(formula string) Curve {
	p := &formulaParser{rest: strings.ReplaceAll(formula, " ", "")}
	f := p.sum()
	if p.rest != "" {
		panic("cannot read the rest of the formula: " + p.rest)
	}
	return f
}

type formulaParser struct{ rest string }

// take consumes the text where it comes next.
func (p *formulaParser) take(text string) bool {
	rest, ok := strings.CutPrefix(p.rest, text)
	p.rest = rest
	return ok
}

func (p *formulaParser) sum() Curve {
	left := p.product()
	for {
		l := left
		switch {
		case p.take("+"):
			r := p.product()
			left = func(b []float64, x float64) float64 { return l(b, x) + r(b, x) }
		case p.take("-"):
			r := p.product()
			left = func(b []float64, x float64) float64 { return l(b, x) - r(b, x) }
		default:
			return left
		}
	}
}

func (p *formulaParser) product() Curve {
	left := p.unary()
	for {
		l := left
		switch {
		case p.take("*"):
			r := p.unary()
			left = func(b []float64, x float64) float64 { return l(b, x) * r(b, x) }
		case p.take("/"):
			r := p.unary()
			left = func(b []float64, x float64) float64 { return l(b, x) / r(b, x) }
		default:
			return left
		}
	}
}

func (p *formulaParser) unary() Curve {
	if p.take("-") {
		f := p.unary()
		return func(b []float64, x float64) float64 { return -f(b, x) }
	}
	base := p.atom()
	if !p.take("^") {
		return base
	}
	exponent := p.unary()
	return func(b []float64, x float64) float64 { return math.Pow(base(b, x), exponent(b, x)) }
}

func (p *formulaParser) atom() Curve {
	switch {
	case p.take("exp("):
		f := p.bracket()
		return func(b []float64, x float64) float64 { return math.Exp(f(b, x)) }
	case p.take("log("):
		f := p.bracket()
		return func(b []float64, x float64) float64 { return math.Log(f(b, x)) }
	case p.take("("):
		return p.bracket()
	case p.take("b"):
		at := int(p.number()) - 1
		return func(b []float64, _ float64) float64 { return b[at] }
	case p.take("x"):
		return func(_ []float64, x float64) float64 { return x }
	}
	v := p.number()
	return func([]float64, float64) float64 { return v }
}

func (p *formulaParser) bracket() Curve {
	f := p.sum()
	if !p.take(")") {
		panic("a bracket is not closed before " + p.rest)
	}
	return f
}

func (p *formulaParser) number() float64 {
	end := strings.IndexFunc(p.rest, func(r rune) bool { return !strings.ContainsRune("0123456789.", r) })
	if end < 0 {
		end = len(p.rest)
	}
	v, err := strconv.ParseFloat(p.rest[:end], 64)
	if err != nil {
		panic(err)
	}
	p.rest = p.rest[end:]
	return v
}
