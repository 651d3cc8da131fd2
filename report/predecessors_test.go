package report

import (
	"strings"
	"testing"

	"fieldbook/analysis"
)

// cycled turns a study's randomized blocks into a fixed cycle.
func cycled(in analysis.Input) Source {
	for _, s := range in.Data.Sessions {
		s.Order = "modulus"
		k := len(s.Treatments)
		for i := range s.Plan {
			at := &s.Plan[i]
			at.Position, at.Treatment = i%k+1, i%k+1
			at.Levels = s.Treatments[i%k].Levels
			s.Rows[i].Planned = *at
		}
	}
	return Source{Name: in.Experiment, Result: analysis.Analyze(in), Version: "0.1"}
}

func TestDiagnosticsSayWhatAFixedOrderHides(t *testing.T) {
	const sentence = "Every treatment always had the same predecessor."
	s := pipelining()
	s.machines = []string{"epyc-2cpu", "other"}
	md := string(build(t, cycled(s.input())).Markdown())
	for _, want := range []string{
		sentence, "no carry-over can be told from the treatment, and none is estimated",
		"| communication=queue sessions=1 | communication=threaded sessions=2 | 12 | 34 |",
		"| communication=threaded sessions=2 | communication=threaded sessions=1 | 12 | 39 |",
	} {
		if strings.Count(md, want) != 1 {
			t.Errorf("%d times %q, want it once for two sessions of one cycle", strings.Count(md, want), want)
		}
	}
	if md := string(build(t, Source{Name: "pipelining", Result: s.result(), Version: "0.1"}).Markdown()); strings.Contains(md, sentence) {
		t.Errorf("it says %q of randomized blocks", sentence)
	}
}

func TestBreakEvenOfPublishedNumbersInText(t *testing.T) {
	s := pipelining()
	s.published = oldNumbers()
	src := Source{Name: s.name, Result: s.result(), Version: "0.1", File: "w.md",
		Writeup: []byte("It takes {published}`breakeven elapsed communication=queue sessions=1 / communication=queue sessions=2 as=percent`.\n")}
	if md := string(build(t, src).Markdown()); !strings.Contains(md, "It takes 22.9 %.") {
		t.Errorf("no break-even variation of 22.9 %% in\n%s", md)
	}
}
