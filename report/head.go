package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// head is the line of facts under the title, and what a reader must know
// before anything else.
func (b *builder) head() {
	d := b.doc
	if len(b.r.Data.Sessions) == 0 {
		d.facts = append(d.facts, say("no data yet"))
		d.banners = append(d.banners, phrase{plain("Nothing is recorded. "), code("fieldbook run " + b.Name), plain(" records a session; then this page shows what it found.")})
		return
	}
	d.facts = append(d.facts, trialFact(b.r), sessionFact(b.r), machineFact(b.r), freshFact(b.r))
	if f := b.declaredFact(); f != nil {
		d.facts = slices.Insert(d.facts, 3, f)
	}
	if f := claimFact(b.r); f != nil {
		d.facts = append(d.facts, f)
	}
	d.banners = append(d.banners, staleBanners(b.r, b.Name)...)
}

// trialFact is "702 trials in 13 blocks, none failed".
func trialFact(r *analysis.Result) phrase {
	trials, blocks := 0, map[string]bool{}
	status := map[string]int{}
	for _, o := range r.Observations(mainMetric(r), nil) {
		trials++
		status[o.Status]++
		if o.Block > 0 {
			blocks[fmt.Sprint(o.Session, " ", o.Block)] = true
		}
	}
	p := phrase{strong(analysis.CountText(trials)), plain(" " + noun(trials, "trial"))}
	if len(blocks) > 0 {
		p = append(p, plain(" in "), strong(itoa(len(blocks))), plain(" "+noun(len(blocks), "block")))
	}
	var bad []string
	for _, s := range []string{session.Failed, session.Timeout, session.Invalid, session.Interrupted, session.Skipped} {
		if status[s] > 0 {
			bad = append(bad, fmt.Sprintf("%d %s", status[s], s))
		}
	}
	if len(bad) == 0 {
		return append(p, plain(", none failed"))
	}
	return append(p, plain(", "+strings.Join(bad, ", ")))
}

// noun is the noun for n of it.
func noun(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// sessionFact is "session of 30 Nov 2026", or how many and of which days.
func sessionFact(r *analysis.Result) phrase {
	var days []string
	for _, s := range r.Data.Sessions {
		if d := day(s); d != "" {
			days = append(days, d)
		}
	}
	n := len(r.Data.Sessions)
	if len(days) == 0 {
		return say(plural(n, "session"))
	}
	first, last := days[0], days[len(days)-1]
	switch {
	case n == 1:
		return phrase{plain("session of "), strong(first)}
	case first == last:
		return phrase{strong(itoa(n)), plain(" sessions of "), strong(first)}
	}
	return phrase{strong(itoa(n)), plain(" sessions, "), strong(first + " to " + last)}
}

// day is the day on which a session began, in UTC.
func day(s *session.Session) string {
	if len(s.Parts) > 0 {
		return dayOf(s.Parts[0].Started, s.Session)
	}
	return dayOf("", s.Session)
}

// dayOf is the day of a start, or of what a session is called.
func dayOf(started, id string) string {
	if t, err := time.Parse(time.RFC3339Nano, started); err == nil {
		return t.UTC().Format("2 Jan 2006")
	}
	if stamp, _, ok := strings.Cut(id, "-"); ok {
		if t, err := time.Parse("20060102T150405Z", stamp); err == nil {
			return t.Format("2 Jan 2006")
		}
	}
	return ""
}

func machineFact(r *analysis.Result) phrase {
	machines := r.Machines()
	if len(machines) == 0 {
		for _, s := range r.Data.Sessions {
			if !slices.Contains(machines, s.Machine) {
				machines = append(machines, s.Machine)
			}
		}
	}
	return phrase{plain(noun(len(machines), "machine") + " "), strong(strings.Join(machines, ", "))}
}

// freshFact says whether the data is of the experiment as it stands.
func freshFact(r *analysis.Result) phrase {
	if r.Identity == nil {
		return say("no experiment file beside the data")
	}
	count := standings(r)
	var parts []string
	for _, s := range []string{analysis.Stale, analysis.Missing, analysis.Accepted} {
		if count[s] > 0 {
			parts = append(parts, fmt.Sprintf("%s for %s", s, plural(count[s], "treatment")))
		}
	}
	if len(parts) == 0 {
		return phrase{plain("data "), strong("fresh")}
	}
	return phrase{plain("data "), strong(strings.Join(parts, ", "))}
}

// standings counts treatments by what is the matter with their data. Stale
// data that fresh data has replaced is no matter.
func standings(r *analysis.Result) map[string]int {
	count := map[string]int{}
	for _, s := range r.Standings() {
		if !s.LeftOut {
			count[s.State]++
		}
	}
	return count
}

// claimFact says whether the claims are older than the data.
func claimFact(r *analysis.Result) phrase {
	if len(r.Claims) == 0 {
		return nil
	}
	var late []string
	for _, c := range r.Claims {
		if len(c.PostHoc) > 0 {
			late = append(late, c.Claim.Name)
		}
	}
	switch {
	case len(late) == 0:
		return say("claims older than the data")
	case len(late) == len(r.Claims):
		return say("claims younger than the data")
	}
	return say(plural(len(late), "claim"), " of ", itoa(len(r.Claims)), " younger than the data")
}

// staleBanners warn of data that no longer belongs to the experiment.
func staleBanners(r *analysis.Result, name string) []phrase {
	var stale []string
	for _, s := range r.Standings() {
		if s.State == analysis.Stale && !s.LeftOut {
			stale = append(stale, s.Treatment+": "+s.Reason)
		}
	}
	if len(stale) == 0 {
		return nil
	}
	n := len(stale)
	if n > 4 {
		stale = append(stale[:3], fmt.Sprintf("and %d more", n-3))
	}
	return []phrase{{
		strong("Stale data."), plain(fmt.Sprintf(" The data of %s no longer belongs to the experiment as it stands (%s). Its numbers are shown marked, and no claim is judged on them. ", plural(n, "treatment"), strings.Join(stale, "; "))),
		code("fieldbook run " + name), plain(" measures anew."),
	}}
}
