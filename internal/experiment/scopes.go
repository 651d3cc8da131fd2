package experiment

import "strings"

// checkScopes refuses a service that depends on a factor which changes while
// it runs: the service would show one level of it and the trials another.
func (r *reader) checkScopes(x *Experiment) {
	for i, s := range x.Services {
		if s.Scope == ScopeTrial || r.unsure[s.Name] {
			continue
		}
		uses := r.chosenBy["service "+s.Name]
		for _, t := range x.Treatments {
			uses = append(uses, x.ServicesFor(t)[i].uses(x, t)...)
		}
		reported := map[string]bool{}
		for _, name := range uses {
			if !reported[name] && x.changes(s, name) {
				r.Errorf(s.Pos, "the service %q depends on %q, which changes while it runs (scope: %s)", s.Name, name, s.Scope)
				r.Hint("write each: [%s] for one instance per level, or scope: trial", name)
				reported[name] = true
			}
		}
	}
}

// changes says whether a name is a factor whose level changes while an
// instance of the service runs.
func (x *Experiment) changes(s Service, name string) bool {
	f := x.Factor(name)
	return f != nil && len(f.Levels) > 1 && !contains(s.Each, name) && !(s.Scope == ScopePlot && f.HardToChange)
}

// uses are the names in all texts of a service for a treatment.
func (s Service) uses(x *Experiment, t Treatment) []string {
	texts := s.Command.texts(x, t)
	texts = append(texts, s.Before.texts(x, t)...)
	texts = append(texts, s.After.texts(x, t)...)
	for _, e := range s.Env {
		texts = append(texts, e.Value.At(x, t))
	}
	if y := s.Ready; y != nil {
		texts = append(texts, y.Command.texts(x, t)...)
		for _, one := range []*Text{y.TCP, y.HTTP} {
			if one != nil {
				texts = append(texts, *one)
			}
		}
	}
	var names []string
	for _, one := range texts {
		names = append(names, one.used()...)
	}
	return names
}

func (c *Command) texts(x *Experiment, t Treatment) []Text {
	if c == nil {
		return nil
	}
	return c.Argv.At(x, t)
}

// used are the names in a text, without repeats of the places.
func (t Text) used() []string {
	if t.Template == nil {
		return nil
	}
	var names []string
	for _, n := range t.Names() {
		names = append(names, n.Name)
	}
	return names
}

func upper(s string) string { return strings.ToUpper(s) }
