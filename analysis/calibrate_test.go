package analysis

import (
	"flag"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// calibrate makes TestCalibration simulate every row, which takes minutes,
// and write the tables: `make calibrate`.
var calibrate = flag.Bool("calibrate", false, "simulate all of the calibration and write its tables")

// TestCalibration simulates studies from their data to their verdicts, writes
// what came of them into docs/methods.md, and fails where a promise of
// randomized blocks does not hold.
func TestCalibration(t *testing.T) {
	if !*calibrate {
		t.Skip("make calibrate")
	}
	var b strings.Builder
	b.WriteString(settings() + "\n\n" + orderHead)
	s := readSimulated(t, "orders", truthOf["orders"])
	for i := range len(worlds) * len(blockCounts) {
		row := orderRowOf(t, s, i)
		b.WriteString(row.text())
		t.Log(strings.TrimSpace(row.text()))
		for _, why := range row.broken() {
			t.Errorf("%s, %d blocks: %s", row.world.name, row.blocks, why)
		}
	}
	b.WriteString("\n" + formHead)
	for k, name := range []string{"equal", "different"} {
		s := readSimulated(t, name, truthOf[name])
		s.row = uint64(k)
		for world := range worlds {
			for _, row := range formRowsOf(t, s, world, simulations) {
				b.WriteString(row.text())
				t.Log(strings.TrimSpace(row.text()))
				for _, why := range row.broken() {
					t.Errorf("%s, %s: %s", row.form, row.world.name, why)
				}
			}
		}
	}
	writeCalibration(t, b.String())
}

// The committed table is what today's analysis gives: its settings and rows
// are those of the simulation, and two of them, simulated again, come out the
// same to the last digit. Other processors round some logarithms another way.
func TestCommittedCalibrationIsOfThisAnalysis(t *testing.T) {
	text, err := os.ReadFile(methodsFile)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, begun := strings.Cut(string(text), calibrationBegin)
	tables, _, ended := strings.Cut(rest, calibrationEnd)
	if !begun || !ended || !strings.Contains(tables, settings()) || !strings.Contains(tables, orderHead) || !strings.Contains(tables, formHead) {
		t.Fatalf("%s holds no tables made with %q; run make calibrate", methodsFile, settings())
	}
	for i := range worlds {
		if n := strings.Count(tables, "| "+worlds[i].name+" |"); n != len(blockCounts)+12 {
			t.Errorf("%d rows of %q, want %d; run make calibrate", n, worlds[i].name, len(blockCounts)+12)
		}
	}
	if testing.Short() || runtime.GOARCH != "amd64" {
		return
	}
	s := readSimulated(t, "orders", truthOf["orders"])
	for _, i := range []int{1, 6*len(blockCounts) + 1} {
		if row := orderRowOf(t, s, i).text(); !strings.Contains(tables, row) {
			t.Errorf("now simulated: %sthat is not in %s; run make calibrate", row, methodsFile)
		}
	}
}

// A short form of the calibration: the claims of both files in an unruly
// world hold their truth as often as they say, within what so few studies can
// tell: one chance in a hundred thousand for each claim.
func TestClaimsOfEveryFormHoldTheirTruth(t *testing.T) {
	const studies = 150
	least := studies
	for binomial := (distuv.Binomial{N: studies, P: leastCover / 100.0}); binomial.CDF(float64(least-1)) > 1e-5; {
		least--
	}
	for k, name := range []string{"equal", "different"} {
		s := readSimulated(t, name, truthOf[name])
		s.row = uint64(k)
		for _, row := range formRowsOf(t, s, 6, studies) {
			for at := range sittings {
				if row.form == "`value`" && row.world.spoilsValue(sittings[at]) {
					continue
				}
				if math.Round(row.cover[at]*studies/100) < float64(least) {
					t.Errorf("%s, %s: intervals hold the truth in %.1f %% of %d studies, want about 95", row.form, sittings[at].name, row.cover[at], studies)
				}
				if row.falsely[at] > 100-100*float64(least)/studies {
					t.Errorf("%s, %s: %.1f %% of %d verdicts are false, want 5 at the most", row.form, sittings[at].name, row.falsely[at], studies)
				}
			}
		}
	}
}
