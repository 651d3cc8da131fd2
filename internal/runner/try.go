package runner

import (
	"context"
	"errors"
	"strings"

	"fieldbook/internal/design"
	"fieldbook/internal/experiment"
	"fieldbook/internal/session"
)

// Tried is what one trial did, for a person to see. Nothing of it is kept.
type Tried struct {
	Record   session.Record
	Commands [][]string // as executed, one a client
	Env      []string   // what was added to the environment, NAME=VALUE
	Outputs  []Output
}

// Output is one stream of one process, head and tail.
type Output struct {
	Name  string // "stdout", "client-2-stderr"
	Bytes int64
	Kept  []byte
}

// Try sets up what one treatment needs, runs one trial of it, and takes down
// again. Of the job it needs Experiment, Folder and Work.
func Try(ctx context.Context, job Job, t experiment.Treatment) (tried Tried, err error) {
	trial := design.Trial{Number: 1, Phase: design.Measured, Block: 1, Position: 1, Treatment: t.Number}
	job.Plan = &design.Plan{Treatments: []experiment.Treatment{t}, Trials: []design.Trial{trial}, Blocks: 1}
	e, err := open(ctx, job)
	if err != nil {
		return Tried{}, err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	e.trying = true
	if err := e.setUp(job.Plan.Treatments); err != nil {
		return Tried{}, err
	}
	a, err := e.attempt(trial, t, 1)
	if err != nil {
		return Tried{}, err
	}
	return a.tried(), nil
}

// tried is what an attempt shows.
func (a *attempt) tried() Tried {
	out := Tried{Record: a.rec}
	for i, c := range a.commands {
		out.Commands = append(out.Commands, c.argv)
		if i == 0 {
			out.Env = additions(c.env, a.e.set.base)
		}
		if a.out.streams == nil {
			continue
		}
		prefix := a.clientPrefix(i)
		out.Outputs = append(out.Outputs,
			Output{prefix + "stdout", a.bytes[2*i], a.rec.Outputs[prefix+"stdout"]},
			Output{prefix + "stderr", a.bytes[2*i+1], a.rec.Outputs[prefix+"stderr"]})
	}
	return out
}

// additions are the variables that are not in the base, without the pad.
func additions(env, base []string) []string {
	old := map[string]bool{}
	for _, v := range base {
		old[v] = true
	}
	var added []string
	for _, v := range env {
		if !old[v] && !strings.HasPrefix(v, padVar) {
			added = append(added, v)
		}
	}
	return added
}

// single writes single braces for the doubled ones of a template.
var single = strings.NewReplacer("{{", "{", "}}", "}")

// CommandText is a treatment's command as a person would type it, if not too
// long. Names that only a run can give, such as {build}, stay as they are.
func CommandText(x *experiment.Experiment, t experiment.Treatment) string {
	trial := x.TrialFor(t)
	return shorten((&typing{x: x, t: t}).command(&trial.Command), 1000)
}
