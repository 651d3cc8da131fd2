package report

import (
	"strings"
	"testing"

	"fieldbook/analysis"
)

// twoMachines is pipelining on two machines, the newest session on box.
func twoMachines() Source {
	s := pipelining()
	s.machines = []string{"epyc-2cpu", "box"}
	return Source{Name: "pipelining", File: "w.md", Result: s.result()}
}

const aboutMachines = `Median {value}§median elapsed communication=queue sessions=1§,
ratio {value}§ratio elapsed sessions=2 / sessions=1 where communication=queue§,
named {value}§median elapsed communication=queue sessions=1 machine=epyc-2cpu§,
found {value}§found elapsed sessions=2 / sessions=1 where communication=queue§, claim {claim}§D1§.

~~~{table} comparisons
:compare: sessions=2 / sessions=1 where communication=queue
~~~

~~~{plot} forest
:compare: sessions=2 / sessions=1 where communication=queue
~~~

~~~{table} effects
~~~

~~~{table} treatments
:name: all
~~~

~~~{table} sessions
:compare: sessions=2 / sessions=1 where communication=queue
~~~
`

func machinePage(t *testing.T, s Source, writeup string) (text, problems string) {
	t.Helper()
	s.Writeup = []byte(strings.ReplaceAll(writeup, "§", "`"))
	doc, list := Build(s)
	if list.Failed() {
		t.Errorf("Build reports\n%v", list)
	}
	var all []string
	for _, p := range list {
		all = append(all, p.String())
	}
	return string(doc.Markdown()), strings.Join(all, "\n")
}

func TestNumbersWithoutAMachineAreOfTheNewestAndSayIt(t *testing.T) {
	s := twoMachines()
	text, problems := machinePage(t, s, aboutMachines)
	box, err := s.Result.Value(queryOf("median", "communication=queue sessions=1 machine=box"))
	if err != nil || box.Refused != "" {
		t.Fatal(err, box.Refused)
	}
	for _, want := range []string{
		"Median " + box.Text() + ",", "found 0 of 1 session,",
		"Where the text names none, its numbers are of **box**, on which the newest session ran.",
		"<br>where machine=box communication=queue | ", "<br>where machine=epyc-2cpu communication=queue | ",
		"refuted in 2 of 2 parts", "20261130T120400Z-epyc-2cpu | ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "several machines") {
		t.Errorf("the page asks for a machine:\n%s", text)
	}
	if want := "w.md:1:"; strings.Count(problems, "no machine is named") != 1 || !strings.HasPrefix(problems, want) || !strings.Contains(problems, "`machine: box`") {
		t.Errorf("problems are %q, want one warning at %s that names the key", problems, want)
	}
}

func TestMachineOfFrontMatter(t *testing.T) {
	s := twoMachines()
	text, problems := machinePage(t, s, "---\nmachine: epyc-2cpu\n---\n"+aboutMachines)
	own, err := s.Result.Value(queryOf("median", "communication=queue sessions=1 machine=epyc-2cpu"))
	if err != nil {
		t.Fatal(err)
	}
	if problems != "" {
		t.Errorf("problems: %s", problems)
	}
	if !strings.Contains(text, "Median "+own.Text()+",") || !strings.Contains(text, "named "+own.Text()+",") {
		t.Errorf("the median is not %s, that of the machine of front matter:\n%s", own.Text(), text)
	}
	if !strings.Contains(text, "text, tables and figures of **epyc-2cpu**") {
		t.Errorf("the head does not say which machine the text is about:\n%s", text)
	}
	for _, absent := range []string{"several machines", "newest session", "| box |", "where machine=box", "20261130T130400Z-box | – |"} {
		if own, _, _ := strings.Cut(text, "## For the record"); strings.Contains(own, absent) {
			t.Errorf("the page of one machine has %q:\n%s", absent, text)
		}
	}
	if !strings.Contains(text, "refuted in 2 of 2 parts") {
		t.Errorf("the claim is not judged on both machines:\n%s", text)
	}
}

func TestMachineOfFrontMatterMustHaveData(t *testing.T) {
	s := twoMachines()
	s.Writeup = []byte("---\nmachine: bax\n---\n{claim}`D1`\n")
	_, list := Build(s)
	if want := "w.md:2:10: no data shown here was recorded on the machine \"bax\"; did you mean \"box\"?"; len(list) == 0 || list[0].String() != want {
		t.Errorf("problems are %v, want %s", list, want)
	}
	one := pipelining()
	s = Source{Name: "pipelining", File: "w.md", Result: one.result(), Writeup: []byte("---\nmachine: epyc-2cpu\n---\n{value}`n elapsed` {claim}`D1`\n")}
	if doc, list := Build(s); len(list) > 0 || strings.Contains(string(doc.HTML()), "machine=") {
		t.Errorf("with one machine, %v is reported, or its name stands in what a number is", list)
	}
}

func queryOf(stat, selection string) analysis.Query {
	return analysis.Query{Metric: "elapsed", Stat: stat, Selection: mustSelection(selection)}
}
