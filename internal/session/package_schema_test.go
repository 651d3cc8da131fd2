package session

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// packageSchema is the rules of the Data Package profile, version 2.0, for
// what a package of ours may hold.
func packageSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("testdata/datapackage.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// invalid says why a text is no Data Package; nil where it is one.
func invalid(schema *jsonschema.Schema, text string) error {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	if err := schema.Validate(value); err != nil {
		return err
	}
	// The standard asks for it, and no schema can: names are unique.
	seen := map[string]bool{}
	for _, r := range value.(map[string]any)["resources"].([]any) {
		name := r.(map[string]any)["name"].(string)
		if seen[name] {
			return fmt.Errorf("two resources are named %s", name)
		}
		seen[name] = true
	}
	return nil
}

func TestTheSealIsAValidDataPackage(t *testing.T) {
	schema := packageSchema(t)
	dirs := []string{sealedSession(t, memoryDir(t), at(0)), longSession(t, memoryDir(t))}
	recorded, err := filepath.Glob("../../data/*/*/" + packageName)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range recorded {
		dirs = append(dirs, filepath.Dir(path))
	}
	for _, dir := range dirs {
		if err := invalid(schema, readText(t, filepath.Join(dir, packageName))); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// The schema is no use unless it refuses what the profile refuses.
func TestThePackageSchemaRefusesWhatTheProfileRefuses(t *testing.T) {
	schema := packageSchema(t)
	text := readText(t, filepath.Join(sealedSession(t, memoryDir(t), at(0)), packageName))
	for _, change := range [][2]string{
		{`"path": "plan.csv"`, `"path": "../plan.csv"`}, {`"path": "plan.csv"`, `"path": "/plan.csv"`}, {`"path": "plan.csv"`, `"path": "output/../../plan.csv"`},
		{`"path": "plan.csv",`, ``}, {`"type": "table"`, `"type": "sheet"`}, {`"type": "integer"`, `"type": "whole"`},
		{`"mediatype": "text/csv"`, `"mediatype": "csv"`}, {`"hash": "sha256:`, `"hash": "sha256-`}, {`"name": "plan.csv"`, `"name": "trials.csv"`},
		{`"name": "plan.csv"`, `"nam": "plan.csv"`}, {`"missingValues": [`, `"missingValues": [1,`}, {`"primaryKey": [`, `"primaryKey": ["trial", `},
		{`"resources": [`, `"resources": [], "others": [`},
	} {
		other := strings.Replace(text, change[0], change[1], 1)
		if other == text {
			t.Fatalf("%s is not in the package", change[0])
		}
		if invalid(schema, other) == nil {
			t.Errorf("a package with %s in place of %s is valid", change[1], change[0])
		}
	}
}
