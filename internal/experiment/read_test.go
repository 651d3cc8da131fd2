package experiment

import (
	"os"
	"path/filepath"
	"testing"
)

func TestGoodFilesReadWithoutProblem(t *testing.T) {
	files, err := filepath.Glob("testdata/good/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		x, problems := Read("good", file, src)
		for _, p := range problems {
			t.Errorf("%s", p)
		}
		if len(x.Treatments) == 0 {
			t.Errorf("%s: no treatments", file)
		}
	}
}
