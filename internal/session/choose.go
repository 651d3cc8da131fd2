package session

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Choose says which sessions an analysis uses. The zero value is all that
// are sealed, but no pilots, and none that was discarded or abandoned.
type Choose struct {
	// IDs names the sessions to use, of whatever state; nil: those above.
	IDs []string
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
		if reason := differs(&s.Info, like); reason != "" {
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

func known(asked, ids []string) error {
	for _, id := range asked {
		if !slices.Contains(ids, id) {
			return fmt.Errorf("there is no session %q; there are: %s", id, strings.Join(ids, ", "))
		}
	}
	return nil
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
		if reason := unfit(s); choose.IDs == nil && reason != "" {
			d.leaveOut(id, reason)
			continue
		}
		chosen = append(chosen, s)
	}
	return chosen, nil
}

// setAside is why the remarks set a session aside. They alone are read, so
// that a damaged session can be discarded.
func setAside(dir string) (string, error) {
	s := Session{Dir: dir}
	err := s.readRemarks()
	switch {
	case s.Discarded != "":
		return "discarded: " + s.Discarded, err
	case s.Abandoned != "":
		return "abandoned: " + s.Abandoned, err
	}
	return "", err
}

// unfit is why a session is not used unless asked for, or nothing.
func unfit(s *Session) string {
	switch {
	case s.Purpose == "pilot":
		return "pilot"
	case !s.Sealed:
		return "not complete"
	}
	return ""
}

func (d *Dataset) leaveOut(id, reason string) {
	d.LeftOut = append(d.LeftOut, LeftOut{Session: id, Reason: reason})
}

// differs says in what the numbers of two sessions do not mean the same, or
// nothing: the set of factors, the unit of a factor, the unit of a metric
// that both have.
func differs(s, like *Info) string {
	if a, b := factorNames(s), factorNames(like); !slices.Equal(a, b) {
		return fmt.Sprintf("its factors are %s, here %s", listed(a), listed(b))
	}
	for _, f := range s.Factors {
		g := like.Factors[slices.IndexFunc(like.Factors, func(g Factor) bool { return g.Name == f.Name })]
		if f.Unit != g.Unit {
			return fmt.Sprintf("unit of %s is %s, here %s", f.Name, unitName(f.Unit), unitName(g.Unit))
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

// factorNames are the names of the factors, sorted: their order has no
// meaning.
func factorNames(info *Info) []string {
	var names []string
	for _, f := range info.Factors {
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
