package report

import (
	"slices"
	"strings"
	"testing"

	"fieldbook/analysis"
)

func TestFrontMatter(t *testing.T) {
	front, problems := ReadFrontMatter("w.md", []byte("\uFEFF---\r\ntitle: 1.10\r\nuses: [order, 1.10]\r\nsessions: [20261130T120400Z-a]\r\n---\r\ntext\n"))
	if len(problems) > 0 || front.Title != "1.10" || !slices.Equal(front.Uses, []string{"order", "1.10"}) || !slices.Equal(front.Sessions, []string{"20261130T120400Z-a"}) {
		t.Errorf("front matter is %+v, %v", front, problems)
	}
	for _, text := range []string{"", "text", "----\ntitle: a\n----\n", " ---\ntitle: a\n---\n", "---"} {
		if front, problems := ReadFrontMatter("w.md", []byte(text)); front.Title != "" || len(problems) > 0 {
			t.Errorf("front matter of %q is %+v, %v", text, front, problems)
		}
	}
}

func TestTitle(t *testing.T) {
	for _, tt := range []struct{ text, want, gone string }{
		{"---\ntitle: Own title\n---\n# Own *title*\n\ntext", "Own title", "Own *title*"},
		{"# Own *title*\n\ntext", "Own title", "Own *title*"},
		{"Own\ntitle\n===\n\ntext", "Own title", "==="},
		{"text\n\n# Later\n", "Two ways to toss a coin", "Own"},
	} {
		doc := build(t, Source{Name: "coin", Result: coin().result(), Writeup: []byte(tt.text), File: "w.md"})
		md := string(doc.Markdown())
		first, rest, _ := strings.Cut(md, "\n")
		if first != "# "+tt.want || strings.Contains(rest, tt.gone) || !strings.Contains(rest, "text") {
			t.Errorf("the writeup %q begins %q, then\n%.200s", tt.text, first, rest)
		}
	}
}

// A heading that says something else than the declared title is a section: it
// stands in the page, has a number and can be referred to.
func TestAHeadingBesideADeclaredTitleStays(t *testing.T) {
	text := "---\ntitle: Front\nnumbered: true\n---\n# Own\n\nSee {ref}`own`.\n\n## Part\n\n# Next\n"
	doc := build(t, Source{Name: "coin", Result: coin().result(), Writeup: []byte(text), File: "w.md"})
	md, page := string(doc.Markdown()), string(doc.HTML())
	for _, want := range []string{"# Front\n", "# 1 Own\n", "[section 1](#own)", "## 1.1 Part\n", "# 2 Next\n"} {
		if !strings.Contains(md, want) {
			t.Errorf("no %q in\n%.600s", want, md)
		}
	}
	if !strings.Contains(page, `<h2 id="own"><span class="secno">1</span> Own</h2>`) {
		t.Error("the heading is not in the page")
	}
}

func TestValuesInHeadingsStandInTheContents(t *testing.T) {
	text := []byte("## A cup takes {value}`geomean elapsed way=cup as=value`\n\n## And then\n\n### Not this\n")
	doc := build(t, Source{Name: "coin", Result: coin().result(), Writeup: text, File: "w.md"})
	want := []entry{{"a-cup-takes", "A cup takes 23.6 ms"}, {"and-then", "And then"}, {"for-the-record", "For the record"}}
	if !slices.Equal(doc.contents, want) {
		t.Errorf("the contents are %v, want %v", doc.contents, want)
	}
}

func TestPictures(t *testing.T) {
	text := []byte("---\ntitle: a\n---\n![the set-up](figures/set%20up.png) ![again](figures/set%20up.png) ![web](https://example.org/x.png)\n")
	if got := PicturesOf(text); !slices.Equal(got, []string{"figures/set up.png"}) {
		t.Errorf("the pictures are %q", got)
	}
	doc, problems := Build(Source{Name: "coin", Result: coin().result(), Writeup: text, File: "w.md", Pictures: map[string][]byte{"figures/set up.png": []byte("png")}})
	if problems.Errors() != 1 {
		t.Errorf("problems are %v", problems)
	}
	if page := string(doc.HTML()); !strings.Contains(page, `<img src="data:image/png;base64,cG5n" alt="the set-up">`) {
		t.Error("the picture is not in the page")
	}
	if md := string(doc.Markdown()); !strings.Contains(md, "![the set-up](figures/set%20up.png)") || !strings.Contains(md, `\!\[web](https://example.org/x.png)`) {
		t.Errorf("the Markdown is %s", md)
	}
	if string(doc.Files()["figures/set up.png"]) != "png" {
		t.Error("the picture is not among the files")
	}
}

func TestOneQuantityReadsTheSameEverywhere(t *testing.T) {
	text := []byte("{value}`geomean elapsed way=cup` {value}`ratio elapsed way=cup / way=hand`\n\n```{table} treatments\n```\n\n```{table} comparisons\n:compare: way=cup / way=hand\n```\n\n```{plot} forest\n```\n")
	doc := build(t, Source{Name: "coin", Result: coin().result(), Writeup: text, File: "w.md"})
	md := string(doc.Markdown())
	for text, times := range map[string]int{"23.6": 2, "[21.7, 25.6]": 2, "1.18× [1.07, 1.29]": 3} {
		if n := strings.Count(md, text); n < times {
			t.Errorf("%q stands %d times in\n%s", text, n, md)
		}
	}
	if !strings.Contains(string(doc.figures[0].Figure.SVG), "1.18×") {
		t.Error("the figure writes the ratio otherwise")
	}
}

func TestClaimsOfTheExperimentsThatWhereNames(t *testing.T) {
	mine := pipelining()
	mine.claims = append(mine.claims, ratioClaim("mine", "Mine holds.", "communication=queue sessions=1 / communication=threaded sessions=1", "<", 1))
	heads, tails := coin(), coin()
	heads.name, tails.name = "heads", "tails"
	uses := map[string]*analysis.Result{"heads": heads.result(), "tails": tails.result()}
	text := []byte("---\nuses: [heads, tails]\n---\n\n```{claims}\n:where: experiment=pipelining,tails\n```\n")
	d := build(t, Source{Name: mine.name, Result: mine.result(), Uses: uses, Writeup: text, File: "w.md", Version: "0.1"})
	got := string(d.Markdown())
	if !strings.Contains(got, "Mine holds.") || !strings.Contains(got, "experiment tails") || strings.Contains(got, "experiment heads") {
		t.Errorf("want the claims of pipelining and of tails alone:\n%s", got)
	}
}

// What a person writes into a directive is shown, its roles with it, also
// where the part has no caption.
func TestTextWithinAPartIsShown(t *testing.T) {
	for _, name := range directiveNames {
		if name == "plot" || name == "table" || name == "listing" || name == "details" {
			continue // they have a caption, or hold text
		}
		text := "```{" + name + "}\nWords for " + name + ", {value}`n elapsed way=cup` trials.\n```\n"
		doc := build(t, Source{Name: "coin", Result: coin().result(), Writeup: []byte(text), File: "w.md"})
		want := "Words for " + name + ", 6 trials."
		if md := string(doc.Markdown()); strings.Count(md, want) != 1 {
			t.Errorf("%q stands %d times in the Markdown of {%s}", want, strings.Count(md, want), name)
		}
		if page := string(doc.HTML()); strings.Count(page, "Words for "+name) != 1 {
			t.Errorf("the text within {%s} is not in the page", name)
		}
	}
}
