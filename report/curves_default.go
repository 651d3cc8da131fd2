package report

import (
	"slices"

	"fieldbook/analysis/figure"
)

// defaultCurves are the figure and the tables of each curve that a claim
// speaks of by `slope` or `fit`.
func (b *builder) defaultCurves() []block {
	type axis struct{ metric, x string }
	var axes []axis
	for _, c := range b.r.Claims {
		a := axis{c.Claim.Metric, c.Claim.Slope}
		if c.Claim.Fit != "" {
			a.x = c.Claim.X
		}
		if a.x != "" && !slices.Contains(axes, a) {
			axes = append(axes, a)
		}
	}
	var blocks []block
	for _, a := range axes {
		w := b.generated()
		w.metric, w.x = a.metric, a.x
		w.slot.id, w.slot.number = b.figureSlot("")
		f, err := w.draw(figure.Curves)
		if err != nil {
			f = &figureBlock{ID: w.slot.id, Number: w.slot.number, Caption: say("Cannot be drawn: ", sentence(err.Error()))}
		}
		blocks = append(blocks, f)
		w.slot.id, w.slot.number = b.tableSlot("")
		tables, err := w.curveTables(a.x)
		if err != nil { // a claim about it is not judged, and says why
			continue
		}
		blocks = append(blocks, tables...)
	}
	return blocks
}
