package experiment

import (
	"fmt"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v4"
)

// shape says what may stand at a place of the file. The tables in format.go
// are made of shapes; the reader checks a file against them, and Schema
// prints them as JSON Schema, so that the two cannot drift apart.
type shape struct {
	kind shapeKind
	what string // what is wanted, for messages: "a whole number"
	doc  string // for the schema

	words    []string       // kindWord: the allowed texts
	pattern  *regexp.Regexp // kindText: what the whole text matches; nil takes any
	least    int            // kindInteger: the least number; kindList: the least length
	number   bool           // kindText: a YAML number may match the pattern, too
	item     *shape         // kindList, kindTable
	keys     []key          // kindObject, in the order of the documentation
	variants []variant      // kindObject: the first whose condition is met holds
	alts     []*shape       // kindEither
	by       bool           // may be {by: FACTOR, LEVEL: value, ...} instead
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
	return &shape{kind: kindText, what: what, pattern: regexp.MustCompile("^(?:" + pattern + ")$")}
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
