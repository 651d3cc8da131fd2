package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fieldbook/internal/diag"
	"fieldbook/internal/session"
)

// found is a session of the notebook, of whatever state.
type found struct{ experiment, id, dir string }

// withData are the names of the folders that hold data, sorted.
func (n *notebook) withData() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(n.root, "data"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if validName(e.Name()) && isDir(filepath.Join(n.root, "data", e.Name())) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// sessions are all sessions of the notebook, by experiment and time.
func (n *notebook) sessions() ([]found, error) {
	names, err := n.withData()
	if err != nil {
		return nil, err
	}
	var all []found
	for _, name := range names {
		data := filepath.Join(n.root, "data", name)
		ids, err := session.IDs(data)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			all = append(all, found{experiment: name, id: id, dir: filepath.Join(data, id)})
		}
	}
	return all, nil
}

// find is the session that a word means: its id, NAME/ID, or its folder.
func (n *notebook) find(word string) (found, error) {
	all, err := n.sessions()
	if err != nil {
		return found{}, err
	}
	name, id := n.split(word)
	var same []found
	var ids, full []string
	for _, r := range all {
		if r.id == id && (name == "" || r.experiment == name) {
			same = append(same, r)
		}
		ids, full = append(ids, r.id), append(full, r.experiment+"/"+r.id)
	}
	slices.Sort(ids) // by time, over all experiments
	switch {
	case len(same) == 1:
		return same[0], nil
	case len(same) > 1:
		return found{}, usage("%q is a session of %s and of %s; write NAME/%s", word, same[0].experiment, same[1].experiment, id)
	case name != "":
		return found{}, usage("there is no session %q; %s", word, session.Meant(name+"/"+id, full))
	}
	return found{}, usage("there is no session %q; %s", word, session.Meant(id, ids))
}

// split takes a session's word apart; the name is "" where it has none.
func (n *notebook) split(word string) (name, id string) {
	word = filepath.ToSlash(strings.TrimSuffix(word, "/"))
	if filepath.IsAbs(word) {
		word = relative(n.root, word)
	}
	word = strings.TrimPrefix(strings.TrimPrefix(word, "./"), "data/")
	if i := strings.LastIndexByte(word, '/'); i >= 0 {
		return word[:i], word[i+1:]
	}
	return "", word
}

// chooseRecorded are the experiments that a verb's arguments name, as choose
// does; without arguments those are among them that have data and no
// experiment file any more.
func (n *notebook) chooseRecorded(args []string) ([]string, error) {
	names, err := n.choose(args)
	if err != nil || len(args) > 0 {
		return names, err
	}
	more, err := n.withData()
	if err != nil {
		return nil, err
	}
	names = append(names, more...)
	slices.Sort(names)
	return slices.Compact(names), nil
}

// needText is an error of usage where a verb that goes on record was called
// without a reason.
func needText(verb, flag, text string) error {
	if strings.TrimSpace(text) == "" {
		return usage("%s goes on record and needs a reason: %s TEXT", verb, flag)
	}
	if clean := diag.Printable(text); clean != text {
		return usage("the reason holds characters that cannot be shown: %s", clean)
	}
	return nil
}
