package experiment

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"
)

// mark is the character whose place is looked for; no other text has it.
const mark = '§'

// scalarStyles write a text as a YAML scalar in different ways. A text of
// several words may be broken between them where a style allows it.
var scalarStyles = map[string]func(t *rapid.T, words []string) string{
	"plain":         func(_ *rapid.T, words []string) string { return strings.Join(words, " ") },
	"plain, broken": func(_ *rapid.T, words []string) string { return strings.Join(words, "\n    ") },
	"single": func(_ *rapid.T, words []string) string {
		return "'" + strings.ReplaceAll(strings.Join(words, "'"), "'", "''") + "'"
	},
	"single, broken": func(_ *rapid.T, words []string) string { return "'" + strings.Join(words, "\n    ") + "'" },
	"double":         doubleQuoted,
	"double, broken": func(_ *rapid.T, words []string) string { return `"` + strings.Join(words, "\n    ") + `"` },
	"double, joined": func(_ *rapid.T, words []string) string { return `"` + strings.Join(words, "\\\n    ") + `"` },
	"literal":        func(_ *rapid.T, words []string) string { return "|\n    " + strings.Join(words, "\n    ") },
	"folded":         func(_ *rapid.T, words []string) string { return ">-\n    " + strings.Join(words, "\n    ") },
}

// doubleQuoted escapes some of the characters in one of the ways of YAML.
func doubleQuoted(t *rapid.T, words []string) string {
	var b strings.Builder
	for _, r := range strings.Join(words, "\t") {
		switch how := rapid.IntRange(0, 3).Draw(t, "how"); {
		case r == '\t':
			b.WriteString(`\t`)
		case r == mark || how == 0:
			b.WriteRune(r)
		case how == 1:
			fmt.Fprintf(&b, `\u%04x`, r)
		case how == 2:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\x%02x`, min(r, 0xff))
		}
	}
	return `"` + b.String() + `"`
}

// The place of a character of a value is where it stands in the file.
func TestPlacesInScalars(t *testing.T) {
	for name, write := range scalarStyles {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				words := rapid.SliceOfN(rapid.StringMatching(`[a-zäö]{1,5}`), 1, 4).Draw(t, "words")
				i := rapid.IntRange(0, len(words)-1).Draw(t, "word")
				k := rapid.IntRange(0, 1).Draw(t, "end")
				words[i] = []string{string(mark) + words[i], words[i] + string(mark)}[k]
				src := "first: x\nkey: " + write(t, words) + "\nlast: y\n"
				root, err := load([]byte(src))
				if err != nil {
					t.Fatalf("%q: %v", src, err)
				}
				r := &reader{file: "x.yaml", lines: splitLines(src)}
				n := lookup(root, "key")
				at := r.within(n, strings.IndexRune(n.Value, mark))
				line := []rune(r.lines[at.Line-1])
				if at.Col > len(line) || line[at.Col-1] != mark {
					t.Fatalf("%q in\n%s\nis placed at %v", n.Value, src, at)
				}
			})
		})
	}
}

// Arguments of a split command are placed in the command.
func TestPlacesInSplitCommands(t *testing.T) {
	src := "fieldbook: 1\ncommands:\n  a: 'go ''{one}'' \"x y\"{two} b\\ {three}'\n"
	_, problems := Read("x", "x.yaml", []byte(src))
	lines := strings.Split(src, "\n")
	for i, name := range []string{"one", "two", "three"} {
		if i >= len(problems) {
			t.Fatalf("%d problems, want 3: %v", len(problems), problems)
		}
		at := problems[i].Pos
		if at.Line != 3 || !strings.HasPrefix(lines[2][at.Col-1:], name) {
			t.Errorf("the name %s is placed at %v", name, at)
		}
	}
}

func TestCommentAfterAScalar(t *testing.T) {
	tests := map[string]string{
		"key: a #b":            "1:8",
		"key: a b   # c":       "1:12",
		"key: ä ö # c":         "1:10",
		"key: a\n  b c # d":    "2:7",
		"key: a\n\n  b # d":    "3:5",
		"key: a":               "",
		"key: 'a' # b":         "",
		"key: \"a # b\"":       "",
		"key: a#b":             "",
		"key: [a] # b":         "",
		"key: |\n  a # b":      "",
		"key: a\n# b\nkey2: c": "",
	}
	for src, want := range tests {
		root, err := load([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		r := &reader{lines: splitLines(src)}
		n := lookup(root, "key")
		if n.Kind == yaml.SequenceNode {
			n = n.Content[0]
		}
		got := ""
		if at, ok := r.comment(n); ok {
			got = fmt.Sprintf("%d:%d", at.Line, at.Col)
		}
		if got != want {
			t.Errorf("%q: the comment begins at %q, want %q", src, got, want)
		}
	}
}
