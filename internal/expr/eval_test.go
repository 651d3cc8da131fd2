package expr

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// levelEnv looks names up in a map of levels as written.
func levelEnv(m map[string]string) Env {
	return func(name string) (Value, bool) {
		text, ok := m[name]
		return Level(text), ok
	}
}

var testEnv = levelEnv(map[string]string{
	"n": "4", "zero": "0", "calls": "1000", "mode": "fast", "version": "1.10", "latency.p99": "2.5", "big": "1e308",
})

func TestEval(t *testing.T) {
	tests := []struct{ src, want string }{
		{"1 + 2 * 3", "7"},
		{"(1 + 2) * 3", "9"},
		{"10 - 4 - 3", "3"},
		{"2 * 7 % 4", "2"},
		{"7 // 2", "3"},
		{"-7 // 2", "-4"},
		{"-7 % 3", "2"},
		{"7 % -3", "-2"},
		{"7.5 % 2", "1.5"},
		{"-n * 2", "-8"},
		{"--n", "4"},
		{"2 - -n", "6"},
		{"1 / 3", "0.3333333333333333"},
		{"0.1 + 0.2", "0.30000000000000004"},
		{"1e3 + .5", "1000.5"},
		{"0 * -1", "0"},
		{"calls / n", "250"},
		{"latency.p99 * 2", "5"},
		{"version", "1.10"},
		{"version + 0", "1.1"},
		{"mode", "fast"},
		{"min(3, n, 9)", "3"},
		{"max(3, n)", "4"},
		{"abs(-2.5)", "2.5"},
		{"floor(-2.5)", "-3"},
		{"ceil(-2.5)", "-2"},
		{"round(2.5)", "3"},
		{"round(-2.5)", "-3"},
		{"sqrt(n)", "2"},
		{"ln(1)", "0"},
		{"log2(calls * 1.024)", "10"},
		{"if(n == 4, calls, 0)", "1000"},
		{`if(mode == "fast", 1, 2)`, "1"},
		{`if(n > 4, "many", "few")`, "few"},
		{"if(zero == 0, 0, 1 / zero)", "0"},
		{"share(1000, 3, 0)", "334"},
		{"share(1000, 3, 1)", "333"},
		{"share(10, 4, 0)", "4"},
		{"share(10, 4, 3)", "2"},
		{"n == 4", "true"},
		{"n == 4.0", "true"},
		{"n != 4", "false"},
		{`version == "1.10"`, "true"},
		{`version == "1.1"`, "false"},
		{"version == 1.1", "true"},
		{"mode == n", "false"},
		{`mode != "slow"`, "true"},
		{"1 < 2 and 2 < 3", "true"},
		{"1 < 2 and 3 < 2 or 1 == 1", "true"},
		{"not 1 == 2", "true"},
		{"not not n >= 4", "true"},
		{"n <= 3 or n >= 4", "true"},
		{"zero == 0 or 1 / zero > 1", "true"},
		{"zero != 0 and 1 / zero > 1", "false"},
		{"(n == 4) == (zero == 0)", "true"},
	}
	for _, tt := range tests {
		e, err := Parse(tt.src)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.src, err)
			continue
		}
		got, err := e.Eval(testEnv)
		if err != nil || got.Text != tt.want {
			t.Errorf("%q is %q (%v), want %q", tt.src, got.Text, err, tt.want)
		}
		if e.String() != tt.src {
			t.Errorf("String() = %q, want %q", e.String(), tt.src)
		}
	}
}

func TestErrorsCarryTheirPlace(t *testing.T) {
	tests := []struct {
		src, msg string
		off      int
	}{
		{"", "an expression is missing", 0},
		{"  ", "an expression is missing", 0},
		{"1 +", "the expression ends too early", 3},
		{"1 2", `unexpected "2"`, 2},
		{"(1", "the parenthesis is never closed", 0},
		{"1)", `unexpected ")"`, 1},
		{"a && b", `unexpected "&&"`, 2},
		{"n = 4", `unexpected "="`, 2},
		{"2 ^ 3", `unexpected "^"`, 2},
		{"'a'", `unexpected "'"`, 0},
		{"n + ü", `unexpected 'ü'`, 4},
		{`"abc`, "the double quote is never closed", 0},
		{`"a\q"`, `unknown escape "\\q"`, 2},
		{"0x10", `cannot read "0x10": neither a number nor a name`, 0},
		{"1.2.3", `cannot read "1.2.3": neither a number nor a name`, 0},
		{"1 < 2 < 3", `a second comparison "<"`, 6},
		{"1e999", "the number 1e999 is too large", 0},
		{"n + foo(1)", `unknown function "foo"`, 4},
		{"min()", "min has 0 arguments", 0},
		{"share(1, 2)", "share has 2 arguments", 0},
		{"sqrt(1, 2)", "sqrt has 2 arguments", 0},
		{"n + nothing", `unknown name "nothing"`, 4},
		{"mode * 2", `"fast" is a text, not a number`, 0},
		{`2 * "3"`, `"3" is a text, not a number`, 4},
		{"calls / zero", "division by zero", 6},
		{"calls // zero", "division by zero", 6},
		{"calls % zero", "division by zero", 6},
		{"big * 10", "the result is not a finite number", 4},
		{"sqrt(-1)", "the root of a negative number", 0},
		{"ln(zero)", "the logarithm of a number that is not positive", 0},
		{"log2(-1)", "the logarithm of a number that is not positive", 0},
		{"(1 < 2) + 1", "a truth value stands where a number is needed", 3},
		{"n and n", `a condition is needed, "4" is none`, 0},
		{"if(n, 1, 2)", `a condition is needed, "4" is none`, 3},
		{"not n", `a condition is needed, "4" is none`, 4},
		{"(1 < 2) == n", "a truth value is compared with something else", 8},
		{"share(1.5, 2, 0)", "share of a total that is no whole number", 0},
		{"share(5, 0, 0)", "share among a number that is no whole number from 1 on", 0},
		{"share(5, 2, 2)", "share of a number i that is not within 0..n-1", 0},
	}
	for _, tt := range tests {
		var v Value
		e, err := Parse(tt.src)
		if err == nil {
			v, err = e.Eval(testEnv)
		}
		got, ok := errors.AsType[*Error](err)
		if !ok {
			t.Errorf("%q gives %v, %v, want an error", tt.src, v, err)
		} else if got.Msg != tt.msg || got.Off != tt.off {
			t.Errorf("%q: %d: %s, want %d: %s", tt.src, got.Off, got.Msg, tt.off, tt.msg)
		}
	}
}

func TestHints(t *testing.T) {
	tests := []struct{ src, hint string }{
		{"flor(1)", `did you mean "floor"?`},
		{"frobnicate(1)", "functions: abs, ceil, floor, if, ln, log2, max, min, round, share, sqrt"},
		{"a && b", "write and"},
		{"n = 4", "write == to compare"},
		{"share(1)", "write share(total, n, i)"},
		{"1 < 2 < 3", "join two comparisons by and"},
	}
	for _, tt := range tests {
		_, err := Parse(tt.src)
		if e, ok := errors.AsType[*Error](err); !ok || e.Hint != tt.hint {
			t.Errorf("Parse(%q) = %#v, want the hint %q", tt.src, err, tt.hint)
		}
	}
}

func TestDeepNestingIsAnError(t *testing.T) {
	for _, src := range []string{
		strings.Repeat("(", 5000), strings.Repeat("-", 5000) + "1", strings.Repeat("not ", 2000) + "1",
		strings.Repeat("abs(", 2000), strings.Repeat("1+", 6000) + "1",
	} {
		if _, err := Parse(src); err == nil {
			t.Errorf("Parse of %d characters %.8q… gives no error", len(src), src)
		}
	}
}

func TestNames(t *testing.T) {
	e, err := Parse(`a + max(b.c, a) * if(x == "y", 1, 2)`)
	if err != nil {
		t.Fatal(err)
	}
	want := []Name{{"a", 0}, {"b.c", 8}, {"a", 13}, {"x", 21}}
	got := e.Names()
	if len(got) != len(want) {
		t.Fatalf("Names() = %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("name %d is %v, want %v", i, got[i], want[i])
		}
	}
}

func TestUnknownValuesAreNoErrors(t *testing.T) {
	env := func(name string) (Value, bool) {
		switch name {
		case "x":
			return Unknown(KindNumber), true
		case "s":
			return Unknown(KindText), true
		}
		return testEnv(name)
	}
	tests := []struct {
		src     string
		kind    Kind
		unknown bool
		msg     string
	}{
		{"x + 1", KindNumber, true, ""},
		{"-x", KindNumber, true, ""},
		{"1 / x", KindNumber, true, ""},
		{"ln(x)", KindNumber, true, ""},
		{"x < 3", KindBool, true, ""},
		{"not x < 3", KindBool, true, ""},
		{`s == "a"`, KindBool, true, ""},
		{"x < 3 or n == 4", KindBool, false, ""},
		{"x < 3 and n == 4", KindBool, true, ""},
		{"n == 4 and x < 3", KindBool, true, ""},
		{"n == 4 or x < 3", KindBool, false, ""},
		{"if(x < 3, 1, 2)", KindNumber, true, ""},
		{"if(x == 0, 0, 1 / x)", KindNumber, true, ""},
		{"x / zero", 0, false, "division by zero"},
		{"s + 1", 0, false, "a text stands where a number is needed"},
		{"x and x", 0, false, "a condition is needed"},
		{"if(x < 3, 1, 1 / zero)", 0, false, "division by zero"},
	}
	for _, tt := range tests {
		e, err := Parse(tt.src)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Eval(env)
		switch {
		case tt.msg != "":
			if err == nil || err.Error() != tt.msg {
				t.Errorf("%q gives the error %v, want %s", tt.src, err, tt.msg)
			}
		case err != nil || got.Kind != tt.kind || got.Unknown != tt.unknown:
			t.Errorf("%q is %+v (%v), want kind %d, unknown %v", tt.src, got, err, tt.kind, tt.unknown)
		}
	}
}

func TestIsNumber(t *testing.T) {
	yes := map[string]float64{"4": 4, "-0.5": -0.5, "1.10": 1.1, "1e3": 1000, "1E-3": 0.001, "+7": 7, ".5": 0.5, "5.": 5, "010": 10, "0": 0}
	for text, want := range yes {
		if got, ok := IsNumber(text); !ok || got != want {
			t.Errorf("IsNumber(%q) = %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", " 4", "4 ", "0x10", "1_000", "inf", "-Inf", "NaN", "1,5", "1.2.3", ".", "-", "+-1", "--1", "e3", "1e", "1e+", "1e999", "١", "1.234,56"} {
		if got, ok := IsNumber(text); ok {
			t.Errorf("IsNumber(%q) = %v, want none", text, got)
		}
	}
}

func TestFormatNumber(t *testing.T) {
	tests := map[float64]string{
		0: "0", math.Copysign(0, -1): "0", 250: "250", 0.1: "0.1", -2.5: "-2.5", 1e20: "100000000000000000000",
		1e21: "1e+21", 1e-7: "0.0000001", 1e-8: "1e-08", 16777217: "16777217",
	}
	for f, want := range tests {
		if got := FormatNumber(f); got != want {
			t.Errorf("FormatNumber(%v) = %q, want %q", f, got, want)
		}
	}
}

func TestFormatNumberReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return
		}
		if got, ok := IsNumber(FormatNumber(f)); !ok || got != f {
			t.Fatalf("%v is written %q and read as %v, %v", f, FormatNumber(f), got, ok)
		}
	})
}

func TestValidName(t *testing.T) {
	for _, s := range []string{"a", "a_1", "latency2"} {
		if !ValidName(s) {
			t.Errorf("ValidName(%q) = false", s)
		}
	}
	for _, s := range []string{"", "A", "1a", "_a", "a-b", "a.b", "ä", "a b"} {
		if ValidName(s) {
			t.Errorf("ValidName(%q) = true", s)
		}
	}
}

// Shares add up to the total, and only the first differs from the others.
func TestSharesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total, n := rapid.IntRange(0, 5000).Draw(t, "total"), rapid.IntRange(1, 40).Draw(t, "n")
		sum := 0.0
		for i := range n {
			part, problem := share([]float64{float64(total), float64(n), float64(i)})
			if problem != "" || i > 0 && part != float64(total/n) {
				t.Fatalf("share(%d, %d, %d) = %v %s", total, n, i, part, problem)
			}
			sum += part
		}
		if sum != float64(total) {
			t.Fatalf("the shares of %d among %d add up to %v", total, n, sum)
		}
	})
}

// Floored division and its remainder belong together.
func TestDivisionAndRemainder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := float64(rapid.IntRange(-1000, 1000).Draw(t, "a"))
		b := float64(rapid.IntRange(-50, 50).Filter(func(i int) bool { return i != 0 }).Draw(t, "b"))
		q, r := operate("//", a, b), operate("%", a, b)
		if q*b+r != a || math.Abs(r) >= math.Abs(b) || r != 0 && (r < 0) != (b < 0) {
			t.Fatalf("%v // %v = %v, %% = %v", a, b, q, r)
		}
	})
}
