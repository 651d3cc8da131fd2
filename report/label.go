package report

import (
	"regexp"

	"fieldbook/report/markup"
)

var labelForm = regexp.MustCompile(`^[\pL\pN][\pL\pN_.-]*$`)

// takeLabels numbers figures, tables and listings in the order of the text, and takes
// the names that they have.
func (b *builder) takeLabels() {
	b.slots = map[*markup.Directive]slot{}
	for _, d := range b.doc.writeup.Directives {
		for _, o := range d.Options {
			if o.Key == "name" {
				b.takeLabel(d, o)
			}
		}
	}
	for _, d := range b.doc.writeup.Directives {
		s := b.slots[d]
		switch d.Name {
		case "plot":
			s.id, s.number = b.figureSlot(s.id)
		case "table", "claims":
			s.id, s.number = b.tableSlot(s.id)
		case "listing":
			s.id, s.number = b.listingSlot(s.id)
		}
		b.slots[d] = s
		if d.Name == "claims" {
			b.takeClaims()
		}
		if t := b.labels[s.id]; t != nil && t.Text == "" {
			t.Text = s.name(d)
		}
	}
}

// takeLabel takes the name of one directive.
func (b *builder) takeLabel(d *markup.Directive, o markup.Option) {
	s := b.slots[d]
	switch earlier := b.labels[o.Value]; {
	case !labelForm.MatchString(o.Value):
		s.flaws = append(s.flaws, b.wrong(o.ValueAt, "", "the name %q is not letters, digits, hyphens, dots and underscores", o.Value))
	case earlier != nil:
		s.flaws = append(s.flaws, b.wrong(o.ValueAt, "", "the name %q is taken by what stands in line %d", o.Value, b.at(earlier.At).Line))
	default:
		b.ids.Reserve(o.Value)
		b.labels[o.Value] = &target{ID: o.Value, At: o.ValueAt}
		s.id = o.Value
	}
	b.slots[d] = s
}

// name is "Figure 2", "Table 1", "Listing 1", or the summary of a folded part.
func (s slot) name(d *markup.Directive) string {
	switch d.Name {
	case "plot":
		return "Figure " + itoa(s.number)
	case "listing":
		return "Listing " + itoa(s.number)
	case "details":
		return d.Argument
	}
	return "Table " + itoa(s.number)
}

// figureSlot and tableSlot number the next figure or table; without an id it
// gets one from its number.
func (b *builder) figureSlot(id string) (string, int) {
	b.figures++
	if id == "" {
		id = b.ids.Take("figure " + itoa(b.figures))
	}
	return id, b.figures
}

func (b *builder) tableSlot(id string) (string, int) {
	b.tables++
	if id == "" {
		id = b.ids.Take("table " + itoa(b.tables))
	}
	return id, b.tables
}

func (b *builder) listingSlot(id string) (string, int) {
	b.listings++
	if id == "" {
		id = b.ids.Take("listing " + itoa(b.listings))
	}
	return id, b.listings
}

// takeClaims makes claims targets where a table shows them.
func (b *builder) takeClaims() {
	for _, c := range b.r.Claims {
		if b.labels[c.Claim.Name] == nil {
			b.labels[c.Claim.Name] = &target{ID: b.ids.Take("claim " + c.Claim.Name), Text: "claim " + c.Claim.Name}
		}
	}
}
