package machine

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree writes files into a new folder.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		put(t, root, name, content)
	}
	return root
}

func hash(t testing.TB, folder string, inputs []string) string {
	t.Helper()
	h, _, err := HashInputs(folder, inputs)
	if err != nil {
		t.Fatalf("HashInputs: %v", err)
	}
	return h
}

func TestHashOfTheFolder(t *testing.T) {
	root := tree(t, map[string]string{"experiment.yaml": "1", "writeup.md": "2", "README.md": "3", "published.csv": "4", "figures/a.svg": "5",
		"workload/main.go": "6", "run.sh": "7", "__pycache__/x.pyc": "8", ".git/HEAD": "9", "deep/README.md": "10"})
	h, files, err := HashInputs(root, nil)
	if err != nil || !slices.Equal(files, []string{"deep/README.md", "run.sh", "workload/main.go"}) {
		t.Errorf("files are %q, %v; want those that determine runs", files, err)
	}
	// Pinned: sessions record identities made from it, and a change of this
	// hash would make every one of them stale.
	if want := "bb77f34d2cf30202086035e2c9b5a20045b9ad7d42b9f4c8adcc919898c22ed0"; h != want {
		t.Errorf("hash is %s, want %s", h, want)
	}
	for _, name := range []string{"experiment.yaml", "writeup.md", "figures/a.svg", "__pycache__/x.pyc"} {
		put(t, root, name, "changed")
	}
	if got := hash(t, root, nil); got != h {
		t.Error("the hash changes with what does not determine runs")
	}
}

func TestHashChanges(t *testing.T) {
	files := map[string]string{"a": "1", "b": "2", "sub/c": "3"}
	base := hash(t, tree(t, files), nil)
	if again := hash(t, tree(t, files), nil); again != base {
		t.Error("the same files in another folder have another hash")
	}
	for name, change := range map[string]func(root string) error{
		"content":         func(root string) error { return os.WriteFile(filepath.Join(root, "a"), []byte("x"), 0o644) },
		"a name":          func(root string) error { return os.Rename(filepath.Join(root, "a"), filepath.Join(root, "d")) },
		"swapped content": func(root string) error { put(t, root, "a", "2"); put(t, root, "b", "1"); return nil },
		"an executable":   func(root string) error { return os.Chmod(filepath.Join(root, "a"), 0o755) },
		"a file more":     func(root string) error { put(t, root, "sub/d", ""); return nil },
		"a link more":     func(root string) error { return os.Symlink("a", filepath.Join(root, "link")) },
		"a link for a file": func(root string) error {
			return os.Rename(filepath.Join(root, "a"), filepath.Join(root, "sub/a"))
		},
	} {
		root := tree(t, files)
		if err := change(root); err != nil {
			t.Fatal(err)
		}
		if hash(t, root, nil) == base {
			t.Errorf("the hash stays the same with %s", name)
		}
	}
}

func TestHashOfNamedInputs(t *testing.T) {
	root := tree(t, map[string]string{"x/workload/main.go": "1", "x/other": "2", "iiop/a.go": "3", "go.mod": "4"})
	_, files, err := HashInputs(filepath.Join(root, "x"), []string{"../go.mod", "workload/", "../iiop", "workload/main.go"})
	if err != nil || !slices.Equal(files, []string{"../go.mod", "../iiop/a.go", "workload/main.go"}) {
		t.Errorf("files are %q, %v", files, err)
	}
	_, _, err = HashInputs(root, []string{"missing"})
	if err == nil || err.Error() != `input "missing": no such file or directory` {
		t.Errorf("error is %v, want one that names the input and not the folder", err)
	}
}

// TestLinksAreFollowedOnlyWhereNamed: in a folder a link counts by where it
// points to, also where that is nowhere.
func TestLinksAreFollowedOnlyWhereNamed(t *testing.T) {
	root := tree(t, map[string]string{"real": "1"})
	if err := os.Symlink("real", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(root, "broken")); err != nil {
		t.Fatal(err)
	}
	named, folder := hash(t, root, []string{"link"}), hash(t, root, nil)
	put(t, root, "real", "2")
	if hash(t, root, []string{"link"}) == named {
		t.Error("a named link does not stand for the file behind it")
	}
	if hash(t, root, nil) == folder {
		t.Error("the file itself does not count")
	}
}

// repository makes a repository with one commit.
func repository(t testing.TB, files map[string]string) string {
	t.Helper()
	if Find("git") == "" {
		t.Skip("no git")
	}
	root := tree(t, files)
	inGit(t, root, "init", "-q")
	inGit(t, root, "add", ".")
	inGit(t, root, "commit", "-q", "-m", "first")
	return root
}

func inGit(t testing.TB, root string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e@example.org"}, args...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func TestGitState(t *testing.T) {
	root := repository(t, map[string]string{"experiments/x/run.sh": "1", "data/x/old.csv": "1", ".gitignore": "*.o\n"})
	folder, data := filepath.Join(root, "experiments/x"), filepath.Join(root, "data")
	clean := ReadGit(folder, data)
	if len(clean.Commit) != 40 || clean.Commit != inGit(t, root, "rev-parse", "HEAD") || clean.Changed != 0 || clean.Untracked != 0 || clean.Unavailable != "" {
		t.Errorf("state is %+v, want clean", clean)
	}
	put(t, root, "data/x/new.csv", "2")
	put(t, root, "data/x/old.csv", "2")
	put(t, root, "experiments/x/ignored.o", "2")
	if got := ReadGit(folder, data); got != clean {
		t.Errorf("state with changed data is %+v, want clean", got)
	}
	put(t, root, "experiments/x/run.sh", "2")
	put(t, root, "experiments/x/new name\n", "2")
	put(t, root, "other", "2")
	if got := ReadGit(folder, data); got.Changed != 1 || got.Untracked != 2 {
		t.Errorf("state is %+v, want 1 changed and 2 untracked", got)
	}
	dirty := ReadGit(folder, data).Diff
	put(t, root, "experiments/x/run.sh", "3")
	if again := ReadGit(folder, data).Diff; len(dirty) != 64 || len(again) != 64 || again == dirty {
		t.Errorf("two dirty states have the hashes %q and %q", dirty, again)
	}
	facts := map[string]string{}
	gitFacts(facts, ReadGit(folder, data))
	if facts["git_dirty"] != "yes, 1 tracked file" || facts["git_untracked"] != "2" || facts["git_commit"] != clean.Commit {
		t.Errorf("facts are %v", facts)
	}
}

// TestGitOfAnotherKind: a detached commit, and a repository of somebody else.
func TestGitOfAnotherKind(t *testing.T) {
	root := repository(t, map[string]string{"x/run.sh": "1"})
	folder := filepath.Join(root, "x")
	onBranch := ReadGit(folder, "")
	inGit(t, root, "checkout", "-q", "--detach")
	if got := ReadGit(folder, ""); got != onBranch || got.Commit == "" {
		t.Errorf("state of a detached commit is %+v, want %+v", got, onBranch)
	}
	if os.Getuid() != 0 {
		t.Skip("only root can give a repository to somebody else")
	}
	t.Setenv("HOME", t.TempDir()) // whose configuration may call every folder safe
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for _, path := range []string{root, filepath.Join(root, ".git")} {
		if err := os.Chown(path, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	if got := ReadGit(folder, ""); got != (Git{Unavailable: "the repository belongs to another user"}) {
		t.Errorf("state of another user's repository is %+v, want why it is unavailable", got)
	}
	if _, why := Patch(folder, nil); why != "the repository belongs to another user" {
		t.Errorf("patch of another user's repository: %q", why)
	}
}

// TestGitOfTheExperiment: it is the folder's own repository that counts, not
// that of the folder from which the tool was started.
func TestGitOfTheExperiment(t *testing.T) {
	mine, other := repository(t, map[string]string{"x/run.sh": "1"}), repository(t, map[string]string{"run.sh": "2"})
	t.Chdir(other)
	put(t, other, "run.sh", "changed")
	if got := ReadGit(filepath.Join(mine, "x"), ""); got.Commit != inGit(t, mine, "rev-parse", "HEAD") || got.Changed != 0 {
		t.Errorf("state is %+v, want that of the experiment's repository", got)
	}
}

func TestGitUnavailable(t *testing.T) {
	if Find("git") == "" {
		t.Skip("no git")
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", "/") // has no effect: variables of git are not passed on
	if got := ReadGit(t.TempDir(), ""); got.Unavailable != "no repository" {
		t.Errorf("outside a repository: %+v", got)
	}
	empty := t.TempDir()
	inGit(t, empty, "init", "-q")
	if got := ReadGit(empty, ""); got.Unavailable != "no commit yet" {
		t.Errorf("before the first commit: %+v", got)
	}
	if _, why := Patch(empty, nil); why != "no commit yet" {
		t.Errorf("patch before the first commit: %q", why)
	}
	t.Setenv("PATH", "")
	if got := ReadGit(empty, ""); got.Unavailable != "no git program" {
		t.Errorf("without git: %+v", got)
	}
	facts := map[string]string{}
	gitFacts(facts, ReadGit(empty, ""))
	if facts["git"] != "unavailable: no git program" {
		t.Errorf("facts are %v", facts)
	}
}

// TestPatchRestoresTheInputs: applied to a fresh checkout it gives the same
// inputs again, files that git did not know included.
func TestPatchRestoresTheInputs(t *testing.T) {
	root := repository(t, map[string]string{"x/run.sh": "1\n", "x/gone": "1\n", "x/writeup.md": "1\n", "beside/lib": "1\n", "y/other": "1\n"})
	fresh := t.TempDir()
	inGit(t, root, "clone", "-q", root, fresh+"/c")
	folder := filepath.Join(root, "x")
	if patch, why := Patch(folder, nil); len(patch) != 0 || why != "" {
		t.Errorf("patch of clean inputs is %q, %q; want none", patch, why)
	}
	put(t, root, "x/run.sh", "2\n")
	put(t, root, "x/new", "\x00binary")
	put(t, root, "x/writeup.md", "2\n")
	put(t, root, "y/other", "2\n")
	if err := os.Remove(filepath.Join(folder, "gone")); err != nil {
		t.Fatal(err)
	}
	patch, why := Patch(folder, nil)
	if why != "" {
		t.Fatalf("no patch: %s", why)
	}
	put(t, fresh, "p", string(patch))
	inGit(t, filepath.Join(fresh, "c"), "apply", filepath.Join(fresh, "p"))
	if a, b := hash(t, folder, nil), hash(t, filepath.Join(fresh, "c/x"), nil); a != b {
		t.Errorf("after the patch the inputs hash to %s, want %s", b, a)
	}
	if strings.Contains(string(patch), "writeup") || strings.Contains(string(patch), "other") {
		t.Errorf("the patch touches what is no input:\n%s", patch)
	}
	put(t, root, "beside/lib", "2\n")
	patch, why = Patch(folder, []string{"../beside"})
	if why != "" || !strings.Contains(string(patch), "lib") || strings.Contains(string(patch), "run.sh") {
		t.Errorf("patch of a named input is %q, %q", patch, why)
	}
}
