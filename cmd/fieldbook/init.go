package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"fieldbook/internal/diag"
	"fieldbook/internal/experiment"
	"fieldbook/internal/runner"
)

//go:embed templates
var templates embed.FS

// scaffold are the files of a notebook around its experiments: template ->
// path in the notebook.
var scaffold = [][2]string{
	{"Makefile", "Makefile"},
	{"README.md", "README.md"},
	{"gitattributes", ".gitattributes"},
	{"gitignore", ".gitignore"},
	{"github/pages.yml", ".github/workflows/pages.yml"},
}

// example are the files of the experiment that a new notebook begins with.
var example = [][2]string{
	{"example/experiment.yaml", "experiments/example/experiment.yaml"},
	{"example/count.sh", "experiments/example/count.sh"},
	{"example/writeup.md", "experiments/example/writeup.md"},
}

func (a *app) initCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "init [NAME COMMAND COMMAND...]",
		Short: "Make a notebook, or an experiment from two or more commands",
		Long: "Init makes a notebook in this folder, with an example that needs nothing but a shell, so\n" +
			"that `make report` works at once. With a name and commands it writes the shortest useful\n" +
			"experiment: each command is a level of the factor `command`. No file is ever overwritten.",
		RunE: func(_ *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return a.initNotebook(append(slices.Clone(scaffold), example...))
			case 1, 2:
				return usage("init takes no arguments, or a name and at least two commands")
			}
			return a.initExperiment(args[0], args[1:])
		},
	}
}

func (a *app) initNotebook(files [][2]string) error {
	root := a.initRoot()
	if isDir(filepath.Join(root, "experiments")) {
		return failed("%s is a notebook already; `fieldbook init NAME 'command a' 'command b'` adds an experiment", root)
	}
	if err := a.writeNew(root, files); err != nil {
		return err
	}
	a.note("\n")
	a.note("`make report` runs what has no data yet and renders site/index.html")
	return nil
}

// initRoot is the folder that init works in: this one, or, from within the
// folders of a notebook, that notebook. A folder above that merely has
// experiments of some other kind beside it is none.
func (a *app) initRoot() string {
	n, err := a.open()
	if err != nil {
		return a.dir
	}
	here, err := filepath.Abs(a.dir)
	if err != nil {
		return a.dir
	}
	top, _, _ := strings.Cut(filepath.ToSlash(relative(n.root, here)), "/")
	if slices.Contains([]string{"experiments", "data", "site"}, top) {
		return n.root
	}
	return a.dir
}

// writeNew writes template files that are not there yet.
func (a *app) writeNew(root string, files [][2]string) error {
	for _, f := range files {
		path := filepath.Join(root, f[1])
		if _, err := os.Lstat(path); err == nil {
			a.note("kept         %s, which was there already", f[1])
			continue
		}
		data, err := templates.ReadFile("templates/" + f[0])
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if strings.HasSuffix(f[1], ".sh") {
			mode = 0o755
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, mode); err != nil {
			return err
		}
		a.note("wrote        %s", f[1])
	}
	return nil
}

// initExperiment writes the shortest experiment file for the commands.
func (a *app) initExperiment(name string, commands []string) error {
	if why := wrongName(name); why != "" {
		return usage("%q cannot be the name of an experiment: %s", name, why)
	}
	root := a.initRoot()
	path := filepath.Join(root, "experiments", name, "experiment.yaml")
	src, err := shortFile(name, commands)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return failed("%s is there already", path)
	}
	if !isDir(filepath.Join(root, "experiments")) {
		if err := a.writeNew(root, scaffold); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(src)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	a.note("wrote        %s; `fieldbook run %s` records a session", filepath.ToSlash(shownPath(path)), argument(name))
	return nil
}

// argument is the name of an experiment as one types it in a shell.
func argument(name string) string {
	if strings.HasPrefix(name, "-") {
		name = "experiments/" + name
	}
	return runner.ShellWords([]string{name})
}

// shortFile is the four-line file for the commands, or, where one of them
// needs a shell, the same with `shell: true`.
func shortFile(name string, commands []string) (string, error) {
	for i, c := range commands {
		if strings.TrimSpace(c) == "" {
			return "", usage("command %d is empty: there is nothing to measure", i+1)
		}
	}
	var b strings.Builder
	b.WriteString("fieldbook: 1\ncommands:\n")
	for i, level := range levelNames(commands) {
		fmt.Fprintf(&b, "  %s: %s\n", level, yamlText(commands[i]))
	}
	_, problems := experiment.Read(name, "experiment.yaml", []byte(b.String()))
	if !problems.Failed() {
		return b.String(), nil
	}
	b.WriteString("trial: {shell: true}\n")
	if _, again := experiment.Read(name, "experiment.yaml", []byte(b.String())); !again.Failed() {
		return b.String(), nil
	}
	var texts []string
	for _, p := range problems {
		texts = append(texts, p.Text)
	}
	return "", usage("these commands cannot make an experiment: %s", strings.Join(texts, "; "))
}

// levelNames name commands by their programs where that tells them apart,
// else by letters.
func levelNames(commands []string) []string {
	var names []string
	for _, c := range commands {
		words := strings.Fields(c)
		if len(words) == 0 {
			words = []string{"empty"}
		}
		names = append(names, strings.Map(plainRune, filepath.Base(words[0])))
	}
	distinct := slices.Clone(names)
	slices.Sort(distinct)
	if len(slices.Compact(distinct)) == len(names) && !slices.Contains(names, "") {
		return names
	}
	for i := range names {
		names[i] = string(rune('a' + i%26))
		if i >= 26 {
			names[i] += fmt.Sprint(i / 26)
		}
	}
	return names
}

// plainRune keeps what needs no quotes in YAML.
func plainRune(r rune) rune {
	if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_') {
		return r
	}
	return -1
}

// yamlText is a text as YAML: plain where that is safe, else quoted.
func yamlText(s string) string {
	if s != diag.Printable(s) {
		return fmt.Sprintf("%q", s)
	}
	plain := strings.TrimSpace(s) == s && s != "" && !strings.ContainsAny(s, ":#") && !strings.ContainsAny(s[:1], "-?,[]{}&*!|>'\"%@`=~0123456789.")
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
