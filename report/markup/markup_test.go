package markup

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// echo shows what stands where, as a caller's parts would.
type echo struct{ w *Writeup }

func (e echo) Role(r *Role) string { return "«" + r.Name + ":" + r.Body + "»" }
func (e echo) Directive(d *Directive) string {
	return "«" + d.Name + " " + d.Argument + "»\n«" + e.w.InlineMarkdown(d, e) + "»"
}
func (e echo) Around(d *Directive) (before, after string) {
	return "«" + d.Argument + "»\n", "«/»\n"
}
func (e echo) Picture(l *Link) string {
	if l.Target == "setup.png" {
		return "data:image/png;base64,AAAA"
	}
	return ""
}

func TestHTML(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"a role in prose", "It takes {value}`median wall` here.", "<p>It takes «value:median wall» here.</p>"},
		{"a role over two lines", "It takes {value}`median\nwall` here.", "<p>It takes «value:median wall» here.</p>"},
		{"a role with two backticks", "{value}``a ` b``", "<p>«value:a ` b»</p>"},
		{"an escaped brace is no role", "\\{value}`x`", "<p>{value}<code>x</code></p>"},
		{"a role in code is code", "`` {value}`x` ``", "<p><code>{value}`x`</code></p>"},
		{"a code span after a set is code", "{1,2}`x`", "<p>{1,2}<code>x</code></p>"},
		{"a role in a table's cell", "| a |\n|---|\n| {value}`x` |", "<td>«value:x»</td>"},
		{"a bar in a role in a table's cell", "| a |\n|---|\n| {value}`x\\|y \\\\` |\n\n{value}`x\\|y`", "<td>«value:x|y \\\\»</td>\n</tr>\n</tbody>\n</table></div>\n<p>«value:x\\|y»</p>"},
		{"a type parameter stays visible", "a vector<int> b", "<p>a vector&lt;int&gt; b</p>"},
		{"raw HTML stays visible", "<div onclick=x>\nhello\n</div>", "<p class=\"raw\">&lt;div onclick=x&gt;\nhello\n&lt;/div&gt;</p>"},
		{"a comment is not shown", "a <!-- b --> c", "<p>a  c</p>"},
		{"a block comment is not shown", "<!-- b -->\n\nc", "<p>c</p>"},
		{"text behind a comment is shown", "<!-- b --> <script>x</script>", "<p class=\"raw\"> &lt;script&gt;x&lt;/script&gt;</p>"},
		{"an unfinished comment is shown", "<!-- b", "<p class=\"raw\">&lt;!-- b</p>"},
		{"headings begin at level 2", "# Größe µs", "<h2 id=\"größe-µs\">Größe µs</h2>"},
		{"sections of level 1 move the others down", "# A\n\n## B", "<h2 id=\"a\">A</h2>\n<h3 id=\"b\">B</h3>"},
		{"a character that turns the direction is not shown", "a \u202eb\u2066 \u200fc", "<p>a \uFFFDb\uFFFD \u200fc</p>"},
		{"a dangerous link is text", "[go](javascript:alert(1))", "<p>[go](javascript:alert(1))</p>"},
		{"a dangerous link with an entity is text", "[go](javascript&colon;alert(1))", "<p>[go](javascript:alert(1))</p>"},
		{"a dangerous autolink is text", "<javascript:alert(1)>", "<p>&lt;javascript:alert(1)&gt;</p>"},
		{"a good link is a link", "[a](https://example.org \"t\")", `<p><a href="https://example.org" title="t">a</a></p>`},
		{"a link to another experiment names its page", "[a](../order-2/) [b](../order/#claims)", `<p><a href="../order-2/index.html">a</a> <a href="../order/index.html#claims">b</a></p>`},
		{"a link to no experiment stays", "[a](../../data/order/) [b](../x.csv) [c](order/)", `<p><a href="../../data/order/">a</a> <a href="../x.csv">b</a> <a href="order/">c</a></p>`},
		{"a picture from elsewhere is text", "![i](https://example.org/x.png)", "<p>![i](https://example.org/x.png)</p>"},
		{"a picture beside the writeup", "![i](setup.png)", `<p><img src="data:image/png;base64,AAAA" alt="i"></p>`},
		{"a role in a picture's text", "![i {value}`x`](setup.png)", `alt="i «value:x»"`},
		{"a task", "- [x] done", "☑ done"},
		{"an alert", "> [!NOTE]\n> mind", "<div class=\"alert note\" role=\"note\" aria-label=\"Note\"><p class=\"alert-head\">Note</p>\n<p>mind</p>\n</div>"},
		{"a quote", "> [!NOTHING]\n> mind", "<blockquote>"},
		{"a footnote", "a[^1]\n\n[^1]: b", `id="fn:1"`},
		{"a directive", "```{plot} points\n:metric: wall\n\nA *caption* with {value}`x`.\n```", "«plot points»\n«A *caption* with «value:x».»"},
		{"a directive of tildes", "~~~{claims}\n~~~", "«claims »"},
		{"a folded part holds blocks", "````{details} More\n:name: x\n\n- a {value}`x`\n\n```{plot} y\n```\n\n```go\nx\n```\n````\n\nafter", "«More»\n<ul>\n<li>a «value:x»</li>\n</ul>\n«plot y»\n«»<pre tabindex=\"0\"><code>x\n</code></pre>\n«/»\n<p>after</p>"},
		{"a folded part ends with its text", "```{details} More\nlast\n```", "«More»\n<p>last</p>\n«/»\n"},
		{"tables of the same heads have names of their own", "|a|b|\n|-|-|\n|1|2|\n\n|a|b|\n|-|-|\n|3|4|", "aria-label=\"table: a, b (2)\""},
		{"other fences stay code", "```go\nx\n```", "<pre tabindex=\"0\"><code>x\n</code></pre>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, _ := Parse("w.md", []byte(tt.in), 0)
			w.AssignIDs(&IDs{})
			if got := w.HTML(w.Root, echo{w}); !strings.Contains(got, tt.want) {
				t.Errorf("HTML of %q is\n%s\nwant in it\n%s", tt.in, got, tt.want)
			}
		})
	}
}

func TestMarkdown(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"all else stays as written", "a  *b*\n\n* c\n+ d\n\n`x|y`\n", "a  *b*\n\n* c\n+ d\n\n`x|y`\n"},
		{"a role", "It takes {value}`median\nwall` here.", "It takes «value:median wall» here."},
		{"a directive in a list keeps its indent", "- a\n\n  ```{plot} x\n  cap\n  ```\n- b", "- a\n\n  «plot x»\n  «cap»\n- b"},
		{"a directive in a quote keeps its mark", "> ```{plot} x\n> cap\n> ```\n", "> «plot x»\n> «cap»\n"},
		{"a folded part", "a\n\n```{details} More\n:name: x\nIn {value}`x` it.\n```\nb\n", "a\n\n«More»\n\nIn «value:x» it.\n\n«/»\n\nb\n"},
		{"text that touches a directive stays apart", "a\n```{plot} x\n```\n```{plot} y\n```\nb\n", "a\n\n«plot x»\n«»\n\n«plot y»\n«»\n\nb\n"},
		{"so it does in a quote", "> a\n> ```{plot} x\n> ```\n> b\n", "> a\n> \n> «plot x»\n> «»\n> \n> b\n"},
		{"text that touches a folded part stays apart", "a\n```{details} More\nin\n```\n- b\n", "a\n\n«More»\n\nin\n\n«/»\n\n- b\n"},
		{"so it does behind a list's item", "- ```{plot} x\n  ```\nb\n", "- «plot x»\n  «»\n  \nb\n"},
		{"a folded part in a quote keeps its mark", "> ```{details} More\n> in\n> ```\n", "> «More»\n> \n> in\n> \n> «/»\n"},
		{"raw HTML is escaped", "a vector<int> b", "a vector\\<int> b"},
		{"an HTML block is escaped", "<div>\n  *hello*\n</div>\n", "\\<div>\n\\*hello\\*\n\\</div>\n"},
		{"comments go", "a <!-- b --> c", "a  c"},
		{"a dangerous link is escaped", "[go](javascript:alert(1))", "\\[go](javascript:alert(1))"},
		{"a missing picture is escaped", "![go](nothing.png)", "\\!\\[go](nothing.png)"},
		{"a heading with a value gets an anchor", "a\n\n## Rose by {value}`x` here\n", "a\n\n<a id=\"rose-by-here\"></a>\n\n## Rose by «value:x» here\n"},
		{"a heading without stays", "## Plain\n", "## Plain\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, _ := Parse("w.md", []byte(tt.in), 0)
			w.AssignIDs(&IDs{})
			if got := w.Markdown(echo{w}); got != tt.want {
				t.Errorf("Markdown of %q is\n%q\nwant\n%q", tt.in, got, tt.want)
			}
		})
	}
}

func TestPlacesCountCharactersFromTheBeginningOfTheFile(t *testing.T) {
	src := "---\ntitle: x\n---\nÄ µ {value}`mädian\nwall`\n\n> - ```{plot} points\n>   :metric: wall\n>   ```\n"
	w, problems := Parse("w.md", []byte(src), len("---\ntitle: x\n---\n"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	r, d := w.Roles[0], w.Directives[0]
	for _, tt := range []struct {
		what string
		off  int
		want string
	}{
		{"the role", r.Start, "w.md:4:5"},
		{"its text", r.At(0), "w.md:4:13"},
		{"its second word, on the next line", r.At(strings.Index(r.Body, "wall")), "w.md:5:1"},
		{"the directive", d.Start, "w.md:7:5"},
		{"its argument", d.ArgumentAt, "w.md:7:15"},
		{"an option's key", d.Options[0].KeyAt, "w.md:8:6"},
		{"an option's value", d.Options[0].ValueAt, "w.md:8:14"},
	} {
		if got := w.Pos(tt.off).String(); got != tt.want {
			t.Errorf("%s stands at %s, want %s", tt.what, got, tt.want)
		}
	}
	if got := w.Line(4); got != "Ä µ {value}`mädian" {
		t.Errorf("line 4 is %q", got)
	}
}

func TestProblemsOfForm(t *testing.T) {
	tests := []struct{ in, want string }{
		{"a {value}`x", "w.md:1:3: the role {value} has no closing `"},
		{"a\n\n```{plot}\nx", "w.md:3:1: the directive {plot} has no closing ```"},
		{"```{plot}\n:metric wall\n```", "w.md:2:1: an option of {plot} is a line `:key: value`"},
		{"x [go](javascript:alert(4))", `w.md:1:3: the target "javascript:alert(4)" cannot stand in a page; a page links by http:, https:, mailto: or a relative path`},
		{"![i](data:text/html;base64,PHNj)", `w.md:1:1: the target "data:text/html;base64,PHNj" cannot stand in a page; a page shows only pictures that lie beside its writeup, by a relative path`},
		{"ä \u202eb", "w.md:1:3: the character U+202E turns the direction of text and is not shown; take it out"},
		{"a\r\nä b\xe4r \xff", "w.md:2:4: the byte 0xe4 is not UTF-8; save the file as UTF-8"},
		{"\xff\xfe#\x00 \x00a\x00", "w.md:1:1: the file is UTF-16, want UTF-8; save it as UTF-8"},
		{"\x00#\x00 \x00a", "w.md:1:1: the file is UTF-16, want UTF-8; save it as UTF-8"},
		{"\xef\xbb\xbfa\r\nb \uFFFD", ""},
		{"a\n\n[^n]: b", `w.md:3:1: nothing refers to the footnote "n", so that it would vanish; refer to it by [^n] or take it out`},
	}
	for _, tt := range tests {
		_, problems := Parse("w.md", []byte(tt.in), 0)
		if got := problems.Error(); len(problems) > 0 && got != tt.want || len(problems) == 0 && tt.want != "" {
			t.Errorf("Parse(%q) reports\n%s\nwant\n%s", tt.in, got, tt.want)
		}
	}
}

func TestSlugsAreUniqueAndKeepLetters(t *testing.T) {
	var ids IDs
	ids.Reserve("results")
	var got []string
	for _, h := range []string{"Results", "Größe & µs", "", "Results", "日本 語", "a_b-c (d)"} {
		got = append(got, ids.Take(h))
	}
	want := []string{"results-1", "größe--µs", "section", "results-2", "日本-語", "a_b-c-d"}
	if !slices.Equal(got, want) {
		t.Errorf("ids are %q, want %q", got, want)
	}
}

var tags = regexp.MustCompile(`<(/?)([a-zA-Z!?][^\s>/]*)([^>]*)>`)

// known are the elements that a rendered writeup may hold.
var known = strings.Fields("a blockquote br code del div em span h2 h3 h4 h5 h6 hr img li ol p pre section strong sup table tbody td th thead tr ul")

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"a {value}`median wall` b", "```{plot} points\n:metric: wall\n\ncap {value}`x`\n```", "> - ```{table}\n>   ```\n",
		"<script>alert(1)</script>", "[a](javascript:x)\n[^1]\n\n[^1]: {ref}`x`", "| a |\n|--|\n| {v}`x\\|y` |", "<!-- a\n-->b<i>\n",
		"> [!NOTE]\n> x", "\t{v}`a`\n\x00\xff\r\n~~~{x}\n:a: b\n", "![<img>](x.png \"<b>\")", "# {v}`x` <b>\n===\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		w, problems := Parse("w.md", []byte(s), 0)
		w.AssignIDs(&IDs{})
		for _, p := range problems {
			if p.Pos.Line < 1 || p.Pos.Col < 1 {
				t.Errorf("problem without a place: %v", p)
			}
		}
		page := w.HTML(w.Root, echo{w})
		for _, m := range tags.FindAllStringSubmatch(strings.NewReplacer("«", "", "»", "").Replace(stripEcho(w, page)), -1) {
			if !slices.Contains(known, m[2]) {
				t.Errorf("element %q in the HTML of %q:\n%s", m[0], s, page)
			}
			if strings.Contains(m[3], " on") && strings.Contains(m[3], "= ") {
				t.Errorf("attribute in %q of %q", m[0], s)
			}
		}
		_ = w.Markdown(echo{w})
	})
}

// stripEcho takes out what the parts put in, which is not the renderer's.
func stripEcho(w *Writeup, page string) string {
	for _, r := range w.Roles {
		page = strings.ReplaceAll(page, (echo{w}).Role(r), "")
	}
	for _, d := range w.Directives {
		page = strings.ReplaceAll(page, (echo{w}).Directive(d), "")
	}
	return page
}
