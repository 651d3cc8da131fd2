package experiment

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const publishedFile = `fieldbook: 1
factors:
  communication: [queue, threaded, NA, "null"]
  sessions: [1, 2]
trial: {command: "./a {communication} {sessions}"}
metrics:
  elapsed: {from: json, key: ms, unit: ms}
  errors: {from: json, key: errors, unit: "1"}
published: {file: published.csv}
claims:
  faster:
    metric: elapsed
    compare: communication=queue / communication=threaded
    for-each: [sessions]
    expect: ratio < 1
    machines: [old]
`

func publishedExperiment(t testing.TB) *Experiment {
	t.Helper()
	x, problems := Read("x", "x.yaml", []byte(publishedFile))
	if problems.Failed() {
		t.Fatal(problems)
	}
	return x
}

func TestReadPublished(t *testing.T) {
	src := "machine,communication,sessions,metric,value,unit,aggregate,n,note\n" +
		"old,queue,1,elapsed,42423,ms,sum,10,\n" +
		"old,threaded,,elapsed,5.5,s,,,about\n" +
		"new,,,errors,0,1,mean,3,\n"
	rows, problems := ReadPublished("p.csv", []byte(src), publishedExperiment(t))
	if problems != nil {
		t.Fatal(problems)
	}
	want := []PublishedRow{
		{Machine: "old", Levels: map[string]string{"communication": "queue", "sessions": "1"}, Metric: "elapsed", Value: 42423, Unit: "ms", Aggregate: "sum", N: 10, Line: 2},
		{Machine: "old", Levels: map[string]string{"communication": "threaded"}, Metric: "elapsed", Value: 5.5, Unit: "s", Aggregate: "value", Note: "about", Line: 3},
		{Machine: "new", Levels: map[string]string{}, Metric: "errors", Value: 0, Unit: "1", Aggregate: "mean", N: 3, Line: 4},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
}

// A spreadsheet writes a mark, quotes, Windows line ends and line breaks in
// cells; the texts NA and null are levels, and an empty value is no 0.
func TestPublishedFromASpreadsheet(t *testing.T) {
	src := "\ufeff\"communication\",\"machine\",\"metric\",\"value\",\"unit\",\"note\"\r\n" +
		"\"queue\",\"old\",\"elapsed\",\"10.5\",\"ms\",\"\"\r\n" +
		"\"threaded\",\"old\",\"elapsed\",\"11.5\",\"ms\",\"first\r\nsecond line\"\r\n" +
		"\"NA\",\"old\",\"elapsed\",\"20.0\",\"ms\",\"\"\r\n" +
		"\"NA\",\"new\",\"elapsed\",\"\",\"ms\",\"lost\"\r\n" +
		"\"null\",\"old\",\"elapsed\",\"30.0\",\"ms\",\"says \"\"hi\"\"\"\r\n"
	rows, problems := ReadPublished("p.csv", []byte(src), publishedExperiment(t))
	if got, want := problems.Error(), "p.csv:6:22: warning: the value is missing; the row is left out"; got != want {
		t.Errorf("problems are\n%s\nwant\n%s", got, want)
	}
	var levels []string
	for _, r := range rows {
		levels = append(levels, r.Levels["communication"])
	}
	if got := strings.Join(levels, " "); got != "queue threaded NA null" {
		t.Errorf("the levels are %s", got)
	}
	if rows[1].Note != "first\nsecond line" || rows[3].Note != `says "hi"` || rows[3].Line != 7 {
		t.Errorf("rows are %+v", rows)
	}
}

const publishedHeader = "machine,communication,metric,value,unit,aggregate,n\n"

var badPublished = []struct{ name, src, want string }{
	{"decimal commas and semicolons", "machine;communication;metric;value;unit\nold;queue;elapsed;1.234,56;ms\nold;threaded;elapsed;1.000;ms\n",
		"p.csv:1: the columns are separated by semicolons, want commas\n" +
			`p.csv:2:19: the value "1.234,56" is no decimal number such as 1234.56; write a point before the decimals and nothing between the thousands`},
	{"tabs", "metric\tvalue\tunit\nelapsed\t1\tms\n", "p.csv:1: the columns are separated by tabs, want commas"},
	{"decimal comma in quotes", publishedHeader + "old,queue,elapsed,\"1.234,56\",ms,,\n",
		`p.csv:2:19: the value "1.234,56" is no decimal number such as 1234.56; write a point before the decimals and nothing between the thousands`},
	{"word for a number", publishedHeader + "old,queue,elapsed,about 5,ms,,\n", `p.csv:2:19: the value "about 5" is no decimal number such as 1234.56`},
	{"not a number", publishedHeader + "old,queue,elapsed,NaN,ms,,\n", `p.csv:2:19: the value "NaN" is no decimal number such as 1234.56`},
	{"unknown column", "metric,value,unit,sesions\nelapsed,1,ms,1\n", `p.csv:1:19: unknown column "sesions"; did you mean "sessions"?`},
	{"column twice", "metric,value,unit,value\nelapsed,1,ms,2\n", `p.csv:1:19: the column "value" stands twice`},
	{"missing column", "metric,value\nelapsed,1\n", `p.csv:1: there is no column "unit"`},
	{"unknown level", publishedHeader + "old,queued,elapsed,1,ms,,\n", `p.csv:2:5: "communication" has no level "queued"; did you mean "queue"?`},
	{"unknown metric", publishedHeader + "old,queue,elapse,1,ms,,\n", `p.csv:2:11: unknown metric "elapse"; did you mean "elapsed"?`},
	{"wrong unit", publishedHeader + "ö,queue,elapsed,1,MB,,\n", `p.csv:2:19: the unit is "MB", that of "elapsed" is "ms"; convert the number to ms`},
	{"aggregate", publishedHeader + "old,queue,elapsed,1,ms,median,\n", `p.csv:2:24: aggregate is "median", want value, mean or sum`},
	{"sum without n", publishedHeader + "old,queue,elapsed,1,ms,sum,\n", `p.csv:2:24: a sum wants n, the number of runs that are summed`},
	{"n", publishedHeader + "old,queue,elapsed,1,ms,mean,0\n", `p.csv:2:29: n is "0", want a whole number, at least 1`},
	{"ragged row", publishedHeader + "old,queue,elapsed,1\n", "p.csv:2: the row has 4 columns, the header has 7"},
	{"twice the same", publishedHeader + "old,queue,elapsed,1,ms,,\nold,queue,elapsed,2,ms,,\n", "p.csv:3: the row states the same as line 2; one number for each machine, treatment and metric"},
	{"bare quote", publishedHeader + "old,qu\"eue,elapsed,1,ms,,\n", `p.csv:2:7: cannot read the CSV: bare " in non-quoted-field`},
	{"empty", "", "p.csv:1: the file is empty; want a header with metric, value and unit"},
	{"UTF-16", "m\x00e\x00", "p.csv:1: the file is not UTF-8 text; save it as UTF-8"},
	{"Latin-1", publishedHeader + "Gr\xf6n,queue,elapsed,1,ms,,\n", "p.csv:2: the file is not UTF-8 text; save it as UTF-8"},
	{"machine of a claim", publishedHeader + "olde,queue,elapsed,1,ms,,\n", `x.yaml:11:3: the claim "faster" names the machine "old", which p.csv has not; did you mean "olde"?`},
	{"missing value", publishedHeader + "old,queue,elapsed,,ms,,\nold,threaded,elapsed,1,MB,,\n",
		"p.csv:2:19: warning: the value is missing; the row is left out\n" + `p.csv:3:24: the unit is "MB", that of "elapsed" is "ms"; convert the number to ms`},
}

func TestBadPublished(t *testing.T) {
	x := publishedExperiment(t)
	for _, tt := range badPublished {
		rows, problems := ReadPublished("p.csv", []byte(tt.src), x)
		if got := problems.Error(); got != tt.want {
			t.Errorf("%s gives\n%s\nwant\n%s", tt.name, got, tt.want)
		}
		if rows != nil {
			t.Errorf("%s: rows are handed out: %+v", tt.name, rows)
		}
	}
}

func FuzzReadPublished(f *testing.F) {
	for _, tt := range badPublished {
		f.Add([]byte(tt.src))
	}
	f.Add([]byte(publishedHeader + "old,queue,elapsed,1,ms,mean,3\n"))
	x := publishedExperiment(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		rows, problems := ReadPublished("p.csv", src, x)
		for _, p := range problems {
			if p.Pos.File == "" || p.Pos.Line < 1 || p.Text == "" {
				t.Fatalf("a problem without a place: %+v", p)
			}
		}
		for _, r := range rows {
			if r.Value-r.Value != 0 || x.Metric(r.Metric) == nil {
				t.Fatalf("a row that means nothing: %+v", r)
			}
		}
	})
}
