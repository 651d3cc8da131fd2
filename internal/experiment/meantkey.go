package experiment

import (
	"strings"

	"fieldbook/internal/diag"
)

// otherWords are what people call things elsewhere.
var otherWords = map[string]string{
	"runs": "blocks", "repetitions": "blocks", "reps": "blocks", "iterations": "blocks", "rounds": "blocks",
	"warmup": "warmup-blocks", "warmups": "warmup-blocks", "warm-up": "warmup-blocks",
	"parameters": "factors", "params": "factors", "variables": "factors", "matrix": "factors",
	"benchmarks": "commands", "variants": "commands", "time-out": "timeout", "environment": "env",
	"assert": "valid", "hypotheses": "claims", "name": "title", "description": "question",
}

// meantKey is the hint for an unknown key: a near key of the same mapping, or
// a key that stands elsewhere, else the keys that are known here.
func meantKey(word string, s *shape) string {
	if near := diag.Nearest(word, s.names()); near != "" {
		return diag.Meant(word, s.names())
	}
	if other, ok := otherWords[word]; ok {
		word = other
	}
	if contains(s.names(), word) {
		return "did you mean \"" + word + "\"?"
	}
	for _, k := range root.keys {
		if contains(k.shape.below(), word) {
			return "did you mean \"" + word + "\" under " + k.name + "?"
		}
	}
	return "known: " + strings.Join(s.names(), ", ")
}

// below are the names of all keys of a shape and inside it.
func (s *shape) below() []string {
	names := s.names()
	for _, k := range s.keys {
		names = append(names, k.shape.below()...)
	}
	for _, a := range s.alts {
		names = append(names, a.below()...)
	}
	if s.item != nil {
		names = append(names, s.item.below()...)
	}
	return names
}
