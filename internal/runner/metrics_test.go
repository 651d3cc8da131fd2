package runner

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldbook/internal/session"
)

// says is a file whose one trial prints a text and has one metric m.
func says(t *testing.T, output, metric string) *rig {
	t.Helper()
	return newRig(t, 1, "trial: {command: cat text}\nmetrics: {m: {"+metric+"}}").write("text", output)
}

func TestMetricsFromOutput(t *testing.T) {
	for _, tt := range []struct {
		name, output, metric string
		want                 float64
		problem              string
	}{
		{"json", `{"elapsed_ms": 12.5}`, "from: json, key: elapsed_ms, unit: ms", 12.5, ""},
		{"json, the last that has the key", "{\"a\": 1}\nnoise\n{\"a\": 2}\n{\"b\": 3}\n", "from: json, key: a, unit: '1'", 2, ""},
		{"json, a path", `{"a": {"b": [7, 8]}}`, "from: json, key: a.b.1, unit: '1'", 8, ""},
		{"json, a name with dots", `{"a.b": 3, "a": {"b": 4}}`, "from: json, key: a.b, unit: '1'", 3, ""},
		{"json over several lines", "start\n{\n  \"a\": {\n    \"text\": \"} {\",\n    \"b\": 5\n  }\n}\nend\n", "from: json, key: a.b, unit: '1'", 5, ""},
		{"json after what only begins like it", "{not json\n{\"open\": \"\n{\"a\": 6}\n", "from: json, key: a, unit: '1'", 6, ""},
		{"json, no such key", `{"b": 1}`, "from: json, key: a, unit: '1'", 0, "m: no JSON object on standard output has the key a"},
		{"json, a text", `{"a": "1"}`, "from: json, key: a, unit: '1'", 0, `m: "1" is not a number`},
		{"json, null", `{"a": null}`, "from: json, key: a, unit: '1'", 0, "m: null is not a number"},
		{"regex, the last", "t=1 t=2\nt=3\n", "from: regex, pattern: 't=(\\d+)', unit: s", 3, ""},
		{"regex, several on a line", "t=1 t=2\n", "from: regex, pattern: 't=(\\d+)', unit: s", 2, ""},
		{"regex, only", "t=1\nt=2\n", "from: regex, pattern: 't=(\\d+)', match: only, unit: s", 0, "m: 2 matches of t=(\\d+) on standard output, want only one"},
		{"regex, without a line end, with CR", "x\r\nt=4\r", "from: regex, pattern: '^t=(\\d+)$', unit: s", 4, ""},
		{"regex, nothing", "", "from: regex, pattern: 't=(\\d+)', unit: s", 0, "m: nothing on standard output matches t=(\\d+)"},
		{"regex, no number", "t=1,5", "from: regex, pattern: 't=(\\S+)', unit: s", 0, `m: "1,5" is not a number`},
		{"regex, not finite", "t=inf", "from: regex, pattern: 't=(\\S+)', unit: s", 0, "m: the value is infinite"},
		{"regex, NaN", "t=nan", "from: regex, pattern: 't=(\\S+)', unit: s", 0, "m: the value is NaN"},
		{"regex, empty", "t= ", "from: regex, pattern: 't=(.*)', unit: s", 0, "m: the value is empty"},
		{"json, NaN as Python writes it", `{"b": "NaN, :}", "a": NaN}`, "from: json, key: a, unit: '1'", 0, "m: the value is NaN"},
		{"json, NaN after a number", "{\"a\": 1}\n{\"a\": NaN}\n", "from: json, key: a, unit: '1'", 0, "m: the value is NaN"},
		{"json, NaN as a text", `{"a": "nan"}`, "from: json, key: a, unit: '1'", 0, "m: the value is NaN"},
		{"json, infinite", `{"a": -Infinity}`, "from: json, key: a, unit: '1'", 0, "m: the value is infinite"},
		{"json, infinite in short", `{"a": {"b": [0, +Inf]}}`, "from: json, key: a.b.1, unit: '1'", 0, "m: the value is infinite"},
		{"json, empty", `{"a": , "b": 1}`, "from: json, key: a, unit: '1'", 0, "m: the value is empty"},
		{"json, an empty text", `{"a": " "}`, "from: json, key: a, unit: '1'", 0, "m: the value is empty"},
		{"json, beside a NaN", `{"a": 7, "b": NaN, "c":}`, "from: json, key: a, unit: '1'", 7, ""},
		{"json, a word that only begins like NaN", `{"a": nano}`, "from: json, key: a, unit: '1'", 0, "m: no JSON object on standard output has the key a"},
		{"regex, exponent", "t=1e-3", "from: regex, pattern: 't=(\\S+)', unit: s", 0.001, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := says(t, tt.output, tt.metric).run()
			rec := r.only()
			if tt.problem != "" {
				if rec.Status != session.Failed || rec.Reason != tt.problem || !math.IsNaN(rec.Metrics[0]) {
					t.Errorf("%s: %s (%g); want failed: %s", rec.Status, rec.Reason, rec.Metrics[0], tt.problem)
				}
				return
			}
			if rec.Status != session.OK || rec.Metrics[0] != tt.want {
				t.Errorf("%s: %s, value %g; want %g", rec.Status, rec.Reason, rec.Metrics[0], tt.want)
			}
		})
	}
}

func TestMetricOnStandardError(t *testing.T) {
	r := newRig(t, 1, `
trial: {command: "echo t=1; echo t=2 >&2", shell: true}
metrics: {m: {from: regex, pattern: 't=(\d)', stream: stderr, unit: s}}`).run()
	if got := r.metric("m")[0]; got != 2 {
		t.Errorf("metric is %g, want 2, from standard error", got)
	}
}

func TestMetricFromFile(t *testing.T) {
	r := newRig(t, 3, `
trial: {command: [./work, "{scratch}"], before: sleep 0.05}
metrics:
  a: {from: file, path: out.json, key: a, unit: "1"}
  b: {from: file, path: "{scratch}/log", pattern: 't=(\d)', unit: "1"}`).
		write("work", "#!/bin/sh\n[ $FIELDBOOK_TRIAL = 2 ] || echo \"{\\\"a\\\": $FIELDBOOK_TRIAL}\" > out.json\nls $1\necho t=5 > $1/log\n").run()
	r.wantStatuses(session.OK, session.Failed, session.OK)
	if a, b := r.metric("a"), r.metric("b"); a[0] != 1 || !math.IsNaN(a[1]) || a[2] != 3 || b[0] != 5 || !math.IsNaN(b[1]) {
		t.Errorf("a is %v, b %v; want none of a failed trial", a, b)
	}
	if n := r.records[2].StdoutBytes; n != 0 {
		t.Errorf("the third trial's scratch folder holds something: ls prints %d bytes", n)
	}
	if reason := r.records[1].Reason; !strings.Contains(reason, "this trial has not written it") {
		t.Errorf("reason is %q, want that the file is an earlier trial's", reason)
	}
}

func TestMetricsOfUsage(t *testing.T) {
	r := newRig(t, 1, `
trial: {command: [./helper, hog]}
metrics:
  wall: {from: wall, unit: ms}
  cpu: {from: rusage, key: cpu, unit: ms}
  user: {from: rusage, key: user, unit: s}
  system: {from: rusage, key: system, unit: s}
  peak: {from: rusage, key: maxrss, unit: MiB}
  faults: {from: rusage, key: minflt, unit: "1"}`).helper().run()
	r.wantStatuses(session.OK)
	m := func(name string) float64 { return r.metric(name)[0] }
	if d := r.only().Duration; math.Abs(m("wall")-d*1000) > 1e-6 {
		t.Errorf("wall is %g ms, duration %g s", m("wall"), d)
	}
	if math.Abs(m("cpu")-1000*(m("user")+m("system"))) > 1e-6 || m("cpu") < 20 {
		t.Errorf("cpu is %g ms, user %g s, system %g s", m("cpu"), m("user"), m("system"))
	}
	if m("peak") < 200 || m("peak") > 400 && !raceEnabled || m("faults") < 40000 {
		t.Errorf("peak is %g MiB, want a little over 200; %g faults, want over 51200", m("peak"), m("faults"))
	}
}

// TestPeakMemoryBelowOurOwn: the kernel would give the runner's own figure.
func TestPeakMemoryBelowOurOwn(t *testing.T) {
	r := newRig(t, 1, "trial: {command: true}\nmetrics: {peak: {from: rusage, key: maxrss, unit: MiB}}").run()
	r.wantStatuses(session.Failed)
	if rec := r.only(); !strings.Contains(rec.Reason, "the kernel counts for any program") {
		t.Errorf("reason is %q", rec.Reason)
	}
}

func TestMetricsFromSamples(t *testing.T) {
	const yaml = `
constants: {offset: 1}
trial: {command: cat text}
metrics:
  rtt: {from: samples, key: rtt_us, unit: us, reduce: [p50, p90, p99.9, median, mean, min, max, sum, count, sd]}
  late: {from: samples, formula: done - due - offset, unit: us, reduce: [max]}`
	for _, tt := range []struct{ name, text string }{
		{"lines", `{"sample": {"rtt_us": 1, "due": 0, "done": 5}}
noise
{"sample": {"rtt_us": 2, "due": 0, "done": 9, "more": 1}}
{"sample": {"rtt_us": 3}}
{"sample": {"rtt_us": 4, "due": 1, "done": 2}}
`},
		{"arrays", `{"samples": {"rtt_us": [1, 2], "due": [0, 0], "done": [5, 9], "unused": [0, 0]}}
{"samples": {"rtt_us": [3]}}
{"samples": {"rtt_us": [4], "due": [1], "done": [2]}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, 1, yaml).write("text", tt.text).run()
			r.wantStatuses(session.OK)
			for name, want := range map[string]float64{ // R 4.4: quantile(1:4, p), type 7; sd(1:4)
				"rtt.p50": 2.5, "rtt.p90": 3.7, "rtt.p99.9": 3.997, "rtt.median": 2.5, "rtt.mean": 2.5, "rtt.min": 1, "rtt.max": 4,
				"rtt.sum": 10, "rtt.count": 4, "rtt.sd": 1.2909944487358056, "late.max": 8,
			} {
				if got := r.metric(name)[0]; math.Abs(got-want) > 1e-12 {
					t.Errorf("%s is %g, want %g", name, got, want)
				}
			}
			rows := r.only().Samples
			if len(rows) != 4 || rows[1].Index != 2 || fmt.Sprint(rows[1].Values) != "[9 0 2]" || fmt.Sprint(rows[2].Values) != "[NaN NaN 3]" {
				t.Errorf("samples are %+v, want four of done, due, rtt_us", rows)
			}
			if _, _, samples := Columns(r.job.Experiment); fmt.Sprint(samples) != "[{done } {due } {rtt_us }]" {
				t.Errorf("columns are %v, want done, due, rtt_us", samples)
			}
		})
	}
}

func TestSamplesThatAreWrong(t *testing.T) {
	for _, tt := range []struct{ text, reason string }{
		{`{"samples": {"a": [1, 2], "b": [1]}}`, "m.max: samples: b has 1 numbers, a has 2"},
		{`{"samples": {"a": ["1"]}}`, "m.max: samples: a is no array of numbers"},
		{`{"sample": {"a": "1"}}`, `m.max: sample 1: a: "1" is not a number`},
		{`{"sample": {"b": 1}}`, "m.max: no sample has the key a"},
		{``, "m.max: no sample has the key a"},
	} {
		r := says(t, tt.text, "from: samples, key: a, unit: us, reduce: [max]").run()
		if rec := r.only(); rec.Status != session.Failed || rec.Reason != tt.reason {
			t.Errorf("%s: %s: %s; want failed: %s", tt.text, rec.Status, rec.Reason, tt.reason)
		}
	}
}

func TestSamplesAreDroppedWhereNotKept(t *testing.T) {
	r := newRig(t, 1, "trial: {command: cat text}\nsamples: {keep: none}\nmetrics: {m: {from: samples, key: a, unit: us, reduce: [max]}}").
		write("text", `{"sample": {"a": 4}}`).run()
	if rec := r.only(); rec.Metrics[0] != 4 || len(rec.Samples) != 0 {
		t.Errorf("metric %g, %d samples; want 4 and none", rec.Metrics[0], len(rec.Samples))
	}
}

func TestFormulasAndConditions(t *testing.T) {
	r := newRig(t, 1, `
constants: {calls: 10}
factors: {n: [1, 2, 0]}
trial: {command: "echo made={n}0", shell: true}
metrics:
  per_call: {formula: twice / calls, unit: "1"}
  twice: {formula: 2 * made, unit: "1"}
  made: {from: regex, pattern: 'made=(\d+)', unit: "1"}
  inverse: {formula: 1 / made, unit: "1"}
valid: [made == calls, per_call > 0]`).run()
	r.wantStatuses(session.OK, session.Invalid, session.Failed)
	if got := r.records[0].Metrics; !slices.Equal(got, []float64{2, 20, 10, 0.1}) {
		t.Errorf("metrics are %v, want 2 20 10 0.1", got)
	}
	if got := r.records[1].Reason; got != "made == calls does not hold: calls = 10, made = 20" {
		t.Errorf("reason is %q", got)
	}
	if got := r.records[1].Metrics[0]; got != 4 {
		t.Errorf("the invalid trial's metric is %g, want 4", got)
	}
	if got := r.records[2].Reason; !strings.HasPrefix(got, "inverse: ") {
		t.Errorf("reason is %q, want the division by zero", got)
	}
}

// TestFormulasOfMetricsWithoutAValue: what is computed from one that has no
// value has none either, and says of which and why.
func TestFormulasOfMetricsWithoutAValue(t *testing.T) {
	for _, tt := range []struct{ printed, formula, reason string }{
		{"nan", "x", "x: the value is NaN; f: metric x has no value: NaN; g: metric x has no value: NaN"},
		{"nan", "x * 2", "x: the value is NaN; f: metric x has no value: NaN; g: metric x has no value: NaN"},
		{"-inf", "max(x, y)", "x: the value is infinite; f: metric x has no value: infinite; g: metric x has no value: infinite"},
		{"", "if(x > 0, y, 0)", "x: the value is empty; f: metric x has no value: empty; g: metric x has no value: empty"},
		{"much", "y / x", `x: "much" is not a number; f: metric x has no value: "much" is not a number; g: metric x has no value: "much" is not a number`},
		{"nan", "y + 1", "x: the value is NaN"},
		{"nan", "if(y == 3 or x > 0, y, x)", "x: the value is NaN"}, // x decides nothing
		{"nan", "if(x == x, 1, 2)", "x: the value is NaN; f: metric x has no value: NaN; g: metric x has no value: NaN"},
	} {
		t.Run(tt.formula+" of "+tt.printed, func(t *testing.T) {
			r := newRig(t, 1, `
trial: {command: cat text}
metrics:
  g: {formula: f + 1, unit: "1"}
  f: {formula: "`+tt.formula+`", unit: "1"}
  x: {from: regex, pattern: 'x=(\S*)', unit: "1"}
  y: {from: regex, pattern: 'y=(\S*)', unit: "1"}`).write("text", "x="+tt.printed+"\ny=3\n").run()
			rec := r.only()
			if rec.Status != session.Failed || rec.Reason != tt.reason {
				t.Errorf("%s: %s; want failed: %s", rec.Status, rec.Reason, tt.reason)
			}
			if slices.ContainsFunc(rec.Metrics, func(v float64) bool { return !math.IsNaN(v) }) {
				t.Errorf("metrics are %v, want none of a failed trial", rec.Metrics)
			}
		})
	}
}

func TestUnitsOfTime(t *testing.T) {
	for unit, want := range map[string]float64{"ns": 1.5e9, "us": 1.5e6, "ms": 1500, "s": 1.5, "min": 0.025} {
		if got, err := inUnit(1.5e9, unit); err != nil || math.Abs(got-want) > want*1e-15 {
			t.Errorf("1.5 s in %s is %v, %v, want %v", unit, got, err, want)
		}
	}
	if _, err := inUnit(1, "kg"); err == nil {
		t.Error("a time in kg has no error")
	}
}

// TestLongLines: memory stays bounded, and both ends of a long line are seen.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{"a\nb", []string{"a", "b"}},
		{"\n\na\r\n", []string{"", "", "a"}},
		{"start" + long + "end\nnext", []string{("start" + long)[:lineEdge], (long + "end")[len(long)+3-lineEdge:], "next"}},
		{long[:longLine] + "\nnext\n", []string{long[:longLine], "next"}},
	} {
		for _, step := range []int{1 << 10, 64 << 10, 100_000} {
			var got []string
			l := lines{take: func(line []byte, _ int64) { got = append(got, string(line)) }}
			for part := range slices.Chunk([]byte(tt.in), step) {
				l.feed(part)
			}
			l.end()
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s… in steps of %d gives %d lines, want %d", tt.in[:min(10, len(tt.in))], step, len(got), len(tt.want))
			}
			if cap(l.buf) > 2<<20 {
				t.Errorf("the buffer has grown to %d bytes", cap(l.buf))
			}
		}
	}
}

func TestLinesTellWhereTheyEnd(t *testing.T) {
	var ends []string
	l := lines{take: func(line []byte, end int64) { ends = append(ends, string(line)+"@"+strconv.FormatInt(end, 10)) }}
	l.feed([]byte("ab\nc"))
	l.feed([]byte("d\ne"))
	l.end()
	if got := strings.Join(ends, " "); got != "ab@3 cd@6 e@7" {
		t.Errorf("lines end at %s, want ab@3 cd@6 e@7", got)
	}
}

// FuzzObjects: no output makes the search for objects panic or lose an
// object that stands on a line of its own at the end, after a line end.
func FuzzObjects(f *testing.F) {
	for _, seed := range []string{"", "{", "{\"", "{\n\"a\":\n[1,\n2]}", "{}{}", "{\"a\": \"\\\"}\n", "]}{[", "{\"a\":{\"a\":"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var found int
		s := objects{take: func(o object, _ int64) {
			o.find("a.b.0")
			if _, ok := o["last"]; ok {
				found++
			}
		}}
		l := lines{take: s.line}
		l.feed([]byte(text + "\n"))
		if s.depth != 0 {
			return // an object is open: what follows may belong to it
		}
		found = 0
		l.feed([]byte("{\"last\": 1}\n"))
		if found != 1 {
			t.Errorf("after %q an object on a line of its own is found %d times, want once", text, found)
		}
	})
}
