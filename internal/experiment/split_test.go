package experiment

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		src  string
		want []string
	}{
		{`printf '<%s>\n' 'a b' "c d" e\ f`, []string{"printf", `<%s>\n`, "a b", "c d", "e f"}},
		{"fd -e jpg . /usr", []string{"fd", "-e", "jpg", ".", "/usr"}},
		{"  a \t b\n", []string{"a", "b"}},
		{`a '' ""`, []string{"a", "", ""}},
		{`a'b'"c"d`, []string{"abcd"}},
		{`a "x\"y\\z\a"`, []string{"a", `x"y\z\a`}},
		{`a '|><&;*?$()~#'`, []string{"a", "|><&;*?$()~#"}},
		{`a "|><&;*?()~#"`, []string{"a", "|><&;*?()~#"}},
		{`a \| \$HOME \*`, []string{"a", "|", "$HOME", "*"}},
		{"a b#c d~e", []string{"a", "b#c", "d~e"}},
		{"a --x=1 y=2", []string{"a", "--x=1", "y=2"}},
		{"a {n} x{share(calls, n, client)}y", []string{"a", "{n}", "x{share(calls, n, client)}y"}},
		{`a {if(mode == "fast", 1, 2)}`, []string{"a", `{if(mode == "fast", 1, 2)}`}},
		{"a {{b c}}", []string{"a", "{{b", "c}}"}},
		{"[ -f x ]", []string{"[", "-f", "x", "]"}},
		{"a \\\n b", []string{"a", "b"}},
		{"ünï 'cödé x'", []string{"ünï", "cödé x"}},
	}
	for _, tt := range tests {
		words, err := split(tt.src)
		var got []string
		for _, w := range words {
			got = append(got, w.text)
		}
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%q is split into %q (%v), want %q", tt.src, got, err, tt.want)
		}
	}
}

func TestSplitRefusesWhatOnlyAShellCanDo(t *testing.T) {
	tests := []struct {
		src   string
		off   int
		names string
	}{
		{"a | b", 2, "|"}, {"a > b", 2, ">"}, {"a < b", 2, "<"}, {"a && b", 2, "&"}, {"a &", 2, "&"}, {"a; b", 1, ";"},
		{"a *.c", 2, "*"}, {"a x?", 3, "?"}, {"a $HOME", 2, "$"}, {"a `b`", 2, "`"}, {"a (b)", 2, "("}, {"a b)", 3, ")"},
		{"a ~/x", 2, "~"}, {"a # b", 2, "#"}, {"a x[12]", 3, "["}, {"a\nb", 1, "line break"},
		{`a "$HOME"`, 3, "$"}, {"a \"`b`\"", 3, "`"}, {"LANG=C sort", 0, "LANG=C"},
		{"a 'b", 2, "single quote"}, {`a "b`, 2, "double quote"}, {`a b\`, 3, "backslash"}, {"", 0, "empty"}, {" ", 0, "empty"},
	}
	for _, tt := range tests {
		words, err := split(tt.src)
		if err == nil {
			t.Errorf("%q is split into %v, want an error", tt.src, words)
		} else if err.Off != tt.off || !strings.Contains(err.Msg, tt.names) {
			t.Errorf("%q gives %d: %s, want %d and the name %s", tt.src, err.Off, err.Msg, tt.off, tt.names)
		}
	}
}

// Whatever stands in single quotes arrives byte for byte.
func TestQuotedWordsArriveWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringOf(rapid.SampledFrom([]rune("ab |$*\\\"\n#~;&()ü"))), 1, 5).Draw(t, "words")
		var quoted []string
		for _, w := range words {
			quoted = append(quoted, "'"+w+"'")
		}
		got, err := split("x " + strings.Join(quoted, " "))
		if err != nil || len(got) != len(words)+1 {
			t.Fatalf("%q is split into %v (%v)", quoted, got, err)
		}
		for i, w := range words {
			if got[i+1].text != w || len(got[i+1].offs) != len(w)+1 {
				t.Fatalf("the word %q arrives as %q", w, got[i+1].text)
			}
		}
	})
}

func FuzzSplit(f *testing.F) {
	for _, src := range []string{`printf '<%s>\n' 'a b' "c d" e\ f`, "a {x} {{", "{", `a "\`, "a|b", "[ x ]", "X=1 y"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		words, err := split(src)
		if err != nil {
			if err.Off < 0 || err.Off > len(src) || err.Msg == "" {
				t.Fatalf("%q gives the error %#v", src, err)
			}
			return
		}
		for _, w := range words {
			for i, off := range w.offs {
				if off > len(src) || i < len(w.text) && src[off] != w.text[i] {
					t.Fatalf("%q: byte %d of the word %q does not stand at %d", src, i, w.text, off)
				}
			}
		}
	})
}
