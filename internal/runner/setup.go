package runner

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fieldbook/internal/experiment"
	"fieldbook/internal/machine"
)

// site is what is made once for a run before its first trial: checkouts and
// builds, each once per distinct text, however many treatments share it.
type site struct {
	set      *setting
	exec     executor
	work     string
	progress func(Event)
	sources  map[string]string // git and revision -> folder
	builds   map[string]string // command -> folder
	built    map[string]string // command as shown -> hash of what it made
	given    map[int]names     // by treatment
}

func newSite(set *setting, exec executor, work string, progress func(Event)) *site {
	return &site{set: set, exec: exec, work: work, progress: progress,
		sources: map[string]string{}, builds: map[string]string{}, built: map[string]string{}, given: map[int]names{}}
}

// prepare makes what one treatment needs, where it is not there yet.
func (s *site) prepare(t experiment.Treatment) error {
	given := names{}
	if c := s.set.x.Checkout; c != nil {
		folder, err := s.checkout(c, t)
		if err != nil {
			return err
		}
		given["source"] = folder
	}
	if b := s.set.x.BuildFor(t); b != nil {
		folder, err := s.build(b, t, given)
		if err != nil {
			return err
		}
		given["build"] = folder
	}
	s.given[t.Number] = given
	return nil
}

// folder makes a new, empty folder below the run's own.
func (s *site) folder(kind string, n int) (string, error) {
	dir := filepath.Join(s.work, kind, fmt.Sprintf("%03d", n))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("making a folder for a %s: %w", kind, err)
	}
	return dir, nil
}

// build runs a treatment's build command, unless its text was built before.
func (s *site) build(b *experiment.Command, t experiment.Treatment, given names) (string, error) {
	const own = "{build}" // stands for the folder where texts are compared and shown
	argv, err := s.set.argv(b, t, s.set.env(t, given.with(names{"build": own})))
	if err != nil {
		return "", err
	}
	text := strings.Join(argv, "\x00")
	if folder, ok := s.builds[text]; ok {
		return folder, nil
	}
	folder, err := s.folder("build", len(s.builds)+1)
	if err != nil {
		return "", err
	}
	c, err := s.set.command(b, t, given.with(names{"build": folder}), nil)
	if err != nil {
		return "", err
	}
	began := time.Now()
	if err := s.set.runOnce(s.exec, c, once{what: "build"}); err != nil {
		return "", err
	}
	shown := showCommand(argv)
	s.progress(Event{Kind: "build", Text: shown, Took: time.Since(began)})
	s.builds[text] = folder
	hash, files, err := machine.HashInputs(folder, []string{"."})
	if err != nil {
		return "", fmt.Errorf("hashing what was built: %w", err)
	}
	if len(files) > 0 {
		s.built[shown] = hash
	}
	return folder, nil
}

// checkout makes a treatment's checkout, unless its revision is there already.
func (s *site) checkout(c *experiment.Checkout, t experiment.Treatment) (string, error) {
	env := s.set.env(t, nil)
	repository, err := s.set.path(&experiment.Choice[experiment.Text]{Plain: c.Git}, t, env, "")
	if err != nil {
		return "", err
	}
	revision, err := expand(c.Revision, env)
	if err != nil {
		return "", err
	}
	key := repository + "\x00" + revision
	if folder, ok := s.sources[key]; ok {
		return folder, nil
	}
	folder, err := s.folder("source", len(s.sources)+1)
	if err != nil {
		return "", err
	}
	began := time.Now()
	if err := s.unpack(repository, revision, folder); err != nil {
		return "", err
	}
	s.progress(Event{Kind: "checkout", Text: filepath.Base(repository) + " " + revision, Took: time.Since(began)})
	s.sources[key] = folder
	return folder, nil
}

// unpack writes the files of a revision into a folder. An archive, other than
// a worktree, leaves no trace in the person's repository.
func (s *site) unpack(repository, revision, folder string) error {
	archive := folder + ".tar"
	defer os.Remove(archive)
	for _, argv := range [][]string{
		{"git", "-C", repository, "archive", "--format=tar", "-o", archive, revision + "^{commit}"},
		{"tar", "-x", "-f", archive, "-C", folder},
	} {
		c := &command{argv: argv, env: s.set.base, dir: s.set.folder}
		if err := s.set.runOnce(s.exec, c, once{what: "source"}); err != nil {
			return fmt.Errorf("revision %q: %w", revision, err)
		}
	}
	return nil
}

// once says how a command that is no trial runs.
type once struct {
	what    string
	timeout time.Duration
}

var errInterrupted = errors.New("interrupted")

// runOnce runs a command that is no trial to its end. The error says the
// command, how it ended, and the end of its output.
func (s *setting) runOnce(exec executor, c *command, how once) error {
	if err := s.resolve(c); err != nil {
		return err
	}
	out, err := exec.run(&work{commands: []*command{c}, timeout: how.timeout})
	if len(out.left) > 0 {
		s.warn("%s: %s leaves processes behind, which are ended (%s); what should stay up is a service", how.what, showCommand(c.argv), strings.Join(out.left, ", "))
	}
	switch {
	case err != nil:
		return err
	case out.interrupted:
		return errInterrupted
	case out.timedOut:
		return &commandFailed{fmt.Sprintf("%s: %s: no end within %s", how.what, showCommand(c.argv), how.timeout)}
	case out.exits[0].ok():
		return nil
	}
	said := out.stderr(0).kept.lastLines()
	if said == "" {
		said = out.stdout(0).kept.lastLines()
	}
	if said != "" {
		said = "\n" + said
	}
	return &commandFailed{fmt.Sprintf("%s: %s: %s%s", how.what, showCommand(c.argv), out.exits[0], said)}
}

// commandFailed is a command that ran and failed.
type commandFailed struct{ text string }

func (e *commandFailed) Error() string { return e.text }

// showCommand is a command as a person would type it, if not too long.
func showCommand(argv []string) string { return shorten(ShellWords(argv), 1000) }

// ShellWords is an argument list so that a person could paste it into a shell.
func ShellWords(argv []string) string {
	words := make([]string, len(argv))
	for i, w := range argv {
		words[i] = shellWord(w)
	}
	return strings.Join(words, " ")
}

func shellWord(w string) string {
	if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`*?[]()<>|&;#~!") || strings.Contains(w, "{") && (strings.Contains(w, ",") || strings.Contains(w, "..")) {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return w
}
