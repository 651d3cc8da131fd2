package main

import (
	"os"
	"path/filepath"
	"strings"

	"fieldbook/internal/experiment"
	"fieldbook/internal/session"
)

// changed says in what a treatment is no longer what a session ran: the field
// of its identity that differs, by the experiment file that the session keeps;
// or, where no field does, the content of the inputs.
func (s *study) changed(one *session.Session, t experiment.Treatment) string {
	src, err := os.ReadFile(filepath.Join(one.Dir, "experiment.yaml"))
	if err != nil {
		return "what it runs has changed"
	}
	old, problems := experiment.Read(s.name, "experiment.yaml", src)
	if problems.Failed() {
		return "what it runs has changed"
	}
	for _, was := range old.Treatments {
		if treatmentKey(was.Levels) == treatmentKey(t.Levels) {
			return changedFields(experiment.IdentityFields(old, was), experiment.IdentityFields(s.x, t))
		}
	}
	return "what it runs has changed"
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
		recorded := map[string]string{}
		for _, t := range one.Treatments {
			recorded[treatmentKey(t.Levels)] = t.Identity
		}
		for _, t := range s.x.Treatments {
			key := treatmentKey(t.Levels)
			if id, ok := recorded[key]; !ok || id == ids[key] {
				continue
			}
			if all[one.Info.Session] == nil {
				all[one.Info.Session] = map[string]string{}
			}
			all[one.Info.Session][key] = s.changed(one, t)
		}
	}
	return all
}
