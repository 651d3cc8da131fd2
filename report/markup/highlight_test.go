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
		{"yaml", "a: {from: call, unit: ms, says: One is faster., n: 3}", `<span class="ht">a</span>: {<span class="ht">from</span>: call, <span class="ht">unit</span>: ms, <span class="ht">says</span>: One is faster., <span class="ht">n</span>: <span class="hn">3</span>}`},
		{"yaml", "a:\n  - b c: 'it''s' # why\n  - http://x:80/#y true\n", `- <span class="ht">b c</span>: <span class="hs">&#39;it&#39;&#39;s&#39;</span> <span class="hc"># why</span>` + "\n  - http://x:80/#y true"},
		{"yaml", "a: |\n  x: 1\n\n  # y\nb: true", "<span class=\"ht\">a</span>: |\n<span class=\"hs\">  x: 1\n\n  # y</span>\n<span class=\"ht\">b</span>: <span class=\"hk\">true</span>"},
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
