package experiment

import (
	"bytes"
	"errors"
	"io"

	"go.yaml.in/yaml/v4"
)

// errSecond marks a second document in one file.
var errSecond = errors.New("a second document begins here")

// load reads exactly one document. Its content is nil where the file is
// empty.
func load(src []byte) (*yaml.Node, *yaml.LoadError) {
	loader, err := yaml.NewLoader(bytes.NewReader(src))
	if err != nil {
		return nil, loadError(err)
	}
	var doc, second yaml.Node
	if err := loader.Load(&doc); err == io.EOF {
		return &yaml.Node{Kind: yaml.MappingNode, Line: 1, Column: 1}, nil
	} else if err != nil {
		return nil, loadError(err)
	}
	if err := loader.Load(&second); err == nil {
		return nil, yaml.NewLoadError(yaml.ComposerStage, errSecond.Error(), markOf(&second), errSecond)
	} else if err != io.EOF {
		return nil, loadError(err)
	}
	if len(doc.Content) != 1 {
		return &yaml.Node{Kind: yaml.MappingNode, Line: 1, Column: 1}, nil
	}
	return doc.Content[0], nil
}

func markOf(n *yaml.Node) (m yaml.Mark) {
	m.Line, m.Column = n.Line, n.Column
	return m
}

func loadError(err error) *yaml.LoadError {
	if e, ok := errors.AsType[*yaml.LoadError](err); ok {
		return e
	}
	return yaml.NewLoadError(yaml.ParserStage, err.Error(), yaml.Mark{Line: 1, Column: 1}, err)
}
