package experiment

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"fieldbook/internal/diag"
)

// shape says what may stand at a place of the file. The tables in format.go
// are made of shapes; the reader checks a file against them, and Schema
// prints them as JSON Schema, so that the two cannot drift apart.
type shape struct {
	kind shapeKind
	what string // what is wanted, for messages: "a whole number"
	doc  string // for the schema

	words    []string // kindWord: the allowed texts
	pattern  string   // kindText: a regular expression of the whole text; "" takes any
	least    int      // kindInteger: the least number; kindList: the least length
	number   bool     // kindText: a YAML number may match the pattern, too
	item     *shape   // kindList, kindTable
	keys     []key    // kindObject, in the order of the documentation
	variants []variant
	alts     []*shape // kindEither
	by       bool     // may be {by: FACTOR, LEVEL: value, ...} instead
}

type shapeKind int

const (
	kindText    shapeKind = iota // any scalar, as written
	kindWord                     // one of some words
	kindInteger                  // a whole number in decimal digits
	kindBool                     // true or false
	kindList
	kindObject // a mapping with known keys
	kindTable  // a mapping with free keys
	kindEither // a scalar, a list, or a mapping, each at most once
)

// key is one key of an object.
type key struct {
	name     string
	shape    *shape
	required bool
}

// variant narrows an object where a key has a value (or, value "", is
// there), or where none of the keys in absent is there.
type variant struct {
	key, value string
	absent     []string
	what       string   // for messages: "from: json"; may be empty
	hint       string   // where a required key is missing
	required   []string // beyond those of the object
	allowed    []string // beyond key and the required ones
}

func (s *shape) names() []string {
	var names []string
	for _, k := range s.keys {
		names = append(names, k.name)
	}
	return names
}

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
		fits = n.Kind == yaml.ScalarNode && !isMissing(n) && s.matches(n)
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

// matches says whether a scalar has the text that a pattern wants.
func (s *shape) matches(n *yaml.Node) bool {
	if s.pattern == "" {
		return true
	}
	return patterns[s.pattern].MatchString(n.Value)
}

// patterns are the compiled patterns of the format's tables.
var patterns = map[string]*regexp.Regexp{}

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

// variant is the first variant whose condition a mapping meets.
func (s *shape) variant(n *yaml.Node) *variant {
	for i := range s.variants {
		v := &s.variants[i]
		found := lookup(n, v.key)
		absent := !slices.ContainsFunc(v.absent, func(k string) bool { return lookup(n, k) != nil })
		if absent && (v.key == "" || found != nil && (v.value == "" || found.Value == v.value)) {
			return v
		}
	}
	return nil
}

func (v *variant) takes(name string) bool { return slices.Contains(v.takeable(), name) }

func (v *variant) takeable() []string {
	var names []string
	if v.key != "" {
		names = append(names, v.key)
	}
	for _, n := range slices.Concat(v.required, v.allowed) {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// lookup is the value of a key of a mapping, nil where there is none.
func lookup(n *yaml.Node, name string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// Constructors of shapes, for the tables.

func text(what string) *shape { return &shape{kind: kindText, what: what} }

// matching is a text of which the whole must match a pattern.
func matching(what, pattern string) *shape {
	pattern = "^(?:" + pattern + ")$"
	patterns[pattern] = regexp.MustCompile(pattern)
	return &shape{kind: kindText, what: what, pattern: pattern}
}

func word(words ...string) *shape {
	return &shape{kind: kindWord, what: list(words), words: words}
}

func integer(least int) *shape {
	return &shape{kind: kindInteger, what: fmt.Sprintf("a whole number, at least %d", least), least: least}
}

func listOf(what string, item *shape) *shape {
	return &shape{kind: kindList, what: what, item: item, least: 1}
}

func object(what string, keys ...key) *shape {
	return &shape{kind: kindObject, what: what, keys: keys}
}

func table(what string, item *shape) *shape {
	return &shape{kind: kindTable, what: what, item: item}
}

func either(what string, alts ...*shape) *shape {
	return &shape{kind: kindEither, what: what, alts: alts}
}

// varying is the same shape, which may stand under {by: FACTOR, ...}.
func varying(s *shape) *shape {
	v := *s
	v.by = true
	return &v
}

func (s *shape) described(doc string) *shape {
	d := *s
	d.doc = doc
	return &d
}

func (s *shape) withVariants(v ...variant) *shape {
	s.variants = v
	return s
}
