package experiment

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"
)

func compiledSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("experiment.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("experiment.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// plain is a YAML tree as an editor's JSON Schema checker sees it.
func plain(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			list = append(list, plain(c))
		}
		return list
	}
	switch {
	case n.Tag == "!!null":
		return nil
	case n.Tag == "!!bool":
		return n.Value == "true"
	case n.Tag == "!!int" || n.Tag == "!!float":
		if json.Valid([]byte(n.Value)) {
			return json.Number(n.Value)
		}
		return 0.0 // a number in a notation that JSON does not have
	}
	return n.Value
}

func instance(t *testing.T, name string, src []byte) any {
	t.Helper()
	n, err := load(src)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return plain(n)
}

func TestSchemaTakesGoodFiles(t *testing.T) {
	s := compiledSchema(t)
	for name, src := range files(t, "good") {
		if err := s.Validate(instance(t, name, src)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// onlyDecoder marks bad files whose mistake is not one of structure.
const onlyDecoder = "# only the decoder sees this"

func TestSchemaRefusesBadStructure(t *testing.T) {
	s := compiledSchema(t)
	structural := 0
	for name, src := range files(t, "bad") {
		marked := strings.Contains(string(src), onlyDecoder)
		n, err := load(src)
		if err != nil {
			if !marked {
				t.Errorf("%s is no YAML and is not marked", name)
			}
			continue
		}
		refused := s.Validate(plain(n)) != nil
		if refused == marked {
			t.Errorf("%s: refused by the schema is %v, marked as seen by the decoder only is %v", name, refused, marked)
		}
		if refused {
			structural++
		}
	}
	if structural < 40 {
		t.Errorf("%d files are refused by the schema, want at least 40", structural)
	}
}

// Every key has a line that an editor can show.
func TestEveryKeyIsDescribed(t *testing.T) {
	var walk func(path string, s *shape)
	walk = func(path string, s *shape) {
		for _, k := range s.keys {
			if k.shape.doc == "" {
				t.Errorf("%s.%s has no description", path, k.name)
			}
			walk(path+"."+k.name, k.shape)
		}
		for _, a := range s.alts {
			walk(path, a)
		}
		if s.item != nil {
			walk(path+"[]", s.item)
		}
	}
	walk("", root)
}

// Every key that a variant names is one of its object.
func TestVariantsNameKnownKeys(t *testing.T) {
	for _, s := range []*shape{metric, claim, ready} {
		for _, v := range s.variants {
			for _, name := range append(v.takeable(), v.absent...) {
				if !contains(s.names(), name) {
					t.Errorf("the variant %q names the unknown key %q", v.what, name)
				}
			}
		}
	}
}

func TestSchemaIsTheSameEachTime(t *testing.T) {
	if !bytes.Equal(Schema(), Schema()) {
		t.Error("two calls of Schema differ")
	}
}
