package experiment

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
)

// CommandFactor is the factor of the short form `commands:`.
const CommandFactor = "command"

// factors reads `commands` and `factors`.
func (r *reader) factors(x *Experiment, n *yaml.Node) {
	if c := lookup(n, "commands"); c != nil && c.Kind == yaml.MappingNode {
		if len(entries(c)) == 0 {
			r.Errorf(r.at(c), "commands is empty")
		}
		f := Factor{Name: CommandFactor, Pos: r.at(c)}
		for _, e := range entries(c) {
			f.Levels = append(f.Levels, r.level(e.at))
		}
		x.Factors = append(x.Factors, f)
	}
	for _, e := range entries(lookup(n, "factors")) {
		if e.key == CommandFactor && len(x.Factors) > 0 && x.Factors[0].Name == CommandFactor {
			r.Errorf(r.at(e.at), "the factor %q is already there, from commands", e.key)
			continue
		}
		x.Factors = append(x.Factors, r.factor(e))
	}
	for i := range x.Factors {
		r.checkFactor(&x.Factors[i])
	}
}

func (r *reader) factor(e entry) Factor {
	f := Factor{Name: e.key, Pos: r.at(e.at)}
	list := e.value
	if e.value.Kind == yaml.MappingNode {
		list = lookup(e.value, "levels")
		f.Unit = plainText(lookup(e.value, "unit"))
		f.Log = plainText(lookup(e.value, "scale")) == "log"
		f.HardToChange = plainText(lookup(e.value, "hard-to-change")) == "true"
	}
	for _, l := range items(list) {
		if level.of(l) != nil {
			f.Levels = append(f.Levels, r.level(l))
		}
	}
	if labels := lookup(e.value, "labels"); labels != nil {
		r.labels(&f, labels)
	}
	return f
}

func (r *reader) level(n *yaml.Node) Level {
	return Level{Text: plainText(n), Label: plainText(n), Pos: r.at(n)}
}

func (r *reader) labels(f *Factor, n *yaml.Node) {
	labels := texts(n)
	if len(labels) != len(f.Levels) {
		r.Errorf(r.at(n), "%q has %d levels and %d labels", f.Name, len(f.Levels), len(labels))
		return
	}
	for i, l := range labels {
		if l == "" || slices.Contains(labels[:i], l) {
			r.Errorf(r.at(n.Content[i]), "the label %q is empty or stands twice", l)
		}
		f.Levels[i].Label = l
	}
}

// checkFactor checks the levels and finds out whether they are numbers.
func (r *reader) checkFactor(f *Factor) {
	f.Numeric = len(f.Levels) > 0
	first := map[string]diag.Pos{}
	for i := range f.Levels {
		l := &f.Levels[i]
		if l.Text == "" {
			r.Errorf(l.Pos, "an empty level of %q", f.Name)
		} else if at, again := first[l.Text]; again {
			r.Errorf(l.Pos, "the level %q of %q stands twice, first on line %d", short(l.Text), f.Name, at.Line)
		}
		first[l.Text] = l.Pos
		number, ok := expr.IsNumber(l.Text)
		f.Numeric = f.Numeric && ok
		l.Number = number
	}
	r.checkNumbers(f)
	r.checkMissingWords(f)
	r.checkScale(f)
}

// checkNumbers finds levels that other programs would read as one number.
func (r *reader) checkNumbers(f *Factor) {
	first := map[float64]Level{}
	for i := range f.Levels {
		l := &f.Levels[i]
		number, ok := expr.IsNumber(l.Text)
		if !ok {
			continue
		}
		if same, again := first[number]; again && same.Text != l.Text {
			if f.Numeric {
				r.Errorf(l.Pos, "the levels %q and %q of %q are one number", same.Text, l.Text, f.Name)
				r.Hint("where they are names, write v%s and v%s", same.Text, l.Text)
			} else {
				r.Warnf(l.Pos, "the levels %q and %q of %q read as one number in other programs", same.Text, l.Text, f.Name)
				r.Hint("read the column as text")
			}
		}
		first[number] = *l
	}
	if !f.Numeric {
		for i := range f.Levels {
			f.Levels[i].Number = 0
		}
	}
}

// missingWords are the texts that R, pandas or DuckDB read as a missing value.
var missingWords = []string{"NA", "N/A", "n/a", "NaN", "nan", "NAN", "null", "NULL", "Null", "None", "#N/A", "<NA>", "-nan", "-NaN"}

func (r *reader) checkMissingWords(f *Factor) {
	for _, l := range f.Levels {
		if contains(missingWords, l.Text) {
			r.Warnf(l.Pos, "the level %q of %q reads as a missing value in other programs", l.Text, f.Name)
			r.Hint("read the column as text")
		}
	}
}

func (r *reader) checkScale(f *Factor) {
	if !f.Log {
		return
	}
	for _, l := range f.Levels {
		if number, ok := expr.IsNumber(l.Text); !ok || number <= 0 {
			r.Errorf(l.Pos, "the level %q of %q has no place on a log scale", short(l.Text), f.Name)
			r.Hint("scale: log wants numbers above 0")
		}
	}
}

// constants reads `constants`.
func (r *reader) constants(x *Experiment, n *yaml.Node) {
	for _, e := range entries(n) {
		x.Constants = append(x.Constants, Constant{Name: e.key, Text: plainText(e.value), Pos: r.at(e.at)})
	}
}

// lateNames are known only while the experiment runs.
var lateNames = []string{"build", "source", "scratch", "client"}

// columns are the fixed columns of a session's files, and the words of the
// languages of the format: no name may be one.
var columns = strings.Fields(`session machine trial attempt part phase block plot position treatment control
	started duration_s status reason exit signal stdout_bytes stderr_bytes
	load1 foreign_cpu mhz temp_c throttled quiet_s
	client clock start_ns finish_ns index experiment
	and or not where other by`)

// names checks that the names of factors, constants, metrics and services
// are well formed, not reserved, and different.
func (r *reader) names(x *Experiment, n *yaml.Node) {
	first := map[string]diag.Pos{}
	add := func(kind, name string, at diag.Pos) {
		r.checkName(kind, name, at)
		if before, again := first[name]; again {
			r.Errorf(at, "the name %q is already taken on line %d", name, before.Line)
			r.Hint("factors, constants, metrics and services share their names")
			return
		}
		first[name] = at
	}
	for _, f := range x.Factors {
		add("factor", f.Name, f.Pos)
	}
	for _, c := range x.Constants {
		add("constant", c.Name, c.Pos)
	}
	for _, e := range entries(lookup(n, "services")) {
		add("service", e.key, r.at(e.at))
	}
	for _, e := range entries(lookup(n, "metrics")) {
		add("metric", e.key, r.at(e.at))
	}
}

func (r *reader) checkName(kind, name string, at diag.Pos) {
	switch {
	case !expr.ValidName(name):
		r.Errorf(at, "the name %q of a %s is not of the form [a-z][a-z0-9_]*", short(name), kind)
		if better := strings.ToLower(strings.NewReplacer("-", "_", " ", "_", ".", "_").Replace(name)); expr.ValidName(better) {
			r.Hint("write %s", better)
		}
	case contains(lateNames, name), contains(columns, name), contains(expr.Functions(), name):
		r.Errorf(at, "the name %q is reserved", name)
		r.Hint("fixed columns, functions and words of the format cannot name a %s", kind)
	}
}
