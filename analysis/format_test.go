package analysis

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/analysis/stat"
)

var nan = math.NaN()

// est is an estimate of three trials.
func est(kind Kind, unit string, value, lo, hi float64) Estimate {
	return Estimate{Estimate: stat.Estimate{Value: value, Lo: lo, Hi: hi, N: 3, Confidence: 0.95}, Kind: kind, Unit: unit, Stat: "mean"}
}

func TestText(t *testing.T) {
	refused := est(Ratio, "1", nan, nan, nan)
	refused.Refused = "n/a (baseline is 0)"
	count := est(Absolute, "1", 12, nan, nan)
	count.Stat, count.Confidence = "n", 0
	printed := est(Absolute, "ms", 42423, nan, nan)
	printed.Published = true
	tests := []struct {
		name string
		e    Estimate
		want string
	}{
		{"two digits of the half-width", est(Absolute, "ms", 34.2216, 33.9, 34.65), "34.22 ms [33.90, 34.65]"},
		{"a wide one", est(Absolute, "ms", 34.2216, 22.1, 46.3), "34 ms [22, 46]"},
		{"wider than the number", est(Absolute, "ms", 3.2, -240, 250), "3 ms [−240, 250]"},
		{"tens", est(Absolute, "1/s", 123456, 120000, 126912), "123500 1/s [120000, 126900]"},
		{"ratio", est(Ratio, "1", 1.2534, 1.2132, 1.2949), "1.253× [1.213, 1.295]"},
		{"ratio that is almost 1", est(Ratio, "1", 1.00004, 0.99, 1.011), "1.000× [0.990, 1.011]"},
		{"never 0.00", est(Ratio, "1", 0.0004, -0.3, 0.3), "0.0004× [−0.30, 0.30]"},
		{"just below a second", est(Absolute, "s", 0.9997, 0.9990, 1.0004), "0.99970 s [0.99900, 1.00040]"},
		{"a second, less sharp", est(Absolute, "s", 0.9997, 0.95, 1.05), "1.000 s [0.950, 1.050]"},
		{"small seconds are milliseconds", est(Absolute, "s", 0.00034, 0.00033, 0.00035), "0.340 ms [0.330, 0.350]"},
		{"almost a millisecond", est(Absolute, "s", 0.0009997, 0.0009990, 0.0010004), "0.99970 ms [0.99900, 1.00040]"},
		{"many milliseconds are seconds", est(Absolute, "ms", 54321, 54000, 54600), "54.32 s [54.00, 54.60]"},
		{"microseconds have their letter", est(Absolute, "us", 12.34, 12.1, 12.6), "12.34 µs [12.10, 12.60]"},
		{"bytes", est(Absolute, "B", 12345678, 12300000, 12400000), "11.774 MiB [11.730, 11.826]"},
		{"a pure number has no unit", est(Absolute, "1", 0.9134, 0.90, 0.93), "0.913 [0.900, 0.930]"},
		{"zero", est(Absolute, "1", 0, nan, nan), "0 (n = 3, no interval)"},
		{"without an interval", est(Absolute, "s", 22.19, nan, nan), "22.19 s (n = 3, no interval)"},
		{"ratio without an interval", est(Ratio, "1", 1.0931, nan, nan), "1.093× (n = 3, no interval)"},
		{"ratio that nothing bounds", est(Ratio, "1", 0.0012544, 0, math.Inf(1)), "0.001254× (n = 3, no interval)"},
		{"open on one side", est(Absolute, "ms", 19.1, 16, math.Inf(1)), "19.1 ms [16.0, ∞)"},
		{"open on both", est(Absolute, "ms", 19.1, math.Inf(-1), math.Inf(1)), "19.1 ms (n = 3, no interval)"},
		{"degenerate", est(Ratio, "1", 1, 1, 1), "1.000× [1.000, 1.000]"},
		{"refused", refused, "n/a (baseline is 0)"},
		{"a count", count, "12"},
		{"published", printed, "42423 ms"},
	}
	for _, tt := range tests {
		if got := tt.e.Text(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestPercentText(t *testing.T) {
	for _, tt := range []struct {
		e    Estimate
		want string
	}{
		{est(Ratio, "1", 0.98, 0.949, 1.012), "−2.0 % [−5.1, +1.2]"},
		{est(Ratio, "1", 1.25, 1.21, 1.29), "+25.0 % [+21.0, +29.0]"},
		{est(Ratio, "1", 1.0931, nan, nan), "+9.31 %"},
		{est(Absolute, "1", 0.123, 0.119, 0.127), "12.30 % [11.90, 12.70]"},
		{est(Absolute, "ms", 12, 11, 13), "n/a (only a ratio or a pure number has a percentage)"},
	} {
		if got := tt.e.PercentText(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestPText(t *testing.T) {
	for p, want := range map[float64]string{0.0515490691347027: "p = 0.052", 0.000021: "p < 0.0001", 0.41: "p = 0.41", 0.9999: "p = 1", 0.00123: "p = 0.0012", 0.1: "p = 0.1", 0.5: "p = 0.5"} {
		if got := PText(p); got != want {
			t.Errorf("PText(%v) = %q, want %q", p, got, want)
		}
	}
	if got := PText(nan); got != "p n/a" {
		t.Errorf("PText(NaN) = %q", got)
	}
}

// Whatever the numbers are: nothing unprintable, nothing that is not zero
// shown as zero, and no thousand of a unit where the next larger one is meant.
func TestTextIsAlwaysReadable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := math.Pow(10, rapid.Float64Range(-7, 5).Draw(t, "exponent"))
		half := value * math.Pow(10, rapid.Float64Range(-5, 1).Draw(t, "half"))
		e := est(Absolute, "s", value, value-half, value+half)
		text := e.Text()
		for _, bad := range []string{"NaN", "Inf", "e-", "e+", "%!"} {
			if strings.Contains(text, bad) {
				t.Fatalf("%v ± %v: %q", value, half, text)
			}
		}
		number, unit, _ := strings.Cut(e.ValueText(), " ")
		if strings.Trim(number, "0.") == "" {
			t.Fatalf("%v ± %v is shown as zero: %q", value, half, text)
		}
		if unit != "s" && len(strings.SplitN(number, ".", 2)[0]) > 3 {
			t.Fatalf("%v ± %v: %q has a larger unit", value, half, text)
		}
	})
}

func TestWords(t *testing.T) {
	c := func(value, lo, hi, lo90, hi90 float64) Comparison {
		return Comparison{Better: "lower", Ratio: est(Ratio, "1", value, lo, hi), Ratio90: est(Ratio, "1", value, lo90, hi90)}
	}
	tests := []struct {
		name   string
		c      Comparison
		margin float64
		want   string
	}{
		{"lower", c(0.66, 0.62, 0.70, 0.63, 0.69), 0, "34.0 % [30.0, 38.0] lower (better)"},
		{"higher", c(1.25, 1.21, 1.29, 1.22, 1.28), 0, "25.0 % [21.0, 29.0] higher (worse)"},
		{"over 1", c(0.98, 0.95, 1.01, 0.96, 1.005), 0, "inconclusive: between 5.0 % lower and 1.0 % higher"},
		{"over 1, as its percentages read", c(1.032, 0.962, 1.106, 0.97, 1.09), 0, "inconclusive: between 3.8 % lower and 10.6 % higher"},
		{"equal", c(1, 1, 1, 1, 1), 0, "equal in every trial, without any variation (is the clock too coarse?)"},
		{"equivalent", c(0.98, 0.95, 1.01, 0.96, 1.005), 1.1, "practically equivalent (within ±10 %)"},
		{"terribly small", c(0.97, 0.95, 0.99, 0.96, 0.98), 1.1, "different, but by less than 10 %: terribly small"},
		{"large", c(1.25, 1.21, 1.29, 1.22, 1.28), 1.1, "different by more than 10 %"},
		{"size open", c(1.09, 1.02, 1.16, 1.03, 1.15), 1.1, "different; size relative to 10 % undecided"},
		{"open", c(1.05, 0.92, 1.2, 0.94, 1.18), 1.1, "inconclusive"},
	}
	for _, tt := range tests {
		if got := tt.c.Words(tt.margin); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	inBlocks := c(1, 1, 1, 1, 1)
	inBlocks.Paired = true
	if got, want := inBlocks.Words(0), "equal in every block, without any variation (is the clock too coarse?)"; got != want {
		t.Errorf("equal, paired: %q, want %q", got, want)
	}
	noisy := mustCompare(t, ratios(spread(8, 1.02, 0.5)...).result(), "elapsed", "version=new / version=old")
	if got := noisy.Words(1.1); !strings.HasPrefix(got, "inconclusive; about ") || !strings.HasSuffix(got, " blocks would settle it") {
		t.Errorf("%q", got)
	}
}

func TestClaimWords(t *testing.T) {
	s := ratios(spread(12, 0.61, 0.1)...)
	s.sessions[0].Claims = map[string]string{"c": "h"}
	tests := []struct{ expect, want string }{
		{"ratio < 1", "is supported: ratio 0.610× [0.598, 0.622], 12 blocks"},
		{"ratio > 1", "is refuted: ratio 0.610× [0.598, 0.622], 12 blocks"},
		{"ratio < 0.612", "is undecided: ratio 0.610× [0.598, 0.622], 12 blocks; about "},
	}
	for _, tt := range tests {
		if got := judgeOne(s, newOverOld(tt.expect)).Words(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.expect, got, tt.want)
		}
	}
}

func TestPublishedNumbersStandAsTheyWerePrinted(t *testing.T) {
	for _, tt := range []struct {
		value float64
		want  string
	}{{42423, "42423"}, {5.5, "5.5"}, {1234567.8, "1234567.8"}, {20.0 / 22, "0.909"}, {-20.0 / 22, "−0.909"}} {
		e := Estimate{Estimate: bare(tt.value, 1, "as printed"), Stat: "value", Unit: "1", Published: true}
		if got := e.ValueText(); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.value, got, tt.want)
		}
	}
}
