package report

import (
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// twoCurves is a study of two kinds of object over clients: times on lines that
// cross between 8 and 16 clients, throughput that turns.
func twoCurves() study {
	s := roundtrip()
	clients := []string{"1", "2", "4", "8", "16", "32"}
	s.factors = []session.Factor{
		{Name: "object", Levels: []string{"own", "shared"}, Labels: []string{"one per client", "one for all"}},
		{Name: "clients", Levels: clients, Numeric: true, Scale: "log"},
	}
	s.metrics = append(s.metrics, session.Metric{Name: "rate", Unit: "1/s", Better: "higher", From: "json", Key: "rate"})
	s.blocks = 12
	s.of = func(l []string) float64 {
		n, _ := strconv.ParseFloat(l[1], 64)
		return map[string]float64{"own": 30 + 2*n, "shared": 20 + 3*n}[l[0]]
	}
	noise := rand.New(rand.NewPCG(3, 3))
	s.edit = func(r *session.Row) {
		n, _ := strconv.ParseFloat(r.Levels[1], 64)
		kappa := map[string]float64{"own": 0.0004, "shared": 0.005}[r.Levels[0]]
		r.Metrics[1] = math.Round(1000 * n / (1 + 0.05*(n-1) + kappa*n*(n-1)) * math.Exp(0.02*noise.NormFloat64()))
	}
	s.claims = []analysis.Claim{{Name: "rises", Says: "It rises.", Metric: "elapsed", Slope: "clients", ForEach: []string{"object"}, Expect: &analysis.Expect{Of: "slope", Op: ">"}, Hash: "1"}}
	return s
}

func TestGoldenCurves(t *testing.T) {
	text, err := os.ReadFile("testdata/golden/curves.in.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := build(t, Source{Name: "roundtrip", Result: twoCurves().result(), Version: "0.1", Writeup: text, File: "writeup.md"})
	md := string(doc.Markdown())
	if i := strings.Index(md, "## For the record"); i > 0 {
		md = md[:i]
	}
	golden(t, "curves.md", md)
}

// Four levels carry no knee, which is said once, and a single curve has
// nothing beside it.
func TestCurvesOfOneSeries(t *testing.T) {
	doc := build(t, Source{Name: "roundtrip", Result: roundtrip().result(), Writeup: []byte("```{table} curves\n```\n\n{claim}`rises`\n"), File: "w.md"})
	md := string(doc.Markdown())
	for _, want := range []string{"each curve by itself", "rises from 1 to 8", "No knee: the method needs at least 6 distinct sizes, and there are 4.", "refused: ", "Less of elapsed is better"} {
		if strings.Count(md, want) == 0 {
			t.Errorf("no %q in\n%s", want, md)
		}
	}
	if strings.Contains(md, "side by side") || strings.Contains(md, "| knee |") {
		t.Errorf("a single curve is set beside another, or has a column of knees:\n%s", md)
	}
}

// Three levels carry a course and no model; the reason stands there once.
func TestCurvesOfThreeLevels(t *testing.T) {
	s := roundtrip()
	s.factors[0].Levels = s.factors[0].Levels[:3]
	doc := build(t, Source{Name: "roundtrip", Result: s.result(), Writeup: []byte("```{table} curves\n```\n"), File: "w.md"})
	md, _, _ := strings.Cut(string(doc.Markdown()), "For the record")
	if strings.Count(md, "a fit takes 4 levels of clients, and there are 3") != 1 || strings.Contains(md, "best model") || strings.Contains(md, "Models of") || !strings.Contains(md, "rises from 1 to 4") {
		t.Errorf("three levels give\n%s", md)
	}
}

func TestCurvesWithoutData(t *testing.T) {
	s := twoCurves()
	s.machines = nil
	doc := build(t, Source{Name: "roundtrip", Result: s.result(), Writeup: []byte("```{table} curves\n:facet: object\n```\n\n{value}`slope elapsed x=clients object=own`; {claim}`rises`\n"), File: "w.md"})
	if md := string(doc.Markdown()); !strings.Contains(md, "n/a (no data)") {
		t.Errorf("nothing says that there is no data:\n%s", md)
	}
}

// A curve stands at the same numbers wherever the page shows it.
func TestACurveReadsTheSameEverywhere(t *testing.T) {
	text := "{value}`slope elapsed x=clients object=own`\n\n```{table} curves\n:where: object=own\n```\n\n{claim}`rises`\n"
	doc := build(t, Source{Name: "roundtrip", Result: twoCurves().result(), Writeup: []byte(text), File: "w.md"})
	md := string(doc.Markdown())
	e, err := twoCurves().result().CurveValue(analysis.Query{Metric: "elapsed", Stat: "slope", Selection: mustCompare("object=own / object=shared").Left}, "clients")
	if err != nil || strings.Count(md, e.Text()) != 3 {
		t.Errorf("%s stands %d times (%v) in\n%s", e.Text(), strings.Count(md, e.Text()), err, md)
	}
}

// A number that has a reason or a remark in its place is a clause, which may
// go over several lines; otherwise it would be wider than a narrow window.
func TestReasonsMayGoOverLines(t *testing.T) {
	text := "{value}`knee elapsed x=clients`, {value}`exponent elapsed x=clients`, {value}`slope elapsed x=clients`.\n"
	page := string(build(t, Source{Name: "roundtrip", Result: roundtrip().result(), Writeup: []byte(text), File: "w.md"}).HTML())
	for _, want := range []string{"n/a (no knee: ", "(no exponent: "} {
		at := strings.Index(page, want)
		if at < 0 {
			t.Fatalf("no %q in the page", want)
		}
		open := strings.LastIndex(page[:at], `<span class="v`)
		if open < 0 || !strings.HasPrefix(page[open:], `<span class="v long"`) {
			t.Errorf("%q stands in %.60q", want, page[max(open, 0):])
		}
	}
	if !strings.Contains(page, `<span class="v" title="slope of elapsed`) {
		t.Error("a slope with its interval may break")
	}
}

// The fitted line has one form in the table of curves and in the words of the
// figure, with the digits that its parameters have among the models.
func TestALineReadsTheSameEverywhere(t *testing.T) {
	text := "```{table} curves\n:where: object=shared\n```\n\n```{plot} curve\n:where: object=shared\n```\n"
	doc := build(t, Source{Name: "roundtrip", Result: twoCurves().result(), Writeup: []byte(text), File: "w.md"})
	md := string(doc.Markdown())
	found := regexp.MustCompile(`\| linear \| a \+ b·x \| a = ([0-9.]+) \[[^|]*<br>b = ([0-9.]+) `).FindStringSubmatch(md)
	if found == nil {
		t.Fatalf("no parameters of a line in\n%s", md)
	}
	line := found[1] + " + " + found[2] + "·clients"
	if !strings.Contains(md, "| "+line+" |") {
		t.Errorf("the table of curves does not say %q:\n%s", line, md)
	}
	if figure := string(doc.figures[0].Figure.SVG); !strings.Contains(figure, "("+line+") ms") {
		t.Errorf("the figure does not say %q:\n%.3000s", line, figure)
	}
}

// A claim about a curve shows it in a report that nobody wrote.
func TestDefaultReportShowsTheCurvesOfClaims(t *testing.T) {
	doc := build(t, Source{Name: "roundtrip", Result: twoCurves().result()})
	md := string(doc.Markdown())
	for _, want := range []string{"Elapsed over clients: each curve by itself.", "curves side by side", "Models of elapsed over clients", "Elapsed time over clients"} {
		if strings.Count(md, want) == 0 {
			t.Errorf("no %q in\n%s", want, md)
		}
	}
	s := twoCurves()
	s.claims = nil
	if md := string(build(t, Source{Name: "roundtrip", Result: s.result()}).Markdown()); strings.Contains(md, "each curve by itself") {
		t.Error("without a claim about a curve its tables stand in the report")
	}
}

// Machines are told apart, and none is set beside another.
func TestCurvesOfTwoMachines(t *testing.T) {
	s := twoCurves()
	s.machines = []string{"epyc", "xeon"}
	text := "```{table} curves\n:facet: object\n```\n\n```{table} curves\n:by: machine\n```\n\n{claim}`rises` {value}`slope elapsed x=clients object=own machine=xeon`\n"
	md := string(build(t, Source{Name: "roundtrip", Result: s.result(), Writeup: []byte(text), File: "w.md"}).Markdown())
	for _, want := range []string{"| object | machine | per doubling", "| one for all | xeon | ", "object=shared / object=own<br>where machine=xeon", "curves of different sessions or machines meet in no block"} {
		if !strings.Contains(md, want) {
			t.Errorf("no %q in\n%s", want, md)
		}
	}
	if a, b := strings.Index(md, "| one per client | xeon"), strings.Index(md, "| one for all | epyc"); a < 0 || a > b {
		t.Error("the curves of one level of the facet do not stand together")
	}
}
