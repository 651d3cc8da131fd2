package report

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"fieldbook/internal/diag"

	"go.yaml.in/yaml/v4"
)

// FrontMatter is the head of a writeup that decides which data it is shown.
type FrontMatter struct {
	Title    string
	Authors  []string // for those who cite the report
	Uses     []string
	UsesAt   []diag.Pos // where each of Uses stands
	Sessions []string
	// SessionsAt is where each of Sessions stands, SessionsKey their key.
	SessionsAt  []diag.Pos
	SessionsKey diag.Pos
	Machine     string // what numbers, tables and figures are of that name none; "": not said
	Numbered    bool   // sections have numbers

	machineAt diag.Pos // where it stands
}

// frontKeys are the keys that front matter may have.
var frontKeys = []string{"authors", "machine", "numbered", "sessions", "title", "uses"}

// ReadFrontMatter reads only the head: YAML between two lines `---` at the
// very beginning. Unknown keys, wrong types and YAML that cannot be read are
// reported, each at its place.
func ReadFrontMatter(file string, writeup []byte) (FrontMatter, diag.List) {
	var f FrontMatter
	var problems diag.List
	head, _, closed := splitHead(writeup)
	if head == nil {
		return f, nil
	}
	if !closed {
		problems.Errorf(diag.Pos{File: file, Line: 1, Col: 1}, "the front matter has no closing ---")
		return f, problems
	}
	var root yaml.Node
	if err := yaml.Unmarshal(head, &root); err != nil {
		at, text := unreadable(head, err)
		at.File = file
		problems.Errorf(at, "the front matter cannot be read as YAML: %s", text)
		return f, problems
	}
	if len(root.Content) > 0 {
		readHead(&f, root.Content[0], file, &problems)
	}
	return f, problems
}

// unreadable is where and why a head is no YAML.
func unreadable(head []byte, err error) (diag.Pos, string) {
	line, col := 1, 1
	for off, r := range string(head) {
		switch {
		case r == utf8.RuneError && !bytes.HasPrefix(head[off:], []byte("\uFFFD")):
			return diag.Pos{Line: line, Col: col}, fmt.Sprintf("the byte 0x%02x is no UTF-8", head[off])
		case unicode.IsControl(r) && !strings.ContainsRune("\t\r\n\u0085", r):
			return diag.Pos{Line: line, Col: col}, fmt.Sprintf("%U is a control character", r)
		case r == '\n':
			line, col = line+1, 0
		}
		col++
	}
	e, ok := errors.AsType[*yaml.LoadError](err)
	switch {
	case !ok || e.Mark.Line < 1:
		return diag.Pos{Line: 1, Col: 1}, strings.TrimPrefix(oneLine(err.Error()), "yaml: ")
	case e.ContextMark.Line > 0 && strings.Contains(e.ContextMsg, "quoted scalar") && strings.Contains(e.Message, "end of stream"):
		return diag.Pos{Line: e.ContextMark.Line, Col: e.ContextMark.Column}, "the quote opened here is never closed"
	}
	return diag.Pos{Line: e.Mark.Line, Col: e.Mark.Column}, oneLine(e.Message)
}

// splitHead gives the YAML of the front matter with its first line blank, so
// that its lines are those of the file, and how many bytes of the writeup it
// takes with its marks. nil: there is none.
func splitHead(writeup []byte) (head []byte, length int, closed bool) {
	text := bytes.TrimPrefix(writeup, []byte("\uFEFF"))
	bom := len(writeup) - len(text)
	first, rest, ok := bytes.Cut(text, []byte("\n"))
	if !ok || string(bytes.TrimRight(first, " \t\r")) != "---" {
		return nil, 0, false
	}
	at := bom + len(first) + 1
	head = []byte("\n")
	for len(rest) > 0 {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		size := len(rest) - len(after)
		at += size
		if mark := string(bytes.TrimRight(line, " \t\r")); mark == "---" || mark == "..." {
			return head, at, true
		}
		head = append(append(head, line...), '\n')
		rest = after
	}
	return head, at, false
}

func readHead(f *FrontMatter, n *yaml.Node, file string, problems *diag.List) {
	at := func(n *yaml.Node) diag.Pos { return diag.Pos{File: file, Line: n.Line, Col: n.Column} }
	if n.Kind != yaml.MappingNode {
		if n.Kind != yaml.ScalarNode || n.Value != "" {
			problems.Errorf(at(n), "front matter is %s, want keys and values", kindName(n))
		}
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if line, twice := seen[key.Value]; twice {
			problems.Errorf(at(key), "the key %q stands twice, first in line %d", key.Value, line)
			continue
		}
		seen[key.Value] = key.Line
		switch key.Value {
		case "title":
			f.Title = scalar(value, "title", at, problems)
		case "authors":
			f.Authors = scalars(value, "authors", at, problems)
		case "machine":
			f.Machine, f.machineAt = scalar(value, "machine", at, problems), at(value)
		case "numbered":
			f.Numbered = yes(value, "numbered", at, problems)
		case "uses":
			f.Uses = scalars(value, "uses", at, problems)
			f.UsesAt = places(value, at)[:len(f.Uses)]
		case "sessions":
			f.Sessions, f.SessionsKey = scalars(value, "sessions", at, problems), at(key)
			f.SessionsAt = places(value, at)[:len(f.Sessions)]
		default:
			problems.Errorf(at(key), "unknown key %q in the front matter", key.Value)
			problems.Hint("%s", diag.Meant(key.Value, frontKeys))
		}
	}
}

func scalar(n *yaml.Node, key string, at func(*yaml.Node) diag.Pos, problems *diag.List) string {
	if n.Kind != yaml.ScalarNode {
		problems.Errorf(at(n), "%s is %s, want a text", key, kindName(n))
		return ""
	}
	return n.Value
}

func yes(n *yaml.Node, key string, at func(*yaml.Node) diag.Pos, problems *diag.List) bool {
	if n.Kind != yaml.ScalarNode || n.Value != "true" && n.Value != "false" {
		problems.Errorf(at(n), "%s is %s, want true or false", key, kindName(n))
	}
	return n.Value == "true"
}

func scalars(n *yaml.Node, key string, at func(*yaml.Node) diag.Pos, problems *diag.List) []string {
	if n.Kind != yaml.SequenceNode {
		problems.Errorf(at(n), "%s is %s, want a list", key, kindName(n))
		problems.Hint("write %s: [%s]", key, map[string]string{"authors": "Name", "uses": "other-experiment", "sessions": "ID"}[key])
		return nil
	}
	var list []string
	for _, c := range n.Content {
		if s := scalar(c, "an entry of "+key, at, problems); s != "" {
			list = append(list, s)
		}
	}
	return list
}

// places is where each entry that scalars gives stands.
func places(n *yaml.Node, at func(*yaml.Node) diag.Pos) (list []diag.Pos) {
	for _, c := range n.Content {
		if c.Kind == yaml.ScalarNode && c.Value != "" {
			list = append(list, at(c))
		}
	}
	return list
}

func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	return fmt.Sprintf("%q", n.Value)
}

// oneLine keeps a message on its line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
