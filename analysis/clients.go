package analysis

import (
	"fmt"
	"math"
	"slices"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// TrivialFairness is the code of a refusal: shares that are equal by
// construction say nothing of how evenly clients were served.
const TrivialFairness = "E_TRIVIAL_FAIRNESS"

// ClientRows are what the clients of one session did, a column a slice, in
// the order of the session's rows.
type ClientRows struct {
	Columns                []session.Column // of Values: what clients reported
	Trial, Attempt, Client []int32
	Start, Finish          []int64   // ns of the machine's monotonic clock
	Values                 []float64 // by row, then by column; NaN: missing
}

// Add takes in one client of one attempt.
func (c *ClientRows) Add(row session.Client) {
	c.Trial, c.Attempt, c.Client = append(c.Trial, int32(row.Trial)), append(c.Attempt, int32(row.Attempt)), append(c.Client, int32(row.Client))
	c.Start, c.Finish = append(c.Start, row.StartNS), append(c.Finish, row.FinishNS)
	c.Values = append(c.Values, row.Values...)
}

// ClientSpread is how evenly the clients of one treatment were served, on one
// machine. What is compared is each client's rate, so that more is better
// whatever was measured. The unit is the trial.
type ClientSpread struct {
	Selection expr.Selection // of the treatment, and the machine where there are several
	Levels    []string       // in the order of Input.Factors
	Machine   string
	Clients   int
	Share     string // what is compared: "calls per rtt_ms"
	Trials    []ClientTrial
	LeftOut   int // trials in which a client is missing or gave no number

	// CV is the coefficient of variation over the clients of a trial, its
	// geometric mean over trials; CVLimit is its one-sided 95 % limit.
	CV      Estimate
	CVLimit float64  // NaN: none
	MaxMin  Estimate // largest over smallest rate of a trial, its median over trials
	Jain    Estimate
	// NoiseJain is what Jain's index would be, had all clients been served
	// alike and the noise been what it is: 1/(1 + CV²(n-1)/n) with the CV of
	// the noise. NaN where it is not known.
	NoiseJain float64
	Starved   []Starved // clients with nothing, or less than half of the fair share
	ByNumber  Favour    // the same client numbers over trials
	ByStart   Favour    // the same places in the order of starting
	Refused   string    // why nothing of this can be said

	used []*trial
}

// ClientTrial is one trial with the rate of each client, by client number.
type ClientTrial struct {
	Session string
	Trial   int
	Block   int
	Rates   []float64
	order   []int // clients by their start; nil where two started at once
}

// Starved is how often a client got less than half of the fair share.
type Starved struct{ Client, Trials int }

// Favour is whether the same clients, or places, are served better over
// trials: trials are blocks and clients treatments.
type Favour struct {
	P       float64 // Friedman's test, counted or by the F of Iman and Davenport; NaN: none
	W       float64 // Kendall's coefficient of concordance, 0 to 1
	Shares  []ClientShare
	Refused string
}

// ClientShare is one client's rate over the mean rate of its trial.
type ClientShare struct {
	Ratio Estimate // arithmetic mean over trials with t interval; 1 is the fair share
	P     float64  // of the fair share, paired t; NaN: none
	Holm  float64  // P adjusted for the number of clients
}

// HasClients says whether any session has trials of several clients.
func (r *Result) HasClients() bool {
	for _, c := range r.Clients {
		for _, n := range c.Client {
			if n > 0 {
				return true
			}
		}
	}
	return false
}

// ClientMetric is the metric that fairness is about where none is named: one
// of Jain's index, which has a rate; else of the clients' times; else "".
func (r *Result) ClientMetric() string {
	for _, fits := range []func(session.Metric) bool{
		func(m session.Metric) bool { return m.Reduce == "jain" },
		func(m session.Metric) bool { return m.Key != "" && units[m.Unit].of == "time" },
		func(m session.Metric) bool { return m.Reduce == "span" },
		func(m session.Metric) bool { return m.Key != "" },
	} {
		for _, m := range r.Metrics {
			if m.From == "clients" && fits(m) {
				return m.Name
			}
		}
	}
	return ""
}

// ClientSpread says for each treatment of several clients within where how
// evenly they were served. metric names a metric over clients: of jain it is
// its rate; of a time, or span, the reciprocal; of anything else the value
// itself, as work done. The error is for a question that makes no sense.
func (r *Result) ClientSpread(metric string, where expr.Selection) ([]ClientSpread, error) {
	m, err := r.metricIndex(metric)
	if err != nil {
		return nil, err
	}
	share, err := shareOf(r.Metrics[m])
	if err != nil {
		return nil, err
	}
	if err := r.check(where); err != nil {
		return nil, err
	}
	var all []ClientSpread
	machines := r.machinesIn(where)
	rows := map[string]map[[2]int32][]int{} // session -> attempt -> rows
	for _, machine := range machines {
		trials := r.countingTrials(both(where, r.scopeOf(machine)))
		for _, levels := range r.treatmentsIn(where) {
			own := r.selectionOf(levels)
			if len(machines) > 1 {
				own = append(r.scopeOf(machine), own...)
			}
			c := ClientSpread{Selection: own, Levels: levels, Machine: machine, Share: share.text, CVLimit: math.NaN(), NoiseJain: math.NaN()}
			if r.collectClients(&c, share, trials, rows); c.Clients > 1 {
				c.describe()
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// share is how a client's rate is read from its row.
type share struct {
	text     string
	key, per string
	inverse  bool // of a time
	span     bool // of the client's own time from start to finish
}

// shareOf is the rate that a metric's numbers are made of.
func shareOf(m session.Metric) (share, error) {
	switch {
	case m.From != "clients":
		return share{}, fmt.Errorf("%s is one number a trial, and no metric over clients; it takes `from: clients`", m.Name)
	case m.Reduce == "jain" && m.Per == "":
		return share{}, fmt.Errorf("%s has no rate: equal counts say nothing about fairness; write `per: KEY`, the time that each client took", m.Name)
	case m.Reduce == "jain":
		return share{text: m.Key + " per " + m.Per, key: m.Key, per: m.Per}, nil
	case m.Reduce == "start-skew":
		return share{}, fmt.Errorf("%s is of the starts alone, and no client gets more or less of it; name a metric of what clients did", m.Name)
	case m.Reduce == "span":
		return share{text: "1 over the time from start to finish", span: true}, nil
	case units[m.Unit].of == "time":
		return share{text: "1 over " + m.Key, key: m.Key, inverse: true}, nil
	}
	return share{text: m.Key, key: m.Key}, nil
}

// rate is a client's rate; NaN where its row does not say.
func (s share) rate(c *ClientRows, row int) float64 {
	value := func(key string) float64 {
		i := slices.IndexFunc(c.Columns, func(col session.Column) bool { return col.Name == key })
		if i < 0 {
			return math.NaN()
		}
		return c.Values[row*len(c.Columns)+i]
	}
	var x float64
	switch {
	case s.span:
		x = 1e9 / float64(c.Finish[row]-c.Start[row])
	case s.per != "":
		x = value(s.key) / value(s.per)
	case s.inverse:
		x = 1 / value(s.key)
	default:
		x = value(s.key)
	}
	if x < 0 || math.IsInf(x, 0) {
		return math.NaN()
	}
	return x
}

// collectClients gathers those of one machine's trials that are of one
// treatment and ok, each with the rates of its clients. rows are by session
// and attempt; it fills in the sessions that are missing.
func (r *Result) collectClients(c *ClientSpread, s share, in []*trial, rows map[string]map[[2]int32][]int) {
	key := treatmentKey(c.Levels)
	var trials []ClientTrial
	for _, t := range in {
		table := r.Clients[t.session.Session]
		if t.key != key || t.status != session.OK || table == nil {
			continue
		}
		if rows[t.session.Session] == nil {
			rows[t.session.Session] = table.byAttempt()
		}
		mine := rows[t.session.Session][[2]int32{int32(t.Trial), int32(lastCounting(t.attempts).Attempt)}]
		one := ClientTrial{Session: t.session.Session, Trial: t.Trial, Block: t.Block, Rates: table.rates(s, mine), order: table.starts(mine)}
		c.Clients = max(c.Clients, len(one.Rates))
		trials, c.used = append(trials, one), append(c.used, t)
	}
	for _, one := range trials {
		if len(one.Rates) != c.Clients || slices.ContainsFunc(one.Rates, math.IsNaN) {
			c.LeftOut++
			continue
		}
		c.Trials = append(c.Trials, one)
	}
}

// byAttempt are the rows of each attempt.
func (c *ClientRows) byAttempt() map[[2]int32][]int {
	by := map[[2]int32][]int{}
	for i := range c.Trial {
		at := [2]int32{c.Trial[i], c.Attempt[i]}
		by[at] = append(by[at], i)
	}
	return by
}

// rates are the rates of some rows by client number; NaN for a client that is
// missing.
func (c *ClientRows) rates(s share, rows []int) []float64 {
	var xs []float64
	for _, row := range rows {
		for int(c.Client[row]) >= len(xs) {
			xs = append(xs, math.NaN())
		}
		xs[c.Client[row]] = s.rate(c, row)
	}
	return xs
}

// starts are the clients of some rows in the order of their starts; nil where
// two started at the same nanosecond, which no order tells apart.
func (c *ClientRows) starts(rows []int) []int {
	sorted := slices.Clone(rows)
	slices.SortFunc(sorted, func(a, b int) int { return int(min(1, max(-1, c.Start[a]-c.Start[b]))) })
	var order []int
	for i, row := range sorted {
		if i > 0 && c.Start[row] == c.Start[sorted[i-1]] {
			return nil
		}
		order = append(order, int(c.Client[row]))
	}
	return order
}

// describe computes everything from the trials.
func (c *ClientSpread) describe() {
	if c.Refused = c.refusal(); c.Refused != "" {
		none := refused("%s", c.Refused)
		c.CV.Estimate, c.MaxMin.Estimate, c.Jain.Estimate = none, none, none
		c.ByNumber, c.ByStart = noFavour(c.Refused), noFavour(c.Refused)
	} else {
		c.spread()
		c.ByNumber = favourOf(c.rates(nil))
		c.NoiseJain = noiseJain(c.rates(nil))
		c.ByStart = c.byStart()
	}
	text := c.Selection.String()
	for _, e := range []*Estimate{&c.CV, &c.MaxMin, &c.Jain} {
		e.addStale(c.used)
	}
	c.CV.Stat, c.CV.Unit, c.CV.Selection = "cv over clients", "1", text
	c.Jain.Stat, c.Jain.Unit, c.Jain.Selection = "Jain's index", "1", text
	c.MaxMin.Stat, c.MaxMin.Unit, c.MaxMin.Kind, c.MaxMin.Selection = "largest over smallest", "1", Ratio, text
}

// refusal is why the shares say nothing, or nothing.
func (c *ClientSpread) refusal() string {
	if len(c.Trials) == 0 {
		return "no data: no trial in which every client gave a number"
	}
	equal := true
	for _, t := range c.Trials {
		if slices.Max(t.Rates) == 0 {
			return fmt.Sprintf("no client got anything in trial %d", t.Trial)
		}
		equal = equal && stat.Constant(t.Rates)
	}
	if equal {
		return TrivialFairness + ": all clients have the same " + c.Share + " in every trial, which is equal by construction and says nothing of fairness"
	}
	return ""
}

// spread fills in how far apart the clients of a trial are.
func (c *ClientSpread) spread() {
	var js, ratios []float64
	starved := make([]int, c.Clients)
	for _, t := range c.Trials {
		one := stat.JainOf(t.Rates)
		js, ratios = append(js, one.J), append(ratios, one.MaxMin)
		for _, i := range one.Starved {
			starved[i]++
		}
	}
	for i, n := range starved {
		if n > 0 {
			c.Starved = append(c.Starved, Starved{i, n})
		}
	}
	c.Jain.Estimate = stat.JainInterval(js, confidence)
	c.CV.Estimate = cvOf(c.Jain.Estimate)
	if limit := cvOf(stat.JainInterval(js, 0.90)); limit.Refused == "" {
		c.CVLimit = limit.Hi
	}
	c.MaxMin.Estimate = stat.Median(ratios, confidence)
	if i := slices.IndexFunc(ratios, func(x float64) bool { return math.IsInf(x, 1) }); i >= 0 {
		c.MaxMin.Estimate = refused("n/a (a client got nothing in trial %d)", c.Trials[i].Trial)
	}
}

// cvOf is the coefficient of variation that belongs to a fairness index: J is
// 1/(1+CV²), so that the largest J has the smallest CV.
func cvOf(j stat.Estimate) stat.Estimate {
	cv := func(x float64) float64 { return math.Sqrt(math.Max(0, 1/x-1)) }
	e := j
	e.Value, e.Lo, e.Hi = cv(j.Value), cv(j.Hi), cv(j.Lo)
	return e
}

// rates are the rates of all trials by client, or by the place that orders
// give each client.
func (c *ClientSpread) rates(orders [][]int) [][]float64 {
	rows := make([][]float64, len(c.Trials))
	for i, t := range c.Trials {
		rows[i] = t.Rates
		if orders != nil {
			rows[i] = make([]float64, len(t.Rates))
			for place, client := range orders[i] {
				rows[i][place] = t.Rates[client]
			}
		}
	}
	return rows
}

// byStart is the favour by the order of starting.
func (c *ClientSpread) byStart() Favour {
	var orders [][]int
	for _, t := range c.Trials {
		if t.order == nil {
			return noFavour(fmt.Sprintf("two clients started at once in trial %d: there is no order of starting", t.Trial))
		}
		orders = append(orders, t.order)
	}
	return favourOf(c.rates(orders))
}
