package analysis

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"fieldbook/analysis/stat"
	"fieldbook/internal/session"
)

// Every block contrast of a recorded session, from its files on, is what base
// R makes of the same files: ratio, t and Hodges-Lehmann intervals, and
// p-values. contrasts.R, beside the data, made contrasts.csv with R 4.2.2.
func TestFrozenDataAgreesWithR(t *testing.T) {
	data, err := session.ReadDataset(filepath.Join("testdata", "frozen", "pipelining"), session.Choose{})
	if err != nil {
		t.Fatal(err)
	}
	info := data.Sessions[0].Info
	r := Analyze(Input{Experiment: info.Experiment, Factors: info.Factors, Metrics: info.Metrics, Order: info.Order, Data: data})
	rows := frozenRows(t)
	if len(rows) < 70 {
		t.Fatalf("%d contrasts, want 72", len(rows))
	}
	for _, row := range rows {
		c, err := r.Compare("elapsed", comparison(row.text))
		if err != nil {
			t.Errorf("%s: %v", row.text, err)
			continue
		}
		hl90, signedRank := rankOf(&c)
		got := map[string]float64{
			"blocks": float64(len(c.Pairs)), "ratio": c.Ratio.Value, "lo95": c.Ratio.Lo, "hi95": c.Ratio.Hi,
			"lo90": c.Ratio90.Lo, "hi90": c.Ratio90.Hi, "p_t": c.P, "hl": c.HL.Value, "hl_lo95": c.HL.Lo, "hl_hi95": c.HL.Hi,
			"hl_lo90": math.Exp(hl90.Lo), "hl_hi90": math.Exp(hl90.Hi), "p_signed_rank": signedRank, "p_sign_flip": c.SignFlipP,
		}
		for name, want := range row.want {
			if g, known := got[name]; !known || !(math.Abs(g-want) <= 1e-9*math.Abs(want)) {
				t.Errorf("%s: %s is %v, R has %v", row.text, name, g, want)
			}
		}
	}
}

// rankOf is what the rank test says of the pairs of a comparison, which a
// report does not show.
func rankOf(c *Comparison) (hl90 stat.Estimate, p float64) {
	var d []float64
	for _, pair := range c.Pairs {
		d = append(d, math.Log(pair.Left/pair.Right))
	}
	return stat.HodgesLehmann(d, 0.90), stat.SignedRank(d, 0).P
}

type frozenRow struct {
	text string
	want map[string]float64
}

func frozenRows(t *testing.T) []frozenRow {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", "frozen", "contrasts.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []frozenRow
	for _, line := range lines[1:] {
		row := frozenRow{line[0], map[string]float64{}}
		for i, name := range lines[0][1:] {
			if row.want[name], err = strconv.ParseFloat(line[i+1], 64); err != nil {
				t.Fatal(err)
			}
		}
		rows = append(rows, row)
	}
	return rows
}
