package experiment

import (
	"encoding/json"
	"testing"
)

// Whatever the file holds: no panic, and no problem without a place.
func FuzzRead(f *testing.F) {
	for _, folder := range []string{"good", "bad"} {
		for _, src := range files(f, folder) {
			f.Add(src)
		}
	}
	f.Add([]byte("fieldbook: 1\r\ncommands: {a: \"x\\\r\n  y {n}\"}\r\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		x, problems := Read("x", "x.yaml", src)
		for _, p := range problems {
			if p.Pos.File == "" || p.Pos.Line < 1 || p.Text == "" {
				t.Fatalf("a problem without a place: %+v", p)
			}
		}
		if problems.Failed() {
			return
		}
		if len(x.Treatments) == 0 || len(x.Metrics) == 0 {
			t.Fatalf("a good file with %d treatments and %d metrics", len(x.Treatments), len(x.Metrics))
		}
		for _, tr := range x.Treatments[:min(3, len(x.Treatments))] {
			if Identity(x, tr, "") == "" || len(x.TrialFor(tr).Command.Argv.At(x, tr)) == 0 {
				t.Fatalf("treatment %v has no command", tr.Levels)
			}
		}
		for _, c := range x.Claims {
			if ClaimStatement(c) == "" {
				t.Fatalf("the claim %s states nothing", c.Name)
			}
		}
	})
}

func TestSchemaIsJSON(t *testing.T) {
	if !json.Valid(Schema()) {
		t.Error("the schema is no JSON")
	}
}
