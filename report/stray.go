package report

import (
	"regexp"
	"slices"
	"strings"

	"fieldbook/report/markup"
)

// What looks like a part of the language and is none would stand in the page
// as it was typed. checkStrays finds it.
func (b *builder) checkStrays() {
	for _, run := range b.doc.writeup.Prose() {
		b.strayRoles(run)
		b.strayReferences(run)
	}
	for _, run := range b.doc.writeup.Raw() {
		b.rawRoles(run)
	}
	b.strayDefinitions()
	for _, f := range b.doc.writeup.Fences {
		if strings.HasPrefix(f.Lang, "{") {
			b.wrong(f.At, "a directive is opened by {NAME} behind the fence, then a blank: ```{plot} order", "a fence with %q behind it opens no directive", f.Lang)
		}
		if slices.Contains(directiveNames, f.Lang) {
			b.problems.Warnf(b.at(f.At), "a block of code in the language %q, which is the name of a directive", f.Lang)
			b.problems.Hint("write {%s} for the directive", f.Lang)
		}
	}
}

// bareRole is a role's name in braces that no backtick follows.
var bareRole = regexp.MustCompile(`(\\?)\{(` + strings.Join(roleNames, "|") + `)\}`)

func (b *builder) strayRoles(run markup.Run) {
	for _, m := range bareRole.FindAllStringSubmatchIndex(run.Text, -1) {
		if m[3] > m[2] || strings.HasPrefix(run.Text[m[1]:], "`") {
			continue // escaped; or never closed, which is told already
		}
		name := run.Text[m[4]:m[5]]
		b.wrong(run.Source(m[0]), "write {"+name+"}`…`, without a blank between", "the role {%s} has no text in backticks", name)
	}
}

// inRaw is a role or a directive as it is written.
var inRaw = regexp.MustCompile("\\{(?:" + strings.Join(roleNames, "|") + ")\\}`|(?m:^[ >]*(?:```|~~~)[`~]*[ ]*\\{(?:" + strings.Join(directiveNames, "|") + ")\\})")

// rawRoles finds the parts of the language that raw HTML makes text of.
func (b *builder) rawRoles(run markup.Run) {
	for _, m := range inRaw.FindAllStringIndex(run.Text, -1) {
		from := m[0] + strings.IndexByte(run.Text[m[0]:], '{')
		name := run.Text[from : from+strings.IndexByte(run.Text[from:], '}')+1]
		b.wrong(run.Source(from), "take the tags out, or put blank lines around them", "%s stands within raw HTML, which is shown as text with all that is in it", name)
	}
}

var (
	footnote  = regexp.MustCompile(`(\\?)\[\^([^\]\s]+)\]`)
	reference = regexp.MustCompile(`(^|[^\pL\pN_)\]\\])\[[^\[\]]+\]\[([^\[\]]*[^\[\]\s\d][^\[\]]*)\]`)
)

// strayReferences finds footnotes and links that lead to nothing that is
// written below; those that do are no text any more.
func (b *builder) strayReferences(run markup.Run) {
	for _, m := range footnote.FindAllStringSubmatchIndex(run.Text, -1) {
		if m[3] == m[2] {
			name := run.Text[m[4]:m[5]]
			b.wrong(run.Source(m[0]), "write [^"+name+"]: and its text", "the footnote %q is not written", name)
		}
	}
	for _, m := range reference.FindAllStringSubmatchIndex(run.Text, -1) {
		if name := run.Text[m[4]:m[5]]; name[0] != '^' {
			b.problems.Warnf(b.at(run.Source(m[3])), "the link goes to %q, which is not written", name)
			b.problems.Hint("write [%s]: ADDRESS, or \\[ where no link is meant", name)
		}
	}
}

// strayDefinitions warns of addresses of links that no link goes to, and of
// those that another of the same label keeps from being used.
func (b *builder) strayDefinitions() {
	first := map[string]markup.Definition{}
	for _, d := range b.doc.writeup.Definitions {
		earlier, taken := first[d.Key]
		switch {
		case taken:
			b.problems.Warnf(b.at(d.At), "the address of the link %q is written twice; that of line %d is used", d.Label, b.at(earlier.At).Line)
		case !b.doc.writeup.Referred(d):
			b.problems.Warnf(b.at(d.At), "no link goes to the address [%s]", d.Label)
		}
		if !taken {
			first[d.Key] = d
		}
	}
}

// sameAddress complains of a heading whose text makes an address that is taken:
// code hosts make it from the text, so that a link would arrive elsewhere.
func (b *builder) sameAddress(h *markup.Heading) {
	slug := markup.Slug(h.Plain)
	t := b.labels[slug]
	switch {
	case t == nil || slug == h.ID:
	case t.heading:
		t.also = append(t.also, h.Start)
	default:
		b.wrong(t.At, "choose another name", "the name %q is also the address of the heading in line %d", slug, b.at(h.Start).Line)
	}
}
