package report

import (
	"fmt"

	"fieldbook/analysis"
)

// mostDiffering is how many ratios that differ between sessions are named.
const mostDiffering = 3

// sessionNotes say of ratios over several sessions whether they differ between
// these.
func sessionNotes(list []analysis.Comparison) []phrase {
	var notes []phrase
	over, differing, least := 0, 0, ""
	smallest := 2.0
	for _, c := range list {
		if c.Between.Sessions < 2 {
			continue
		}
		over++
		if c.Between.P < smallest {
			smallest, least = c.Between.P, c.Between.Words()
		}
		if c.Between.Differs() {
			if differing++; differing <= mostDiffering {
				notes = append(notes, say("Sessions: the ratio ", c.Text, " ", c.Between.Words(), "; it is one of their mix."))
			}
		}
	}
	if differing > mostDiffering {
		notes = append(notes, say("Sessions: ", itoa(differing-mostDiffering), " more ratios differ between sessions."))
	}
	switch {
	case over == 0 || differing > 0:
	case over == 1 && least != "":
		notes = append(notes, say("Sessions: the ratio ", least, "."))
	case least != "":
		notes = append(notes, say(fmt.Sprintf("Sessions: none of %d ratios is seen to differ between sessions (smallest %s).", over, analysis.PText(smallest))))
	}
	return notes
}

// missingNotes say of which treatments values were no numbers, how many, and
// of which kind.
func (w *wish) missingNotes(rows []treated) []phrase {
	var notes []phrase
	for _, t := range rows {
		text := t.missing.Text()
		if text == "" {
			continue
		}
		if name := w.shortName(t, rows); name != "" {
			text = name + ": " + text
		}
		notes = append(notes, say(sentence(text)))
	}
	return notes
}

// gapNotes say the same of all trials that the wish selects.
func (w *wish) gapNotes() []phrase {
	text := w.r.GapsIn(w.metric, w.r.Observations(w.metric, w.where)).Text()
	if text == "" {
		return nil
	}
	return []phrase{say(sentence(text))}
}

// censoredNotes say which treatments timed out, and how often.
func (w *wish) censoredNotes(rows []treated) []phrase {
	var notes []phrase
	for _, t := range rows {
		c, err := w.r.Censored(w.metric, t.selected)
		if err != nil || c.N == 0 {
			continue
		}
		text := w.shortName(t, rows)
		if text != "" {
			text += ": "
		}
		notes = append(notes, say(sentence(text+c.Text()+": above")))
	}
	return notes
}
