package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/report/markup"
)

// Answers is all that a report answers, for programs: report.json beside the
// page. Two of them say what changed between two renderings.
type Answers struct {
	Fieldbook  string           `json:"fieldbook"` // version of the tool that rendered it
	Experiment string           `json:"experiment"`
	Claims     []AnsweredClaim  `json:"claims,omitempty"`
	Values     []AnsweredValue  `json:"values,omitempty"`
	Tables     []AnsweredTable  `json:"tables,omitempty"`
	Figures    []AnsweredFigure `json:"figures,omitempty"`
}

// AnsweredClaim is a claim with its verdict and the estimate of the part that
// decides.
type AnsweredClaim struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
	Answer
}

// AnsweredValue is what a role of the prose became; Asked is the role as it is
// written, without line breaks.
type AnsweredValue struct {
	Asked string `json:"asked"`
	Answer
}

// AnsweredTable is a table. Name is its label, or, where it has none, its
// number or caption.
type AnsweredTable struct {
	Name    string        `json:"name"`
	Columns []string      `json:"columns"`
	Rows    []AnsweredRow `json:"rows"`
}

// AnsweredRow is a row of a table: Name is its heads, Cells are all cells.
type AnsweredRow struct {
	Name  string   `json:"name"`
	Cells []Answer `json:"cells"`
}

// AnsweredFigure is a figure by the table of the data behind it: a short hash
// for each of its rows, in their order.
type AnsweredFigure struct {
	Name string   `json:"name"`
	Rows []string `json:"rows"`
}

// Answer is a text as the report shows it, and the number behind it where
// there is one. Lo and Hi bound its interval; nil: it has none.
type Answer struct {
	Text  string   `json:"text,omitempty"`
	Value *float64 `json:"value,omitempty"`
	Lo    *float64 `json:"lo,omitempty"`
	Hi    *float64 `json:"hi,omitempty"`
	Log   bool     `json:"log,omitempty"` // the interval is symmetric for the logarithm
}

// Beyond says whether two answers to one question, from different data, differ
// by more than their intervals allow: whether the interval of the difference,
// made from both (Zou and Donner 2008, Statistics in Medicine 27:1693, their
// MOVER for independent estimates), leaves out zero. Where much of the data is
// the same it says so too seldom, never too often. known is false where one of
// them has no interval.
func (x Answer) Beyond(y Answer) (beyond, known bool) {
	if x.Lo == nil || x.Hi == nil || y.Lo == nil || y.Hi == nil || x.Value == nil || y.Value == nil {
		return false, false
	}
	scale := func(v float64) float64 { return v }
	if x.Log && y.Log && *x.Lo > 0 && *y.Lo > 0 {
		scale = math.Log
	}
	low, high := x, y
	if *x.Value > *y.Value {
		low, high = y, x
	}
	gap := scale(*high.Value) - scale(*low.Value)
	return gap > math.Hypot(scale(*low.Hi)-scale(*low.Value), scale(*high.Value)-scale(*high.Lo)), true
}

// answerOf is a text with the estimate that it shows, nil: none.
func answerOf(text string, e *analysis.Estimate) Answer {
	a := Answer{Text: text}
	if e == nil || e.Refused != "" {
		return a
	}
	shown := e.PerDoubling()
	e = &shown
	a.Value, a.Log = finite(e.Value), e.Kind == analysis.Ratio || e.Stat == "geomean"
	a.Lo, a.Hi = finite(e.Lo), finite(e.Hi)
	return a
}

// finite is a number as JSON has it; nil for what is none.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// answer is a phrase with the estimate that it shows.
func (p phrase) answer() Answer {
	if of := p.estimates(); len(of) > 0 {
		return answerOf(p.text(), of[0])
	}
	return answerOf(p.text(), nil)
}

// estimates are those that the numbers of a phrase show.
func (p phrase) estimates() []*analysis.Estimate {
	var all []*analysis.Estimate
	for _, s := range p {
		if v, ok := s.(value); ok && v.of != nil {
			all = append(all, v.of)
		}
	}
	return all
}

// Answers is what the document answers, as JSON of one line an entry.
func (d *Document) Answers() []byte {
	a := Answers{Fieldbook: d.version, Experiment: d.name}
	for _, c := range d.claims {
		a.Claims = append(a.Claims, answeredClaim(c))
	}
	a.blocks(d.body)
	return a.json()
}

func answeredClaim(c analysis.ClaimResult) AnsweredClaim {
	out := AnsweredClaim{Name: c.Claim.Name, Verdict: string(c.Verdict), Answer: Answer{Text: c.Words()}}
	if c.Weakest >= 0 {
		out.Answer = answerOf(c.Words(), &c.Parts[c.Weakest].Estimate)
	}
	return out
}

// json has a line for each claim, value, table and figure, so that two
// versions of the file can be compared as text too.
func (a Answers) json() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\"fieldbook\":%s,\"experiment\":%s", encoded(a.Fieldbook), encoded(a.Experiment))
	entries(&b, "claims", a.Claims)
	entries(&b, "values", a.Values)
	entries(&b, "tables", a.Tables)
	entries(&b, "figures", a.Figures)
	b.WriteString("}\n")
	return b.Bytes()
}

// entries writes one key with its list, a line an entry. It is generic since
// the four lists differ in nothing but the type.
func entries[T any](b *bytes.Buffer, key string, list []T) {
	fmt.Fprintf(b, ",\n%q:[", key)
	for i, e := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(encoded(e))
	}
	b.WriteString("]")
}

func encoded(x any) []byte {
	b, err := json.Marshal(x)
	if err != nil {
		panic("answers: " + err.Error()) // texts and finite numbers always have a form in JSON
	}
	return b
}

// ReadAnswers reads a report.json.
func ReadAnswers(src []byte) (Answers, error) {
	var a Answers
	err := json.Unmarshal(src, &a)
	return a, err
}

// blocks takes in what blocks answer, in the order of the page.
func (a *Answers) blocks(list []block) {
	for _, b := range list {
		switch b := b.(type) {
		case fold:
			a.blocks(b.Body)
		case prose:
			a.prose(b.w)
		case *tableBlock:
			t := b.answers()
			t.Name = a.unused(t.Name)
			a.Tables = append(a.Tables, t)
		case *figureBlock:
			if b.Figure != nil {
				a.Figures = append(a.Figures, b.answers())
			}
		}
	}
}

// prose takes in the roles and directives of a writeup. A role that asks the
// same twice is one answer.
func (a *Answers) prose(w *evaluated) {
	asked := map[string]bool{}
	for _, r := range w.Roles {
		if !asksNumber(r) && !asksFurtherClaim(r) {
			continue
		}
		v := AnsweredValue{Asked: asWritten(r), Answer: w.roles[r].answer()}
		if !asked[v.Asked] {
			a.Values = append(a.Values, v)
		}
		asked[v.Asked] = true
	}
	for _, d := range w.Directives {
		a.blocks(w.directives[d])
	}
}

// asksNumber says whether a role stands for a number.
func asksNumber(r *markup.Role) bool { return r.Name == "value" || r.Name == "published" }

// asksFurtherClaim says whether a role stands for what is not in the list of
// the page's own claims: one of another experiment, or an earlier study's verdict.
func asksFurtherClaim(r *markup.Role) bool {
	return r.Name == "claim" && slices.ContainsFunc(strings.Fields(r.Body), func(w string) bool {
		return strings.HasPrefix(w, "experiment=") || w == "as=published"
	})
}

// asWritten is a role as its writer wrote it, without line breaks.
func asWritten(r *markup.Role) string { return "{" + r.Name + "}`" + oneLine(r.Body) + "`" }

// unused is a table's name, with a number where another bears it.
func (a *Answers) unused(name string) string {
	return numbered(name, func(n string) bool {
		return slices.ContainsFunc(a.Tables, func(t AnsweredTable) bool { return t.Name == n })
	})
}

// numbered is a name, or, where that is taken, the name with the first number
// from 2 on that makes it another.
func numbered(name string, taken func(string) bool) string {
	for n, base := 2, name; taken(name); n++ {
		name = fmt.Sprintf("%s (%d)", base, n)
	}
	return name
}

func (t *tableBlock) answers() AnsweredTable {
	out := AnsweredTable{Name: t.ID}
	if out.Name == "" {
		out.Name = t.label()
	}
	for _, c := range t.Head {
		out.Columns = append(out.Columns, c.title())
	}
	names := t.rowNames()
	for i, r := range t.Rows {
		row := AnsweredRow{Name: names[i]}
		for _, c := range r.Cells {
			row.Cells = append(row.Cells, c.Phrase.answer())
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// rowNames tell the rows of a table from each other: by their keys or heads,
// where these are not enough by further cells of words, else by numbers. A
// number says only the place of a row, which moves with the rows before it.
func (t *tableBlock) rowNames() []string {
	names := t.rowsBy(0)
	for more := 0; distinct(names) < len(names) && t.wordsAt(more); more++ {
		if further := t.rowsBy(more + 1); distinct(further) > distinct(names) {
			names = further
		}
	}
	taken := map[string]bool{}
	for i, name := range names {
		names[i] = numbered(name, func(n string) bool { return taken[n] })
		taken[names[i]] = true
	}
	return names
}

// rowsBy names each row by its key, or by its heads and so many cells more.
func (t *tableBlock) rowsBy(more int) []string {
	names := make([]string, len(t.Rows))
	for i, r := range t.Rows {
		var words []string
		for _, c := range r.Cells[:min(r.Heads+more, len(r.Cells))] {
			words = append(words, c.Phrase.text())
		}
		names[i] = cmp.Or(r.Key, strings.Join(words, ", "))
	}
	return names
}

// wordsAt says whether the cell after the heads and so many cells more holds
// words, and is not the last, which says what was found.
func (t *tableBlock) wordsAt(more int) bool {
	return !slices.ContainsFunc(t.Rows, func(r row) bool {
		i := r.Heads + more
		return i >= len(t.Head)-1 || t.Head[i].Num || t.Head[i].Bar != nil
	})
}

// distinct counts the texts of a list that differ.
func distinct(list []string) int {
	seen := map[string]bool{}
	for _, s := range list {
		seen[s] = true
	}
	return len(seen)
}

func (f *figureBlock) answers() AnsweredFigure {
	out := AnsweredFigure{Name: f.ID}
	for _, r := range f.Figure.Table.Rows {
		sum := sha256.Sum256([]byte(strings.Join(r, "\x1f")))
		out.Rows = append(out.Rows, hex.EncodeToString(sum[:4]))
	}
	return out
}
