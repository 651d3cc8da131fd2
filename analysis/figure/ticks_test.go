package figure

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// readLabel is the number that a tick's label says; from is what the axis's
// title tells to add.
func readLabel(t rapid.TB, label string) float64 {
	t.Helper()
	plain := strings.NewReplacer("\u202f", "", "−", "-")
	super := strings.NewReplacer("⁻", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")
	text := plain.Replace(label)
	if mantissa, power, ok := strings.Cut(text, "×10"); ok {
		text = mantissa + "e" + super.Replace(power)
	} else if power, ok := strings.CutPrefix(text, "10"); ok && strings.Trim(power, "⁻⁰¹²³⁴⁵⁶⁷⁸⁹") == "" && power != "" {
		text = "1e" + super.Replace(power)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatalf("label %q cannot be read as a number", label)
	}
	return v
}

// roomy is an axis of 200 pixels, upwards.
func roomy(kind axisKind, domain span) room {
	return fitsDown(scale{kind, domain, 200, 0})
}

// checkTicks holds what is promised of every axis.
func checkTicks(t rapid.TB, kind axisKind, data span) ticks {
	t.Helper()
	domain := data.widen(kind, 0.05)
	got := chooseTicks(kind, data, domain, roomy(kind, domain))
	seen := map[string]bool{}
	from := 0.0
	if got.From != "" {
		from = readLabel(t, got.From)
	}
	within := 0
	for i, tk := range got.Ticks {
		if seen[tk.Label] {
			t.Errorf("label %q stands twice on %s %v", tk.Label, kind, data)
		}
		seen[tk.Label] = true
		if says := readLabel(t, tk.Label) + from; math.Abs(says-tk.At) > 4e-16*math.Max(math.Abs(from), math.Abs(tk.At)) {
			t.Errorf("label %q (from %q) stands at %v on %s %v", tk.Label, got.From, tk.At, kind, data)
		}
		if i > 0 && !(tk.At > got.Ticks[i-1].At) {
			t.Errorf("ticks do not rise: %v on %s %v", got.Ticks, kind, data)
		}
		if !(tk.At >= domain.Lo && tk.At <= domain.Hi) && !got.Equal {
			t.Errorf("tick %v lies outside of the axis %v", tk, domain)
		}
		if tk.At >= data.Lo && tk.At <= data.Hi {
			within++
		}
	}
	if data.equal() {
		if len(got.Ticks) != 1 || !got.Equal {
			t.Errorf("ticks of equal values %v = %v, want the one", data, got)
		}
	} else if within < 2 {
		t.Errorf("%d labelled ticks inside %s %v, want at least 2: %v", within, kind, data, got)
	}
	if len(got.Ticks) > 12 {
		t.Errorf("%d ticks on %s %v", len(got.Ticks), kind, data)
	}
	return got
}

func TestTicksAreDistinctTrueAndInsideTheData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Ranges of any size anywhere, down to differences late in the digits.
		lo := rapid.Float64Range(-1, 1).Draw(t, "lo") * math.Pow(10, rapid.Float64Range(-30, 30).Draw(t, "power"))
		width := math.Abs(lo) * math.Pow(10, rapid.Float64Range(-14, 4).Draw(t, "width"))
		checkTicks(t, linear, span{lo, lo + width})
	})
}

func TestLogTicksAreDistinctTrueAndInsideTheData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := math.Pow(10, rapid.Float64Range(-100, 100).Draw(t, "lo"))
		factor := math.Pow(10, rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(0, 60), rapid.Float64Range(0, 0.001)).Draw(t, "decades"))
		checkTicks(t, logarith, span{lo, lo * factor})
	})
}

func TestTicksOfExtremeRanges(t *testing.T) {
	for _, data := range []span{
		{-math.MaxFloat64, math.MaxFloat64}, {0, math.MaxFloat64}, {0, 5e-324}, {0, 1e-320}, {0, 0}, {-1, -1},
		{1e15, 1e15 + 8}, {0, 1}, {-1e-9, 1e9}, {math.SmallestNonzeroFloat64, 1},
	} {
		domain := data.widen(linear, 0.05)
		got := chooseTicks(linear, data, domain, roomy(linear, domain))
		if len(got.Ticks) > 12 {
			t.Errorf("ticks of %v: %v", data, got)
		}
	}
	data := span{math.SmallestNonzeroFloat64, math.MaxFloat64}
	domain := data.widen(logarith, 0.05)
	if got := chooseTicks(logarith, data, domain, roomy(logarith, domain)); len(got.Ticks) < 2 {
		t.Errorf("log ticks of all positive numbers: %v, want at least 2", got)
	}
}

func TestTickLabels(t *testing.T) {
	tests := []struct {
		name   string
		kind   axisKind
		data   span
		labels string
		from   string
	}{
		{"a usual range", linear, span{14.2, 52.8}, "20 30 40 50", ""},
		{"decimals alike", linear, span{0, 1}, "0.0 0.2 0.4 0.6 0.8 1.0", ""},
		{"large numbers", linear, span{1e6, 4e6}, "1.0×10⁶ 1.5×10⁶ 2.0×10⁶ 2.5×10⁶ 3.0×10⁶ 3.5×10⁶ 4.0×10⁶", ""},
		{"thousands", linear, span{10000, 30000}, "10\u202f000 15\u202f000 20\u202f000 25\u202f000 30\u202f000", ""},
		{"below zero", linear, span{-10, 10}, "−10 −5 0 5 10", ""},
		{"a round number and little more", linear, span{1e9, 1e9 + 0.002}, "0.0000 0.0005 0.0010 0.0015 0.0020", "1\u202f000\u202f000\u202f000"},
		{"decades", logarith, span{1, 1000}, "1 3 10 30 100 300 1000", ""},
		{"part of a decade", logarith, span{2.1, 5.5}, "3 4 5", ""},
		{"half a decade", logarith, span{110, 430}, "150 200 300 400", ""},
		{"eighteen decades", logarith, span{1e-9, 1e9}, "10⁻⁸ 10⁻⁶ 10⁻⁴ 10⁻² 1 100 10⁴ 10⁶ 10⁸", ""},
		{"around one", logarith, span{0.9, 1.12}, "0.90 0.95 1.00 1.05 1.10", ""},
	}
	for _, tt := range tests {
		domain := tt.data.widen(tt.kind, 0.05)
		got := chooseTicks(tt.kind, tt.data, domain, roomy(tt.kind, domain))
		var labels []string
		for _, tk := range got.Ticks {
			labels = append(labels, tk.Label)
		}
		if s := strings.Join(labels, " "); s != tt.labels || got.From != tt.from {
			t.Errorf("%s: ticks %q from %q, want %q from %q", tt.name, s, got.From, tt.labels, tt.from)
		}
	}
}

func TestDecimalsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := decimal{rapid.Int64Range(-1e12, 1e12).Draw(t, "n"), rapid.IntRange(-30, 30).Draw(t, "exp")}
		if got, want := readLabel(t, d.String()), d.float(); got != want {
			t.Fatalf("%v is written %q, which is %v, want %v", d, d, got, want)
		}
	})
}

func TestNumbersTellWhatTheSpanAroundThemAllows(t *testing.T) {
	tests := []struct {
		v, span float64
		want    string
	}{
		{17.84, 40, "17.8"}, {44, 40, "44"}, {1000000000.002, 0.002, "1.000000000002×10⁹"}, {0, 1, "0"}, {-2.5, 1, "−2.5"},
		{0.00001234, 0, "1.23×10⁻⁵"}, {math.NaN(), 1, "no value"}, {math.Inf(-1), 1, "−∞"}, {14.486, 1.4, "14.49"}, {14.486, 0.1, "14.486"},
	}
	for _, tt := range tests {
		if got := number(tt.v, tt.span); got != tt.want {
			t.Errorf("number(%v, %v) = %q, want %q", tt.v, tt.span, got, tt.want)
		}
	}
	if got, want := strings.Join(alike(5.8, 41.849, 47.66, 9), " "), "41.8 47.7 9.0"; got != want {
		t.Errorf("alike = %q, want %q", got, want)
	}
}
