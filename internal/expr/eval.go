package expr

import (
	"math"
	"slices"
)

// Eval computes the expression. Division by zero, a text in arithmetic, an
// unknown name and a result that is no finite number are errors. Of `and`,
// `or` and `if` only the part that decides is computed, and both parts where
// the decision hangs on an Unknown value.
func (e *Expr) Eval(env Env) (Value, error) {
	v, err := e.root.eval(env)
	if err != nil {
		return Value{}, err
	}
	return v.worded(), nil
}

// worded is a computed number with its text, which inner results do without,
// since a formula is evaluated once for each of many trials.
func (v Value) worded() Value {
	if v.Kind == KindNumber && v.Text == "" && !v.Unknown {
		v.Text = FormatNumber(v.Num)
	}
	return v
}

func (n *node) eval(env Env) (Value, error) {
	switch n.op {
	case "":
		return n.val, nil
	case "name":
		v, ok := env(n.word)
		if !ok {
			return Value{}, errorAt(n.off, "unknown name %q", n.word)
		}
		return v, nil
	case "call":
		if n.word == "if" {
			return n.choose(env)
		}
		return n.call(env)
	case "and", "or":
		return n.logic(env)
	case "not":
		v, err := n.args[0].truth(env)
		return v.opposite(), err
	case "neg":
		x, err := n.args[0].number(env)
		if err != nil {
			return Value{}, err
		}
		return n.finite(-x, x)
	case "==", "!=":
		return n.equal(env)
	}
	return n.arithmetic(env)
}

// number evaluates to a number or fails. NaN stands for an unknown number;
// a known one is always finite.
func (n *node) number(env Env) (float64, error) {
	v, err := n.eval(env)
	if err != nil {
		return 0, err
	}
	switch {
	case v.Kind == KindText && v.Unknown:
		return 0, errorAt(n.off, "a text stands where a number is needed")
	case v.Kind == KindText:
		return 0, errorAt(n.off, "%q is a text, not a number", v.Text)
	case v.Kind == KindBool:
		return 0, errorAt(n.off, "a truth value stands where a number is needed").hint("write if(condition, a, b)")
	case v.Unknown:
		return math.NaN(), nil
	case math.IsNaN(v.Num) || math.IsInf(v.Num, 0):
		return 0, errorAt(n.off, "the value is not a finite number")
	}
	return v.Num, nil
}

// truth evaluates to a truth value or fails.
func (n *node) truth(env Env) (Value, error) {
	v, err := n.eval(env)
	switch {
	case err != nil:
		return Value{}, err
	case v.Kind == KindBool:
		return v, nil
	case v.Unknown:
		return Value{}, errorAt(n.off, "a condition is needed").hint("compare: == != < <= > >=")
	}
	return Value{}, errorAt(n.off, "a condition is needed, %q is none", v.Text).hint("compare: == != < <= > >=")
}

func (v Value) opposite() Value {
	if v.Unknown {
		return v
	}
	return Bool(!v.Bool)
}

func (n *node) logic(env Env) (Value, error) {
	decides := func(v Value) bool { return !v.Unknown && v.Bool == (n.op == "or") }
	left, err := n.args[0].truth(env)
	if err != nil || decides(left) {
		return left, err
	}
	right, err := n.args[1].truth(env)
	if err != nil || decides(right) || right.Unknown {
		return right, err
	}
	return left, nil
}

func (n *node) choose(env Env) (Value, error) {
	c, err := n.args[0].truth(env)
	if err != nil {
		return Value{}, err
	}
	if c.Unknown {
		a, err := n.args[1].eval(env)
		if err == nil {
			_, err = n.args[2].eval(env)
		}
		return Unknown(a.Kind), err
	}
	if c.Bool {
		return n.args[1].eval(env)
	}
	return n.args[2].eval(env)
}

// equal compares numbers as numbers. Where one side is a text, both are
// compared as written: version == "1.10" is not true of 1.1.
func (n *node) equal(env Env) (Value, error) {
	a, err := n.args[0].eval(env)
	if err != nil {
		return Value{}, err
	}
	b, err := n.args[1].eval(env)
	if err != nil {
		return Value{}, err
	}
	if (a.Kind == KindBool) != (b.Kind == KindBool) {
		return Value{}, errorAt(n.off, "a truth value is compared with something else")
	}
	if a.Unknown || b.Unknown {
		return Unknown(KindBool), nil
	}
	same := a.worded().Text == b.worded().Text
	if a.Kind == KindNumber && b.Kind == KindNumber {
		same = a.Num == b.Num
	}
	return Bool(same == (n.op == "==")), nil
}

func (n *node) arithmetic(env Env) (Value, error) {
	a, err := n.args[0].number(env)
	if err != nil {
		return Value{}, err
	}
	b, err := n.args[1].number(env)
	if err != nil {
		return Value{}, err
	}
	if n.op[0] == '<' || n.op[0] == '>' {
		return ordered(n.op, a, b), nil
	}
	if b == 0 && (n.op == "/" || n.op == "//" || n.op == "%") {
		return Value{}, errorAt(n.off, "division by zero")
	}
	return n.finite(operate(n.op, a, b), a, b)
}

// ordered compares by size.
func ordered(op string, a, b float64) Value {
	if math.IsNaN(a) || math.IsNaN(b) {
		return Unknown(KindBool)
	}
	switch op {
	case "<":
		return Bool(a < b)
	case "<=":
		return Bool(a <= b)
	case ">":
		return Bool(a > b)
	}
	return Bool(a >= b)
}

// operate is one arithmetic operation. `//` rounds down, and `%` is what it
// leaves, so that it has the sign of the divisor.
func operate(op string, a, b float64) float64 {
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	case "/":
		return a / b
	case "//":
		return math.Floor(a / b)
	}
	m := math.Mod(a, b)
	if m != 0 && (m < 0) != (b < 0) {
		m += b
	}
	return m
}

// finite is a result as a value: unknown where one of its arguments is, an
// error where it is no finite number.
func (n *node) finite(f float64, args ...float64) (Value, error) {
	if slices.ContainsFunc(args, math.IsNaN) {
		return Unknown(KindNumber), nil
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Value{}, errorAt(n.off, "the result is not a finite number")
	}
	return Value{Kind: KindNumber, Num: f}, nil
}
