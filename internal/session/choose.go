package session

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fieldbook/internal/diag"
)

// Choose says which sessions an analysis uses. The zero value is all that
// are sealed, but no pilots, and none that was discarded or abandoned.
type Choose struct {
	// IDs names the sessions to use, of whatever state; nil: those above.
	IDs []string
	// Only narrows the choice where IDs is nil; where it names purposes,
	// pilots are used too. nil: it does not.
	Only *Filter
	// SameWork leaves out sessions in which a treatment ran something else
	// than in the one they must agree with: without an experiment file
	// nothing tells which of the two is stale.
	SameWork bool
	// Like is what the sessions must agree with in the units and the meaning
	// of factors and metrics; nil: the newest session chosen.
	Like *Info
}

// ReadDataset is the chosen sessions of an experiment. A session that is not
// used is listed with the reason; damage in one that is used is an error. A
// data folder that does not exist is an empty dataset.
func ReadDataset(dataDir string, choose Choose) (*Dataset, error) {
	ids, err := IDs(dataDir)
	if err != nil {
		return nil, err
	}
	if err := known(choose.IDs, ids); err != nil {
		return nil, err
	}
	data := &Dataset{Started: len(ids)}
	chosen, err := data.choose(dataDir, ids, choose)
	if err != nil {
		return nil, err
	}
	like := choose.Like
	if like == nil && len(chosen) > 0 {
		like = &chosen[len(chosen)-1].Info
	}
	for _, s := range chosen {
		reason := differs(&s.Info, like)
		if reason == "" && choose.SameWork {
			reason = otherWork(&s.Info, like)
		}
		if reason != "" && choose.IDs != nil && choose.Like == nil {
			return nil, wrongChoice("sessions %s and %s cannot be used together: of %s, %s", s.Session, like.Session, s.Session, reason)
		}
		if reason != "" {
			data.leaveOut(s.Session, reason)
			continue
		}
		if err := s.holdSeal(); err != nil {
			return nil, err
		}
		if err := s.readRows(); err != nil {
			return nil, err
		}
		data.Sessions = append(data.Sessions, s)
	}
	if len(chosen) == 0 && len(ids) > 0 && choose.Only != nil {
		return nil, noneChosen(data.LeftOut)
	}
	slices.SortFunc(data.LeftOut, func(a, b LeftOut) int { return strings.Compare(a.Session, b.Session) })
	return data, nil
}

// holdSeal is an error where a sealed session is not what was sealed: numbers
// of a changed file must never look like measured ones.
func (s *Session) holdSeal() error {
	if !s.Sealed {
		return nil
	}
	differences, err := Verify(s.Dir)
	if err != nil || len(differences) == 0 {
		return err
	}
	return fmt.Errorf("%s is not as it was sealed: %s; restore it, or move the session away", filepath.Join(s.Dir, differences[0].File), differences[0].Text)
}

// CheckWord is a ChoiceError where one word cannot choose sessions of a data
// folder: it is no key that there is, or names a session that there is not.
func CheckWord(dataDir, word string) error {
	c, err := ParseChoose([]string{word})
	if err != nil {
		return err
	}
	ids, err := IDs(dataDir)
	if err != nil {
		return err
	}
	return known(c.IDs, ids)
}

func known(asked, ids []string) error {
	for _, id := range asked {
		if !slices.Contains(ids, id) {
			return wrongChoice("there is no session %q; %s", id, Meant(id, ids))
		}
	}
	return nil
}

// Meant is a hint for a session that is not there: the id that was meant, or
// the newest ones.
func Meant(id string, ids []string) string {
	const most = 5
	switch near := diag.Nearest(id, ids); {
	case near != "":
		return fmt.Sprintf("did you mean %q?", near)
	case len(ids) == 0:
		return "none is recorded"
	case len(ids) > most:
		return "the newest are: " + strings.Join(ids[len(ids)-most:], ", ")
	}
	return "there are: " + strings.Join(ids, ", ")
}

// noneChosen says why a filter chose nothing, by the newest session.
func noneChosen(left []LeftOut) error {
	last := slices.MaxFunc(left, func(a, b LeftOut) int { return strings.Compare(a.Session, b.Session) })
	return wrongChoice("no session is chosen; of the newest, %s: %s", last.Session, last.Reason)
}

// choose reads the heads of the sessions and lists those not chosen.
func (d *Dataset) choose(dataDir string, ids []string, choose Choose) ([]*Session, error) {
	var chosen []*Session
	for _, id := range ids {
		dir := filepath.Join(dataDir, id)
		if choose.IDs != nil && !slices.Contains(choose.IDs, id) {
			d.leaveOut(id, "not among the sessions asked for")
			continue
		}
		if reason, err := setAside(dir); choose.IDs == nil && (err != nil || reason != "") {
			d.leaveOut(id, reason)
			if err != nil {
				return nil, err
			}
			continue
		}
		s, err := readHead(dir)
		if err != nil {
			return nil, err
		}
		if reason := choose.unfit(s); reason != "" {
			d.leaveOut(id, reason)
			continue
		}
		chosen = append(chosen, s)
	}
	return chosen, nil
}

// setAside is why the remarks set a session aside, or nothing. They alone are
// read, so that a damaged session can be discarded.
func setAside(dir string) (string, error) {
	s := Session{Dir: dir}
	err := s.readRemarks()
	return s.Aside(), err
}

// Aside is why the session is set aside, or nothing.
func (s *Session) Aside() string {
	switch {
	case s.Discarded != "":
		return "discarded: " + s.Discarded
	case s.Abandoned != "":
		return "abandoned: " + s.Abandoned
	}
	return ""
}

// NotComplete is the reason why a session is not used that is not at its end.
const NotComplete = "not complete"

// unfit is why a session is not used unless asked for, or nothing.
func (c Choose) unfit(s *Session) string {
	switch {
	case c.IDs != nil:
		return ""
	case s.Purpose == "pilot" && (c.Only == nil || len(c.Only.Purposes) == 0):
		return "pilot"
	case !s.Sealed:
		return NotComplete
	case c.Only != nil:
		return c.Only.rejects(&s.Info)
	}
	return ""
}

func (d *Dataset) leaveOut(id, reason string) {
	d.LeftOut = append(d.LeftOut, LeftOut{Session: id, Reason: reason})
}

// differs says in what the numbers of two sessions do not mean the same, or
// nothing: the set of factors, the unit of a factor, the text of a level, the
// unit of a metric that both have.
func differs(s, like *Info) string {
	if a, b := FactorNames(s.Factors), FactorNames(like.Factors); !slices.Equal(a, b) {
		return fmt.Sprintf("its factors are %s, here %s", listed(a), listed(b))
	}
	for _, f := range s.Factors {
		g := like.Factors[slices.IndexFunc(like.Factors, func(g Factor) bool { return g.Name == f.Name })]
		if f.Unit != g.Unit {
			return fmt.Sprintf("unit of %s is %s, here %s", f.Name, unitName(f.Unit), unitName(g.Unit))
		}
		if mine, other := oneNumberTwoTexts(f.Levels, g.Levels); f.Numeric && g.Numeric && mine != "" {
			return fmt.Sprintf("level %q of %s is %q here: one number in two texts", mine, f.Name, other)
		}
	}
	for _, m := range s.Metrics {
		for _, n := range like.Metrics {
			if m.Name == n.Name && m.Unit != n.Unit {
				return fmt.Sprintf("unit of %s is %s, here %s", m.Name, unitName(m.Unit), unitName(n.Unit))
			}
		}
	}
	return ""
}

// oneNumberTwoTexts finds a level of a that b has as the same number, but
// written otherwise: as texts they would be two levels.
func oneNumberTwoTexts(a, b []string) (mine, other string) {
	for _, x := range a {
		v, err := strconv.ParseFloat(x, 64)
		if err != nil || slices.Contains(b, x) {
			continue
		}
		for _, y := range b {
			if w, err := strconv.ParseFloat(y, 64); err == nil && w == v && !slices.Contains(a, y) {
				return x, y
			}
		}
	}
	return "", ""
}

// otherWork says which treatment of both sessions ran something else, or
// nothing.
func otherWork(s, like *Info) string {
	for _, t := range s.Treatments {
		for _, u := range like.Treatments {
			if sameLevels(s, like, t.Levels, u.Levels) && t.Identity != u.Identity {
				return fmt.Sprintf("treatment %s ran something else than here", levelsText(s, t.Levels))
			}
		}
	}
	return ""
}

// sameLevels compares the levels of two treatments by the names of their
// factors, which both sessions have.
func sameLevels(s, like *Info, a, b []string) bool {
	for i, f := range s.Factors {
		k := slices.IndexFunc(like.Factors, func(g Factor) bool { return g.Name == f.Name })
		if k < 0 || a[i] != b[k] {
			return false
		}
	}
	return true
}

func levelsText(s *Info, levels []string) string {
	var words []string
	for i, f := range s.Factors {
		words = append(words, f.Name+"="+levels[i])
	}
	return strings.Join(words, " ")
}

// FactorNames are the names of factors, sorted: their order has no meaning.
func FactorNames(factors []Factor) []string {
	var names []string
	for _, f := range factors {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func unitName(unit string) string {
	if unit == "" {
		return "none"
	}
	return unit
}
