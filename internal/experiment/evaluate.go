package experiment

import (
	"maps"
	"slices"
	"strings"

	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
)

// evaluate computes every template and formula for every treatment, so that
// a mistake is found before the first trial. What is known only while the
// experiment runs is of known kind and unknown value here.
func (r *reader) evaluate(x *Experiment) {
	v := &evaluator{r: r, x: x, used: r.chooses(), done: map[diag.Pos]bool{}}
	for _, t := range x.Treatments {
		v.t = t
		v.programs()
		v.formulas()
	}
	r.checkMetricCycles(x)
	r.checkScopes(x)
	r.warnUnused(x, v.used)
}

// evaluator evaluates for one treatment after the other.
type evaluator struct {
	r    *reader
	x    *Experiment
	t    Treatment
	used map[string]bool   // names that anything uses
	done map[diag.Pos]bool // texts with a problem that is reported
}

// scope is what a text may use besides factors and constants.
type scope map[string]expr.Value

func (s scope) with(names ...string) scope {
	more := maps.Clone(s)
	if more == nil {
		more = scope{}
	}
	for _, n := range names {
		more[n] = expr.Unknown(expr.KindText)
	}
	return more
}

// withService adds what a service has.
func (s scope) withService(name string) scope {
	more := s.with(name+".host", name+".address", name+".scratch")
	more[name+".port"] = expr.Unknown(expr.KindNumber)
	return more
}

func (v *evaluator) env(s scope) expr.Env {
	early := v.x.Env(v.t)
	return func(name string) (expr.Value, bool) {
		if value, ok := early(name); ok {
			return value, true
		}
		value, ok := s[name]
		return value, ok
	}
}

// here are the names that a text may use, for messages.
func (v *evaluator) here(s scope) []string {
	names := v.x.factorNames()
	for _, c := range v.x.Constants {
		names = append(names, c.Name)
	}
	return append(names, slices.Sorted(maps.Keys(s))...)
}

// known marks names as used and reports those that are unknown.
func (v *evaluator) known(of any, names []expr.Name, in string, s scope) bool {
	env := v.env(s)
	var unknown []expr.Name
	for _, n := range names {
		v.used[n.Name] = true
		if _, found := env(n.Name); !found {
			unknown = append(unknown, n)
		}
	}
	if len(unknown) > 0 && v.first(of) {
		for _, n := range unknown {
			part := around(in, n.Off)
			v.r.Errorf(v.r.place(v.r.origins[of], n.Off), "unknown name %q in %q", n.Name, short(part))
			v.r.Hint("%s", meant(n.Name, part, v.here(s)))
		}
	}
	return len(unknown) == 0
}

// around is the {…} of a template around a place, or the whole of a formula.
func around(src string, off int) string {
	if i := strings.LastIndexByte(src[:off], '{'); i >= 0 {
		return src[i : i+expr.Braces(src[i:])]
	}
	return src
}

// first says whether a text has had no problem yet: one is enough, since the
// next treatment would only repeat it.
func (v *evaluator) first(of any) bool {
	at := v.r.place(v.r.origins[of], 0)
	again := v.done[at]
	v.done[at] = true
	return !again
}

// failed reports an error of evaluation with the levels that lead to it.
func (v *evaluator) failed(of any, names []expr.Name, err error) {
	if v.first(of) {
		v.r.problem(v.r.origins[of], err)
		last := &v.r.List[len(v.r.List)-1]
		last.Text += v.x.conditions(names, v.t)
	}
}

// text evaluates a template.
func (v *evaluator) text(t Text, s scope) {
	if !v.known(t.Template, t.Names(), t.String(), s) {
		return
	}
	if _, err := t.Expand(v.env(s)); err != nil {
		v.failed(t.Template, t.Names(), err)
	}
}

// formula evaluates an expression and checks the kind of its result.
func (v *evaluator) formula(f *Formula, s scope, want expr.Kind) {
	if f == nil || !v.known(f.Expr, f.Names(), f.String(), s) {
		return
	}
	got, err := f.Eval(v.env(s))
	switch {
	case err != nil:
		v.failed(f.Expr, f.Names(), err)
	case got.Kind == want:
	case want == expr.KindBool:
		v.failed(f.Expr, f.Names(), &expr.Error{Msg: "the formula is no condition", Hint: "compare: == != < <= > >="})
	default:
		v.failed(f.Expr, f.Names(), &expr.Error{Msg: "the formula is no number"})
	}
}

func (v *evaluator) command(c *Command, s scope) {
	if c == nil {
		return
	}
	for _, arg := range c.Argv.At(v.x, v.t) {
		v.text(arg, s)
	}
}

func (v *evaluator) choice(c *Choice[Text], s scope) {
	if c == nil {
		return
	}
	if t := c.At(v.x, v.t); t.Template != nil {
		v.text(t, s)
	}
}

func (v *evaluator) variables(env []EnvVar, s scope) {
	for _, e := range env {
		v.choice(&e.Value, s)
	}
}

// programs evaluates source, build, services and trial; each sees what is
// there before it.
func (v *evaluator) programs() {
	var s scope
	if c := v.x.Checkout; c != nil {
		v.text(c.Git, s)
		v.text(c.Revision, s)
		s = s.with("source")
	}
	if build := v.x.BuildFor(v.t); build != nil {
		s = s.with("build")
		v.command(build, s)
	}
	for _, service := range v.x.ServicesFor(v.t) {
		s = s.withService(service.Name)
		v.service(service, s)
	}
	s = s.with("scratch")
	v.trial(v.x.TrialFor(v.t), s)
	for _, m := range v.x.Metrics {
		if m.Path != nil {
			v.text(*m.Path, s)
		}
	}
}

func (v *evaluator) service(s Service, names scope) {
	v.command(&s.Command, names)
	v.command(s.Before, names)
	v.command(s.After, names)
	v.variables(s.Env, names)
	for _, f := range s.Each {
		v.used[f] = true
	}
	if s.Ready == nil {
		return
	}
	v.command(s.Ready.Command, names)
	for _, t := range []*Text{s.Ready.TCP, s.Ready.HTTP} {
		if t != nil {
			v.text(*t, names)
		}
	}
}

func (v *evaluator) trial(t Trial, s scope) {
	v.command(t.Before, s)
	v.command(t.After, s)
	v.choice(t.Stdin, s)
	if t.Clients == nil {
		v.perClient(t, s)
		return
	}
	n, ok := v.clients(t.Clients.At(v.x, v.t))
	if !ok {
		return
	}
	for _, client := range slices.Compact([]float64{0, n - 1}) {
		one := s.with()
		one["client"] = expr.Number(client)
		v.perClient(t, one)
	}
}

// perClient evaluates what may differ between the clients of a trial.
func (v *evaluator) perClient(t Trial, s scope) {
	v.command(&t.Command, s)
	v.choice(t.Cwd, s)
	v.variables(t.Env, s)
}

// maxClients bounds the processes of one trial.
const maxClients = 10_000

// clients is the number of clients of the treatment.
func (v *evaluator) clients(t Text) (float64, bool) {
	if t.Template == nil || !v.known(t.Template, t.Names(), t.String(), nil) {
		return 0, false
	}
	s, err := t.Expand(v.env(nil))
	if err != nil {
		v.failed(t.Template, t.Names(), err)
		return 0, false
	}
	n, ok := expr.IsNumber(s)
	if !ok || n != float64(int(n)) || n < 1 || n > maxClients {
		v.failed(t.Template, t.Names(), &expr.Error{Msg: "clients is \"" + short(s) + "\", want a whole number from 1 to 10000"})
		return 0, false
	}
	return n, true
}

// formulas evaluates the formulas of metrics, validity and claims.
func (v *evaluator) formulas() {
	s := scope{}
	for _, m := range v.x.Metrics {
		s[m.Name] = expr.Unknown(expr.KindNumber)
	}
	for _, m := range v.x.Metrics {
		switch m.From {
		case FromFormula:
			v.formula(m.Formula, s, expr.KindNumber)
		case FromSamples:
			v.formula(m.Formula, v.samples(m.Formula), expr.KindNumber)
		}
	}
	for i := range v.x.Valid {
		v.formula(&v.x.Valid[i], s, expr.KindBool)
	}
	for i := range v.x.Claims {
		v.formula(v.x.Claims[i].Always, s, expr.KindBool)
	}
}

// samples are the columns that a formula over samples uses: every name that
// is neither factor nor constant.
func (v *evaluator) samples(f *Formula) scope {
	s := scope{}
	if f != nil {
		for _, n := range f.Names() {
			s[n.Name] = expr.Unknown(expr.KindNumber)
		}
	}
	return s
}

// warnUnused warns of factors that change nothing that the tool can see.
func (r *reader) warnUnused(x *Experiment, used map[string]bool) {
	if r.Failed() {
		return
	}
	for _, f := range x.Factors {
		if !used[f.Name] {
			r.Warnf(f.Pos, "nothing uses the factor %q", f.Name)
			r.Hint("write {%s} in the command; a workload may also read FIELDBOOK_FACTOR_%s", f.Name, upper(f.Name))
		}
	}
}
