package experiment

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"fieldbook/internal/diag"
)

// Read reads an experiment file. name is that of the experiment's folder,
// file the path as messages show it. The list holds every problem found, in
// the order of the file; where it has errors, the experiment holds what could
// be read and must not be run. It is never nil.
func Read(name, file string, src []byte) (*Experiment, diag.List) {
	r := &reader{file: file, origins: map[any]origin{}, patched: map[[2]int]bool{}, unsure: map[string]bool{}}
	x := &Experiment{Name: name, File: file, Source: src}
	if n := r.parse(src); n != nil {
		r.tidy(n)
		r.check(n, root, "the file")
		if n.Kind == yaml.MappingNode {
			r.experiment(x, n)
		}
	}
	return x, r.problems()
}

// problems is the list as the reader of the file sees it: sorted, without
// repeats, and without what follows from a value that YAML could not read.
func (r *reader) problems() diag.List {
	seen, at := map[diag.Problem]bool{}, map[[2]int]bool{}
	return slices.DeleteFunc(r.List.Sorted(), func(p diag.Problem) bool {
		place := [2]int{p.Pos.Line, p.Pos.Col}
		again := seen[p] || r.patched[place] && at[place]
		seen[p], at[place] = true, true
		return again || p.Warning && len(r.patched) > 0
	})
}

// experiment fills in what the file says. The order matters: names before
// what uses them, treatments before what is checked for each of them.
func (r *reader) experiment(x *Experiment, n *yaml.Node) {
	x.Title = r.prose(lookup(n, "title"))
	x.Question = r.prose(lookup(n, "question"))
	x.Inputs = texts(lookup(n, "inputs"))
	x.Requires = texts(lookup(n, "requires"))
	r.factors(x, n)
	r.constants(x, lookup(n, "constants"))
	r.design(x, lookup(n, "design"))
	r.cross(x, n)
	r.choices(x, n)
	r.source(x, lookup(n, "source"))
	r.programs(x, n)
	r.metrics(x, lookup(n, "metrics"))
	r.valid(x, lookup(n, "valid"))
	r.controls(x, lookup(n, "controls"))
	x.DropSamples = plainText(lookup(lookup(n, "samples"), "keep")) == "none"
	r.published(x, lookup(n, "published"))
	r.names(x, n)
	r.claims(x, lookup(n, "claims"))
	r.until(x, n)
	r.evaluate(x)
}

// plainText is the text of a scalar as written, "" of anything else.
func plainText(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

// texts are the texts of a list's scalars.
func texts(n *yaml.Node) []string {
	var all []string
	for _, c := range items(n) {
		if c.Kind == yaml.ScalarNode {
			all = append(all, c.Value)
		}
	}
	return all
}

// items are the entries of a list, none of anything else.
func items(n *yaml.Node) []*yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

// entry is a key of a mapping with its value.
type entry struct {
	key   string
	at    *yaml.Node // of the key
	value *yaml.Node
}

// entries are the keys of a mapping in the order of the file, none of
// anything else.
func entries(n *yaml.Node) []entry {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var all []entry
	for i := 0; i+1 < len(n.Content); i += 2 {
		all = append(all, entry{n.Content[i].Value, n.Content[i], n.Content[i+1]})
	}
	return all
}

// prose is a text that a person wrote for readers. A comment right after it
// is probably part of it: ` #` begins a comment in a plain value.
func (r *reader) prose(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	if at, ok := r.comment(n); ok {
		r.Warnf(at, "a comment begins here and is no part of the text")
		r.Hint("put the text in double quotes where # belongs to it")
	}
	return strings.TrimSpace(plainText(n))
}
