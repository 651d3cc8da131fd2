package experiment

import (
	"fmt"

	"go.yaml.in/yaml/v4"

	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
)

// choice reads a value that may stand under {by: FACTOR, LEVEL: value, ...}.
// The type parameter is that of Choice.
func choice[T any](r *reader, n *yaml.Node, value func(*yaml.Node) T) Choice[T] {
	if n == nil {
		return Choice[T]{}
	}
	c := Choice[T]{Pos: r.at(n), Set: true}
	by := lookup(n, "by")
	if by == nil {
		c.Plain = value(n)
		return c
	}
	c.By = plainText(by)
	c.Each = map[string]T{}
	for _, e := range entries(n) {
		if e.at.Value != "by" {
			c.Each[e.key] = value(e.value)
		}
	}
	return c
}

// template reads a string that may hold {…}.
func (r *reader) template(n *yaml.Node) Text {
	return r.templateOf(plainText(n), origin{node: n})
}

func (r *reader) templateOf(src string, o origin) Text {
	at := r.place(o, 0)
	t, err := expr.ParseTemplate(src)
	if err != nil {
		r.problem(o, err)
		t, _ = expr.ParseTemplate("")
	}
	r.origins[t] = o
	return Text{Template: t, Pos: at}
}

// textChoice is an optional string that may differ by a factor.
func (r *reader) textChoice(n *yaml.Node) *Choice[Text] {
	if n == nil {
		return nil
	}
	c := choice(r, n, r.template)
	return &c
}

// command reads a command: a list of arguments, or a string, which is split
// into arguments, or handed to a shell whole.
func (r *reader) command(n *yaml.Node, shell bool) Command {
	return Command{Shell: shell, Argv: choice(r, n, func(v *yaml.Node) []Text { return r.argv(v, shell) })}
}

func (r *reader) argv(n *yaml.Node, shell bool) []Text {
	switch {
	case n.Kind == yaml.MappingNode:
		return nil // {command, shell} that by chooses, read for each treatment; or reported by check
	case shell && n.Kind == yaml.SequenceNode:
		r.Errorf(r.at(n), "shell: true wants the command as one text")
		return nil
	case shell:
		return []Text{r.template(n)}
	case n.Kind == yaml.SequenceNode:
		var argv []Text
		for _, c := range items(n) {
			argv = append(argv, r.template(first(c)))
		}
		if len(argv) > 0 && argv[0].String() == "" {
			r.Errorf(r.at(n), "the program's name is empty")
		}
		return argv
	}
	return r.splitArgv(n)
}

func (r *reader) splitArgv(n *yaml.Node) []Text {
	if isMissing(n) {
		return nil
	}
	words, err := split(n.Value)
	if err != nil {
		if r.named != "" {
			err.Msg = fmt.Sprintf("%s: %s", short(r.named), err.Msg)
		}
		r.problem(origin{node: n}, err)
		return nil
	}
	var argv []Text
	for _, w := range words {
		argv = append(argv, r.templateOf(w.text, origin{n, w.offs}))
	}
	return argv
}

func (r *reader) optionalCommand(n *yaml.Node, shell bool) *Command {
	if n == nil {
		return nil
	}
	c := r.command(n, shell)
	return &c
}

// first is a value, or the first of those that by chooses from.
func first(n *yaml.Node) *yaml.Node {
	if lookup(n, "by") == nil {
		return n
	}
	for _, e := range entries(n) {
		if e.key != "by" {
			return first(e.value)
		}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Line: n.Line, Column: n.Column}
}

// isTrue is a truth value of the file.
func isTrue(n *yaml.Node) bool { return plainText(n) == "true" }

// environment reads variables.
func (r *reader) environment(n *yaml.Node) []EnvVar {
	if n == nil {
		return nil
	}
	var all []EnvVar
	for _, e := range entries(first(n)) {
		if !variableName(e.key) {
			r.Errorf(r.at(e.at), "%q cannot name a variable", short(e.key))
			r.Hint("letters, digits and _, no digit first; FIELDBOOK_ is reserved")
		}
		all = append(all, EnvVar{Name: e.key, Value: choice(r, e.value, r.template)})
	}
	return all
}

func variableName(s string) bool {
	for i, c := range s {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && (len(s) < 10 || s[:10] != "FIELDBOOK_")
}

// source reads `source`.
func (r *reader) source(x *Experiment, n *yaml.Node) {
	git, revision := lookup(n, "git"), lookup(n, "revision")
	if git != nil && revision != nil {
		x.Checkout = &Checkout{Git: r.template(git), Revision: r.template(revision)}
	}
}

// published reads `published`.
func (r *reader) published(x *Experiment, n *yaml.Node) {
	if n == nil {
		return
	}
	x.Published = &Published{File: plainText(lookup(n, "file")), Source: r.prose(lookup(n, "source")), Pos: r.at(n)}
	for _, f := range x.Factors {
		if contains(publishedColumns, f.Name) {
			r.Errorf(f.Pos, "the factor %q has the name of a column of published numbers", f.Name)
			r.Hint("columns: %s", list(publishedColumns))
		}
	}
}

// fileTop is the place for what is missing in the file as a whole.
func (r *reader) fileTop() diag.Pos { return diag.Pos{File: r.file, Line: 1, Col: 1} }
