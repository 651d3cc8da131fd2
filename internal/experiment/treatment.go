package experiment

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
)

// At is the value for a treatment.
func (c Choice[T]) At(x *Experiment, t Treatment) T {
	if c.By == "" {
		return c.Plain
	}
	level, _ := x.Level(t, c.By)
	return c.Each[level]
}

// Level is the level of a factor in a treatment; false where there is no
// such factor.
func (x *Experiment) Level(t Treatment, factor string) (string, bool) {
	for i, f := range x.Factors {
		if f.Name == factor && i < len(t.Levels) {
			return t.Levels[i], true
		}
	}
	return "", false
}

// Env looks up the factors of a treatment and the constants.
func (x *Experiment) Env(t Treatment) expr.Env {
	return func(name string) (expr.Value, bool) {
		if level, ok := x.Level(t, name); ok {
			return expr.Level(level), true
		}
		for _, c := range x.Constants {
			if c.Name == name {
				return expr.Level(c.Text), true
			}
		}
		return expr.Value{}, false
	}
}

// Late says whether a name is known only while the experiment runs: build,
// source, scratch, client, and SERVICE.host, .port, .address, .scratch.
func Late(x *Experiment, name string) bool {
	if contains(lateNames, name) {
		return true
	}
	service, field, ok := strings.Cut(name, ".")
	return ok && contains(serviceFields, field) && slices.ContainsFunc(x.Services, func(s Service) bool { return s.Name == service })
}

// serviceFields are what a template may ask of a service.
var serviceFields = []string{"host", "port", "address", "scratch"}

// BuildFor, ServicesFor and TrialFor are the programs of one treatment. Here
// everything that {by: ...} may choose is chosen, also in values that are no
// Choice, such as `retries` or the set of variables in `env`.
func (x *Experiment) BuildFor(t Treatment) *Command { return x.programsFor(t).build }

// ServicesFor is the services of one treatment, in the order of the file.
func (x *Experiment) ServicesFor(t Treatment) []Service { return x.programsFor(t).services }

// TrialFor is the trial of one treatment.
func (x *Experiment) TrialFor(t Treatment) Trial { return x.programsFor(t).trial }

func (x *Experiment) programsFor(t Treatment) programs {
	if i := t.Number - 1; i >= 0 && i < len(x.programs) {
		return x.programs[i]
	}
	return programs{x.Build, x.Services, x.Trial}
}

// choices checks every {by: FACTOR, LEVEL: value, ...} under build, services
// and trial: the factor exists, and its levels are all there, and no other.
// It notes which factors choose in which part.
func (r *reader) choices(x *Experiment, n *yaml.Node) {
	r.chosenBy = map[string][]string{}
	if x.Factor(CommandFactor) != nil && lookup(n, "commands") != nil {
		r.chosenBy["trial"] = []string{CommandFactor}
	}
	r.choicesIn(x, lookup(n, "build"), "build")
	r.choicesIn(x, lookup(n, "trial"), "trial")
	for _, e := range entries(lookup(n, "services")) {
		r.choicesIn(x, e.value, "service "+e.key)
	}
}

func (r *reader) choicesIn(x *Experiment, n *yaml.Node, part string) {
	if n == nil {
		return
	}
	if by := lookup(n, "by"); by != nil && factorName.of(by) != nil {
		if i := r.factorIndex(x, by); i >= 0 {
			r.chosenBy[part] = append(r.chosenBy[part], by.Value)
			r.checkChoice(&x.Factors[i], n)
		}
	}
	for _, c := range n.Content {
		r.choicesIn(x, c, part)
	}
}

// chooses are the factors by which anything is chosen.
func (r *reader) chooses() map[string]bool {
	all := map[string]bool{}
	for _, factors := range r.chosenBy {
		for _, f := range factors {
			all[f] = true
		}
	}
	return all
}

func (r *reader) checkChoice(f *Factor, n *yaml.Node) {
	for _, e := range entries(n) {
		if e.key != "by" {
			r.levelOf(f, e.at)
		}
	}
	var missing []string
	for _, l := range f.Levels {
		if lookup(n, l.Text) == nil {
			missing = append(missing, expr.QuoteLevel(l.Text))
		}
	}
	if len(missing) > 0 {
		r.Errorf(r.at(n), "by: %s has no value for %s", f.Name, strings.Join(missing, ", "))
	}
}

// conditions are the levels of a treatment that a text depends on, for
// messages: " (n=0)"; empty where it depends on none.
func (x *Experiment) conditions(names []expr.Name, t Treatment) string {
	var terms []string
	for _, n := range names {
		if level, ok := x.Level(t, n.Name); ok && !slices.Contains(terms, n.Name+"="+expr.QuoteLevel(level)) {
			terms = append(terms, n.Name+"="+expr.QuoteLevel(level))
		}
	}
	if len(terms) == 0 {
		return ""
	}
	return " (" + strings.Join(terms, " ") + ")"
}

// meant is the hint for an unknown name in a text: a near one, and those that
// are there.
func meant(word, in string, names []string) string {
	here := "names here: " + strings.Join(names, ", ")
	if len(names) == 0 {
		here = "there are no names here"
	}
	if near := diag.Nearest(word, names); near != "" {
		return "did you mean \"" + near + "\"? " + here
	}
	switch word {
	case "build", "source":
		return here + "; {" + word + "} is there where the file has " + word
	case "client":
		return here + "; {client} is there where trial has clients"
	}
	if in == "{"+word+"}" {
		return here + "; write {{ for a brace"
	}
	return here
}
