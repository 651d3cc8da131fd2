package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// served is the study of round trips with what each client did: the last of
// eight is slower, and in one trial a client of two hardly got anything.
func served() *analysis.Result {
	s := roundtrip()
	s.name, s.title, s.claims = "served", "Clients of one server", nil
	s.factors[0].Levels = []string{"1", "2", "8"}
	s.metrics = append(s.metrics,
		session.Metric{Name: "fairness", Unit: "1", Better: "higher", From: "clients", Reduce: "jain", Key: "calls", Per: "busy_ms"},
		session.Metric{Name: "done", Unit: "1", From: "clients", Reduce: "sum", Key: "calls"})
	in := s.input()
	in.Clients = map[string]*analysis.ClientRows{}
	for _, ses := range in.Data.Sessions {
		rows := &analysis.ClientRows{Columns: []session.Column{{Name: "calls"}, {Name: "busy_ms"}}}
		for i := range ses.Rows {
			row := &ses.Rows[i]
			n := int(row.Levels[0][0] - '0')
			row.Metrics[1], row.Metrics[2] = 0.99, float64(100*n)
			addClients(rows, row.Trial, n)
		}
		in.Clients[ses.Session] = rows
	}
	return analysis.Analyze(in)
}

func addClients(rows *analysis.ClientRows, trial, n int) {
	r := rand.New(rand.NewPCG(5, uint64(trial)))
	order := r.Perm(n)
	for c := range n {
		ms := 50 * math.Exp(0.03*r.NormFloat64())
		if c == 7 {
			ms *= 1.4
		}
		if n == 2 && c == 1 && trial < 4 {
			ms *= 4
		}
		start := int64(trial)*1e9 + int64(order[c])*2000
		rows.Add(session.Client{Trial: trial, Attempt: 1, Client: c, StartNS: start, FinishNS: start + int64(ms*1e6), Values: []float64{100, math.Round(1000*ms) / 1000}})
	}
}

func TestClientsAndNoiseInAReport(t *testing.T) {
	text := "```{table} clients\n:name: tab-clients\n```\n\n```{plot} clients\n:where: clients=8\n```\n\n```{plot} spread\n```\n\n```{table} clients\n:metric: done\nWhat is equal.\n```\n"
	doc := build(t, Source{Name: "served", Result: served(), Writeup: []byte(text), File: "w.md"})
	golden(t, "clients.md", string(doc.Markdown()))
	golden(t, "clients.html", drawn.ReplaceAllString(mainPart(doc), "…"))
	if len(doc.figures) < 2 || doc.figures[0].Figure == nil || doc.figures[1].Figure == nil {
		t.Error("the figures of clients and of noise are not drawn")
	}
}

func TestADefaultReportShowsClientsWhereThereAreAny(t *testing.T) {
	md := string(build(t, Source{Name: "served", Result: served()}).Markdown())
	for _, want := range []string{"## Were the clients served alike?", "How evenly clients were served, by calls per busy_ms.", "What each client got over the mean of its trial", "noise over levels", "Spread of elapsed time over clients"} {
		if !strings.Contains(md, want) {
			t.Errorf("no %q in\n%s", want, md)
		}
	}
	s := roundtrip()
	if md := string(build(t, Source{Name: s.name, Result: s.result()}).Markdown()); strings.Contains(md, "clients served") {
		t.Error("a study without clients shows some")
	}
}

// `by` puts the treatments of one level together, and its column first.
func TestTreatmentsOfClientsByAFactor(t *testing.T) {
	s := objects()
	s.claims = nil
	s.metrics = append(s.metrics, session.Metric{Name: "fairness", Unit: "1", From: "clients", Reduce: "jain", Key: "calls", Per: "busy_ms"})
	in := s.input()
	rows := &analysis.ClientRows{Columns: []session.Column{{Name: "calls"}, {Name: "busy_ms"}}}
	for _, row := range in.Data.Sessions[0].Rows {
		addClients(rows, row.Trial, int(row.Levels[1][0]-'0'))
	}
	in.Clients = map[string]*analysis.ClientRows{in.Data.Sessions[0].Session: rows}
	doc := build(t, Source{Name: s.name, Result: analysis.Analyze(in), Writeup: []byte("```{table} clients\n:by: clients\n```\n"), File: "w.md"})
	var got []string
	for _, line := range strings.Split(string(doc.Markdown()), "\n") {
		if cells := strings.Split(line, "|"); len(cells) > 12 {
			got = append(got, strings.TrimSpace(cells[1])+strings.TrimSpace(cells[2]))
		}
	}
	if want := "clientsobject --:--- 2own 2shared 4own 4shared 8own 8shared"; strings.Join(got, " ") != want {
		t.Errorf("rows %q, want %q", strings.Join(got, " "), want)
	}
}

func TestClientsAreTheSameBytesOnAnyNumberOfProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	first := ""
	for i, procs := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(procs)
		doc := build(t, Source{Name: "served", Result: served()})
		all := fmt.Sprintf("%s%s", doc.HTML(), doc.Markdown())
		if i == 0 {
			first = all
		} else if all != first {
			t.Fatalf("build %d differs: %s", i, firstDifference(all, first))
		}
	}
}
