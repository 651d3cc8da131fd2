package figure

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"fieldbook/internal/session"
)

func TestModelAndFigureOfResiduals(t *testing.T) {
	spec := Spec{Kind: Residuals, Name: "fig-residuals"}
	c := chartOf(t, small().result(), spec)
	model, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "residuals.json", append(compact(model), '\n'))
	f := mustDraw(t, small().result(), spec)
	golden(t, "residuals.svg", append(bytes.ReplaceAll(f.SVG, []byte("><"), []byte(">\n<")), '\n'))
}

func TestResidualsAreThoseOfTheAnalysis(t *testing.T) {
	r := pipelining().result()
	all, err := r.Residuals("elapsed", nil)
	if err != nil {
		t.Fatal(err)
	}
	for against, place := range map[string]func(i int) float64{
		AgainstOrder:  func(i int) float64 { return float64(all[i].Trial) },
		AgainstFitted: func(i int) float64 { return math.Exp(all[i].Fitted) },
		AgainstTime:   func(i int) float64 { return float64(all[i].Trial - 1) }, // a second each
	} {
		c := chartOf(t, r, Spec{Kind: Residuals, Name: "r", Against: against})
		if len(c.Panels) != 1 || drawn(c) != len(all) {
			t.Fatalf("%s: %d panels with %d marks, want 1 with %d", against, len(c.Panels), drawn(c), len(all))
		}
		for i := range all {
			if !slices.ContainsFunc(c.Panels[0].Series, func(s series) bool {
				return slices.ContainsFunc(s.Marks, func(m mark) bool {
					return math.Abs(m.Place-place(i)) < 1e-9 && math.Abs(m.Value-100*math.Expm1(all[i].Residual)) < 1e-9
				})
			}) {
				t.Errorf("%s: the residual of trial %d is not at %v", against, all[i].Trial, place(i))
			}
		}
	}
}

func TestEachPanelOfResidualsSaysWhatItIsAgainst(t *testing.T) {
	f := mustDraw(t, pipelining().result(), Spec{Kind: Residuals, Name: "r"})
	for _, want := range []string{"block, in the order of running", "what block and treatment give, elapsed, ms (log)", "time since the session began, s"} {
		if !strings.Contains(string(f.SVG), want) {
			t.Errorf("no axis %q", want)
		}
	}
	if _, err := Draw(pipelining().result(), Spec{Kind: Residuals, Name: "r", Against: "weekday"}); err == nil || !strings.Contains(err.Error(), "order, fitted and time") {
		t.Errorf("against weekday: %v", err)
	}
	if _, err := Draw(pipelining().result(), Spec{Kind: Points, Name: "r", Against: "order"}); err == nil || !strings.Contains(err.Error(), "no use for against") {
		t.Errorf("points against order: %v", err)
	}
}

// Numbers that are not positive have no logarithm: residuals are then in the
// metric's unit, of all sessions alike.
func TestResidualsInTheUnitWhereThereIsNoLogarithm(t *testing.T) {
	s := small()
	s.sessions = []string{"lab", "lab"}
	s.edit = func(r *session.Row) {
		if r.Trial == 3 && strings.HasPrefix(r.Session, "20261130T12") {
			r.Metrics[0] = 0
		}
	}
	c := chartOf(t, s.result(), Spec{Kind: Residuals, Name: "r", Against: AgainstOrder})
	if unit := c.Panels[0].Value.Unit; unit != "ms" || drawn(c) != 24 {
		t.Errorf("%d residuals in %q, want 24 in ms", drawn(c), unit)
	}
	head := c.Table.Head[len(c.Table.Head)-1]
	if head != "residual, ms" || strings.Contains(c.Desc, "%") {
		t.Errorf("table %q, description %q", head, c.Desc)
	}
}
