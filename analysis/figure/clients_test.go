package figure

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// served is the study of round trips with what each client did: of four the
// last is slower, and each place in the order of starting is as good as any.
func served(edit func(*analysis.ClientRows)) *analysis.Result { return withClients(roundtrip(), edit) }

func withClients(s study, edit func(*analysis.ClientRows)) *analysis.Result {
	in := s.input()
	in.Metrics = append(in.Metrics, session.Metric{Name: "fairness", Unit: "1", From: "clients", Reduce: "jain", Key: "calls", Per: "busy_ms"})
	in.Clients = map[string]*analysis.ClientRows{}
	for _, ses := range in.Data.Sessions {
		ses.Metrics = in.Metrics
		rows := &analysis.ClientRows{Columns: []session.Column{{Name: "calls"}, {Name: "busy_ms"}}}
		for i := range ses.Rows {
			row := &ses.Rows[i]
			row.Metrics = append(row.Metrics[:1:1], 0.99)
			r := rand.New(rand.NewPCG(5, uint64(row.Trial)))
			n := int(row.Levels[1][0] - '0')
			order := r.Perm(n)
			for c := range n {
				ms := math.Round(1000*(50+20*float64(c/3%2))*math.Exp(0.03*r.NormFloat64())) / 1000
				start := int64(row.Trial)*1e9 + int64(order[c])*2000
				rows.Add(session.Client{Trial: row.Trial, Attempt: 1, Client: c, StartNS: start, FinishNS: start + int64(ms*1e6), Values: []float64{100, ms}})
			}
		}
		if edit != nil {
			edit(rows)
		}
		in.Clients[ses.Session] = rows
	}
	return analysis.Analyze(in)
}

func TestModelAndFigureOfClients(t *testing.T) {
	spec := Spec{Kind: Clients, Name: "fig-clients", Metric: "fairness", By: "object", Where: selection(t, "clients=2,4")}
	c := chartOf(t, served(nil), spec)
	model, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "clients.json", append(compact(model), '\n'))
	golden(t, "clients.svg", append(bytes.ReplaceAll(mustDraw(t, served(nil), spec).SVG, []byte("><"), []byte(">\n<")), '\n'))
}

// A panel for each treatment of several clients, with a place for each client;
// the means are those of the analysis.
func TestClientsHaveAPanelForEachTreatment(t *testing.T) {
	r := served(nil)
	c := chartOf(t, r, Spec{Kind: Clients, Name: "c", Metric: "fairness"})
	var titles []string
	for _, p := range c.Panels {
		titles = append(titles, p.Title)
	}
	if want := []string{"own 2", "own 4", "own 8", "shared 2", "shared 4", "shared 8"}; !slices.Equal(titles, want) {
		t.Errorf("panels %q, want %q", titles, want)
	}
	of, err := r.ClientSpread("fairness", selection(t, "object=own clients=4"))
	if err != nil {
		t.Fatal(err)
	}
	p := c.Panels[1]
	trials, means := 0, 0
	for _, m := range p.Series[0].Marks {
		switch m.Look {
		case dot:
			trials++
		case mean:
			share := of[0].ByNumber.Shares[int(m.Place)].Ratio
			if m.Value != share.Value || m.Interval == nil || m.Interval.Lo != share.Lo {
				t.Errorf("client %v at %v, want %s", m.Place, m.Value, share.Text())
			}
			means++
		}
	}
	if trials != 24 || means != 4 || len(p.Place.Names) != 4 || !slices.Equal(p.Rules, []rule{{At: 1}}) {
		t.Errorf("%d trials and %d means over %q, rules %v; want 6 trials of 4 clients around 1", trials, means, p.Place.Names, p.Rules)
	}
	if !strings.Contains(c.Desc, "own 4: client 3 least, 0.7") {
		t.Errorf("description %q, want client 3 as the least", c.Desc)
	}
	c = chartOf(t, r, Spec{Kind: Clients, Name: "c", Metric: "fairness", By: "object"})
	if len(c.Panels) != 3 || len(c.Panels[0].Series) != 2 || c.Panels[0].Lanes != 2 || c.Panels[0].Title != "clients 2" {
		t.Errorf("by object: %d panels, the first %q with %d series", len(c.Panels), c.Panels[0].Title, len(c.Panels[0].Series))
	}
}

// A figure has room for so many panels; what has none is counted, and is not
// in the table behind it.
func TestAFigureOfManyTreatmentsOfClients(t *testing.T) {
	s := roundtrip()
	s.factors = append(s.factors, session.Factor{Name: "way", Levels: []string{"a", "b", "c"}})
	c := chartOf(t, withClients(s, nil), Spec{Kind: Clients, Name: "c", Metric: "fairness"})
	if len(c.Panels) != mostPanels || !slices.Contains(c.Notes, "6 more treatments not drawn; where, or by, makes room for them") {
		t.Errorf("%d panels, notes %q; want 12 of 18", len(c.Panels), c.Notes)
	}
	for _, row := range c.Table.Rows {
		if row[0] == "shared" && row[1] == "8" {
			t.Fatalf("%q is in the table and not drawn", row)
		}
	}
}

func TestClientsThatCannotBeDrawn(t *testing.T) {
	r := served(nil)
	for want, s := range map[string]Spec{
		"elapsed is one number a trial":  {Metric: "elapsed"},
		"no trial here has several":      {Metric: "fairness", Where: selection(t, "clients=1")},
		"no use for facet":               {Metric: "fairness", Facet: "object"},
		"the plot clients has no use fo": {Metric: "fairness", X: "object"},
	} {
		s.Kind = Clients
		if _, err := Draw(r, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q in it", s, err, want)
		}
	}
	equal := served(func(rows *analysis.ClientRows) {
		for i := range rows.Values {
			rows.Values[i] = 100
		}
	})
	f := mustDraw(t, equal, Spec{Kind: Clients, Name: "c", Metric: "fairness", Where: selection(t, "clients=2 object=own")})
	if len(f.Notes) == 0 || !strings.Contains(f.Notes[0], analysis.TrivialFairness) {
		t.Errorf("notes %q, want why equal shares say nothing", f.Notes)
	}
}

func TestModelAndFigureOfASpread(t *testing.T) {
	s := roundtrip()
	s.blocks = 12
	r := rand.New(rand.NewPCG(1, 1))
	s.edit = func(row *session.Row) { // noise of 2 % for each client
		row.Metrics[0] = math.Round(1000*s.of(row.Levels)*math.Exp(0.02*float64(row.Levels[1][0]-'0')*r.NormFloat64())) / 1000
	}
	spec := Spec{Kind: Spread, Name: "fig-spread", Metric: "elapsed"}
	c := chartOf(t, s.result(), spec)
	model, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "spread.json", append(compact(model), '\n'))
	r = rand.New(rand.NewPCG(1, 1))
	golden(t, "spread.svg", append(bytes.ReplaceAll(mustDraw(t, s.result(), spec).SVG, []byte("><"), []byte(">\n<")), '\n'))
	if !strings.Contains(c.Desc, "The noise grows with clients: residuals lie ") {
		t.Errorf("description %q, want that the noise grows", c.Desc)
	}
	if n := len(c.Panels[0].Place.Names); n != 4 || drawn(c) != 96+4 {
		t.Errorf("%d levels and %d marks, want 4 and those of 96 trials and 4 means", n, drawn(c))
	}
}

func TestSpreadsThatCannotBeDrawn(t *testing.T) {
	for want, s := range map[string]Spec{
		"needs a numeric factor for x": {X: "object"},
		"no use for facet":             {Facet: "object"},
		"has no use for by":            {By: "object"},
	} {
		s.Kind = Spread
		if _, err := Draw(roundtrip().result(), s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q in it", s, err, want)
		}
	}
	if _, err := Draw(small().result(), Spec{Kind: Spread}); err == nil || !strings.Contains(err.Error(), "needs a numeric factor") {
		t.Errorf("a study without numbers: %v", err)
	}
}
