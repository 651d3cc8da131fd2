package report

import (
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// notOK are the statuses of attempts that do not count, as a sentence has
// them.
var notOK = []struct{ status, word string }{
	{session.Failed, "failed"}, {session.Timeout, "timed-out"}, {session.Invalid, "invalid"}, {session.Interrupted, "interrupted"}, {session.Skipped, "skipped"},
}

// exclusionSentence says what is in no number: attempts by their status,
// sessions, treatments whose data is left out.
func exclusionSentence(r *analysis.Result) string {
	counts := map[string]int{}
	for _, e := range r.Exclusions() {
		counts[e.Status]++
	}
	var out []string
	total := 0
	count := func(n int, before, noun string) {
		if total += n; n > 0 {
			out = append(out, before+plural(n, noun))
		}
	}
	for _, s := range notOK {
		count(counts[s.status], "", s.word+" attempt")
	}
	treatments := 0
	for _, s := range standingsInUse(r) {
		if s.LeftOut {
			treatments++
		}
	}
	count(treatments, "older data of ", "treatment")
	count(len(r.Data.LeftOut), "", "session")
	switch {
	case len(out) == 0:
		return "Every attempt ended as planned, and no session is left out."
	case total == 1 || total == treatments: // data is singular
		return "In no number is " + out[0] + "; it stands with its reason under what was left out."
	}
	return "In no number are " + inWords(out) + "; each stands with its reason under what was left out."
}

// mostExclusions is how many attempts a table lists one by one.
const mostExclusions = 200

// exclusions is the ledger of what is in no statistic: attempts that are not
// ok, treatments without data or with stale data, sessions that are not used.
func (b *builder) exclusions(r *analysis.Result) []block {
	b.place("exclusions", r)
	var blocks []block
	all := r.Exclusions()
	if len(all) > 0 {
		blocks = append(blocks, attemptTable(all, b.of(r)))
	}
	if t := standingTable(r, b.of(r)); t != nil {
		blocks = append(blocks, t)
	}
	if t := sessionTable(r, b.of(r)); t != nil {
		blocks = append(blocks, t)
	}
	if t := cutTable(r, b.of(r)); t != nil {
		blocks = append(blocks, t)
	}
	text := "Every attempt ended as planned, every session that was recorded is used, and nothing was left out."
	if len(blocks) > 0 {
		text = ledger(r, all)
	}
	return append([]block{paragraph{say(text)}}, blocks...)
}

// ledger counts what the tables list.
func ledger(r *analysis.Result, all []analysis.Exclusion) string {
	var tally analysis.Tally
	again := 0
	for _, c := range r.Counts() {
		tally.OK += c.Trials.OK
	}
	for _, e := range all {
		if e.TriedAgain {
			again++
		}
	}
	sentences := []string{plural(tally.OK, "measured trial") + " count."}
	switch tally.OK {
	case 0:
		sentences[0] = "No measured trial counts."
	case 1:
		sentences[0] = "1 measured trial counts."
	}
	switch {
	case len(all) == 0:
		sentences = append(sentences, "No attempt failed.")
	case again > 0:
		sentences = append(sentences, plural(len(all), "attempt")+" did not end as planned; "+itoa(again)+" of them "+isAre(again)+" replaced by a later attempt.")
	default:
		sentences = append(sentences, plural(len(all), "attempt")+" did not end as planned.")
	}
	sentences = append(sentences, gapSentences(r)...)
	sentences = append(sentences, plural(r.Data.Started, "session")+" "+wasWere(r.Data.Started)+" started, "+itoa(len(r.Data.Sessions))+" "+isAre(len(r.Data.Sessions))+" used.")
	return strings.Join(sentences, " ")
}

// gapSentences tell of each metric whose own values were no numbers. Others of
// the same trials have gone with them, which is said once.
func gapSentences(r *analysis.Result) []string {
	var all []string
	for _, m := range r.Metrics {
		if gaps := r.GapsIn(m.Name, r.Observations(m.Name, nil)); gaps.By.All() > 0 {
			all = append(all, "Of the values of "+m.Name+", "+gaps.Text()+".")
		}
	}
	if len(all) > 0 && len(r.Metrics) > 1 {
		all = append(all, "Such a trial has no value of any other metric either.")
	}
	return all
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func wasWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

func attemptTable(all []analysis.Exclusion, of string) *tableBlock {
	t := &tableBlock{Caption: say("Attempts", of, " that are in no statistic."), Head: []column{
		{Title: "session"}, {Title: "trial", Num: true}, {Title: "attempt", Num: true}, {Title: "phase"}, {Title: "treatment"}, {Title: "status"}, {Title: "reason"}}}
	for i, e := range all {
		if i == mostExclusions {
			t.Notes = append(t.Notes, say(plural(len(all)-i, "further attempt"), " stand in the sessions' trials.csv."))
			break
		}
		reason := e.Reason
		if e.TriedAgain {
			reason = strings.TrimPrefix(reason+"; tried again", "; ")
		}
		t.Rows = append(t.Rows, row{Heads: 2, Cells: []cell{
			{Phrase: say(e.Session)}, {Phrase: say(itoa(e.Trial))}, {Phrase: say(itoa(e.Attempt))}, {Phrase: say(phaseWord(e.Phase))},
			{Phrase: say(e.Treatment)}, {Phrase: say(e.Status)}, {Phrase: say(reason)},
		}})
	}
	return t
}

// phaseWord is a phase as English has it.
func phaseWord(phase string) string {
	if phase == "warmup" {
		return "warm-up"
	}
	return phase
}

// standingsInUse are the standings but for data of sessions that are left out
// whole: the table of sessions says so once.
func standingsInUse(r *analysis.Result) []analysis.Standing {
	out := func(id string) bool {
		return slices.ContainsFunc(r.Data.LeftOut, func(l session.LeftOut) bool { return l.Session == id })
	}
	return slices.DeleteFunc(r.Standings(), func(s analysis.Standing) bool {
		return s.LeftOut && !slices.ContainsFunc(s.Sessions, func(id string) bool { return !out(id) })
	})
}

// standingTable lists the treatments whose data is not simply fresh.
func standingTable(r *analysis.Result, of string) *tableBlock {
	list := standingsInUse(r)
	if len(list) == 0 {
		return nil
	}
	if !slices.ContainsFunc(list, func(s analysis.Standing) bool { return s.State != analysis.Missing }) {
		return missingTable(list, of)
	}
	t := &tableBlock{Caption: say("Treatments", of, " whose data is not simply fresh."), Head: []column{{Title: "treatment"}, {Title: "state"}, {Title: "reason"}, {Title: "sessions"}}}
	for _, s := range list {
		state := s.State
		if s.LeftOut {
			state += ", left out: fresh or newer data stands instead"
		}
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{
			{Phrase: say(s.Treatment)}, {Phrase: say(state)}, {Phrase: say(s.Reason)}, {Phrase: say(strings.Join(s.Sessions, ", "))},
		}})
	}
	t.liftAlike()
	return t
}

// missingTable lists treatments that have no data; all else is simply fresh.
func missingTable(list []analysis.Standing, of string) *tableBlock {
	t := &tableBlock{Caption: say("Treatments", of, " without data."), Head: []column{{Title: "treatment"}}}
	for _, s := range list {
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{{Phrase: say(s.Treatment)}}})
	}
	return t
}

// sessionTable lists the sessions that are not used, and those used in which
// something was unusual.
func sessionTable(r *analysis.Result, of string) *tableBlock {
	t := &tableBlock{Caption: say("Sessions", of, ", and what is to be known of them."), Head: []column{{Title: "session"}, {Title: "used"}, {Title: "remark"}}}
	for _, s := range r.SessionFacts() {
		var remarks []string
		if s.Stopped != "" {
			remarks = append(remarks, s.Stopped)
		}
		if s.Accepted != "" {
			remarks = append(remarks, "its data counts as still good: "+s.Accepted)
		}
		if s.Parts > 1 {
			remarks = append(remarks, "recorded in "+itoa(s.Parts)+" parts")
		}
		for _, b := range s.CutBlocks {
			remarks = append(remarks, "block "+itoa(b)+" was interrupted and completed later")
		}
		if s.Note != "" {
			remarks = append(remarks, "note: "+s.Note)
		}
		if len(remarks) > 0 {
			t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{{Phrase: say(s.Session)}, {Phrase: say("yes")}, {Phrase: say(strings.Join(remarks, "; "))}}})
		}
	}
	for _, l := range r.Data.LeftOut {
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{{Phrase: say(l.Session)}, {Phrase: say("no")}, {Phrase: say(l.Reason)}}})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}
