package main

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"fieldbook/internal/experiment"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestShippedSchemaIsCurrent holds docs/experiment.schema.json, to which the
// experiment files of this repository point, to what `fieldbook schema` prints.
func TestShippedSchemaIsCurrent(t *testing.T) {
	const path = "../../docs/experiment.schema.json"
	if *update {
		if err := os.WriteFile(path, experiment.Schema(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	shipped, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(shipped, experiment.Schema()) {
		t.Errorf("%s is not what `fieldbook schema` prints; run `make golden`", path)
	}
}
