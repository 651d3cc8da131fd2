package session

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// on gives a session another machine, purpose or commit.
func on(machine, purpose string, commits ...string) func(*Info) {
	return func(i *Info) {
		i.Machine, i.Purpose = machine, purpose
		if len(commits) > 0 {
			i.Parts[0].Environment["git_commit"] = commits[0]
		}
	}
}

func TestSessionsAreChosenByWhatTheySayOfThemselves(t *testing.T) {
	dataDir := memoryDir(t)
	all := len(story())
	recordSession(t, dataDir, 1, all, on("box", "measure", "aaaa1111"))
	recordSession(t, dataDir, 2, all, on("fox", "measure", "aaaa2222"))
	recordSession(t, dataDir, 3, all, on("box", "pilot", "bbbb1111"))
	recordSession(t, dataDir, 4, 3, on("box", "measure", "aaaa1111"))
	recordSession(t, dataDir, 90000, all, on("box", "measure", "bbbb1111")) // the next day
	for _, tt := range []struct{ words, want string }{
		{"", "01 02 00"}, {"machine=box", "01 00"}, {"machine=box machine=fox", "01 02 00"}, {"purpose=pilot", "03"},
		{"purpose=pilot purpose=measure machine=box", "01 03 00"}, {"commit=aaaa", "01 02"}, {"commit=aaaa1111 commit=bbbb", "01 00"},
		{"date=2026-03-01", "01 02"}, {"date=2026-03-02..", "00"}, {"date=..2026-03-01 machine=fox", "02"},
		{"date=2026-02-01..2026-03-31", "01 02 00"}, {"20260301T093001Z-box session=20260301T093004Z-box", "01 04"},
	} {
		choose, err := ParseChoose(strings.Fields(tt.words))
		if err != nil {
			t.Fatalf("%q: %v", tt.words, err)
		}
		d, err := ReadDataset(dataDir, choose)
		if err != nil || idsOf(d) != tt.want || len(d.Sessions)+len(d.LeftOut) != 5 {
			t.Errorf("%q chooses %s and leaves out %d, %v; want %s", tt.words, idsOf(d), len(d.LeftOut), err, tt.want)
		}
	}
	for words, want := range map[string]string{
		"machine=cat": "recorded on box", "date=2020-01-01": "recorded on 2026-03-02", "commit=cccc": "recorded under another commit",
	} {
		choose, err := ParseChoose(strings.Fields(words))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadDataset(dataDir, choose); err == nil || !strings.Contains(err.Error(), "no session is chosen; of the newest, 20260302T103000Z-box: "+want) {
			t.Errorf("%s: %v, want why the newest is not chosen", words, err)
		}
	}
}

func TestWordsThatChooseNothingAreRefused(t *testing.T) {
	for word, want := range map[string]string{
		"machne=box": `did you mean "machine"?`, "machine=A b": "a machine's label", "purpose=fun": "measure or pilot",
		"commit=ab": "at least 4", "commit=HEAD": "0-9 and a-f", "date=2026-13-01": "want a day", "date=": "want a day",
		"date=2026-03-02..2026-03-01": "ends before it begins",
	} {
		if _, err := ParseChoose([]string{word}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseChoose(%q): %v, want %q", word, err, want)
		}
	}
	if _, err := ParseChoose([]string{"20260301T093001Z-box", "machine=box"}); err == nil {
		t.Error("ParseChoose took a name beside a key")
	}
}

func TestSessionsThatDoNotAgreeAreNotUsedTogether(t *testing.T) {
	numeric := func(levels ...string) func(*Info) {
		return func(i *Info) {
			i.Factors[0] = Factor{Name: "mode", Levels: levels, Numeric: true}
			for k := range i.Treatments {
				i.Treatments[k].Levels = []string{levels[k]}
			}
		}
	}
	all := len(story())
	for _, tt := range []struct {
		change   func(*Info)
		sameWork bool
		want     string // the reason; empty: both are used
	}{
		{func(*Info) {}, true, ""},
		{func(i *Info) { i.Treatments[0].Identity = "other" }, false, ""},
		{func(i *Info) { i.Treatments[0].Identity = "other" }, true, "treatment mode=1 ran something else than here"},
		{func(i *Info) { i.Metrics[0].Unit = "ms" }, false, "unit of wall is ms, here s"},
		{numeric("1.0", "2"), false, `level "1.0" of mode is "1" here: one number in two texts`},
		{numeric("1", "3"), false, ""},
		{func(i *Info) { numeric("1.0", "2")(i); i.Factors[0].Numeric = false }, false, ""},
	} {
		dataDir := memoryDir(t)
		first := filepath.Base(recordSession(t, dataDir, 1, all, func(i *Info) { numeric("1", "2")(i); tt.change(i) }))
		second := filepath.Base(recordSession(t, dataDir, 2, all, numeric("1", "2")))
		d, err := ReadDataset(dataDir, Choose{SameWork: tt.sameWork})
		var left []LeftOut
		if tt.want != "" {
			left = []LeftOut{{first, tt.want}}
		}
		if err != nil || !slices.Equal(d.LeftOut, left) {
			t.Errorf("left out %v, %v, want %v", d.LeftOut, err, left)
		}
		_, err = ReadDataset(dataDir, Choose{IDs: []string{first, second}, SameWork: tt.sameWork})
		if refused := err != nil && strings.Contains(err.Error(), first+" and "+second+" cannot be used together") && strings.Contains(err.Error(), tt.want); refused != (tt.want != "") {
			t.Errorf("both by name: %v, want them refused with %q", err, tt.want)
		}
	}
}

func TestRemarksWithoutTheirSessionAreFound(t *testing.T) {
	dataDir := memoryDir(t)
	remark(t, recordSession(t, dataDir, 1, len(story()), nil), NoteRemark, "here")
	writeText(t, filepath.Join(dataDir, "20200101T000000Z-box.remarks.csv"), "at,kind,text,was,now\n")
	gone, err := Gone(dataDir)
	if err != nil || !slices.Equal(gone, []string{"20200101T000000Z-box"}) {
		t.Errorf("Gone = %v, %v", gone, err)
	}
	if gone, err := Gone(filepath.Join(dataDir, "none")); gone != nil || err != nil {
		t.Errorf("Gone of no folder = %v, %v", gone, err)
	}
}
