package diag

import (
	"strings"
	"testing"
)

func TestASampledMetricIsNamedByAReducer(t *testing.T) {
	known := []string{"latency.p50", "latency.p99", "wall"}
	if got := MeantMetric("latency", known); !strings.HasPrefix(got, "it has many samples a trial: name latency.p50 or latency.p99, one number a trial; ") {
		t.Error(got)
	}
	for _, name := range []string{"wal", "late", ""} {
		if got, want := MeantMetric(name, known), Meant(name, known); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
