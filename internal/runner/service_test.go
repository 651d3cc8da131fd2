package runner

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fieldbook/internal/design"
	"fieldbook/internal/experiment"
	"fieldbook/internal/session"
)

// log is the log of a run, one word an entry.
func (r *rig) log() string { return strings.Join(r.lines("log"), " ") }

func TestServiceScopes(t *testing.T) {
	const note = `#!/bin/sh
echo $1:$2 >> log
`
	for scope, want := range map[string]string{
		"session": "start:s trial:1 trial:2 trial:3 trial:4 stop:s",
		"block":   "start:s trial:1 trial:2 stop:s start:s trial:3 trial:4 stop:s",
		"plot":    "start:s trial:1 stop:s start:s trial:2 trial:3 stop:s start:s trial:4 stop:s",
		"trial":   "start:s trial:1 stop:s start:s trial:2 stop:s start:s trial:3 stop:s start:s trial:4 stop:s",
	} {
		t.Run(scope, func(t *testing.T) {
			r := newRig(t, 2, `
factors: {f: [a, b]}
services: {server: {command: [./helper, serve, "{server.port}", s], scope: `+scope+`, ready: {tcp: "{server.address}", within: 30s}}}
trial: {command: [sh, -c, "./note trial $FIELDBOOK_TRIAL", "{f}"]}`).helper().write("note", note)
			if scope == "plot" { // two plots a block; the middle two of one level
				for i, plot := range []int{1, 2, 2, 3} {
					r.job.Plan.Trials[i].Plot = plot
					r.job.Plan.Trials[i].Block = 1
				}
			}
			r.run()
			r.wantStatuses(session.OK, session.OK, session.OK, session.OK)
			if got := r.log(); got != want {
				t.Errorf("log is %s, want %s", got, want)
			}
			r.wantGone("pids")
		})
	}
}

// TestServiceForEachLevel: one instance per level, side by side; each trial
// meets its own.
func TestServiceForEachLevel(t *testing.T) {
	r := newRig(t, 2, `
factors: {dispatcher: [serial, concurrent], load: [1, 2]}
services:
  server:
    command: [./helper, serve, "{server.port}", "{dispatcher}"]
    scope: block
    each: [dispatcher]
    ready: {http: "http://{server.address}/health", within: 30s}
trial: {command: [./helper, fetch, "http://{server.address}/health"], stdin: "{dispatcher}"}
metrics: {n: {from: regex, pattern: '^(?:serial|concurrent)()', unit: "1"}}`)
	r.helper().write("serial", "").write("concurrent", "")
	r.job.Experiment.Metrics = nil
	r.run()
	r.wantStatuses(slices.Repeat([]string{session.OK}, 8)...)
	if got, want := r.log(), "start:serial start:concurrent stop:concurrent stop:serial start:serial start:concurrent stop:concurrent stop:serial"; got != want {
		t.Errorf("log is %s, want %s", got, want)
	}
	tried, err := Try(context.Background(), r.job, r.job.Experiment.Treatments[2])
	if err != nil || string(tried.Outputs[0].Kept) != "concurrent\n" {
		t.Errorf("the third treatment meets %q, %v; want its own instance, concurrent", tried.Outputs[0].Kept, err)
	}
}

func TestReadiness(t *testing.T) {
	for kind, ready := range map[string]string{
		"tcp":     `{tcp: "{server.address}"}`,
		"line":    `{line: "^listening on [0-9]+$"}`,
		"http":    `{http: "http://{server.address}/health"}`,
		"command": `{command: [test, -e, pids]}`,
	} {
		t.Run(kind, func(t *testing.T) {
			r := newRig(t, 1, `
services: {server: {command: [./helper, serve, "{server.port}", s], ready: `+strings.TrimSuffix(ready, "}")+`, within: 30s}, after: [cp, log, "{server.scratch}/copy"]}}
trial: {command: [cat, "{server.scratch}/copy"]}`).helper()
			if got := string(tryFirst(t, r).Outputs[0].Kept); got != "start:s\n" {
				t.Errorf("the trial finds %q, want what `after` copied once the service had started", got)
			}
			r.wantGone("pids")
		})
	}
}

func TestServiceThatIsNeverReady(t *testing.T) {
	for _, tt := range []struct{ service, want string }{
		{`{command: [sh, -c, "echo about to fail; echo no database >&2; exit 3"], ready: {tcp: "{server.address}", within: 30s}}`,
			"service server: it ended before it was ready: exit 3\nno database"},
		{`{command: [sh, -c, "echo $$ > pids; echo waiting; sleep 300"], ready: {line: never, within: 300ms}}`,
			"service server: not ready within 300ms: no line that matches never\nwaiting"},
		{`{command: [sleep, "300"], ready: {command: ["false"], within: 200ms}}`, "service server: not ready within 200ms: false does not exit with 0"},
		{`{command: no-such-server}`, "service server: cannot start: no-such-server: not found in PATH"},
		{`{command: [sleep, "300"], before: [sh, -c, "echo disk full >&2; exit 2"]}`, "service server: before: sh -c 'echo disk full >&2; exit 2': exit 2\ndisk full"},
		{`{command: [sleep, "300"], after: ["false"]}`, "service server: after: false: exit 1"},
	} {
		r := newRig(t, 1, "services: {server: "+tt.service+"}\ntrial: {command: echo}")
		var err error
		within(t, 20*time.Second, "the run", func() { err = r.try(context.Background()) })
		if err == nil || strings.TrimSpace(err.Error()) != tt.want {
			t.Errorf("%s: error %q, want %q", tt.service, err, tt.want)
		}
		if len(r.records) != 0 || r.out.Complete {
			t.Errorf("%s: %d records, complete %v; want none", tt.service, len(r.records), r.out.Complete)
		}
	}
}

// TestServiceOfTheTrialsOwn: where it does not come up, that trial failed.
func TestServiceOfTheTrialsOwn(t *testing.T) {
	r := newRig(t, 1, `
factors: {f: [good, bad]}
services: {server: {command: [./server, "{f}"], scope: trial, ready: {line: up, within: 20s}}}
trial: {command: [echo, "{f}"]}`).write("server", "#!/bin/sh\n[ $1 = good ] || exit 3\necho up\nexec sleep 300\n").run()
	r.wantStatuses(session.OK, session.Failed)
	if got := r.records[1].Reason; !strings.HasPrefix(got, "service server: it ended before it was ready: exit 3") {
		t.Errorf("reason is %q", got)
	}
}

// TestServiceThatDies during a trial fails the attempt and is started again
// for the next.
func TestServiceThatDies(t *testing.T) {
	r := newRig(t, 3, `
services: {server: {command: [./helper, serve, "{server.port}", s], ready: {tcp: "{server.address}", within: 30s}}}
trial: {command: ./work}`).helper().write("work", "#!/bin/sh\n[ $FIELDBOOK_TRIAL != 2 ] || { kill -KILL $(tail -n 1 pids); sleep 0.3; }\n").run()
	r.wantStatuses(session.OK, session.Failed, session.OK)
	if rec := r.records[1]; rec.Reason != "service server ended during the trial: killed by SIGKILL" || !strings.HasPrefix(string(rec.Outputs["service-server-stdout"]), "listening") {
		t.Errorf("reason is %q, outputs %q", rec.Reason, rec.Outputs)
	}
	if got := r.log(); got != "start:s start:s stop:s" {
		t.Errorf("log is %s, want two starts and one stop", got)
	}
	r.wantGone("pids")
}

func TestHowServicesStop(t *testing.T) {
	for _, tt := range []struct{ name, service, log string }{
		{"another signal", `{command: [./helper, serve, "{server.port}", s], ready: {tcp: "{server.address}", within: 30s}, stop: {signal: INT}}`, "start:s int:s"},
		{"below a shell that does not pass it on", `{command: "cd .; ./helper serve {server.port} s; true", shell: true, ready: {tcp: "{server.address}", within: 30s}}`, "start:s stop:s"},
		{"by force", `{command: "trap '' TERM; echo $$ > pids; echo up; while :; do sleep 1; done", shell: true, ready: {line: up, within: 20s}, stop: {within: 300ms}}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, 1, "services: {server: "+tt.service+"}\ntrial: {command: echo}").helper()
			within(t, 30*time.Second, "the run", func() { r.run() })
			r.wantStatuses(session.OK)
			if got := r.log(); got != tt.log {
				t.Errorf("log is %q, want %q", got, tt.log)
			}
			r.wantGone("pids")
		})
	}
}

// TestServiceMayDetach: a service whose real process leaves its group and
// its parent lives on through trials, and is gone after the run.
func TestServiceMayDetach(t *testing.T) {
	r := newRig(t, 3, `
services: {db: {command: [./start], ready: {command: [test, -s, pids], within: 20s}}}
trial: {command: [sh, -c, "kill -0 $(cat pids); sleep 300 & sleep 0.1"]}`).write("start", `#!/bin/sh
( setsid sh -c 'echo $$ > pids; exec sleep 300' & )
exec sleep 300
`).run()
	r.wantStatuses(session.OK, session.OK, session.OK)
	r.wantGone("pids")
}

// TestServiceThatForksLater: what a service detaches while a trial runs is
// known by its environment.
func TestServiceThatForksLater(t *testing.T) {
	r := newRig(t, 2, `
services: {db: {command: [./start]}}
trial: {command: [sh, -c, "touch now; sleep 0.5; kill -0 $(cat pids)"]}`).write("start", `#!/bin/sh
while [ ! -e now ]; do sleep 0.05; done
( setsid sh -c 'echo $$ > pids; exec sleep 300' & )
exec sleep 300
`).run()
	r.wantStatuses(session.OK, session.OK)
	r.wantGone("pids")
}

// TestServiceThatChangesWithinItsScope is refused: it would start anew, cold
// for some trials only.
func TestServiceThatChangesWithinItsScope(t *testing.T) {
	r := newRig(t, 1, `
factors: {f: [a, b]}
services: {server: {command: [echo, "{f}"], scope: trial}}
trial: {command: [echo, "{f}"]}`)
	r.job.Experiment.Services[0].Scope = "block" // past the check of the file
	err := r.try(context.Background())
	if err == nil || !strings.Contains(err.Error(), "service server changes from treatment to treatment") {
		t.Errorf("error is %v, want that the service changes", err)
	}
}

func TestServicesKnowEachOther(t *testing.T) {
	r := newRig(t, 1, `
services:
  front: {command: [sh, -c, "echo front $0 > front; sleep 300", "{front.port}"]}
  back: {command: [sh, -c, "echo $0 > seen; sleep 300", "{front.address}"], ready: {command: [test, -s, seen], within: 20s}}
trial: {command: [sh, -c, "test $(cat seen) = {front.host}:{front.port}"]}`).run()
	r.wantStatuses(session.OK)
}

// TestLoadOfPostgres is a real server from begin to end, where there is one.
func TestLoadOfPostgres(t *testing.T) {
	if _, err := exec.LookPath("postgres"); err != nil {
		t.Skip("no postgres")
	}
	if os.Getuid() == 0 {
		t.Skip("postgres does not run as root")
	}
	r := newRig(t, 1, `
services:
  pg:
    before: [initdb, --no-sync, -U, bench, -D, "{pg.scratch}/db"]
    command: [postgres, -D, "{pg.scratch}/db", -h, "{pg.host}", -p, "{pg.port}", -k, "{pg.scratch}"]
    ready: {command: [pg_isready, -q, -h, "{pg.host}", -p, "{pg.port}"], within: 30s}
    stop: {signal: INT, within: 20s}
trial: {command: [psql, -qXc, "select 1", -h, "{pg.host}", -p, "{pg.port}", -U, bench, postgres]}`).run()
	r.wantStatuses(session.OK)
}

// TestServicesUsageIsOurs: the processor time of services is ours, not
// others'.
func TestServicesUsageIsOurs(t *testing.T) {
	r := newRig(t, 1, `
services: {busy: {command: [sh, -c, "while :; do :; done"]}}
trial: {command: sleep 1}`)
	e, err := open(context.Background(), r.job)
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	if err := e.setUp(r.job.Plan.Treatments); err != nil {
		t.Fatal(err)
	}
	if err := e.services.enter(design.Trial{Number: 1, Block: 1, Treatment: 1}, 1); err != nil {
		t.Fatal(err)
	}
	before := e.ownCPU()
	for began := time.Now(); e.ownCPU()-before < 50*time.Millisecond; time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("a busy service's time is not counted as our own")
		}
	}
}

func TestFreePort(t *testing.T) {
	port, err := freePort()
	if n, convErr := strconv.Atoi(port); err != nil || convErr != nil || n < 1024 {
		t.Errorf("freePort() = %q, %v", port, err)
	}
}

func TestUnitOf(t *testing.T) {
	trial := design.Trial{Number: 7, Phase: "measured", Block: 2, Plot: 3}
	for scope, want := range map[experiment.Scope]unit{"session": {}, "block": {phase: "measured", block: 2},
		"plot": {phase: "measured", block: 2, plot: 3}, "trial": {trial: 7, attempt: 1}} {
		if got := unitOf(scope, trial, 1); got != want {
			t.Errorf("unitOf(%s) = %+v, want %+v", scope, got, want)
		}
	}
}
