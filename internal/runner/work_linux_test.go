package runner

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWorkFoldersOfTheLiving: only a folder whose lock nobody holds is
// removed, also where a build has made folders in it read-only.
func TestWorkFoldersOfTheLiving(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	mine, remove, err := WorkFolder()
	if err != nil {
		t.Fatal(err)
	}
	dead := filepath.Join(temp, workPrefix+"dead")
	unlocked := filepath.Join(temp, workPrefix+"unlocked")
	elsewhere := filepath.Join(temp, "elsewhere")
	for _, dir := range []string{filepath.Join(dead, "sub"), unlocked, elsewhere} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{filepath.Join(dead, workLock), filepath.Join(dead, "sub", "file"), filepath.Join(elsewhere, workLock)} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(temp, workPrefix+"link")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dead, "sub"), 0o500); err != nil {
		t.Fatal(err)
	}
	n, err := removeWorkFolders(temp)
	if n != 1 || err != nil {
		t.Errorf("%d folders removed, %v; want 1", n, err)
	}
	for dir, want := range map[string]bool{mine: true, dead: false, unlocked: true, elsewhere: true, filepath.Join(elsewhere, workLock): true, link: true} {
		if _, err := os.Lstat(dir); (err == nil) != want {
			t.Errorf("%s is there: %t, want %t", filepath.Base(dir), err == nil, want)
		}
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(mine); err == nil {
		t.Error("the folder is there after it was removed")
	}
}
