package expr

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestExpand(t *testing.T) {
	tests := []struct{ src, want string }{
		{"", ""},
		{"plain", "plain"},
		{"{version}", "1.10"},
		{"{ version }", "1.10"},
		{"a{mode}b{n}", "afastb4"},
		{"{calls / n}", "250"},
		{"{calls / 3}", "333.3333333333333"},
		{"{n * 1000000000000}", "4000000000000"},
		{`{if(mode == "fast", 1, 2)}`, "1"},
		{`{if(mode == "}", 1, 2)}`, "2"},
		{"{{n}}", "{n}"},
		{"{{{n}}}", "{4}"},
		{`{{"a": {n}}}`, `{"a": 4}`},
		{"{latency.p99}", "2.5"},
		{"ü{mode}ü", "üfastü"},
	}
	for _, tt := range tests {
		tpl, err := ParseTemplate(tt.src)
		if err != nil {
			t.Errorf("ParseTemplate(%q): %v", tt.src, err)
			continue
		}
		if got, err := tpl.Expand(testEnv); err != nil || got != tt.want {
			t.Errorf("%q expands to %q (%v), want %q", tt.src, got, err, tt.want)
		}
		if tpl.String() != tt.src {
			t.Errorf("String() = %q, want %q", tpl.String(), tt.src)
		}
	}
}

func TestTemplateErrors(t *testing.T) {
	tests := []struct {
		src, msg string
		off      int
		hint     string
	}{
		{"a{", "the brace { is never closed", 1, "write {{ for a brace"},
		{"a}b", "a brace } that closes nothing", 1, "write }} for a brace"},
		{"ab{}", `cannot read "{}": an expression is missing`, 3, "write {{ for a brace"},
		{"awk '{print $1}'", `cannot read "{print $1}": unexpected '$'`, 12, "write {{ for a brace"},
		{"a{5}", `"{5}" mentions no name`, 1, "write {{ for a brace"},
		{"{1 = n}", `cannot read "{1 = n}": unexpected "="`, 3, "write == to compare; or write {{ for a brace"},
		{`{"a": 1}`, `cannot read "{\"a\": 1}": unexpected ':'`, 4, "write {{ for a brace"},
		{"x{n == 4}", `"{n == 4}" is a truth value, not a text`, 2, "write if(condition, a, b)"},
		{"xy{calls / zero}", `division by zero in "{calls / zero}"`, 9, ""},
		{"{mode * 2}", `"fast" is a text, not a number in "{mode * 2}"`, 1, ""},
		{"{wrong}", `unknown name "wrong" in "{wrong}"`, 1, ""},
	}
	for _, tt := range tests {
		tpl, err := ParseTemplate(tt.src)
		if err == nil {
			_, err = tpl.Expand(testEnv)
		}
		e, ok := errors.AsType[*Error](err)
		if !ok {
			t.Errorf("%q gives %v, want an error", tt.src, err)
		} else if e.Msg != tt.msg || e.Off != tt.off || e.Hint != tt.hint {
			t.Errorf("%q: %d: %s; %s, want %d: %s; %s", tt.src, e.Off, e.Msg, e.Hint, tt.off, tt.msg, tt.hint)
		}
	}
}

func TestTemplateNames(t *testing.T) {
	tpl, err := ParseTemplate("ab{x}c{{n}}{y + x}")
	if err != nil {
		t.Fatal(err)
	}
	want := []Name{{"x", 3}, {"y", 12}, {"x", 16}}
	got := tpl.Names()
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("Names() = %v, want %v", got, want)
	}
}

func lateTest(name string) bool {
	return name == "client" || name == "build" || strings.HasPrefix(name, "server.")
}

// Identities of recorded sessions are hashes of these texts.
func TestPartialPinned(t *testing.T) {
	tests := []struct{ src, want string }{
		{"--mode={mode}", "--mode=fast"},
		{"{build}/x", "{build}/x"},
		{"{server.address}", "{server.address}"},
		{"{calls / n}", "250"},
		{"{share(calls, n, client)}", "{share(calls, n, client) where calls=1000 n=4}"},
		{`{if(mode == "fast", client, n)}`, `{if(mode == "fast", client, n) where mode=fast n=4}`},
		{"{client + client}", "{client + client}"},
		{"{n + n + client}", "{n + n + client where n=4}"},
		{"{{n}}", "{{n}}"},
	}
	for _, tt := range tests {
		tpl, err := ParseTemplate(tt.src)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tpl.Partial(testEnv, lateTest); err != nil || got != tt.want {
			t.Errorf("%q is partly %q (%v), want %q", tt.src, got, err, tt.want)
		}
	}
}

func TestPartialTellsDifferentCommandsApart(t *testing.T) {
	partial := func(src string, levels map[string]string) string {
		tpl, err := ParseTemplate(src)
		if err != nil {
			t.Fatal(err)
		}
		s, err := tpl.Partial(levelEnv(levels), lateTest)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if a, b := partial("{x}", map[string]string{"x": "{build}"}), partial("{build}", nil); a == b {
		t.Errorf("a level that looks like a template and the template are both %q", a)
	}
	if a, b := partial("{client + a}", map[string]string{"a": "1"}), partial("{client + a}", map[string]string{"a": "2"}); a == b {
		t.Errorf("two values of an early name beside a late one are both %q", a)
	}
}

func TestPartialNeedsEarlyNames(t *testing.T) {
	for _, src := range []string{"{wrong}", "{client + wrong}"} {
		tpl, err := ParseTemplate(src)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := tpl.Partial(testEnv, lateTest); err == nil {
			t.Errorf("%q is partly %q, want an error", src, s)
		}
	}
}

// Any text can be written as a template: with its braces doubled.
func TestDoubledBracesAreBraces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("a{}\"\\' ü\n"))).Draw(t, "s")
		tpl, err := ParseTemplate(strings.NewReplacer("{", "{{", "}", "}}").Replace(s))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tpl.Expand(testEnv); err != nil || got != s {
			t.Fatalf("%q comes back as %q (%v)", s, got, err)
		}
	})
}
