package report

import (
	"maps"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// environment is what could be read about where the sessions ran, and what
// differed between them.
func (b *builder) environment(r *analysis.Result) []block {
	b.place("environment", r)
	if len(r.Data.Sessions) == 0 {
		return []block{paragraph{say("No session is recorded.")}}
	}
	facts := environments(r.Data.Sessions)
	t := &tableBlock{Caption: say("Where the sessions", b.of(r), " ran, as read on the machine itself."), Head: []column{{Title: "fact"}, {Title: "value"}}}
	var unknown []string
	for _, name := range factOrder(facts) {
		values := facts[name]
		if len(values) == 1 && values[0].value == "unknown" {
			unknown = append(unknown, name)
			continue
		}
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{{Phrase: say(name)}, {Phrase: values.phrase(len(r.Data.Sessions) > 1)}}})
	}
	differ := differing(facts)
	if len(unknown) > 0 {
		t.Notes = append(t.Notes, say("Could not be read here: ", strings.Join(unknown, ", "), "."))
	}
	var blocks []block
	if len(differ) > 0 {
		blocks = append(blocks, paragraph{say("Between sessions or their parts differed: ", strings.Join(differ, ", "), ". What is compared across them may differ for that reason.")})
	}
	if changes := changesDuring(r.Data.Sessions); len(changes) > 0 {
		blocks = append(blocks, paragraph{say("While the sessions", b.of(r), " ran, this changed on the machine:")}, bullets{changes})
	}
	return append(blocks, t)
}

// alwaysDiffers are facts that say nothing when they differ.
var alwaysDiffers = map[string]bool{"load": true, "boot": true, "frequency": true, "temperature": true, "throttled": true, "steal": true, "swap_used": true}

// differing are the facts in which sessions, or their parts, differ.
func differing(facts map[string]factValues) []string {
	var names []string
	for _, name := range factOrder(facts) {
		if len(facts[name]) > 1 && !alwaysDiffers[name] {
			names = append(names, name)
		}
	}
	return names
}

// mostFacts is how many facts a note names.
const mostFacts = 6

// acrossNote says beside comparisons in what the sessions behind them differ:
// what is paired within blocks meets that on both sides, what is not paired
// may differ for that reason. Nothing where all sessions were alike.
func acrossNote(r *analysis.Result, paired bool) []phrase {
	if len(r.Data.Sessions) < 2 {
		return nil
	}
	names := differing(environments(r.Data.Sessions))
	if len(names) == 0 {
		return nil
	}
	if n := len(names); n > mostFacts {
		names = append(names[:mostFacts], itoa(n-mostFacts)+" more")
	}
	text := "The sessions differ in " + inWords(names) + ", as told under machine and versions. "
	if paired {
		return []phrase{say(text, "Both sides of a block met the same.")}
	}
	return []phrase{say(text, "What is set beside each other across sessions may differ for that reason.")}
}

// firstFacts are what a reader looks for first.
var firstFacts = []string{"machine", "cpu", "cpus", "cores", "memory", "os", "kernel", "virtualization", "governor", "turbo", "git", "commit", "tool"}

// factOrder is the facts that there are, the first ones first, then by name.
func factOrder(facts map[string]factValues) []string {
	names := slices.Sorted(maps.Keys(facts))
	slices.SortStableFunc(names, func(a, b string) int { return factRank(a) - factRank(b) })
	return names
}

func factRank(name string) int {
	if i := slices.Index(firstFacts, name); i >= 0 {
		return i
	}
	return len(firstFacts)
}

// factValue is a value of one fact and the sessions that have it.
type factValue struct {
	value    string
	sessions []string
}

type factValues []factValue

// phrase is the value, or each of them with its sessions.
func (v factValues) phrase(several bool) phrase {
	if len(v) == 1 && (!several || v[0].sessions == nil) {
		return say(v[0].value)
	}
	var p phrase
	for i, one := range v {
		if i > 0 {
			p = append(p, lineEnd{})
		}
		p = append(p, plain(one.value))
		if several && len(v) > 1 {
			p = append(p, soft(" ("+sessionList(one.sessions)+")"))
		}
	}
	return p
}

// sessionList names a few sessions, or counts many.
func sessionList(ids []string) string {
	if len(ids) > 3 {
		return plural(len(ids), "session")
	}
	return strings.Join(ids, ", ")
}

// environments gathers the facts of all parts of all sessions.
func environments(sessions []*session.Session) map[string]factValues {
	facts := map[string]factValues{}
	add := func(name, value, id string) {
		if value == "" {
			return
		}
		for i := range facts[name] {
			if facts[name][i].value == value {
				if !slices.Contains(facts[name][i].sessions, id) {
					facts[name][i].sessions = append(facts[name][i].sessions, id)
				}
				return
			}
		}
		facts[name] = append(facts[name], factValue{value, []string{id}})
	}
	for _, s := range sessions {
		add("machine", s.Machine, s.Session)
		for _, p := range s.Parts {
			add("tool", p.Tool, s.Session)
			for _, name := range slices.Sorted(maps.Keys(p.Environment)) {
				add(name, p.Environment[name], s.Session)
			}
			for _, name := range slices.Sorted(maps.Keys(p.Built)) {
				add("built "+name, "sha256 "+p.Built[name], s.Session)
			}
		}
	}
	return facts
}
