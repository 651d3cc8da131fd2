package experiment

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// read reads a file that must be good; warnings are allowed.
func read(t testing.TB, src string) *Experiment {
	t.Helper()
	x, problems := Read("x", "x.yaml", []byte(src))
	if problems.Failed() {
		t.Fatalf("%s\n%s", src, problems)
	}
	return x
}

// good reads a file of testdata/good.
func good(t testing.TB, name string) *Experiment {
	t.Helper()
	return read(t, string(files(t, "good")[name]))
}

// crossing is the treatments, one a word.
func crossing(x *Experiment) string {
	var all []string
	for _, t := range x.Treatments {
		all = append(all, strings.Join(t.Levels, ""))
	}
	return strings.Join(all, " ")
}

func TestCrossing(t *testing.T) {
	const tail = "trial: {command: ./a}\n"
	tests := []struct{ name, src, want string }{
		{"no factor", "", ""},
		{"first factor slowest", "factors: {a: [x, y], b: [1, 2, 3]}\n", "x1 x2 x3 y1 y2 y3"},
		{"zip", "factors: {a: [x, y], b: [1, 2]}\nzip: [[a, b]]\n", "x1 y2"},
		{"zip around another", "factors: {a: [x, y], c: [p, q], b: [1, 2]}\nzip: [[a, b]]\n", "xp1 xq1 yp2 yq2"},
		{"two zips", "factors: {a: [x, y], b: [1, 2], c: [p, q], d: [m, n]}\nzip: [[a, b], [c, d]]\n", "x1pm x1qn y2pm y2qn"},
		{"exclude one", "factors: {a: [x, y], b: [1, 2]}\nexclude: [{a: x, b: 2}]\n", "x1 y1 y2"},
		{"exclude by one factor", "factors: {a: [x, y], b: [1, 2]}\nexclude: [{a: x}]\n", "y1 y2"},
		{"exclude a list", "factors: {a: [x, y], b: [1, 2, 3]}\nexclude: [{a: x, b: [1, 3]}]\n", "x2 y1 y2 y3"},
		{"include comes last", "factors: {a: [x, y], b: [1, 2]}\nzip: [[a, b]]\ninclude: [{b: 2, a: x}]\n", "x1 y2 x2"},
		{"include what exclude took", "factors: {a: [x, y], b: [1, 2]}\nexclude: [{a: x}]\ninclude: [{a: x, b: 1}]\n", "y1 y2 x1"},
	}
	for _, tt := range tests {
		x := read(t, "fieldbook: 1\n"+tt.src+tail)
		if got := crossing(x); got != tt.want {
			t.Errorf("%s: treatments are %s, want %s", tt.name, got, tt.want)
		}
		for i, tr := range x.Treatments {
			if tr.Number != i+1 {
				t.Errorf("%s: treatment %d has the number %d", tt.name, i, tr.Number)
			}
		}
	}
	if x := read(t, "fieldbook: 1\n"+tail); len(x.Treatments) != 1 || len(x.Treatments[0].Levels) != 0 {
		t.Errorf("without factors the treatments are %v, want one without levels", x.Treatments)
	}
}

// A crossing holds each combination once, whatever the factors.
func TestCrossingIsComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 4).Draw(t, "sizes")
		src, want := "fieldbook: 1\ntrial: {command: ./a}\nfactors:\n", 1
		for i, size := range sizes {
			var levels []string
			for k := range size {
				levels = append(levels, string(rune('a'+k)))
			}
			src += "  f" + string(rune('a'+i)) + ": [" + strings.Join(levels, ", ") + "]\n"
			want *= size
		}
		x, problems := Read("x", "x.yaml", []byte(src))
		if problems.Failed() || len(x.Treatments) != want {
			t.Fatalf("%d treatments, want %d: %v", len(x.Treatments), want, problems)
		}
		if !slices.IsSortedFunc(x.Treatments, func(a, b Treatment) int { return slices.Compare(a.Levels, b.Levels) }) {
			t.Fatalf("the last factor is not the fastest: %s", crossing(x))
		}
		seen := map[string]bool{}
		for _, tr := range x.Treatments {
			seen[strings.Join(tr.Levels, " ")] = true
		}
		if len(seen) != want {
			t.Fatalf("%d different treatments, want %d", len(seen), want)
		}
	})
}

// Two versions that are one number are two levels: other programs are warned
// of, and what the command sees is what was written.
func TestLevelsThatAreOneNumberStayTwo(t *testing.T) {
	x, problems := Read("x", "x.yaml", []byte("fieldbook: 1\nfactors: {version: [1.10, 1.1, 1e3, 2024-01-02]}\ntrial: {command: \"./serve {version}\"}\n"))
	if problems.Failed() {
		t.Fatal(problems)
	}
	if got := x.Factors[0].LevelTexts(); !slices.Equal(got, []string{"1.10", "1.1", "1e3", "2024-01-02"}) || len(x.Treatments) != 4 {
		t.Errorf("levels are %q in %d treatments", got, len(x.Treatments))
	}
	for i, want := range []string{"1.10", "1.1", "1e3", "2024-01-02"} {
		if got := arguments(t, x, x.Treatments[i])[1]; got != want {
			t.Errorf("treatment %d gets %q, want %q", i+1, got, want)
		}
	}
	if want := `x.yaml:2:27: warning: the levels "1.10" and "1.1" of "version" read as one number in other programs; read the column as text`; problems.Error() != want {
		t.Errorf("problems are\n%s\nwant\n%s", problems.Error(), want)
	}
}

// Texts stay as they were written, whatever YAML would make of them.
func TestScalarsStayAsWritten(t *testing.T) {
	x := good(t, "scalars.yaml")
	if x.Title != "Update #2 (28 new): part 1" {
		t.Errorf("the title is %q", x.Title)
	}
	if x.Constants[0].Text != "0123456" || x.Constants[1].Text != "12345e7" {
		t.Errorf("constants are %+v", x.Constants)
	}
	for i, want := range [][]string{{"no", "on", "y", "1_000"}, {"v1.10", "1.1", "1e3", "2024-01-02"}, {"1:30", "08", "~"}} {
		if got := x.Factors[i].LevelTexts(); !slices.Equal(got, want) || x.Factors[i].Numeric {
			t.Errorf("the levels of %s are %q (numeric %v), want %q", x.Factors[i].Name, got, x.Factors[i].Numeric, want)
		}
	}
	args := map[string]string{"no": "no", "on": "010", "y": "1:30", "1_000": "08"}
	for _, tr := range x.Treatments {
		argv := x.Trial.Command.Argv.At(x, tr)
		if got := argv[2].String(); got != args[tr.Levels[0]] {
			t.Errorf("the last argument of %s is %q", tr.Levels[0], got)
		}
	}
	env, err := x.Trial.Env[1].Value.Plain.Expand(x.Env(x.Treatments[0]))
	if err != nil || env != "v1.10 0123456 12345e7" {
		t.Errorf("OF is %q (%v)", env, err)
	}
	if at := x.Factors[2]; at.Levels[0].Label != "half past one" || at.Levels[2].Label != "none" {
		t.Errorf("labels are %+v", at.Levels)
	}
}

func TestNumericFactors(t *testing.T) {
	x := good(t, "everything.yaml")
	size := x.Factor("size")
	if !size.Numeric || !size.Log || size.Unit != "KiB" || size.Levels[2].Number != 64 || size.Levels[2].Label != "large" {
		t.Errorf("size is %+v", size)
	}
	if f := x.Factor("host"); f.Numeric || !f.HardToChange || f.Levels[0].Label != "near" {
		t.Errorf("host is %+v", f)
	}
	if x.Factor("nothing") != nil {
		t.Error("there is a factor nothing")
	}
}

// find is the treatment with these levels.
func find(t *testing.T, x *Experiment, levels ...string) Treatment {
	t.Helper()
	for _, tr := range x.Treatments {
		if slices.Equal(tr.Levels, levels) {
			return tr
		}
	}
	t.Fatalf("there is no treatment %q", levels)
	return Treatment{}
}

// Values that are no Choice depend on factors, too, through the programs of a
// treatment.
func TestProgramsOfATreatment(t *testing.T) {
	x := good(t, "everything.yaml")
	one := find(t, x, "v1", "64", "a", "1.0", "far")
	two := find(t, x, "v2", "1", "b", "2.0", "near")
	if a, b := x.TrialFor(one).Retries, x.TrialFor(two).Retries; a != 2 || b != 0 {
		t.Errorf("retries are %d and %d, want 2 and 0", a, b)
	}
	if a, b := x.TrialFor(one).Env, x.TrialFor(two).Env; len(a) != 1 || a[0].Name != "OLD" || len(b) != 0 {
		t.Errorf("env is %v and %v, want OLD and nothing", a, b)
	}
	if a, b := x.TrialFor(one).Command.Argv.Plain, x.TrialFor(two).Command.Argv.Plain; a[7].String() != "--old" || b[7].String() != "--new" {
		t.Errorf("the last arguments are %s and %s", a[7], b[7])
	}
	if a, b := x.BuildFor(one), x.BuildFor(two); a.Shell || !b.Shell || len(a.Argv.At(x, one)) != 4 || len(b.Argv.At(x, two)) != 1 {
		t.Errorf("the builds are %+v and %+v", a, b)
	}
	a, b := x.ServicesFor(one)[0], x.ServicesFor(two)[0]
	if a.StopSignal != "INT" || a.StopWithin.String() != "250ms" || b.StopSignal != "TERM" || b.StopWithin.String() != "1m30s" {
		t.Errorf("the services stop by %s within %s, and by %s within %s", a.StopSignal, a.StopWithin, b.StopSignal, b.StopWithin)
	}
	if a.Ready.Within.String() != "1s" || b.Ready.Within.String() != "2s" || a.Ready.Line != "^ready" {
		t.Errorf("ready is %+v and %+v", a.Ready, b.Ready)
	}
	if got := a.CPUs.At(x, one); !slices.Equal(got, []int{0, 2, 3}) {
		t.Errorf("processors are %v", got)
	}
	if got := x.Trial.Timeout.At(x, one).String() + " " + x.TrialFor(two).Timeout.At(x, two).String(); got != "1m0s 10s" {
		t.Errorf("time-outs are %s", got)
	}
	if got := x.Trial.CPUs.At(x, one); !slices.Equal(got, []int{1}) {
		t.Errorf("processors are %v, want 1", got)
	}
}

func TestEnvAndLate(t *testing.T) {
	x := good(t, "2-roundtrip.yaml")
	env := x.Env(x.Treatments[0])
	if v, ok := env("clients"); !ok || v.Num != 1 || v.Text != "1" {
		t.Errorf("clients is %+v, %v", v, ok)
	}
	if v, ok := env("calls"); !ok || v.Num != 1000 {
		t.Errorf("calls is %+v, %v", v, ok)
	}
	if v, ok := env("object"); !ok || v.Text != "shared" {
		t.Errorf("object is %+v, %v", v, ok)
	}
	if _, ok := env("server.port"); ok {
		t.Error("a port is known early")
	}
	for name, want := range map[string]bool{
		"build": true, "source": true, "scratch": true, "client": true, "server.port": true, "server.host": true,
		"server.address": true, "server.scratch": true, "server.name": false, "other.port": false, "clients": false, "server": false,
	} {
		if got := Late(x, name); got != want {
			t.Errorf("Late(%s) = %v, want %v", name, got, want)
		}
	}
}

func TestSamplesBecomeSeveralMetrics(t *testing.T) {
	x := good(t, "everything.yaml")
	var names []string
	for _, m := range x.Metrics {
		if m.From == FromSamples {
			names = append(names, m.Name+" "+m.Entry+" "+m.Reduce+" "+m.Unit)
		}
	}
	want := []string{"latency.p50 latency p50 us", "latency.p99.9 latency p99.9 us", "latency.count latency count 1", "queue.max queue max 1"}
	if !slices.Equal(names, want) {
		t.Errorf("metrics of samples are %q, want %q", names, want)
	}
}

func TestUnitsOfWhatTheToolMeasures(t *testing.T) {
	x := good(t, "everything.yaml")
	for name, want := range map[string]string{"wall": "ms", "cpu": "s", "faults": "1", "memory": "MiB", "span": "ms", "fairness": "1"} {
		if got := x.Metric(name).Unit; got != want {
			t.Errorf("the unit of %s is %q, want %q", name, got, want)
		}
	}
	if m := read(t, "fieldbook: 1\ncommands: {a: ./a}\nmetrics: {m: {from: rusage, key: maxrss}}\n").Metrics[0]; m.Unit != "KiB" {
		t.Errorf("the unit of maxrss is %q, want KiB", m.Unit)
	}
}
