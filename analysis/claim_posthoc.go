package analysis

import (
	"slices"

	"fieldbook/internal/session"
)

// postHoc are the sessions a claim rests on that started before it was
// written, sorted. Those of the claims that it consists of are its own.
func (r *Result) postHoc(c Claim, parts []finding, seen []string) []string {
	var used []string
	for _, f := range parts {
		for _, id := range f.sessions {
			if !slices.Contains(used, id) {
				used = append(used, id)
			}
		}
	}
	var late []string
	for _, id := range used {
		if !r.declaredAt(c, id, seen) {
			late = append(late, id)
		}
	}
	slices.Sort(late)
	return late
}

// declaredAt says whether a session's start knew a claim's statement, under
// any name, and those of all claims that it consists of.
func (r *Result) declaredAt(c Claim, id string, above []string) bool {
	i := slices.IndexFunc(r.Data.Sessions, func(s *session.Session) bool { return s.Session == id })
	if i < 0 || c.Hash != "" && !holdsValue(r.Data.Sessions[i].Claims, c.Hash) {
		return false
	}
	above = append(slices.Clone(above), c.Name)
	for _, name := range c.AllOf {
		k := slices.IndexFunc(r.Input.Claims, func(o Claim) bool { return o.Name == name })
		if k >= 0 && !slices.Contains(above, name) && !r.declaredAt(r.Input.Claims[k], id, above) {
			return false
		}
	}
	return true
}

func holdsValue(m map[string]string, value string) bool {
	for _, v := range m {
		if v == value {
			return true
		}
	}
	return false
}
