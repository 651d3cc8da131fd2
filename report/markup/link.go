package markup

import (
	"fmt"
	"regexp"
	"strings"

	"fieldbook/internal/diag"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// link looks at where a link or an image points. A page links to the web, to
// an address for mail, or to a relative path; it shows no picture from
// elsewhere, since it asks nothing of the network.
func (w *Writeup) link(n ast.Node, dest string, image bool) *Link {
	l := &Link{Node: n, Image: image, At: max(n.Pos(), 0), Target: string(util.URLEscape([]byte(dest), true))}
	auto, ok := n.(*ast.AutoLink)
	if ok && auto.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(l.Target), "mailto:") {
		l.Target = "mailto:" + l.Target
	}
	to := strings.ToLower(scheme.FindString(strings.TrimSpace(l.Target)))
	switch {
	case image && (to != "" || strings.HasPrefix(l.Target, "/")):
		l.Refused = "a page shows only pictures that lie beside its writeup, by a relative path"
	case to != "" && to != "http:" && to != "https:" && to != "mailto:":
		l.Refused = "a page links by http:, https:, mailto: or a relative path"
	}
	return l
}

var folder = regexp.MustCompile(`^(\.\./(?:[A-Za-z0-9][A-Za-z0-9_.-]*/)?)(#.*)?$`)

// OtherReport is the experiment to whose report a link goes, "order" of
// "../order/#limits"; empty: it goes elsewhere.
func OtherReport(target string) string {
	m := folder.FindStringSubmatch(target)
	if m == nil {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(m[1], "../"), "/")
}

// Definition gives a label the address that links of that label go to: [label]: address.
type Definition struct {
	Label, Key string // as it is written, and as links compare it
	At         int    // byte offset in the writeup
}

// refer notes that a link uses a definition; nil: it has an address of its own.
func (w *Writeup) refer(r *ast.ReferenceLink) {
	if r == nil {
		return
	}
	if w.referred == nil {
		w.referred = map[string]bool{}
	}
	w.referred[util.ToLinkReference(r.Value)] = true
}

// Referred says whether a link uses a definition.
func (w *Writeup) Referred(d Definition) bool { return w.referred[d.Key] }

// inPage is a link's target as a page has it. That to the folder of another
// experiment names the page in it, since a browser shows a folder that it opens
// as a file as a list; code hosts, which show README.md there, get the folder.
func inPage(target string) string {
	if m := folder.FindStringSubmatch(target); m != nil {
		return m[1] + "index.html" + m[2]
	}
	return target
}

// checkTargets counts what links go to: one definition may serve many links.
func (w *Writeup) checkTargets(pc parser.Context) {
	sum := 0
	_ = ast.Walk(w.Root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			sum += len(n.Destination) + len(n.Title)
		case *ast.Image:
			sum += len(n.Destination) + len(n.Title)
		}
		if sum > mostTargets {
			tooMuch(pc, flaw{max(n.Pos(), 0), fmt.Sprintf("the targets of the links up to this one have more than %d bytes", mostTargets), ""})
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
}

// check reports links that are refused.
func (w *Writeup) check(problems *diag.List) {
	for _, l := range w.Links {
		if l.Refused != "" {
			problems.Errorf(w.Pos(l.At), "the target %q cannot stand in a page", shorten(l.Target))
			problems.Hint("%s", l.Refused)
		}
	}
}

// shorten cuts what is too long for a message.
func shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "…"
	}
	return s
}

// linkOf finds what collect noted of a node.
func (w *Writeup) linkOf(n ast.Node) *Link {
	if l := w.links[n]; l != nil {
		return l
	}
	return &Link{Refused: "unknown"}
}
