package theme

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"html/template"
	"regexp"
	"strings"
	"testing"
)

func TestPolicyAllowsExactlyWhatThePageHolds(t *testing.T) {
	page := string(Render(Page{Title: "a", Heading: "b", Style: ".fig{}"}))
	policy := html.UnescapeString(regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)[1])
	if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
		t.Errorf("the policy is %s", policy)
	}
	parts := regexp.MustCompile(`(?s)<(?:style|script)>(.*?)</(?:style|script)>`).FindAllStringSubmatch(page, -1)
	if len(parts) != 3 {
		t.Fatalf("%d styles and scripts, want 3", len(parts))
	}
	for _, p := range parts {
		sum := sha256.Sum256([]byte(p[1]))
		if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, want) {
			t.Errorf("the policy does not allow %.40q", p[1])
		}
	}
	if strings.Contains(page, ` style="`) || regexp.MustCompile(`(?i)\son[a-z]+="`).MatchString(page) {
		t.Error("a style or a handler in an attribute, which the policy forbids")
	}
}

func TestPageAsksNothingOfTheNetwork(t *testing.T) {
	for name, text := range map[string]string{"style": style, "script": script, "early": early, "page": page} {
		text = strings.ReplaceAll(text, "http://www.w3.org/2000/svg", "")
		for _, bad := range []string{"http:", "https:", "//www", "@import", "url(", "@font-face", "fetch(", "XMLHttpRequest", "sendBeacon"} {
			if strings.Contains(text, bad) {
				t.Errorf("%q in the %s", bad, name)
			}
		}
	}
}

func TestTextsAreEscaped(t *testing.T) {
	evil := `<script>x</script>"'`
	page := string(Render(Page{Title: evil, Over: evil, Lede: evil, Foot: evil, Contents: []Entry{{"#" + evil, evil}}, Home: &Entry{"javascript:alert(1)", evil},
		Facts: []template.HTML{"<b>1</b>"}, Banners: []template.HTML{"<b>2</b>"}}))
	if strings.Count(page, "<script>") != 2 || strings.Contains(page, `href="javascript:`) {
		t.Error("a text became markup")
	}
	if !strings.Contains(page, "<li><b>1</b></li>") || !strings.Contains(page, "<b>2</b></p>") {
		t.Error("what is HTML already was escaped again")
	}
}
