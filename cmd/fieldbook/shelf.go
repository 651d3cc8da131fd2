package main

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"fieldbook/analysis"
	"fieldbook/internal/diag"
	"fieldbook/internal/session"
	"fieldbook/report"
)

// shelf keeps what was read and analysed of a notebook's experiments, so that
// a command that needs an experiment in several places, for its own page, for
// the pages that use it and for the index, reads and analyses it once. Several
// goroutines may ask it.
type shelf struct {
	n      *notebook
	mu     sync.Mutex       // of kept
	kept   map[string]*kept // by experiment
	ahead  map[string]*evaluation
	loaded func(*kept) // called with what was loaded just now; nil: nobody asks
}

// kept is one experiment on a shelf.
type kept struct {
	load    sync.Once
	study   *study
	err     error      // of loading it
	mu      sync.Mutex // of results
	results map[string]outcome
	memory  *report.Memory // of the last build of its report
}

// outcome is what reading and analysing the sessions that a front matter names
// gave.
type outcome struct {
	data *session.Dataset
	r    *analysis.Result
	err  error
}

func (n *notebook) shelf() *shelf { return &shelf{n: n, kept: map[string]*kept{}} }

// take is an experiment, loaded where it is not on the shelf yet.
func (sh *shelf) take(name string) *kept {
	sh.mu.Lock()
	k := sh.kept[name]
	if k == nil {
		k = &kept{results: map[string]outcome{}, memory: &report.Memory{}}
		sh.kept[name] = k
	}
	sh.mu.Unlock()
	k.load.Do(func() {
		if k.study, k.err = sh.n.load(name); sh.loaded != nil {
			sh.loaded(k)
		}
	})
	return k
}

// study is an experiment's study, or what is wrong with its files.
func (sh *shelf) study(name string) (*study, error) {
	k := sh.take(name)
	return k.study, k.err
}

// result is the analysis of the sessions named, or of all in use.
func (k *kept) result(sessions []string) (*analysis.Result, error) {
	done := k.outcome(sessions)
	return done.r, done.err
}

func (k *kept) outcome(sessions []string) outcome {
	if k.err != nil {
		return outcome{err: k.err}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	key := strings.Join(sessions, "\x1f")
	done, ok := k.results[key]
	if !ok {
		if done.data, done.err = k.study.chosen(sessions); done.err == nil {
			done.r, done.err = k.study.analyze(done.data)
		}
		k.results[key] = done
	}
	return done
}

// evaluated is an experiment's writeup, evaluated on its data.
type evaluated struct {
	doc      *report.Document
	source   report.Source
	uses     []string // the experiments that it names
	problems diag.List
}

// evaluate evaluates the writeup of an experiment on what is recorded, or
// waits for that where it was begun ahead. The document is there with the
// problems in it; the error is of data that cannot be read.
func (sh *shelf) evaluate(k *kept) (evaluated, error) {
	if begun := sh.ahead[k.study.name]; begun != nil {
		return begun.wait()
	}
	return sh.evaluateNow(k)
}

func (sh *shelf) evaluateNow(k *kept) (evaluated, error) {
	s := k.study
	front, problems := report.ReadFrontMatter(s.writeupFile(), s.writeup)
	r, more, err := k.asked(front)
	problems.Add(more...)
	if err != nil {
		return evaluated{problems: problems}, err
	}
	uses, more := sh.uses(s, front)
	problems.Add(more...)
	src, err := s.source(r, uses)
	if err != nil {
		return evaluated{problems: problems}, err
	}
	if title := sh.n.title(); title != untitled {
		src.Notebook = title
	}
	src.Experiments, src.Memory = sh.n.linked(), k.memory
	doc, more := report.Build(src)
	problems.Add(more...)
	return evaluated{doc, src, front.Uses, problems}, nil
}

// asked is the analysis of the sessions that front matter names. Those that
// there are not are reported at their place and passed over, so that all else
// that is wrong with the writeup is found in the same go.
func (k *kept) asked(front report.FrontMatter) (*analysis.Result, diag.List, error) {
	var problems diag.List
	wrong := func(at diag.Pos, err error) bool {
		choice, ok := errors.AsType[*session.ChoiceError](err)
		if ok {
			text, hint, _ := strings.Cut(choice.Error(), "; ")
			problems.Errorf(at, "%s", text)
			problems.Hint("%s", hint)
		}
		return ok
	}
	var good []string
	for i, word := range front.Sessions {
		if !wrong(front.SessionsAt[i], session.CheckWord(k.study.data, word)) {
			good = append(good, word)
		}
	}
	r, err := k.result(good)
	if err != nil && len(good) > 0 && wrong(front.SessionsKey, err) {
		r, err = k.result(nil)
	}
	return r, problems, err
}

// uses are the results of the other experiments that a writeup names.
func (sh *shelf) uses(s *study, front report.FrontMatter) (map[string]*analysis.Result, diag.List) {
	var problems diag.List
	results := map[string]*analysis.Result{}
	all, _ := sh.n.names()
	for i, name := range front.Uses {
		at := front.UsesAt[i]
		if !slices.Contains(all, name) {
			problems.Errorf(at, "uses names %q, and there is no such experiment", name)
			problems.Hint("%s", diag.Meant(name, all))
			continue
		}
		other := sh.take(name)
		if other.err != nil {
			problems.Errorf(at, "uses: experiment %s has problems of its own; `fieldbook check %s` shows them", name, name)
			continue
		}
		r, err := other.result(nil)
		if err != nil {
			problems.Errorf(at, "uses: %v", err)
			continue
		}
		results[name] = r
	}
	return results, problems
}
