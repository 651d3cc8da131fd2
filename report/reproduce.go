package report

import (
	"fmt"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// reproduce is how to do the experiment again: the commit and the seed of
// each session as recorded, and the file of the experiment.
func (b *builder) reproduce(r *analysis.Result) []block {
	b.place("reproduce", r)
	var blocks []block
	if len(r.Data.Sessions) > 0 {
		blocks = append(blocks, paragraph{say("With the seed of a session its order is repeated; without one a new order is drawn, which is the better test of what was found. The numbers of another machine will be others.")})
	}
	blocks = append(blocks, listing{Name: "commands", Lang: "sh", Text: b.commands(r)})
	if note := dirtyNote(r); note != "" {
		blocks = append(blocks, paragraph{say(note)})
	}
	if len(b.Listing) > 0 && r == b.r && !b.placed["listing"] {
		blocks = append(blocks, paragraph{phrase{plain("The experiment, "), code("experiment.yaml"), plain(":")}}, listing{Name: "experiment.yaml", Lang: "yaml", Text: string(b.Listing)})
	}
	return blocks
}

// mostRepeated is how many sessions the commands repeat one by one.
const mostRepeated = 6

// commands are the exact commands that repeat the sessions shown; without
// data, those that record the first.
func (b *builder) commands(r *analysis.Result) string {
	var out strings.Builder
	line := func(command, remark string) {
		if remark != "" {
			command += strings.Repeat(" ", max(2, 44-len(command))) + "# " + remark
		}
		out.WriteString(command + "\n")
	}
	took := ""
	if b.RunTime > 0 && r == b.r {
		took = "about " + roughly(b.RunTime)
	}
	name := shellWord(r.Experiment)
	if len(r.Data.Sessions) == 0 {
		line("fieldbook run "+name, took)
	} else {
		line("fieldbook run "+name+" --new", took)
	}
	line("fieldbook report "+name, "")
	at := ""
	for i, s := range r.Data.Sessions {
		if i == mostRepeated {
			out.WriteString(fmt.Sprintf("# the seeds of %s stand in data/%s/*/session.json\n", plural(len(r.Data.Sessions)-i, "further session"), r.Experiment))
			break
		}
		if i == 0 {
			out.WriteString("# the order of a recorded session" + atCommits(r) + "\n")
		}
		if commit, known := commitOf(s); known && commit != at {
			line("git checkout "+shellWord(commit), "")
			at = commit
		}
		line("fieldbook run "+name+" --new --seed "+shellWord(s.Seed), s.Session)
	}
	return out.String()
}

// atCommits says of the commands that repeat sessions whether they check out
// what ran then.
func atCommits(r *analysis.Result) string {
	known := 0
	for _, s := range r.Data.Sessions {
		if _, ok := commitOf(s); ok {
			known++
		}
	}
	switch known {
	case 0:
		return "; its commit is not known"
	case len(r.Data.Sessions):
		return ", at its commit"
	}
	return ", at its commit where that is known"
}

// shellWord is a text as a shell reads it as one word.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// commitOf is the commit at which a session began, where it is known.
func commitOf(s *session.Session) (string, bool) {
	if len(s.Parts) == 0 {
		return "", false
	}
	commit := s.Parts[0].Environment["git_commit"]
	if len(commit) < 7 || strings.Trim(commit, "0123456789abcdef") != "" {
		return "", false
	}
	return commit, true
}

// dirtyNote says of which sessions the commit is not the whole truth.
func dirtyNote(r *analysis.Result) string {
	var dirty []string
	for _, s := range r.Data.Sessions {
		if len(s.Parts) > 0 && strings.HasPrefix(s.Parts[0].Environment["git_dirty"], "yes") {
			dirty = append(dirty, s.Session)
		}
	}
	if len(dirty) == 0 {
		return ""
	}
	return "Of " + sessionList(dirty) + " the tree had changes that its commit does not hold. Where they touch what runs, the session's folder has them as source.patch."
}
