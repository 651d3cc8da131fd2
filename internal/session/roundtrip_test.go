package session

import (
	"os"
	"testing"

	"pgregory.net/rapid"
)

func TestWhatWasAppendedIsReadBack(t *testing.T) {
	dir := sealedSession(t, memoryDir(t), at(0))
	s := mustRead(t, dir)
	if !s.Sealed || s.Session != "20260301T093000Z-box" || len(s.Plan) != 8 {
		t.Errorf("sealed %v, session %s, %d planned trials; want a sealed 20260301T093000Z-box with 8", s.Sealed, s.Session, len(s.Plan))
	}
	var clients []Client
	var samples []Sample
	for i, want := range story() {
		info := smallInfo()
		want.Planned = smallPlan(&info, 3)[want.Trial-1]
		want.Session, want.Machine, want.Part = s.Session, "box", 1
		if d := diff(want.Row, s.Rows[i]); d != "" {
			t.Errorf("row %d (-want +got):\n%s", i+1, d)
		}
		clients, samples = append(clients, want.Clients...), append(samples, want.Samples...)
	}
	if d := diff(clients, clientsOf(t, s)); d != "" {
		t.Errorf("clients (-want +got):\n%s", d)
	}
	if d := diff(samples, samplesOf(t, s)); d != "" {
		t.Errorf("samples (-want +got):\n%s", d)
	}
	if got := readText(t, dir+"/output/4-1-client-1-stderr.txt"); got != "\x00\xff" {
		t.Errorf("the kept output is %q, want the bytes as they came", got)
	}
}

// texts draws what people write and what breaks readers of CSV.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", "1.10", "a,b", `"`, `""`, "\n", "\r\n", "a\rb", "\x00", "\t", " lead", "trail ", "NA", "ÄÖ\u202e", "20260301T093000Z-box,", "#", "=1+1",
	}))
}

func numbers() *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64(), rapid.Map(rapid.Int64(), func(n int64) float64 { return float64(n) / 1000 }))
}

// A session of random levels, numbers and texts reads back as it was appended.
func TestAnySessionRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dataDir, err := os.MkdirTemp("", "session")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dataDir)
		info := smallInfo()
		for i := range info.Treatments {
			info.Treatments[i].Levels = []string{texts().Draw(t, "level")}
		}
		plan := smallPlan(&info, 2)
		w, err := Create(dataDir, info, plan, nil, at(0))
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		want := drawRows(t, w, plan)
		s, err := Read(w.Dir())
		if err != nil {
			t.Fatal(err)
		}
		if d := diff(plan, s.Plan); d != "" {
			t.Fatalf("plan (-want +got):\n%s", d)
		}
		if d := diff(want, s.Rows); d != "" {
			t.Fatalf("rows (-want +got):\n%s", d)
		}
	})
}

// drawRows appends attempts at the first trials of the plan and is their rows.
func drawRows(t *rapid.T, w *Writer, plan []Planned) (want []Row) {
	for trial := 1; trial <= rapid.IntRange(0, len(plan)).Draw(t, "trials"); trial++ {
		for try := 1; ; try++ {
			status := rapid.SampledFrom(knownStatuses).Draw(t, "status")
			r := attempt(trial, try, status)
			r.Reason, r.Signal = texts().Draw(t, "reason"), texts().Draw(t, "signal")
			r.Metrics = []float64{numbers().Draw(t, "wall"), numbers().Draw(t, "p50")}
			r.Duration, r.State.Throttled = numbers().Draw(t, "duration"), numbers().Draw(t, "throttled")
			r.Exit = rapid.IntRange(-1, 255).Draw(t, "exit")
			if err := w.Append(r); err != nil {
				t.Fatal(err)
			}
			row := r.Row
			row.Planned, row.Session, row.Machine, row.Part = plan[trial-1], w.Info().Session, "box", 1
			want = append(want, row)
			if status != Interrupted {
				break
			}
		}
	}
	return want
}

func TestNumbersRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := numbers().Draw(t, "x")
		var l line
		l.number(x)
		if got, ok := parseNumber(l.buf); !ok || got != x {
			t.Fatalf("parseNumber(%q) = %v, %v, want %v", l.buf, got, ok, x)
		}
		n := rapid.Int64().Draw(t, "n")
		l = line{}
		l.int(n)
		if got, ok := parseInt(l.buf); !ok || got != n {
			t.Fatalf("parseInt(%q) = %v, %v, want %v", l.buf, got, ok, n)
		}
	})
}

func TestNumbersAreTheShortestDecimals(t *testing.T) {
	for _, tt := range []struct {
		x    float64
		want string
	}{
		{0.1, "0.1"}, {1.0 / 3, "0.3333333333333333"}, {1234567, "1234567"}, {1e6, "1000000"}, {0.00001, "0.00001"},
		{1e-7, "1e-07"}, {1e21, "1e+21"}, {-2.5, "-2.5"}, {0, "0"}, {9007199254740993, "9007199254740992"},
	} {
		var l line
		l.number(tt.x)
		if string(l.buf) != tt.want {
			t.Errorf("number(%v) writes %s, want %s", tt.x, l.buf, tt.want)
		}
	}
}

func TestWhatIsNoDecimalIsRefused(t *testing.T) {
	for _, text := range []string{"inf", "NaN", "0x10", "1_000", "+1", "-", ".", "1.", ".5", "1e", "e5", " 1", "1 ", "1,5", "--1", "1-1", "1.2.3"} {
		if x, ok := parseNumber([]byte(text)); ok {
			t.Errorf("parseNumber(%q) = %v, want it refused", text, x)
		}
	}
	for _, text := range []string{"", "-", "1.0", "9223372036854775808", "99999999999999999999", "+1", "1e3"} {
		if n, ok := parseInt([]byte(text)); ok {
			t.Errorf("parseInt(%q) = %v, want it refused", text, n)
		}
	}
}
