package report

import (
	"encoding/base64"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"fieldbook/internal/diag"
	"fieldbook/internal/session"
	"fieldbook/report/markup"
)

// evaluated is a writeup with what its roles and directives became.
type evaluated struct {
	*markup.Writeup
	roles      map[*markup.Role]phrase
	directives map[*markup.Directive][]block
	folds      map[*markup.Directive]string // the ids of folded parts
}

// writeupReport makes the document that a writeup asks for.
func (b *builder) writeupReport() {
	front, problems := ReadFrontMatter(b.File, b.Writeup)
	b.problems.Add(problems...)
	for _, p := range problems {
		b.doc.banners = append(b.doc.banners, phrase{flaw(strings.TrimPrefix(diag.Problem{Text: p.Text, Hint: p.Hint}.String(), ": "))})
	}
	b.front = front
	b.checkSessions(front)
	b.checkMachine(front)
	_, length, _ := splitHead(b.Writeup)
	b.checkLength(length)
	w, problems := markup.Parse(b.File, b.Writeup, length)
	b.problems.Add(problems...)
	if w.Refused != "" {
		b.doc.banners = append(b.doc.banners, phrase{flaw(w.Refused)})
		b.cut = true
	}
	e := &evaluated{Writeup: w, roles: map[*markup.Role]phrase{}, directives: map[*markup.Directive][]block{}, folds: map[*markup.Directive]string{}}
	b.doc.writeup = e
	b.title(w.TakeTitle(front.Title))
	b.takeLabels()
	w.AssignIDs(&b.ids)
	if front.Numbered {
		w.Number()
	}
	b.takeHeadings()
	for _, d := range w.Directives {
		e.directives[d], e.folds[d] = b.directive(d), b.slots[d].id
	}
	for _, r := range w.Roles {
		e.roles[r] = b.role(r)
	}
	b.assumedBanners()
	b.takeContents()
	b.checkLinks()
	b.checkStrays()
	b.doc.body = append(b.doc.body, prose{e})
	b.checkUse()
	b.record()
}

// mostWritten is how many bytes a writeup may have. One that a person writes
// stays far below.
const mostWritten = 1 << 20

// checkLength leaves nothing but the front matter of a writeup that no person
// has written, and says so.
func (b *builder) checkLength(head int) {
	if len(b.Writeup) <= mostWritten {
		return
	}
	b.problems.Errorf(diag.Pos{File: b.File, Line: 1}, "the writeup has %d bytes, allowed are %d", len(b.Writeup), mostWritten)
	b.doc.banners = append(b.doc.banners, phrase{flaw(b.problems[len(b.problems)-1].Text)})
	b.Writeup, b.cut = b.Writeup[:min(head, mostWritten)], true
}

// checkSessions warns of sessions that are newer than those that front matter
// names.
func (b *builder) checkSessions(front FrontMatter) {
	names := slices.DeleteFunc(slices.Clone(front.Sessions), func(word string) bool { return !session.ValidID(word) })
	if len(names) == 0 {
		return // keys such as machine= choose newer sessions by themselves
	}
	var newer []string
	for _, l := range b.r.Data.LeftOut {
		if l.Session > slices.Max(names) {
			newer = append(newer, l.Session)
		}
	}
	if len(newer) > 0 {
		b.problems.Warnf(front.SessionsKey, "there are newer sessions than those that the writeup shows: %s", strings.Join(newer, ", "))
	}
}

// title is the writeup's, else the experiment's, else its name.
func (b *builder) title(own string) {
	switch {
	case own != "":
	case b.r.Title != "":
		own = b.r.Title
	default:
		own = b.Name
	}
	b.doc.title = say(own)
	b.doc.question = b.r.Question
}

// takeHeadings makes the headings targets.
func (b *builder) takeHeadings() {
	for _, h := range b.doc.writeup.Headings {
		if _, taken := b.labels[h.ID]; !taken {
			b.labels[h.ID] = &target{ID: h.ID, Text: sectionText(h), At: h.Start, heading: true}
		}
		b.sameAddress(h)
	}
}

// sectionText is what a {ref} to a heading says.
func sectionText(h *markup.Heading) string {
	if h.Number == "" {
		return h.Plain
	}
	return "section " + h.Number
}

// takeContents lists the headings of the uppermost level that the writeup
// has, with the values in them.
func (b *builder) takeContents() {
	w := b.doc.writeup
	top := 6
	for _, h := range w.Headings {
		top = min(top, h.Level)
	}
	for _, h := range w.Headings {
		if h.Level == top {
			text := w.PlainWith(h.Node, func(r *markup.Role) string { return w.roles[r].text() })
			b.doc.contents = append(b.doc.contents, entry{h.ID, strings.TrimPrefix(h.Number+" "+text, " ")})
		}
	}
}

// at is the place of a byte offset of the writeup.
func (b *builder) at(off int) diag.Pos { return b.doc.writeup.Pos(off) }

// wrong reports an error and is what stands in the document instead.
func (b *builder) wrong(off int, hint, format string, args ...any) flaw {
	b.problems.Errorf(b.at(off), format, args...)
	p := &b.problems[len(b.problems)-1]
	p.Hint = hint
	text := p.Text
	if hint != "" {
		text += "; " + hint
	}
	return flaw(text)
}

// refuse is wrong for an error of the analysis, or of a figure, which says
// after a semicolon what to do about it.
func (b *builder) refuse(off int, err error) flaw {
	text, hint, _ := strings.Cut(err.Error(), "; ")
	return b.wrong(off, hint, "%s", text)
}

// checkLinks reports links into the page that arrive nowhere, and pictures
// that do not lie beside the writeup.
func (b *builder) checkLinks() {
	ids := map[string]bool{"": true}
	for _, t := range b.labels {
		ids[t.ID] = true
	}
	var known []string
	for _, label := range b.knownLabels() {
		known = append(known, b.labels[label].ID)
	}
	for _, l := range b.doc.writeup.Links {
		fragment, inside := strings.CutPrefix(l.Target, "#")
		if id, err := url.PathUnescape(fragment); l.Refused == "" && inside && (err != nil || !ids[id]) {
			b.wrong(l.At, diag.Meant(id, known), "the link goes to %q, which is nowhere in this page", l.Target)
		}
		if to := markup.OtherReport(l.Target); to != "" && b.Experiments != nil && !slices.Contains(b.Experiments, to) {
			b.wrong(l.At, diag.Meant(to, b.Experiments), "the link goes to %q, and there is no experiment %q", l.Target, to)
		}
		switch {
		case l.Refused != "":
		case l.Image:
			b.picture(l)
		case fileLink.MatchString(l.Target) && !sitePage.MatchString(l.Target):
			b.problems.Warnf(b.at(l.At), "the link goes to the file %q, which is not in the site beside the page", l.Target)
			b.problems.Hint("link to it on the web, or show the experiment file by {listing}")
		}
	}
}

// fileLink is a link to a file beside the writeup: all but an address of the
// web or of mail, a place in the page, and another folder or page of the site.
var fileLink = regexp.MustCompile(`^[^#?:/]+(?:/[^#?:/]+)*(?:[#?].*)?$`)

// sitePage is a link to what stands in the site.
var sitePage = regexp.MustCompile(`^(?:(?:\.\./)?(?:[^/]*/)?(?:index\.html|report\.md|report\.json)|figures/[^/]*)(?:[#?].*)?$`)

// PicturesOf are the relative paths of the pictures that a writeup shows,
// sorted, for Source.Pictures.
func PicturesOf(writeup []byte) []string {
	if len(writeup) > mostWritten {
		return nil // of which Build complains
	}
	_, length, _ := splitHead(writeup)
	w, _ := markup.Parse("", writeup, length)
	var names []string
	for _, l := range w.Links {
		if name, err := url.PathUnescape(l.Target); l.Image && l.Refused == "" && err == nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// picture takes a picture that lies beside the writeup into the document.
func (b *builder) picture(l *markup.Link) {
	name, err := url.PathUnescape(l.Target)
	data, ok := b.Pictures[name]
	if err != nil || !ok {
		hint := ""
		if strings.HasPrefix(path.Clean(name), "figures/") {
			hint = "the folder figures is for what is drawn from the data; put the picture into another one"
		}
		b.wrong(l.At, hint, "there is no picture %q beside the writeup", l.Target)
		return
	}
	if pictureTypes[strings.ToLower(path.Ext(name))] == "" {
		b.wrong(l.At, "", "%q is no picture that a page can show; there are png, jpg, gif, webp and svg", l.Target)
		return
	}
	b.doc.pictures[name] = data
}

var pictureTypes = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".svg": "image/svg+xml",
}

// htmlParts and markdownParts render what a writeup's roles and directives
// became.
type (
	htmlParts     struct{ d *Document }
	markdownParts struct{ d *Document }
)

func (p htmlParts) Role(r *markup.Role) string { return p.d.html(p.d.writeup.roles[r]) }

func (p htmlParts) Directive(d *markup.Directive) string {
	w := &page{doc: p.d}
	w.blocks(p.d.writeup.directives[d])
	return w.b.String()
}

func (p htmlParts) Picture(l *markup.Link) string {
	name, _ := url.PathUnescape(l.Target)
	data, ok := p.d.pictures[name]
	if !ok {
		return ""
	}
	return "data:" + pictureTypes[strings.ToLower(path.Ext(name))] + ";base64," + base64.StdEncoding.EncodeToString(data)
}

// Role escapes brackets again where the text goes on as that of a link would.
func (p markdownParts) Role(r *markup.Role) string {
	text := (&paper{doc: p.d}).phrase(p.d.writeup.roles[r])
	if next := p.d.writeup.Text[r.Stop:]; len(next) > 0 && strings.IndexByte("([:", next[0]) >= 0 && strings.HasSuffix(text, "]") {
		text = strings.TrimSuffix(text, "]") + `\]`
	}
	return text
}

func (p markdownParts) Directive(d *markup.Directive) string {
	m := &paper{doc: p.d}
	m.blocks(p.d.writeup.directives[d])
	return strings.Join(m.parts, "\n\n")
}

func (p markdownParts) Picture(l *markup.Link) string {
	name, _ := url.PathUnescape(l.Target)
	if _, ok := p.d.pictures[name]; !ok {
		return ""
	}
	return l.Target
}
