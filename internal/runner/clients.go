package runner

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fieldbook/internal/experiment"
	"fieldbook/internal/session"
)

// Clocks of a client's times.
const (
	workloadClock = "workload" // its own
	runnerClock   = "runner"   // the runner's: `go` written, report read
)

// clientRows are the rows of a multi-client attempt. The clients' own times
// count only where every client reports both, since two clocks in one trial
// cannot be compared.
func clientRows(row session.Row, out *outcome, harvests []*harvest) []session.Client {
	clock := workloadClock
	if slices.ContainsFunc(harvests, func(h *harvest) bool { return !h.report.hasTimes }) {
		clock = runnerClock
	}
	var rows []session.Client
	for i, h := range harvests {
		c := session.Client{Trial: row.Trial, Attempt: row.Attempt, Client: i, Clock: clock, Values: h.report.values,
			StartNS: h.report.start, FinishNS: h.report.finish}
		if clock == runnerClock {
			c.StartNS, c.FinishNS = 0, h.report.readNS
			if i < len(out.goNS) {
				c.StartNS = out.goNS[i]
			}
			if c.FinishNS == 0 { // it reported nothing: its end is its report
				c.FinishNS = out.exits[i].at
			}
		}
		rows = append(rows, c)
	}
	return rows
}

// fromClients reduces what the clients of a trial did to one number.
func (m *taken) fromClients(d *experiment.Metric) (float64, error) {
	if len(m.clients) == 0 {
		return math.NaN(), errors.New("the trial has no clients")
	}
	switch d.Reduce {
	case "span", "start-skew":
		return inUnit(float64(m.between(d.Reduce)), d.Unit)
	}
	xs, err := m.reported(d.Key)
	if err != nil {
		return math.NaN(), err
	}
	switch d.Reduce {
	case "sum":
		return sum(xs), nil
	case "mean":
		return mean(xs), nil
	case "min":
		return slices.Min(xs), nil
	case "max":
		return slices.Max(xs), nil
	case "jain":
		per, err := m.reported(d.Per)
		if err != nil {
			return math.NaN(), err
		}
		return jain(xs, per)
	}
	return math.NaN(), fmt.Errorf("reduce %q is not known: span, start-skew, sum, mean, min, max, jain", d.Reduce)
}

// between is last finish minus first start, or last start minus first start,
// in nanoseconds.
func (m *taken) between(reduce string) int64 {
	first, last := m.clients[0].StartNS, int64(math.MinInt64)
	for _, c := range m.clients {
		first = min(first, c.StartNS)
		if reduce == "span" {
			last = max(last, c.FinishNS)
		} else {
			last = max(last, c.StartNS)
		}
	}
	return last - first
}

// reported is one key of all clients' reports.
func (m *taken) reported(key string) ([]float64, error) {
	i := slices.Index(m.r.clients, key)
	var xs []float64
	for n, c := range m.clients {
		if problem := m.harvests[n].report.problem; problem != "" && math.IsNaN(c.Values[i]) {
			return nil, fmt.Errorf("client %d: %s", n, problem)
		}
		if math.IsNaN(c.Values[i]) {
			return nil, fmt.Errorf("client %d reported no %s", n, key)
		}
		xs = append(xs, c.Values[i])
	}
	return xs, nil
}

// jain is the fairness index of Jain, Chiu and Hawe (1984) of the rates
// done/per: 1 where all clients get the same, 1/n where one gets all.
func jain(done, per []float64) (float64, error) {
	rates := make([]float64, len(done))
	squares := make([]float64, len(done))
	for i := range done {
		rates[i] = done[i] / per[i]
		squares[i] = rates[i] * rates[i]
	}
	total, square := sum(rates), sum(squares)
	if !(square > 0) || math.IsInf(square, 0) {
		return math.NaN(), errors.New("the rates of the clients are not all finite, or all 0")
	}
	return total * total / (float64(len(rates)) * square), nil
}
