package analysis

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// simulations is the number of studies behind each row.
const simulations = 2000

// blockCounts are the sizes of studies in the table of orders.
var blockCounts = []int{3, 6, 10, 20, 40}

// The tables stand between these lines of docs/methods.md.
const (
	calibrationBegin = "<!-- calibration: written by `make calibrate` -->"
	calibrationEnd   = "<!-- end of calibration -->"
)

var methodsFile = filepath.Join("..", "docs", "methods.md")

// settings is what a committed table must have been made with.
func settings() string {
	return fmt.Sprintf("%d simulated studies a row; seeds are fixed by table, row and study.", simulations)
}

const orderHead = "| the machine | blocks | 95 % t holds the truth | exact interval does | half-width of t | of exact | false verdicts, randomized blocks | one after the other, plain Welch | fixed order (modulus) |\n" +
	"|---|--:|--:|--:|--:|--:|--:|--:|--:|\n"

// text is a row of the table, without a value where there is none.
func (r orderRow) text() string {
	cells := []string{r.world.name, fmt.Sprint(r.blocks)}
	for _, x := range []struct {
		value  float64
		digits int
	}{{r.cover, 1}, {r.exact, 1}, {r.width, 2}, {r.exactWidth, 2}, {r.falsely, 1}, {r.sequential, 1}, {r.modulus, 1}} {
		cells = append(cells, percentCell(x.value, x.digits))
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

func percentCell(x float64, digits int) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.*f %%", digits, x)
}

const formHead = "| claim | the machine | 10 blocks: interval holds the truth | false verdicts | 3 sessions of 5 blocks: interval holds the truth | false verdicts |\n" +
	"|---|---|--:|--:|--:|--:|\n"

func (r formRow) text() string {
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", r.form, r.world.name,
		percentCell(r.cover[0], 1), percentCell(r.falsely[0], 1), percentCell(r.cover[1], 1), percentCell(r.falsely[1], 1))
}

// orderRowOf simulates row i of the table of orders.
func orderRowOf(t *testing.T, s *simulated, i int) orderRow {
	w, blocks := &worlds[i/len(blockCounts)], blockCounts[i%len(blockCounts)]
	return simulateOrders(t, s, w, uint64(i), blocks, simulations)
}

// formRowsOf simulates the rows of all claims of a file in one world.
func formRowsOf(t *testing.T, s *simulated, world int, studies int) []formRow {
	rows := make([]formRow, len(s.in.Claims))
	for k, at := range sittings {
		cover, falsely := simulateForms(t, s, &worlds[world], s.row<<16|uint64(world)<<8|uint64(k), at, studies)
		for c := range rows {
			rows[c].form, rows[c].world = fmt.Sprintf("`%s`", strings.ReplaceAll(s.in.Claims[c].Name, "_", " ")), &worlds[world]
			rows[c].cover[k], rows[c].falsely[k] = cover[c], falsely[c]
		}
	}
	return rows
}

// broken are the promises that a row of the table of orders does not keep.
func (r orderRow) broken() []string {
	var why []string
	p := r.world.required
	if p.cover && (r.cover < leastCover || r.exact < leastCover) {
		why = append(why, fmt.Sprintf("a nominal 95 %% interval covers less than %d %%", leastCover))
	}
	if p.notWider && (r.cover > mostCover || r.exact > mostCover && r.blocks >= 10) {
		why = append(why, fmt.Sprintf("a nominal 95 %% interval covers more than %d %%", mostCover))
	}
	if p.verdicts && r.falsely > mostFalse {
		why = append(why, fmt.Sprintf("more than %d %% of verdicts are false", mostFalse))
	}
	return why
}

// What is required of randomized blocks, in percent.
const (
	leastCover = 93
	mostCover  = 97
	mostFalse  = 6
)

// broken are the same of a claim. Those that a claim of its form cannot keep
// in a world are named in docs/methods.md under what does not hold.
func (r formRow) broken() []string {
	var why []string
	p := r.world.required
	for k, at := range sittings {
		if r.form == "`value`" && r.world.spoilsValue(at) {
			continue
		}
		if p.cover && r.cover[k] < leastCover {
			why = append(why, fmt.Sprintf("%s: a nominal 95 %% interval covers less than %d %%", at.name, leastCover))
		}
		if p.notWider && r.cover[k] > mostCover && r.form != "`fit`" && r.form != "`value`" {
			why = append(why, fmt.Sprintf("%s: a nominal 95 %% interval covers more than %d %%", at.name, mostCover))
		}
		if p.verdicts && r.falsely[k] > mostFalse {
			why = append(why, fmt.Sprintf("%s: more than %d %% of verdicts are false", at.name, mostFalse))
		}
	}
	return why
}

// spoilsValue says whether a single treatment's interval promises nothing
// there: what cancels in a ratio stays in a value. That is, in one session, a
// machine that is another one later on, and skewed noise.
func (w *world) spoilsValue(at sitting) bool {
	return at.sessions == 1 && (w.weather != nil || !w.required.notWider)
}

// writeCalibration puts the tables into docs/methods.md.
func writeCalibration(t *testing.T, tables string) {
	t.Helper()
	text, err := os.ReadFile(methodsFile)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := bytes.Index(text, []byte(calibrationBegin)), bytes.Index(text, []byte(calibrationEnd))
	if begin < 0 || end < begin {
		t.Fatalf("%s has no place for the tables: %q and %q", methodsFile, calibrationBegin, calibrationEnd)
	}
	whole := string(text[:begin]) + calibrationBegin + "\n\n" + tables + "\n" + string(text[end:])
	if err := os.WriteFile(methodsFile, []byte(whole), 0o644); err != nil {
		t.Fatal(err)
	}
}
