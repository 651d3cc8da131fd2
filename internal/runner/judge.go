package runner

import (
	"fmt"
	"slices"
	"strings"

	"fieldbook/internal/session"
)

// fill writes down when and how the processes ended.
func (a *attempt) fill() {
	a.rec.Started = a.out.started.UTC()
	a.rec.Duration = seconds(a.out.endNS - a.out.startNS)
	for i := range a.commands {
		out, err := a.out.stdout(i).bytes, a.out.stderr(i).bytes
		a.bytes = append(a.bytes, out, err)
		a.rec.StdoutBytes += out
		a.rec.StderrBytes += err
	}
	a.rec.Exit, a.rec.Signal = a.out.worst()
}

// worst is the exit that stands for the attempt: the first that is not 0.
func (o *outcome) worst() (code int, signal string) {
	for _, e := range o.exits {
		if !e.ok() {
			return e.code, e.signal
		}
	}
	return 0, ""
}

// reportLeft tells of processes that outlived the trial and were ended.
func (a *attempt) reportLeft() {
	if len(a.out.left) > 0 {
		slices.Sort(a.out.left)
		a.e.warn("treatment %d leaves processes behind, which are ended after each trial: %s", a.of.Number, strings.Join(slices.Compact(a.out.left), ", "))
	}
}

// howEnded gives the attempt a status where it is not for the metrics to say.
func (a *attempt) howEnded() {
	switch died := a.e.services.died(); {
	case a.out.interrupted:
		a.end(session.Interrupted, "interrupted")
	case a.out.notReady != "":
		a.end(session.Failed, a.out.notReady+a.saidLast(a.out.early))
	case a.out.timedOut:
		a.end(session.Timeout, fmt.Sprintf("no end within %s", a.says.Timeout.At(a.e.x, a.of)))
	case died != "":
		a.end(session.Failed, died)
	default:
		a.checkExits()
	}
}

// checkExits fails the attempt for the first process that did not exit with 0.
func (a *attempt) checkExits() {
	for i, e := range a.out.exits {
		if e.ok() {
			continue
		}
		reason := e.String()
		if len(a.out.exits) > 1 {
			reason = fmt.Sprintf("client %d: %s", i, reason)
		}
		a.end(session.Failed, reason+a.saidLast(i))
		return
	}
}

// saidLast is the last line that a client wrote on standard error, as the end
// of a reason.
func (a *attempt) saidLast(client int) string {
	if client < 0 {
		return ""
	}
	if said := a.out.stderr(client).kept.lastLine(); said != "" {
		return ": " + said
	}
	return ""
}

// judge reads the metrics and the conditions.
func (a *attempt) judge() error {
	m := &taken{r: a.e.reader, env: a.e.set.env(a.of, a.given), folder: a.e.job.Folder, wall: a.out.endNS - a.out.startNS,
		exits: a.out.exits, harvests: a.harvests, files: a.files, floor: a.out.floor}
	if a.says.Clients != nil {
		a.rec.Clients = clientRows(a.rec.Row, &a.out, a.harvests)
		m.clients = a.rec.Clients
	}
	values, problems, invalid := m.measure()
	if len(problems) > 0 && !a.e.trying { // a failure is never a number
		a.rec.Clients = nil
		a.end(session.Failed, strings.Join(problems, "; "))
		return nil
	}
	a.rec.Metrics = values
	if !a.e.x.DropSamples {
		a.rec.Samples = sampleRows(a.rec.Row, a.harvests)
	}
	switch {
	case len(problems) > 0:
		a.end(session.Failed, strings.Join(problems, "; "))
	case invalid != "":
		a.end(session.Invalid, invalid)
	case a.e.trying:
		a.end(session.OK, "")
	default:
		a.end(session.OK, "")
		a.rec.Outputs = nil
	}
	return nil
}

// sampleRows are the rows of all samples of an attempt.
func sampleRows(row session.Row, harvests []*harvest) []session.Sample {
	var rows []session.Sample
	for client, h := range harvests {
		s := &h.samples
		all := make([]float64, s.n*len(s.columns))
		for i := range s.n {
			values := all[i*len(s.columns) : (i+1)*len(s.columns)]
			for c, column := range s.columns {
				values[c] = column[i]
			}
			rows = append(rows, session.Sample{Trial: row.Trial, Attempt: row.Attempt, Client: client, Index: i + 1, Values: values})
		}
	}
	return rows
}

// keepOutput keeps the heads and tails of all streams, once.
func (a *attempt) keepOutput() {
	if a.rec.Outputs != nil || a.out.streams == nil {
		return
	}
	a.rec.Outputs = map[string][]byte{}
	for i := range a.commands {
		prefix := a.clientPrefix(i)
		a.rec.Outputs[prefix+"stdout"] = a.out.stdout(i).kept.text()
		a.rec.Outputs[prefix+"stderr"] = a.out.stderr(i).kept.text()
	}
	a.e.services.outputs(a.rec.Outputs)
}

// clientPrefix tells the streams of several clients apart.
func (a *attempt) clientPrefix(client int) string {
	if a.says.Clients == nil {
		return ""
	}
	return fmt.Sprintf("client-%d-", client)
}
