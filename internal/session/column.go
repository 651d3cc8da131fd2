package session

// column is a column of one of the CSV files: its name, its type in the
// words of Table Schema, its unit and what it says.
type column struct {
	Name, Type, Unit, Says string
}

// The fixed columns. Their order is part of the data format.
var (
	planColumns = []column{
		{"trial", "integer", "", "number of the planned trial, from 1, in the order of running"},
		{"phase", "string", "", "warmup or measured"},
		{"block", "integer", "", "from 1 within its phase; 0 where the order has no blocks"},
		{"plot", "integer", "", "whole plot, from 1 over the plan; 0 where no factor is hard to change"},
		{"position", "integer", "", "from 1 within the block, or within the phase where there are no blocks"},
		{"treatment", "integer", "", "number of the treatment in session.json"},
		{"control", "string", "", "A or B: the two labels of a treatment that runs twice"},
	}
	attemptColumns = []column{
		{"session", "string", "", "the folder's name"},
		{"machine", "string", "", "the machine's label"},
		{"trial", "integer", "", "number of the planned trial"},
		{"attempt", "integer", "", "from 1 for each trial"},
		{"part", "integer", "", "which continuation of the session, from 1"},
	}
	outcomeColumns = []column{
		{"started", "datetime", "", "UTC, to the millisecond"},
		{"duration_s", "number", "s", "start to exit of the direct child, monotonic clock; empty where it never started"},
		{"status", "string", "", "ok, invalid, failed, timeout, interrupted or skipped"},
		{"reason", "string", "", "why not ok"},
		{"exit", "integer", "", "exit code; empty where the program did not exit by itself"},
		{"signal", "string", "", "the signal that ended it"},
		{"stdout_bytes", "integer", "B", "length of standard output"},
		{"stderr_bytes", "integer", "B", "length of standard error"},
	}
	stateColumns = []column{
		{"load1", "number", "1", "before the attempt: load average over a minute"},
		{"foreign_cpu", "number", "1", "before the attempt: share of all processors busy with others' work"},
		{"mhz", "number", "MHz", "before the attempt: processor frequency"},
		{"temp_c", "number", "Cel", "before the attempt: temperature"},
		{"throttled", "number", "1", "throttle events since the session's start"},
		{"quiet_s", "number", "s", "time waited for quiet before the attempt"},
	}
	clientColumns = []column{
		{"session", "string", "", "the folder's name"},
		{"trial", "integer", "", "number of the planned trial"},
		{"attempt", "integer", "", "attempt at it"},
		{"client", "integer", "", "from 0"},
		{"clock", "string", "", "whose times: workload or runner"},
		{"start_ns", "integer", "ns", "start, on the machine's monotonic clock"},
		{"finish_ns", "integer", "ns", "finish, on the same clock"},
	}
	sampleColumns = []column{
		{"session", "string", "", "the folder's name"},
		{"trial", "integer", "", "number of the planned trial"},
		{"attempt", "integer", "", "attempt at it"},
		{"client", "integer", "", "from 0"},
		{"index", "integer", "", "from 1 within attempt and client"},
	}
	remarkColumns = []column{
		{"at", "datetime", "", "UTC"},
		{"kind", "string", "", "note, discard, abandon or accept"},
		{"text", "string", "", "what was said"},
		{"was", "string", "", "of an acceptance: the identity under which a treatment was recorded"},
		{"now", "string", "", "of an acceptance: the identity for which its data counts as still good"},
	}
)

// planLayout is the columns of plan.csv.
func planLayout(info *Info) []column { return join(planColumns, factorColumns(info)) }

// trialLayout is the columns of trials.csv.
func trialLayout(info *Info) []column {
	metrics := make([]column, len(info.Metrics))
	for i, m := range info.Metrics {
		metrics[i] = column{Name: m.Name, Type: "number", Unit: m.Unit}
	}
	return join(attemptColumns, planColumns[1:], factorColumns(info), outcomeColumns, metrics, stateColumns)
}

// clientLayout and sampleLayout are the columns of clients.csv and samples.csv.
func clientLayout(info *Info) []column { return join(clientColumns, reported(info.ClientColumns)) }
func sampleLayout(info *Info) []column { return join(sampleColumns, reported(info.SampleColumns)) }

func factorColumns(info *Info) []column {
	factors := make([]column, len(info.Factors))
	for i, f := range info.Factors {
		factors[i] = column{Name: f.Name, Type: "string", Unit: f.Unit, Says: "level, as written"}
	}
	return factors
}

func reported(list []Column) []column {
	columns := make([]column, len(list))
	for i, c := range list {
		columns[i] = column{Name: c.Name, Type: "number", Unit: c.Unit}
	}
	return columns
}

func join(lists ...[]column) []column {
	var all []column
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}
