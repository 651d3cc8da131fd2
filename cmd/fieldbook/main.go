// Command fieldbook is the notebook's command line: one file a verb, which
// reads flags, makes one call into the rooms that know, prints, and chooses an
// exit code. Only the verbs run and try execute anything of a notebook.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"fieldbook/internal/defect"
	"fieldbook/internal/diag"
	"fieldbook/internal/runner"
)

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitProblems    = 3
	exitDiffers     = 4
	exitInterrupted = 130
)

// app is what every verb needs of the world, and the flags that all share.
type app struct {
	stdout, stderr io.Writer
	dir            string // -C
	quiet, verbose bool
	color          string
	machine        string
}

// exit is an error with an exit code. With an empty text nothing is printed.
type exit struct {
	code int
	text string
}

func (e exit) Error() string { return e.text }

func main() {
	// A limit of file size raises this signal, which would end the tool with a
	// trace; so the write fails with a reason instead.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGXFSZ)
	stdout := &output{File: os.Stdout}
	code := run(os.Args[1:], stdout, os.Stderr)
	if stdout.err != nil && !errors.Is(stdout.err, syscall.EPIPE) {
		fmt.Fprintf(os.Stderr, "fieldbook: writing the results: %v\n", stdout.err)
		code = max(code, exitFailed)
	}
	os.Exit(code)
}

// output is standard output that keeps the first error of writing to it.
type output struct {
	*os.File
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.File.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// run is the whole program but for the process around it. A panic is told in
// one line, after all that was to be put in order has been.
func run(args []string, stdout, stderr io.Writer) (code int) {
	defect.Doing(runner.ShellWords(append([]string{"fieldbook"}, args...)))
	defer func() {
		if v := recover(); v != nil {
			defect.Say(stderr, v)
			code = exitFailed
		}
	}()
	a := &app{stdout: stdout, stderr: stderr}
	root := a.root()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return a.code(root.Execute())
}

// code prints what an error says and chooses the exit code.
func (a *app) code(err error) int {
	var problems diag.List
	var e exit
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &problems):
		a.printProblems(problems)
		return exitProblems
	case errors.As(err, &e):
		if e.text != "" {
			a.printLines("fieldbook: "+e.text, "  ")
		}
		return e.code
	}
	a.printLines("fieldbook: "+err.Error(), "  ")
	return exitFailed
}

// usage is an error of how the tool was called.
func usage(format string, args ...any) error { return exit{exitUsage, fmt.Sprintf(format, args...)} }

// failed is an error of what the tool tried to do.
func failed(format string, args ...any) error { return exit{exitFailed, fmt.Sprintf(format, args...)} }

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "fieldbook",
		Short: "A notebook for performance experiments",
		Long: "Fieldbook runs the trials of a declared experiment in a randomized, interleaved order,\n" +
			"records every observation as CSV, and renders a writeup whose numbers come from that data.",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	flags := root.PersistentFlags()
	flags.StringVarP(&a.dir, "directory", "C", ".", "work in the notebook at this `folder`")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "print results and errors only")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "print more of what is done")
	flags.StringVar(&a.color, "color", "auto", "colour the terminal: auto, always or never")
	flags.StringVar(&a.machine, "machine", "", "the `label` of this machine (default: from the user's configuration, else from its processor)")
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return a.checkFlags() }
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage("%v; see `%s --help`", err, cmd.CommandPath())
	})
	root.AddCommand(a.initCmd(), a.tryCmd(), a.checkCmd(), a.planCmd(), a.runCmd(), a.analyzeCmd(),
		a.reportCmd(), a.verifyCmd(), a.compareCmd(), a.doctorCmd(), a.statusCmd(), a.discardCmd(), a.acceptCmd(), a.noteCmd(), a.serveCmd(), a.schemaCmd(), a.versionCmd())
	root.InitDefaultCompletionCmd()
	argsAsUsage(root)
	return root
}

// argsAsUsage makes wrong numbers of arguments and unknown verbs errors of
// usage, for every verb.
func argsAsUsage(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if cmd.Parent() == nil && len(args) > 0 {
				return unknownVerb(cmd, args[0])
			}
			if err := check(cmd, args); err != nil {
				return usage("%v: write `%s`; `%s --help` says more", err, strings.TrimSuffix(cmd.UseLine(), " [flags]"), cmd.CommandPath())
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		argsAsUsage(sub)
	}
}

func unknownVerb(root *cobra.Command, word string) error {
	var verbs []string
	for _, c := range root.Commands() {
		verbs = append(verbs, c.Name())
	}
	return usage("there is no verb %q; %s", word, diag.Meant(word, verbs))
}

func (a *app) checkFlags() error {
	switch a.color {
	case "auto", "always", "never":
		return nil
	}
	return usage("--color is %q, want auto, always or never", a.color)
}

func (a *app) printProblems(l diag.List) {
	l = l.Sorted()
	files := map[string]bool{}
	for _, p := range l {
		fmt.Fprintln(a.stderr, a.problemText(p))
		if !p.Warning {
			files[p.Pos.File] = true
		}
	}
	if n := l.Errors(); n > 1 {
		fmt.Fprintf(a.stderr, "%d problems in %s\n", n, count(len(files), "file"))
	}
}

func (a *app) problemText(p diag.Problem) string {
	s := p.String()
	if a.colored(a.stderr) {
		if at := p.Pos.String(); at != "" && strings.HasPrefix(s, at) {
			s = "\x1b[1m" + at + "\x1b[0m" + s[len(at):]
		}
	}
	return s
}

// note prints a line about progress, unless -q.
func (a *app) note(format string, args ...any) {
	if !a.quiet {
		a.printLines(fmt.Sprintf(format, args...), strings.Repeat(" ", 13))
	}
}

// printLines prints text on stderr line by line, each made printable. All but
// the first are indented: a line break in somebody's level begins no line that
// the tool seems to say.
func (a *app) printLines(text, indent string) {
	before := ""
	for line := range strings.Lines(text) {
		fmt.Fprintln(a.stderr, before+diag.Printable(strings.TrimRight(line, "\n")))
		before = indent
	}
}

// count is "1 file", "2 files".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "y") {
		return fmt.Sprintf("%d %sies", n, noun[:len(noun)-1])
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
