package session

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
)

// phases and labels of a planned trial.
var (
	knownPhases   = []string{"warmup", "measured"}
	knownControls = []string{"", "A", "B"}
)

// wrongPlanned says what is wrong with a row of the plan, or nothing.
func wrongPlanned(info *Info, p *Planned, number int) string {
	switch {
	case p.Trial != number:
		return fmt.Sprintf("trial %d of the plan has number %d", number, p.Trial)
	case !slices.Contains(knownPhases, p.Phase):
		return fmt.Sprintf("trial %d has phase %q, want one of %q", number, p.Phase, knownPhases)
	case !slices.Contains(knownControls, p.Control):
		return fmt.Sprintf("trial %d has control %q, want one of %q", number, p.Control, knownControls)
	case p.Block < 0 || p.Plot < 0 || p.Position < 1:
		return fmt.Sprintf("trial %d has block %d, plot %d, position %d", number, p.Block, p.Plot, p.Position)
	case p.Treatment < 1 || p.Treatment > len(info.Treatments):
		return fmt.Sprintf("trial %d is of treatment %d; there are %d", number, p.Treatment, len(info.Treatments))
	case !slices.Equal(p.Levels, info.Treatments[p.Treatment-1].Levels):
		return fmt.Sprintf("trial %d has levels %q, but its treatment %d is %q", number, p.Levels, p.Treatment, info.Treatments[p.Treatment-1].Levels)
	}
	return ""
}

// readPlan is plan.csv of the folder. Its levels share the memory of info's.
func readPlan(dir string, info *Info) ([]Planned, error) {
	path := filepath.Join(dir, planName)
	text, err := readPlain(path)
	if err != nil {
		return nil, err
	}
	s := newScanner(text)
	f := fields{layout: planLayout(info)}
	if err := readHeader(path, s, f.layout); err != nil {
		return nil, err
	}
	plan := make([]Planned, 0, bytes.Count(text[s.at:], []byte{'\n'}))
	levels := make([]string, len(info.Factors))
	for {
		at := s.line
		more, fault := s.next()
		if fault != nil {
			return nil, problem(path, at, fault.text)
		}
		if !more {
			return plan, nil
		}
		f.start(s.cells)
		p := f.plannedRow(levels)
		if f.bad == "" {
			f.bad = wrongPlanned(info, &p, len(plan)+1)
		}
		if f.bad != "" {
			return nil, problem(path, at, f.bad)
		}
		p.Levels = info.Treatments[p.Treatment-1].Levels
		plan = append(plan, p)
	}
}

// plannedRow is a row of plan.csv; its levels are read into the slice given.
func (f *fields) plannedRow(levels []string) Planned {
	p := Planned{
		Trial: f.int(), Phase: f.word(knownPhases), Block: f.int(), Plot: f.int(),
		Position: f.int(), Treatment: f.int(), Control: f.word(knownControls),
	}
	for i := range levels {
		levels[i] = f.free()
	}
	p.Levels = levels
	return p
}

// readHeader wants the file to begin with exactly these columns.
func readHeader(path string, s *scanner, layout []column) error {
	var want line
	want.header(layout)
	more, fault := s.next()
	switch {
	case fault != nil:
		return problem(path, 1, fault.text)
	case !more:
		return problem(path, 1, "the file is empty, want a header")
	case string(s.data[:s.at]) != string(want.buf):
		return problem(path, 1, fmt.Sprintf("the header is %s, want %s", shown(s.data[:s.at-1]), shown(want.buf[:len(want.buf)-1])))
	}
	return nil
}
