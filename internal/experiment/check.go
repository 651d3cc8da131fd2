package experiment

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"fieldbook/internal/diag"
)

// check reports where a node does not have a shape. path names the place for
// messages: the last key.
func (r *reader) check(n *yaml.Node, s *shape, path string) {
	if by := lookup(n, "by"); s.by && by != nil {
		r.checkBy(n, s, path)
		return
	}
	alt := s.of(n)
	if alt == nil {
		r.unfit(n, s, path)
		return
	}
	switch alt.kind {
	case kindList:
		r.checkList(n, alt, path)
	case kindObject:
		r.checkObject(n, alt, path)
	case kindTable:
		for i := 0; i+1 < len(n.Content); i += 2 {
			r.checkEntry(n, i, alt.item)
		}
	}
}

// of is the part of a shape that a node has, nil where it has none.
func (s *shape) of(n *yaml.Node) *shape {
	if s.kind == kindEither {
		for _, a := range s.alts {
			if fit := a.of(n); fit != nil {
				return fit
			}
		}
		return nil
	}
	fits := false
	switch s.kind {
	case kindText:
		fits = n.Kind == yaml.ScalarNode && !isMissing(n) && (s.pattern == nil || s.pattern.MatchString(n.Value))
	case kindWord:
		fits = n.Kind == yaml.ScalarNode && slices.Contains(s.words, n.Value)
	case kindInteger:
		i, err := strconv.ParseUint(n.Value, 10, 64)
		fits = n.Tag == "!!int" && err == nil && i >= uint64(s.least) && n.Value == strconv.FormatUint(i, 10)
	case kindBool:
		fits = n.Tag == "!!bool" && (n.Value == "true" || n.Value == "false")
	case kindList:
		fits = n.Kind == yaml.SequenceNode
	case kindObject, kindTable:
		fits = n.Kind == yaml.MappingNode
	}
	if fits {
		return s
	}
	return nil
}

// unfit says what was found and what is wanted.
func (r *reader) unfit(n *yaml.Node, s *shape, path string) {
	r.Errorf(r.at(n), "%s is %s, want %s", path, kindName(n), s.what)
	switch {
	case lookup(n, "by") != nil:
		r.Hint("{by: ...} cannot stand here")
	case isMissing(n) && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		r.Hint("> and | begin a block of text; put a value that begins with one in double quotes")
	case s.kind == kindWord && n.Kind == yaml.ScalarNode:
		word := strings.TrimPrefix(n.Value, "SIG")
		if near := diag.Nearest(word, s.words); near != "" {
			r.Hint("did you mean %q?", near)
		}
	case n.Kind == yaml.ScalarNode && n.Tag == "!!str" && n.Style != 0 && s.takesNumber() && isDigits(n.Value):
		r.Hint("write it without quotes")
	}
}

func (s *shape) takesNumber() bool {
	return s.kind == kindInteger || slices.ContainsFunc(s.alts, (*shape).takesNumber)
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func (r *reader) checkList(n *yaml.Node, s *shape, path string) {
	if len(n.Content) < s.least {
		r.Errorf(r.at(n), "%s has %d entries, want at least %d", path, len(n.Content), s.least)
	}
	for _, c := range n.Content {
		r.check(c, s.item, "an entry of "+path)
	}
}

// checkBy checks {by: FACTOR, LEVEL: value, ...}; whether the levels are
// those of the factor is seen later, when factors are known.
func (r *reader) checkBy(n *yaml.Node, s *shape, path string) {
	plain := *s
	plain.by = false
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "by" {
			r.check(n.Content[i+1], &factorName, "by")
		} else {
			r.checkEntry(n, i, &plain)
		}
	}
}

// checkEntry checks the value of a free key.
func (r *reader) checkEntry(n *yaml.Node, i int, item *shape) {
	k, v := n.Content[i], n.Content[i+1]
	if r.cutShort(n, k, v) {
		return
	}
	r.check(v, item, k.Value)
}

func (r *reader) checkObject(n *yaml.Node, s *shape, path string) {
	narrow := s.variant(n)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		at := slices.IndexFunc(s.keys, func(x key) bool { return x.name == k.Value })
		switch {
		case at < 0 && r.cutShort(n, k, v):
		case at < 0:
			r.Errorf(r.at(k), "unknown key %q", short(k.Value))
			r.Hint("%s", meantKey(k.Value, s))
		case narrow != nil && !narrow.takes(k.Value):
			r.Errorf(r.at(k), "key %q does not go with %s", k.Value, narrow.what)
			r.Hint("allowed beside it: %s", strings.Join(narrow.takeable(), ", "))
		default:
			r.check(v, s.keys[at].shape, k.Value)
		}
	}
	for _, name := range s.missing(n, narrow) {
		r.missing(n, path, name, narrow)
	}
}

// missing reports a key that has to be there.
func (r *reader) missing(n *yaml.Node, path, name string, narrow *variant) {
	hint := map[string]string{"fieldbook": "write fieldbook: 1", "unit": `write unit: "1" for a pure number`}[name]
	if narrow != nil && slices.Contains(narrow.required, name) {
		if narrow.what != "" {
			path += " with " + narrow.what
		}
		if hint == "" {
			hint = narrow.hint
		}
	}
	r.Errorf(r.at(n), "%s has no %q", path, name)
	if hint != "" {
		r.Hint("%s", hint)
	}
}

// cutShort reports a comma inside { } that ended a value early: what stands
// after it looks like a key without a value.
func (r *reader) cutShort(n, k, v *yaml.Node) bool {
	if n.Style&yaml.FlowStyle == 0 || !isMissing(v) || v.Column > k.Column+len([]rune(k.Value))+1 || v.Line != k.Line {
		return false
	}
	r.Errorf(r.at(k), "%q has no value", short(k.Value))
	r.Hint("a comma inside { } ends a value; put a text that holds one in double quotes")
	return true
}

// missing are the required keys that are not there.
func (s *shape) missing(n *yaml.Node, narrow *variant) []string {
	var names []string
	for _, k := range s.keys {
		if k.required || narrow != nil && slices.Contains(narrow.required, k.name) {
			if lookup(n, k.name) == nil {
				names = append(names, k.name)
			}
		}
	}
	return names
}
