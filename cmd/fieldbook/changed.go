package main

import (
	"path/filepath"
	"strings"
	"sync"

	"fieldbook/internal/experiment"
	"fieldbook/internal/session"
)

// changed says in what a treatment is no longer what a session ran: the field
// of its identity that differs, by the experiment file that the session keeps;
// or, where no field does, the content of the inputs.
func (s *study) changed(one *session.Session, t experiment.Treatment) string {
	return s.changedSince(one)(t)
}

// changedSince is changed for the treatments of one session, whose experiment
// file is read once, when the first one asks.
func (s *study) changedSince(one *session.Session) func(experiment.Treatment) string {
	file := sync.OnceValues(func() (*experiment.Experiment, bool) { return keptFile(one) })
	return func(t experiment.Treatment) string {
		if old, ok := file(); ok {
			if fields := fieldsOf(old, t.Levels); fields != nil {
				return changedFields(fields, experiment.IdentityFields(s.x, t))
			}
		}
		return "what it runs has changed"
	}
}

// keptFile is the experiment file that a session keeps; false where it cannot
// be read any more.
func keptFile(one *session.Session) (*experiment.Experiment, bool) {
	src, err := readOwn(filepath.Join(one.Dir, "experiment.yaml"))
	if err != nil {
		return nil, false
	}
	x, problems := experiment.Read(one.Experiment, "experiment.yaml", src)
	return x, !problems.Failed()
}

// fieldsOf is the identity of the treatment that has the levels, field by
// field; nil: there is none.
func fieldsOf(x *experiment.Experiment, levels []string) []experiment.Field {
	for _, t := range x.Treatments {
		if treatmentKey(t.Levels) == treatmentKey(levels) {
			return experiment.IdentityFields(x, t)
		}
	}
	return nil
}

// changedFields names the fields that differ.
func changedFields(old, now []experiment.Field) string {
	before := map[string]string{}
	for _, f := range old {
		before[f.Name] = f.Text
	}
	var names []string
	for _, f := range now {
		if text, ok := before[f.Name]; !ok || text != f.Text {
			names = append(names, f.Name)
		}
		delete(before, f.Name)
	}
	for _, f := range old {
		if _, gone := before[f.Name]; gone {
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		return "the content of its inputs has changed"
	}
	return strings.Join(names, ", ") + " changed"
}

// changes are the reasons why recorded treatments are stale, by session and
// treatment, for the report.
func (s *study) changes(data *session.Dataset) map[string]map[string]string {
	ids := s.identities()
	all := map[string]map[string]string{}
	for _, one := range data.Sessions {
		recorded, changed := recordedIdentities(one), s.changedSince(one)
		for _, t := range s.x.Treatments {
			key := treatmentKey(t.Levels)
			if id, ok := recorded[key]; !ok || id == ids[key] {
				continue
			}
			if all[one.Info.Session] == nil {
				all[one.Info.Session] = map[string]string{}
			}
			all[one.Info.Session][key] = changed(t)
		}
	}
	return all
}
