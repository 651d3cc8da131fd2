package markup

import (
	"bytes"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"pgregory.net/rapid"
)

var firstCell = regexp.MustCompile(`(?s)<td>(.*?)</td>\s*<td>(.*?)</td>`)

// cellText renders a table with one row by an independent set-up of goldmark
// and gives the text of its first cell.
func cellText(t interface{ Fatalf(string, ...any) }, name string) string {
	var b bytes.Buffer
	md := "| a | b |\n|---|---|\n| " + Escape(name) + " | 7 |\n"
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(md), &b); err != nil {
		t.Fatalf("converting %q: %v", md, err)
	}
	m := firstCell.FindStringSubmatch(b.String())
	if m == nil || m[2] != "7" {
		t.Fatalf("the row of %q became\n%s", md, b.String())
	}
	if strings.Contains(m[1], "<") {
		t.Fatalf("%q became markup: %s", name, m[1])
	}
	return html.UnescapeString(m[1])
}

func TestEscapedNamesAreShownExactly(t *testing.T) {
	for _, file := range []string{"testdata/metacharacters.txt", "testdata/hostile.txt"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
			if got := cellText(t, name); got != name {
				t.Errorf("%q is shown as %q, from %q", name, got, Escape(name))
			}
		}
	}
	if got := cellText(t, "two\nlines"); got != "two lines" {
		t.Errorf("a line break is shown as %q", got)
	}
}

func TestEscapeKeepsWhatIsHarmless(t *testing.T) {
	for _, s := range []string{"two-cpus", "force_generic_plan", "1.10", "a = b (c), d!", "0.66×", "größe"} {
		if got := Escape(s); got != s {
			t.Errorf("Escape(%q) = %q", s, got)
		}
	}
}

func TestEscapeAnyText(t *testing.T) {
	alphabet := []rune("ab1 \\`*_[]()<>|~$&#+-=:.)!{}@;/\"'x·é")
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOfN(rapid.SampledFrom(alphabet), 1, 14, -1).Draw(t, "name")
		if strings.TrimSpace(name) == "" {
			t.Skip("blank")
		}
		if got := cellText(t, name); got != name {
			t.Fatalf("%q is shown as %q, from %q", name, got, Escape(name))
		}
	})
}

func TestFenceIsLongerThanAnyInside(t *testing.T) {
	data, err := os.ReadFile("testdata/fences.txt")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	md := Fence("", string(data)) + "\n\n## After\n"
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(md), &b); err != nil {
		t.Fatal(err)
	}
	want := "<pre><code>" + strings.ReplaceAll(html.EscapeString(string(data)), "&#34;", "&quot;") + "</code></pre>\n<h2>After</h2>\n"
	if b.String() != want {
		t.Errorf("the fence became\n%s\nwant\n%s", b.String(), want)
	}
}
