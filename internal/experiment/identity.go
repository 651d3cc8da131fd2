package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Field is one part of what determines the runs of a treatment: a name such
// as "trial.command" or "metric elapsed", and its canonical text.
type Field struct{ Name, Text string }

// Identity is the hash, in hexadecimal, of all that determines the runs of a
// treatment: its IdentityFields, and the hash of the content of its inputs.
// Sessions record it, so that the text behind it must not change.
// TestIdentityPinned guards it.
func Identity(x *Experiment, t Treatment, inputs string) string {
	h := sha256.New()
	for _, f := range append(IdentityFields(x, t), Field{"inputs", inputs}) {
		h.Write([]byte(strconv.Quote(f.Name) + " " + strconv.Quote(f.Text) + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// IdentityFields are the commands of a treatment (source, build, services,
// before, trial, after) with env, stdin, folder, processors, time-out and
// number of clients, after substitution of factors, constants and {by: ...};
// and how each metric is read. Ports, scratch and output folders stay as
// written. Formulas over a trial's metrics, units, labels, titles, order,
// seed and blocks are no part of it. They are sorted by name, so that the
// order of keys does not matter. Two experiments can be compared field by
// field to tell why a treatment is stale.
func IdentityFields(x *Experiment, t Treatment) []Field {
	b := &identity{x: x, t: t}
	if c := x.Checkout; c != nil {
		b.text("source.git", c.Git)
		b.text("source.revision", c.Revision)
	}
	b.command("build", x.BuildFor(t))
	for _, s := range x.ServicesFor(t) {
		b.service("service "+s.Name, s)
	}
	b.trial(x.TrialFor(t))
	for i := range x.Metrics {
		b.metric(&x.Metrics[i])
	}
	slices.SortStableFunc(b.fields, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	return b.fields
}

// identity gathers the fields of one treatment.
type identity struct {
	x      *Experiment
	t      Treatment
	fields []Field
}

func (b *identity) add(name, text string) {
	if text != "" {
		b.fields = append(b.fields, Field{name, text})
	}
}

// partial is a text with what is known early filled in. A text that cannot
// be evaluated stays as written; such an experiment is never run.
func (b *identity) partial(t Text) string {
	if t.Template == nil {
		return ""
	}
	s, err := t.Partial(b.x.Env(b.t), func(name string) bool { return Late(b.x, name) })
	if err != nil {
		return t.String()
	}
	return s
}

func (b *identity) text(name string, t Text) { b.add(name, b.partial(t)) }

func (b *identity) choice(name string, c *Choice[Text]) {
	if c != nil {
		b.text(name, c.At(b.x, b.t))
	}
}

// command is the arguments, with one blank between them.
func (b *identity) command(name string, c *Command) {
	if c == nil {
		return
	}
	if c.Shell {
		b.add(name+".shell", "true")
	}
	var words []string
	for _, arg := range c.Argv.At(b.x, b.t) {
		words = append(words, quoted(b.partial(arg)))
	}
	b.add(name, strings.Join(words, " "))
}

// quoted is a text in quotes where it is empty or holds a blank or a quote,
// so that no two lists of texts, joined by blanks, are the same.
func quoted(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return r == '"' || unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return strconv.Quote(s)
	}
	return s
}

func (b *identity) processors(name string, c Choice[[]int]) {
	var words []string
	for _, p := range c.At(b.x, b.t) {
		words = append(words, strconv.Itoa(p))
	}
	b.add(name, strings.Join(words, ","))
}

func (b *identity) environment(name string, env []EnvVar) {
	for _, e := range env {
		b.add(name+"."+e.Name, quoted(b.partial(e.Value.At(b.x, b.t))))
	}
}

func (b *identity) service(name string, s Service) {
	b.command(name+".command", &s.Command)
	b.command(name+".before", s.Before)
	b.command(name+".after", s.After)
	b.processors(name+".cpus", s.CPUs)
	b.environment(name+".env", s.Env)
}

func (b *identity) trial(t Trial) {
	b.command("trial.command", &t.Command)
	b.command("trial.before", t.Before)
	b.command("trial.after", t.After)
	b.choice("trial.clients", t.Clients)
	b.choice("trial.stdin", t.Stdin)
	b.choice("trial.cwd", t.Cwd)
	b.environment("trial.env", t.Env)
	b.processors("trial.cpus", t.CPUs)
	b.add("trial.timeout", t.Timeout.At(b.x, b.t).String())
}

// metric is how the value of a metric is read. The formula of samples is
// part of it, since the samples themselves need not be kept.
func (b *identity) metric(m *Metric) {
	if m.From == FromFormula {
		return
	}
	words := []string{"from=" + string(m.From)}
	add := func(name, value string) {
		if value != "" {
			words = append(words, name+"="+quoted(value))
		}
	}
	add("key", m.Key)
	add("pattern", m.Pattern)
	add("stream", m.Stream)
	if m.MatchOnly {
		add("match", "only")
	}
	if m.Path != nil {
		add("path", b.partial(*m.Path))
	}
	add("per", m.Per)
	add("reduce", m.Reduce)
	if m.Formula != nil {
		add("formula", m.Formula.String())
	}
	b.add("metric "+m.Name, strings.Join(words, " "))
}
