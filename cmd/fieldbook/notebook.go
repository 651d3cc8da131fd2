package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fieldbook/internal/defect"
	"fieldbook/internal/design"
	"fieldbook/internal/diag"
	"fieldbook/internal/experiment"
	"fieldbook/internal/machine"
)

// notebook is a folder with experiments/. data/ and site/ may be missing.
type notebook struct{ root string }

// study is one experiment of a notebook as its files stand now.
type study struct {
	name      string
	folder    string                 // experiments/NAME, absolute
	data      string                 // data/NAME
	x         *experiment.Experiment // nil where only data is left
	inputs    string                 // hash of the content of the inputs
	files     []string               // the inputs, one by one
	published []experiment.PublishedRow
	writeup   []byte // nil: none
	warnings  diag.List
}

// open finds the notebook that -C names: that folder, or the nearest one above
// it with experiments/.
func (a *app) open() (*notebook, error) {
	root, err := filepath.Abs(a.dir)
	if err != nil {
		return nil, err
	}
	for at := root; ; at = filepath.Dir(at) {
		if isDir(filepath.Join(at, "experiments")) {
			return &notebook{root: at}, nil
		}
		if at == filepath.Dir(at) {
			return nil, failed("%s is no notebook, nor is a folder above it: there is no folder experiments; `fieldbook init` makes one", a.dir)
		}
	}
}

// names are the experiments of the notebook, sorted.
func (n *notebook) names() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(n.root, "experiments"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if file := filepath.Join(n.root, "experiments", e.Name(), "experiment.yaml"); validName(e.Name()) && (isFile(file) || isDir(file)) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// linked are the experiments that can have a report: those of the notebook and
// those of which only data is left.
func (n *notebook) linked() []string {
	names, err := n.names()
	if err != nil {
		return nil
	}
	entries, _ := os.ReadDir(filepath.Join(n.root, "data")) // without data there are none of these
	for _, e := range entries {
		if e.IsDir() && !slices.Contains(names, e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// choose are the experiments that a verb's arguments name: all, where there
// are none.
func (n *notebook) choose(args []string) ([]string, error) {
	all, err := n.names()
	if err != nil || len(args) == 0 {
		return all, err
	}
	args = slices.Clone(args)
	for i, name := range args {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "experiments/"), "/")
		args[i] = name
		if !validName(name) || !slices.Contains(all, name) && !isDir(filepath.Join(n.root, "data", name)) {
			return nil, usage("there is no experiment %q here; %s", name, diag.Meant(name, all))
		}
	}
	return args, nil
}

// validName says whether a name can be a folder inside the notebook and
// nothing else.
func validName(name string) bool { return wrongName(name) == "" }

// wrongName is why a name cannot be an experiment's, or nothing: it names
// another place, hides something, looks like another name, or stands in the
// way of the site's own page.
func wrongName(name string) string {
	switch {
	case name == "" || name != filepath.Base(name) || strings.ContainsAny(name, `/\`):
		return `the name of an experiment's folder has no \ and no /`
	case strings.HasPrefix(name, "."):
		return "the name of an experiment's folder does not begin with a dot"
	case name == "index.html":
		return "the site has a page of this name"
	case diag.Printable(name) != name:
		return "the name of an experiment's folder has only characters that can be seen"
	}
	return ""
}

// passedOver are problems with folders that hold an experiment and are
// nonetheless not read as one. Those whose name begins with a dot are left
// out on purpose.
func (n *notebook) passedOver() (problems diag.List) {
	entries, err := os.ReadDir(filepath.Join(n.root, "experiments"))
	if err != nil {
		return nil // it was read just before
	}
	for _, e := range entries {
		at := diag.Pos{File: "experiments/" + e.Name()}
		folder := filepath.Join(n.root, "experiments", e.Name())
		if strings.HasPrefix(e.Name(), ".") || !isDir(folder) {
			continue
		}
		if isFile(filepath.Join(folder, "experiment.yaml")) {
			if why := wrongName(e.Name()); why != "" {
				problems.Errorf(at, "it is passed over: %s", why)
				problems.Hint("rename the folder, and that of its data")
			}
			continue
		}
		for _, other := range []string{"experiment.yml", "Experiment.yaml", "experiment.yaml.txt", "experiment.json"} {
			if isFile(filepath.Join(folder, other)) {
				problems.Warnf(at, "it is passed over: there is %s, and no experiment.yaml", other)
			}
		}
	}
	return problems
}

// load reads and checks one experiment. The error is a diag.List where the
// files are wrong.
func (n *notebook) load(name string) (*study, error) {
	s := &study{name: name, folder: filepath.Join(n.root, "experiments", name), data: filepath.Join(n.root, "data", name)}
	shown := filepath.Join("experiments", name, "experiment.yaml")
	out := n.within(s.folder, s.data, filepath.Join(s.folder, "experiment.yaml"), filepath.Join(s.folder, "writeup.md"), filepath.Join(s.folder, "figures"))
	if out.Failed() {
		return nil, out
	}
	if out = n.files(filepath.Join(s.folder, "experiment.yaml"), filepath.Join(s.folder, "writeup.md")); out.Failed() {
		return nil, out
	}
	src, err := os.ReadFile(filepath.Join(s.folder, "experiment.yaml"))
	if errors.Is(err, fs.ErrNotExist) && isDir(s.data) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	x, problems := experiment.Read(name, filepath.ToSlash(shown), src)
	if problems.Failed() {
		return nil, problems
	}
	s.x = x
	if err := design.Check(x); err != nil {
		problems.Errorf(x.Design.Pos, "%v", err)
	}
	if x.Published != nil {
		problems.Add(n.within(filepath.Join(s.folder, x.Published.File))...)
	}
	if !problems.Failed() {
		s.readPublished(&problems)
	}
	if s.inputs, s.files, err = machine.HashInputs(s.folder, x.Inputs); err != nil {
		problems.Errorf(diag.Pos{File: filepath.ToSlash(shown)}, "inputs: %v", err)
	}
	if s.writeup, err = os.ReadFile(filepath.Join(s.folder, "writeup.md")); errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if problems.Failed() {
		return nil, problems
	}
	s.warnings = problems
	return s, err
}

func (s *study) readPublished(problems *diag.List) {
	p := s.x.Published
	if p == nil {
		return
	}
	file := filepath.ToSlash(filepath.Join("experiments", s.name, p.File))
	if !filepath.IsLocal(p.File) {
		problems.Errorf(p.Pos, "published file %q lies outside the experiment's folder", p.File)
		return
	}
	src, err := os.ReadFile(filepath.Join(s.folder, p.File))
	if err != nil {
		problems.Errorf(p.Pos, "published: %v", err)
		return
	}
	rows, more := experiment.ReadPublished(file, src, s.x)
	problems.Add(more...)
	s.published = rows
}

// identities is today's identity of each treatment, by treatmentKey.
func (s *study) identities() map[string]string {
	ids := map[string]string{}
	for _, t := range s.x.Treatments {
		ids[treatmentKey(t.Levels)] = experiment.Identity(s.x, t, s.inputs)
	}
	return ids
}

// treatmentKey names a treatment by its levels, whatever its number is today.
func treatmentKey(levels []string) string { return strings.Join(levels, "\x1f") }

// writeupFile is the writeup's path as messages show it.
func (s *study) writeupFile() string { return "experiments/" + s.name + "/writeup.md" }

// requirements are the programs that must be there and are not.
func (s *study) requirements() []string {
	var missing []string
	for _, program := range s.x.Requires {
		if machine.Find(program) == "" {
			missing = append(missing, program)
		}
	}
	return missing
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// machineLabel is the label for sessions recorded here: the flag, else the
// user's configuration, else made from the processor.
func (a *app) machineLabel() (string, error) {
	label := a.machine
	if label == "" {
		label = configuredLabel()
	}
	if label == "" {
		return machine.Label(), nil
	}
	if !machine.ValidLabel(label) {
		return "", usage("the machine label is %q, want 1 to 40 of a-z, 0-9 and -", label)
	}
	return label, nil
}

// configuredLabel is the line `machine: LABEL` of the user's configuration
// file fieldbook/config, or "".
func configuredLabel() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	src, err := os.ReadFile(filepath.Join(dir, "fieldbook", "config"))
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(src) {
		if value, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("machine:")); ok {
			return string(bytes.TrimSpace(value))
		}
	}
	return ""
}

// each calls do for every experiment that the arguments name, goes on after
// errors, and returns the worst.
func (a *app) each(args []string, do func(*notebook, *study) error) error {
	n, err := a.open()
	if err != nil {
		return err
	}
	names, err := n.choose(args)
	if err != nil {
		return err
	}
	return a.eachOf(names, n.load, func(s *study) error { return do(n, s) })
}

// eachOf is each for experiments that are loaded by a function.
func (a *app) eachOf(names []string, load func(name string) (*study, error), do func(*study) error) error {
	var worst error
	for _, name := range names {
		defect.At("experiment " + name)
		s, err := load(name)
		if err == nil {
			a.printProblems(s.warnings)
			err = do(s)
		}
		if err != nil && !errors.As(err, new(diag.List)) && !errors.As(err, new(exit)) {
			err = fmt.Errorf("%s: %w", name, err)
		}
		worst = a.worse(worst, err)
	}
	return worst
}

// worse keeps the error with the higher rank and prints the other one.
func (a *app) worse(x, y error) error {
	switch {
	case x == nil || y == nil:
		return errors.Join(x, y)
	case errors.As(x, new(diag.List)) && errors.As(y, new(diag.List)):
		var l, m diag.List
		errors.As(x, &l)
		errors.As(y, &m)
		return append(slices.Clone(l), m...)
	case errors.As(y, new(diag.List)):
		a.code(x)
		return y
	}
	a.code(y)
	return x
}
