package experiment

import (
	"bytes"
	"encoding/json"
)

// Schema is the JSON Schema (draft 2020-12) of the experiment file, made
// from the tables that Read checks files against. It knows the structure:
// keys, kinds of values, words. What needs names, levels or arithmetic, only
// Read sees.
func Schema() []byte {
	s := root.schema()
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "experiment.yaml of Fieldbook"
	s["description"] = "A declared performance experiment."
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		panic(err) // the tables hold nothing that JSON cannot
	}
	return b.Bytes()
}

// schema is a shape as JSON Schema. Maps print with sorted keys.
func (s *shape) schema() map[string]any {
	if s.by {
		plain := *s
		plain.by, plain.doc = false, ""
		return s.documented(map[string]any{"anyOf": []any{plain.schema(), bySchema(&plain)}})
	}
	return s.documented(s.plainSchema())
}

func (s *shape) documented(m map[string]any) map[string]any {
	if s.doc != "" {
		m["description"] = s.doc
	}
	return m
}

// bySchema is {by: FACTOR, LEVEL: value, ...}.
func bySchema(plain *shape) map[string]any {
	return map[string]any{
		"type":                 "object",
		"required":             []string{"by"},
		"properties":           map[string]any{"by": factorName.schema()},
		"additionalProperties": plain.schema(),
	}
}

func (s *shape) plainSchema() map[string]any {
	switch s.kind {
	case kindText:
		return s.textSchema()
	case kindWord:
		return s.wordSchema()
	case kindInteger:
		return map[string]any{"type": "integer", "minimum": s.least}
	case kindBool:
		return map[string]any{"type": "boolean"}
	case kindList:
		return map[string]any{"type": "array", "items": s.item.schema(), "minItems": s.least}
	case kindObject:
		return s.objectSchema()
	case kindTable:
		return map[string]any{"type": "object", "additionalProperties": s.item.schema()}
	}
	var alts []any
	for _, a := range s.alts {
		alts = append(alts, a.schema())
	}
	return map[string]any{"anyOf": alts}
}

// textSchema takes every scalar where any text will do, since YAML reads
// 1.10, no and null as other things than texts, and Read as the text.
func (s *shape) textSchema() map[string]any {
	switch {
	case s.pattern == nil:
		return map[string]any{"type": []string{"string", "number", "boolean", "null"}}
	case s.number:
		return map[string]any{"type": []string{"string", "number"}, "pattern": s.pattern.String(), "minimum": 0}
	}
	return map[string]any{"type": "string", "pattern": s.pattern.String()}
}

func (s *shape) wordSchema() map[string]any {
	var words []any
	for _, w := range s.words {
		words = append(words, w)
		if s.number {
			words = append(words, json.Number(w))
		}
	}
	return map[string]any{"enum": words}
}

func (s *shape) objectSchema() map[string]any {
	properties := map[string]any{}
	required := []string{}
	for _, k := range s.keys {
		properties[k.name] = k.shape.schema()
		if k.required {
			required = append(required, k.name)
		}
	}
	m := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		m["required"] = required
	}
	if len(s.variants) > 0 {
		m["allOf"] = []any{chain(s.variants)}
	}
	return m
}

// chain is: if the first variant's condition holds, then its keys, else the
// next variant.
func chain(variants []variant) map[string]any {
	if len(variants) == 0 {
		return map[string]any{}
	}
	v := variants[0]
	names := map[string]any{"enum": v.takeable()}
	then := map[string]any{"propertyNames": names}
	if len(v.required) > 0 {
		then["required"] = v.required
	}
	return map[string]any{"if": v.condition(), "then": then, "else": chain(variants[1:])}
}

func (v *variant) condition() map[string]any {
	if v.key == "" {
		var there []any
		for _, k := range v.absent {
			there = append(there, map[string]any{"required": []string{k}})
		}
		return map[string]any{"not": map[string]any{"anyOf": there}}
	}
	c := map[string]any{"required": []string{v.key}}
	if v.value != "" {
		c["properties"] = map[string]any{v.key: map[string]any{"const": v.value}}
	}
	return c
}
