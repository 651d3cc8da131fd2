package report

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"fieldbook/analysis"
)

func TestEditOfProseAsksNothingAnew(t *testing.T) {
	text, err := os.ReadFile("testdata/everything.md")
	if err != nil {
		t.Fatal(err)
	}
	s := pipelining()
	s.published = oldNumbers()
	src := Source{Name: s.name, Result: s.result(), Uses: map[string]*analysis.Result{"coin": coin().result()}, Writeup: text, File: "w.md"}
	with := src
	with.Memory = &Memory{}
	first := build(t, with)
	kept := len(with.Memory.now)
	for n := range 3 {
		src.Writeup = append(bytes.Clone(text), fmt.Sprintf("\n\nEdited %d times.\n", n)...)
		with.Writeup = src.Writeup
		doc := build(t, with)
		if !bytes.Equal(doc.HTML(), build(t, src).HTML()) {
			t.Fatalf("after edit %d the page with a memory is not the one without", n)
		}
		if len(doc.figures) == 0 || doc.figures[0].Figure != first.figures[0].Figure {
			t.Errorf("after edit %d a figure is drawn anew", n)
		}
		if len(with.Memory.now) != kept {
			t.Errorf("after edit %d the memory holds %d answers, want the %d of the first build", n, len(with.Memory.now), kept)
		}
	}
	with.Result = s.result()
	if doc := build(t, with); doc.figures[0].Figure == first.figures[0].Figure {
		t.Error("a figure of another result is shown")
	}
	with.Writeup = []byte("Nothing.\n")
	build(t, with)
	if n := len(with.Memory.now); n >= kept {
		t.Errorf("what is not asked for any more is kept: %d answers", n)
	}
}
