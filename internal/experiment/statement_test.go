package experiment

import (
	"strings"
	"testing"
)

// The statements of all forms of claims, as a reader sees them.
func TestClaimStatements(t *testing.T) {
	want := map[string]string{
		"faster":      "ratio of elapsed, revision=v2 / revision=v1 where image=b, for each host, averaged over size, on published machines old-machine: < 1",
		"best":        "ratio of latency.p99.9, revision=v2 / other where image=b size=64, for each host: within 0.5..1.1",
		"all_pairs":   "ratio of wall, image=a / image=b in all pairs where size=64: > 0.5",
		"interaction": "ratio of wall, revision=v2 size=64 / revision=v1 size=64 against revision=v2 size=1 / revision=v1 size=1 where host=far image=b, for each tag: on both sides of 1",
		"median":      "median of wall where image=a revision=v1 size=1, for each host: < 100",
		"grows":       "slope of stored per doubling of size where image=b revision=v1, for each host: within 0.9..1.1",
		"linear":      "linear fit of stored over size where image=b revision=v1, for each host: within 0.1",
		"complete":    "always made == calls",
		"both":        "all of complete, faster",
		"known":       "untested: arithmetic",
		"noise":       "ratio of wall, control=B / control=A: within 0.95..1.05",
	}
	for _, c := range good(t, "everything.yaml").Claims {
		if got := ClaimStatement(c); got != want[c.Name] {
			t.Errorf("%s states\n%s\nwant\n%s", c.Name, got, want[c.Name])
		}
	}
}

const claimFile = `fieldbook: 1
factors: {n: [1, 2], mode: [fast, slow], m: [x, y]}
trial: {command: "./a {n} {mode} {m}"}
claims:
  c: {says: One., metric: wall, compare: n=2 / n=1, where: {mode: fast, m: x}, expect: ratio < 1.10}
`

func claimHash(t *testing.T, from, to string) string {
	t.Helper()
	if !strings.Contains(claimFile, from) {
		t.Fatalf("the file has no %q", from)
	}
	return ClaimHash(read(t, strings.Replace(claimFile, from, to, 1)).Claims[0])
}

// Sessions record these hashes: a changed one makes a claim post hoc.
func TestClaimHashPinned(t *testing.T) {
	if got := claimHash(t, "c:", "c:"); got != pinnedClaim {
		t.Errorf("the hash is %s, want %s", got, pinnedClaim)
	}
}

func TestClaimHashIsOfTheStatement(t *testing.T) {
	base := claimHash(t, "c:", "c:")
	for name, pair := range map[string][2]string{
		"the sentence":           {"One.", "Two."},
		"the name":               {"  c:", "  d:"},
		"the order of where":     {"{mode: fast, m: x}", "{m: x, mode: fast}"},
		"where as a text":        {"{mode: fast, m: x}", "m=x mode=fast"},
		"where in compare":       {"n=2 / n=1, where: {mode: fast, m: x}", "n=2 / n=1 where m=x, where: {mode: fast}"},
		"blanks":                 {"n=2 / n=1", "n=2/n=1"},
		"how a bound is written": {"ratio < 1.10", "ratio<1.1"},
		"the default pairs":      {"metric: wall", "metric: wall, pairs: matched"},
		"a family":               {"metric: wall", "metric: wall, family: f"},
	} {
		if claimHash(t, pair[0], pair[1]) != base {
			t.Errorf("%s changes the hash", name)
		}
	}
	for name, pair := range map[string][2]string{
		"the bound": {"1.10", "1.2"},
		"the sign":  {"< 1.10", "> 1.10"},
		"the sides": {"n=2 / n=1", "n=1 / n=2"},
		"where":     {"m: x", "m: y"},
		"all pairs": {"metric: wall", "metric: wall, pairs: all"},
		"for-each":  {"mode: fast, m: x}", "m: x}, for-each: [mode]"},
		"over":      {"mode: fast, m: x}", "m: x}, over: [mode]"},
	} {
		if claimHash(t, pair[0], pair[1]) == base {
			t.Errorf("%s does not change the hash", name)
		}
	}
}

const pinnedClaim = "5b8f1437002675358a25d7c9f98e33a5ebe27dff34e18477961dad1275a6fcc1"
