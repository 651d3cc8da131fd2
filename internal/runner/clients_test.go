package runner

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/internal/session"
)

// client is a client in ten lines of shell. Its environment chooses when it
// is ready; it notes when it was, and when it was let go.
const client = `#!/bin/sh
sleep 0.$FIELDBOOK_CLIENT
date +%s%N >> ready
echo "fieldbook: ready"
read line
date +%s%N >> go
[ "$line" = go ] || exit 9
echo "calls per client: $1"
echo "{\"calls\": $1, \"took_ms\": 10}"
`

func TestClientsAreReleasedTogether(t *testing.T) {
	r := newRig(t, 1, `
constants: {calls: 10}
factors: {clients: [4]}
trial: {clients: "{clients}", command: [./client, "{share(calls, clients, client)}"], timeout: 20s}
metrics:
  span: {from: clients, reduce: span, unit: ms}
  skew: {from: clients, reduce: start-skew, unit: ms}
  made: {from: clients, key: calls, reduce: sum, unit: "1"}
  most: {from: clients, key: calls, reduce: max, unit: "1"}
  least: {from: clients, key: calls, reduce: min, unit: "1"}
  middle: {from: clients, key: took_ms, reduce: mean, unit: ms}
  fair: {from: clients, key: calls, per: took_ms, reduce: jain, unit: "1"}
valid: [made == calls]`).write("client", client).run()
	r.wantStatuses(session.OK)
	rec := r.only()
	if len(rec.Clients) != 4 {
		t.Fatalf("%d clients, want 4", len(rec.Clients))
	}
	for i, c := range rec.Clients {
		if c.Client != i || c.Clock != "runner" || c.FinishNS <= c.StartNS || c.StartNS == 0 {
			t.Errorf("client %d is %+v, want the runner's clock", i, c)
		}
	}
	for name, want := range map[string]float64{"made": 10, "most": 4, "least": 2, "middle": 10} { // 4 2 2 2
		if got := r.metric(name)[0]; got != want {
			t.Errorf("%s is %g, want %g", name, got, want)
		}
	}
	if got, want := r.metric("fair")[0], 100.0/(4*28); math.Abs(got-want) > 1e-12 {
		t.Errorf("fair is %g, want %g", got, want)
	}
	if skew, span := r.metric("skew")[0], r.metric("span")[0]; !(skew < 50) || !(span > skew) {
		t.Errorf("skew is %g ms and span %g ms, want a few, and more", skew, span)
	}
	ready, gone := r.lines("ready"), r.lines("go")
	if len(ready) != 4 || len(gone) != 4 || slices.Max(ready) > slices.Min(gone) {
		t.Errorf("ready at %v, let go at %v: want none let go before the last was ready", ready, gone)
	}
}

func TestClientsOwnClock(t *testing.T) {
	const yaml = `
trial: {clients: "2", command: ./client, timeout: 20s}
metrics:
  span: {from: clients, reduce: span, unit: us}
  skew: {from: clients, reduce: start-skew, unit: ns}`
	const own = "#!/bin/sh\necho 'fieldbook: ready'; read go; n=$FIELDBOOK_CLIENT\n"
	r := newRig(t, 1, yaml).write("client", own+`echo "{\"start_ns\": $((1000 + n * 500)), \"finish_ns\": $((9007199254740993 + n))}"`).run()
	r.wantStatuses(session.OK)
	rec := r.only()
	if c := rec.Clients[1]; c.Clock != "workload" || c.StartNS != 1500 || c.FinishNS != 9007199254740994 {
		t.Errorf("client 1 is %+v, want its own times, to the nanosecond", c)
	}
	if got := r.metric("skew")[0]; got != 500 {
		t.Errorf("skew is %g ns, want 500", got)
	}
	r = newRig(t, 1, yaml).write("client", own+`[ $n = 0 ] && echo '{"done": 1}' || echo '{"start_ns": 5, "finish_ns": 6}'`).run()
	r.wantStatuses(session.OK)
	for i, c := range r.only().Clients {
		if c.Clock != "runner" || c.StartNS < 1e6 {
			t.Errorf("client %d is %+v, want the runner's clock for all, since client 0 tells no times", i, c)
		}
	}
}

func TestClientThatNeverGetsReady(t *testing.T) {
	r := newRig(t, 1, `trial: {clients: "3", command: ./client, ready-within: 500ms, timeout: 60s}
metrics: {span: {from: clients, reduce: span, unit: ms}}`).write("client", `#!/bin/sh
echo $$ >> pids
[ $FIELDBOOK_CLIENT = 1 ] || echo "fieldbook: ready"
read line
`)
	within(t, 20*time.Second, "the run", func() { r.run() })
	r.wantStatuses(session.Failed)
	if rec := r.only(); !strings.Contains(rec.Reason, "client 1 was not ready within 500ms") || !strings.Contains(rec.Reason, "flush") {
		t.Errorf("reason is %q, want the client, the limit and a hint about buffers", rec.Reason)
	}
	r.wantGone("pids")
}

func TestClientThatEndsBeforeItIsReady(t *testing.T) {
	r := newRig(t, 1, `trial: {clients: "2", command: ./client, ready-within: 60s, timeout: 60s}
metrics: {span: {from: clients, reduce: span, unit: ms}}`).write("client", `#!/bin/sh
echo $$ >> pids
[ $FIELDBOOK_CLIENT = 1 ] && { echo cannot connect >&2; exit 4; }
echo "fieldbook: ready"
read line
`)
	within(t, 20*time.Second, "the run", func() { r.run() })
	r.wantStatuses(session.Failed)
	rec := r.only()
	if rec.Reason != "client 1 ended before it was ready: exit 4: cannot connect" || string(rec.Outputs["client-1-stderr"]) != "cannot connect\n" {
		t.Errorf("reason is %q, outputs %q", rec.Reason, rec.Outputs)
	}
	r.wantGone("pids")
}

func TestClientsThatFail(t *testing.T) {
	for _, tt := range []struct{ client, status, reason string }{
		{"sleep 300", session.Timeout, "no end within 700ms"},
		{"[ $FIELDBOOK_CLIENT = 0 ] && exit 5; echo '{\"calls\": 1}'", session.Failed, "client 0: exit 5"},
		{"[ $FIELDBOOK_CLIENT = 0 ] || echo '{\"calls\": 1}'", session.Failed, "made: client 0 reported no calls"},
		{"echo '{\"calls\": \"many\"}'", session.Failed, `made: client 0: calls: "many" is not a number`},
	} {
		r := newRig(t, 1, `trial: {clients: "2", command: ./client, timeout: 700ms}
metrics: {made: {from: clients, key: calls, reduce: sum, unit: "1"}}`).write("client", "#!/bin/sh\necho 'fieldbook: ready'; read go\n"+tt.client+"\n").run()
		if rec := r.only(); rec.Status != tt.status || rec.Reason != tt.reason {
			t.Errorf("%s: %s: %s; want %s: %s", tt.client, rec.Status, rec.Reason, tt.status, tt.reason)
		}
	}
}

// TestSpanFromRunnersClock: the report is read long before the process ends.
func TestSpanFromRunnersClock(t *testing.T) {
	r := newRig(t, 1, `trial: {clients: "1", command: ./client, timeout: 20s}
metrics: {span: {from: clients, reduce: span, unit: s}}`).write("client", `#!/bin/sh
echo "fieldbook: ready"; read go; echo '{"calls": 1}'; sleep 1`).run()
	r.wantStatuses(session.OK)
	if span := r.metric("span")[0]; span > 0.9 {
		t.Errorf("span is %g s, want that until the report was read, not the second after it", span)
	}
}

func TestJain(t *testing.T) {
	for _, tt := range []struct {
		done, per []float64
		want      float64
	}{
		{[]float64{5, 5}, []float64{2, 2}, 1},
		{[]float64{1, 0, 0, 0}, []float64{1, 1, 1, 1}, 0.25},
		{[]float64{1, 1}, []float64{1, 3}, 0.8}, // rates 1 and 1/3: (4/3)^2 / (2 * 10/9)
	} {
		if got, err := jain(tt.done, tt.per); err != nil || math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("jain(%v, %v) = %g, %v, want %g", tt.done, tt.per, got, err, tt.want)
		}
	}
	if _, err := jain([]float64{0, 0}, []float64{1, 1}); err == nil {
		t.Error("jain of no work at all is a number, want an error")
	}
}

func TestInterruptedClientsAreGone(t *testing.T) {
	r := newRig(t, 2, `trial: {clients: "2", command: ./client, timeout: 60s}
metrics: {span: {from: clients, reduce: span, unit: ms}}`).write("client", "#!/bin/sh\necho $$ >> pids\necho 'fieldbook: ready'; read go; sleep 300\n")
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if err := r.try(ctx); err != nil {
		t.Errorf("Run: %v, want none", err)
	}
	r.wantStatuses(session.Interrupted)
	r.wantGone("pids")
}
