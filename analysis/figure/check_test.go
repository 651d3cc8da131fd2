package figure

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with a file of testdata, or rewrites it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from what is drawn; look at it and run with -update\n%s", file, got)
	}
}

// table reads a CSV file of testdata, header included.
func table(t *testing.T, name string) [][]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// marksOf reads marks from two columns of a table; an empty value is counted
// as such.
func marksOf(t *testing.T, rows [][]string, place, value int, l look, out *leftOut) []mark {
	t.Helper()
	var ms []mark
	for _, row := range rows {
		at, err := strconv.ParseFloat(row[place], 64)
		if err != nil {
			t.Fatal(err)
		}
		if row[value] == "" {
			out.Of++
			out.Empty++
			continue
		}
		v, err := strconv.ParseFloat(row[value], 64)
		if err != nil {
			t.Fatal(err)
		}
		ms = append(ms, mark{Place: at, Value: v, Look: l})
	}
	return ms
}

// upright is a chart of one series over numbers.
func upright(kind axisKind, ms []mark) *chart {
	places := nothing
	for _, m := range ms {
		places = places.include(m.Place)
	}
	return &chart{Name: "test", Title: "Test", Desc: "A test.", Width: 600, Height: 200, Panels: []panel{{
		Place:  axis{Title: "x", Kind: linear, Shown: places, Domain: places.widen(linear, 0.05)},
		Value:  axis{Title: "value", Unit: "ms", Kind: kind},
		Series: []series{{Marks: ms, Label: "v"}},
	}}}
}

// drawChecked draws a chart, holds what is promised of every figure, and
// returns the sheet's texts as well.
func drawChecked(t testing.TB, c *chart) (*Figure, *canvas) {
	t.Helper()
	cv := &canvas{}
	f := c.drawOn(cv)
	checkFigure(t, f)
	width, height := viewBox(t, f.SVG)
	for _, p := range cv.texts {
		if p.Left < 0 || p.Top < 0 || p.Right > width || p.Bottom > height {
			t.Errorf("text %q leaves the figure of %v × %v: %+v", p.Text, width, height, p)
		}
	}
	return f, cv
}

var box = regexp.MustCompile(`viewBox="0 0 ([0-9.]+) ([0-9.]+)"`)

func viewBox(t testing.TB, svg []byte) (width, height float64) {
	t.Helper()
	m := box.FindSubmatch(svg)
	if m == nil {
		t.Fatalf("no viewBox in %.200s", svg)
	}
	for i, v := range []*float64{&width, &height} {
		f, err := strconv.ParseFloat(string(m[i+1]), 64)
		if err != nil {
			t.Fatal(err)
		}
		*v = f
	}
	return width, height
}

// number-valued attributes must be numbers.
var badNumber = regexp.MustCompile(`(?i)[ "(]([+-]?(nan|inf)|[0-9.]+e[+-]?[0-9]+)[ ")]`)

// checkFigure holds what is promised of every SVG: well formed, only elements
// and attributes of ours, no number that is none, no colour, ids that begin
// with the figure's name, a title and a description.
func checkFigure(t testing.TB, f *Figure) {
	t.Helper()
	elements := wellFormed(t, f.SVG)
	for _, e := range elements {
		for _, a := range e.Attr {
			name := a.Name.Local
			if strings.HasPrefix(name, "on") || name == "href" || name == "style" || name == "fill" || name == "stroke" {
				t.Errorf("attribute %s=%q in a figure", name, a.Value)
			}
			if name != "aria-labelledby" && name != "id" && badNumber.MatchString(" "+a.Value+" ") {
				t.Errorf("attribute %s=%q is no number", name, a.Value)
			}
		}
	}
	if !bytes.Contains(f.SVG, []byte(`role="img"`)) || !bytes.Contains(f.SVG, []byte("<title id=")) || !bytes.Contains(f.SVG, []byte("<desc id=")) {
		t.Errorf("the figure has no role, title or description: %.400s", f.SVG)
	}
	for _, theme := range []string{"light", "dark"} {
		alone := f.Standalone(theme)
		wellFormed(t, alone)
		if bytes.Contains(alone, []byte("var(")) || !bytes.Contains(alone, []byte("sans-serif")) {
			t.Errorf("the %s figure alone depends on a page", theme)
		}
	}
}

// known are the elements that a figure may have.
var known = map[string]bool{"svg": true, "title": true, "desc": true, "g": true, "line": true, "rect": true, "circle": true, "path": true, "text": true, "style": true}

func wellFormed(t testing.TB, svg []byte) []xml.StartElement {
	t.Helper()
	var all []xml.StartElement
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("not well formed: %v\n%.2000s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok {
			if !known[e.Name.Local] {
				t.Errorf("element <%s> in a figure", e.Name.Local)
			}
			all = append(all, e)
		}
	}
}

// drawn counts the marks of a settled chart.
func drawn(c *chart) int {
	n := 0
	for _, p := range c.Panels {
		for _, s := range p.Series {
			n += len(s.Marks)
		}
	}
	return n
}
