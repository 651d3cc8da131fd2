package markup

import (
	"html"
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestHighlight(t *testing.T) {
	tests := []struct{ lang, code, want string }{
		{"yaml", "a: 1 # <b>\n", `<span class="hc"># &lt;b&gt;</span>`},
		{"sh", "# why\necho \"$x\"", `<span class="hc"># why`},
		{"go", "func f() { return \"x\" }", `<span class="hk">func</span> <span class="ht">f</span>() { <span class="hk">return</span> <span class="hs">&#34;x&#34;</span> }`},
		{"Python", "def f(): return 1", `<span class="hk">def</span>`},
		{"json", `{"a": 1}`, `<span class="hn">1</span>`},
		{"nothing-known", "<script>", "&lt;script&gt;"},
		{"", "x", "x"},
	}
	for _, tt := range tests {
		if got := Highlight(tt.lang, tt.code); !strings.Contains(got, tt.want) {
			t.Errorf("Highlight(%q, %q) is\n%s\nwant in it\n%s", tt.lang, tt.code, got, tt.want)
		}
	}
}

func TestEveryLanguageShowsTheTextAsItIs(t *testing.T) {
	codes := []string{"", "\n", "x", "a \"b\n'c' </code><script>alert(1)</script>\n\n\n", "\t# é 日本 \u2028 ```\n", "{{ ) ] // /* \n", strings.Repeat("(", 3000)}
	for _, lang := range slices.Sorted(maps.Keys(languages)) {
		for _, code := range codes {
			shown := Highlight(lang, code)
			for _, class := range []string{"hc", "hk", "hs", "hn", "ht"} {
				shown = strings.ReplaceAll(shown, `<span class="`+class+`">`, "")
			}
			shown = html.UnescapeString(strings.ReplaceAll(shown, "</span>", ""))
			if strings.TrimRight(shown, "\n") != strings.TrimRight(code, "\n") {
				t.Errorf("%s shows %.60q as %.60q", lang, code, shown)
			}
		}
	}
}
