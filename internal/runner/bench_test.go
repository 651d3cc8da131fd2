package runner

import (
	"syscall"
	"testing"

	"fieldbook/internal/session"
)

// BenchmarkTrue is the cost of a trial that does nothing, without a session
// that is written: what to compare with `hyperfine -N --runs 1000 true`.
func BenchmarkTrue(b *testing.B) {
	r := newRig(b, b.N, "commands: {only: true}")
	r.job.Progress = nil
	r.job.Sink = func(rec session.Record) error {
		if rec.Status != session.OK {
			b.Errorf("trial %d: %s", rec.Trial, rec.Reason)
		}
		return nil
	}
	measured(b, r)
}

// measured runs the rig and reports, beside the time per trial, the
// processor time that the runner itself spent on one.
func measured(b *testing.B, r *rig) {
	b.ReportAllocs()
	var from, to syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &from)
	b.ResetTimer()
	r.run()
	syscall.Getrusage(syscall.RUSAGE_SELF, &to)
	spent := to.Utime.Nano() + to.Stime.Nano() - from.Utime.Nano() - from.Stime.Nano()
	b.ReportMetric(float64(spent)/float64(b.N), "own-ns/op")
}

// BenchmarkTrueBesideService is the same with a service up, whose children
// must be told from what a trial leaves behind.
func BenchmarkTrueBesideService(b *testing.B) {
	r := newRig(b, b.N, "services: {idle: {command: sleep 1000}}\ntrial: {command: true}")
	r.job.Progress = nil
	r.job.Sink = func(rec session.Record) error { return nil }
	measured(b, r)
}
