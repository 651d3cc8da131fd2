package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"fieldbook/internal/design"
	"fieldbook/internal/experiment"
	"fieldbook/internal/machine"
	"fieldbook/internal/runner"
	"fieldbook/internal/session"
)

// environment is what can be read about this machine and about the source
// tree of an experiment, as sorted facts.
func (n *notebook) environment(s *study) (map[string]string, error) {
	facts, err := machine.Environment(machine.Query{
		Tool:     toolVersion(),
		Folder:   s.folder,
		Data:     filepath.Join(n.root, "data"),
		Programs: words(s.x.Source),
	})
	if err == nil {
		facts["inputs"] = inputsFact(s.inputs, s.files)
	}
	return facts, err
}

// inputsFact tells the state of an experiment's inputs from another.
func inputsFact(hash string, files []string) string {
	return fmt.Sprintf("sha256 %s of %s", hash, count(len(files), "file"))
}

// noteEnd records what is another at the end of a session's part than at its
// beginning.
func (s *study) noteEnd(w *session.Writer) error {
	now := machine.Changing("/")
	if hash, files, err := machine.HashInputs(s.folder, s.x.Inputs); err == nil {
		now["inputs"] = inputsFact(hash, files)
	} else {
		now["inputs"] = "cannot be read any more"
	}
	return w.UpdateInfo(func(info *session.Info) {
		part := &info.Parts[len(info.Parts)-1]
		part.Ended = stamp(time.Now())
		maps.DeleteFunc(now, func(name, value string) bool {
			was, known := part.Environment[name]
			return !known || was == value
		})
		part.AtEnd = now
	})
}

// words are those of an experiment file, among which are the programs that it
// starts.
func words(source []byte) []string {
	return strings.FieldsFunc(string(source), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("[]{},\"':", r)
	})
}

// info is session.json of a session that is about to start.
func (s *study) info(p *design.Plan, label string, env map[string]string, f runFlags) session.Info {
	now := time.Now()
	x := s.x
	metrics, clients, samples := runner.Columns(x)
	info := session.Info{
		Format: 1, Session: session.NewID(now, label), Experiment: s.name, Title: x.Title, Question: x.Question,
		Machine: label, Purpose: "measure", Note: f.note,
		Order: string(p.Order), Generator: design.Generator, Seed: design.FormatSeed(p.Seed),
		Blocks: p.Blocks, WarmupBlocks: p.WarmupBlocks,
		Factors: factors(x), Constants: constants(x), Metrics: metrics, ClientColumns: clients, SampleColumns: samples,
		Unaffected: x.Unaffected, Claims: map[string]string{},
		Parts: []session.Part{{Part: 1, Started: stamp(now), Tool: toolVersion(), FirstTrial: 1, Environment: env}},
	}
	if f.pilot {
		info.Purpose = "pilot"
	}
	if u := x.Design.Until; u != nil {
		info.Stopping = &session.Stopping{Claim: u.Claim, HalfWidth: u.HalfWidth, Min: x.Design.Min, Max: x.Design.Max}
	}
	for _, t := range x.Treatments {
		info.Treatments = append(info.Treatments, session.Treatment{Number: t.Number, Levels: t.Levels, Identity: experiment.Identity(x, t, s.inputs)})
	}
	for _, c := range x.Claims {
		info.Claims[c.Name] = experiment.ClaimHash(c)
	}
	return info
}

// factors are the experiment's factors in the form that data carries.
func factors(x *experiment.Experiment) []session.Factor {
	out := make([]session.Factor, len(x.Factors))
	for i, f := range x.Factors {
		out[i] = session.Factor{Name: f.Name, Unit: f.Unit, Numeric: f.Numeric, HardToChange: f.HardToChange}
		if f.Log {
			out[i].Scale = "log"
		}
		labelled := false
		for _, l := range f.Levels {
			out[i].Levels = append(out[i].Levels, l.Text)
			out[i].Labels = append(out[i].Labels, l.Label)
			labelled = labelled || l.Label != l.Text
		}
		if !labelled {
			out[i].Labels = nil
		}
	}
	return out
}

func constants(x *experiment.Experiment) []session.Constant {
	var out []session.Constant
	for _, c := range x.Constants {
		out = append(out, session.Constant{Name: c.Name, Value: c.Text})
	}
	return out
}
