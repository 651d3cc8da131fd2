package experiment

import "go.yaml.in/yaml/v4"

// tidy walks through the tree, refuses what the format does not use of YAML
// (aliases, anchors, tags, merge keys, keys that are no texts, repeated
// keys), and leaves a tree of plain mappings, lists and scalars.
func (r *reader) tidy(n *yaml.Node) {
	switch {
	case n.Kind == yaml.AliasNode:
		r.Errorf(r.at(n), "%q is an alias, which this format does not use", "*"+n.Value)
		r.Hint("put a value that begins with * in double quotes")
		*n = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "*" + n.Value, Line: n.Line, Column: n.Column}
		r.patched[[2]int{n.Line, n.Column}] = true
	case n.Anchor != "":
		r.Errorf(r.at(n), "%q is an anchor, which this format does not use", "&"+n.Anchor)
		r.Hint("put a value that begins with & in double quotes")
		r.patched[[2]int{n.Line, n.Column}] = true
	case n.Style&yaml.TaggedStyle != 0:
		r.Errorf(r.at(n), "%q is a tag, which this format does not use", n.Tag)
		r.Hint("put a value that begins with ! in double quotes")
		r.patched[[2]int{n.Line, n.Column}] = true
	}
	if n.Kind == yaml.MappingNode {
		r.tidyKeys(n)
	}
	for _, c := range n.Content {
		r.tidy(c)
	}
}

// tidyKeys removes entries whose key is no text or stands a second time.
func (r *reader) tidyKeys(n *yaml.Node) {
	first := map[string]int{}
	var content []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		line, again := first[k.Value]
		switch {
		case k.Kind != yaml.ScalarNode:
			r.Errorf(r.at(k), "a key is %s, want a text", kindName(k))
		case k.Tag == "!!merge":
			r.Errorf(r.at(k), "%q is a merge key, which this format does not use", "<<")
		case isMissing(k):
			r.Errorf(r.at(k), "a key is missing before the colon")
		case again:
			r.Errorf(r.at(k), "duplicate key %q, first on line %d", k.Value, line)
		default:
			first[k.Value] = k.Line
			content = append(content, k, n.Content[i+1])
		}
	}
	n.Content = content
}
