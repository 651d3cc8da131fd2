package report

import (
	"strings"
	"testing"

	"fieldbook/internal/session"
)

func TestWhatChangedWhileASessionRanIsSaid(t *testing.T) {
	s := coin()
	r := s.result()
	one := r.Data.Sessions[0]
	one.Parts = []session.Part{{
		Part: 1, Started: "2026-03-01T09:30:00Z", Ended: "2026-03-01T09:31:40Z",
		Environment: map[string]string{"governor": "performance", "throttled": "20 times", "steal": "10.00 s", "swap_used": "0 MiB",
			"load": "0.1 0.1 0.1", "temperature": "50.0 °C", "cpus": "2", "inputs": "sha256 aa of 1 file", "turbo": "on"},
		AtEnd: map[string]string{"governor": "powersave", "throttled": "23 times", "steal": "13.00 s", "swap_used": "64 MiB",
			"load": "9 9 9", "temperature": "90.0 °C", "inputs": "sha256 bb of 1 file"},
	}}
	page := string(build(t, Source{Name: "coin", Result: r, Version: "0.1"}).Markdown())
	for _, want := range []string{"performance, then powersave", "throttled itself 3 times", "1.5 % of the processors' time", "64 MiB of memory were moved", "the inputs were changed"} {
		if !strings.Contains(page, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	for _, noise := range []string{"9 9 9", "90.0 °C", "turbo** in"} {
		if strings.Contains(page, noise) {
			t.Errorf("the report says %q, which never stays what it was or did not change", noise)
		}
	}
	one.Parts[0].AtEnd = map[string]string{"steal": "10.10 s", "load": "1 1 1"}
	if page := string(build(t, Source{Name: "coin", Result: r, Version: "0.1"}).Markdown()); strings.Contains(page, "this changed") {
		t.Error("a tenth of a second of 200 is said to have changed something")
	}
}
