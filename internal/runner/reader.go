package runner

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"fieldbook/internal/experiment"
	"fieldbook/internal/session"
)

// reader knows what an experiment reads from the output of its processes.
type reader struct {
	x        *experiment.Experiment
	patterns []*regexp.Regexp // by metric; nil where there is none
	samples  []string         // the keys that metrics from samples mention
	clients  []string         // the keys that metrics from clients mention
	objects  bool             // JSON objects are looked for on standard output
	stdout   bool             // a pattern is looked for there
	stderr   bool
}

func newReader(x *experiment.Experiment) (*reader, error) {
	r := &reader{x: x, patterns: make([]*regexp.Regexp, len(x.Metrics))}
	for i, m := range x.Metrics {
		if m.Pattern != "" {
			re, err := regexp.Compile(m.Pattern)
			if err != nil {
				return nil, fmt.Errorf("%s: metric %s: %w", m.Pos, m.Name, err)
			}
			if re.NumSubexp() != 1 {
				return nil, fmt.Errorf("%s: metric %s: the pattern has %d groups, want one", m.Pos, m.Name, re.NumSubexp())
			}
			r.patterns[i] = re
		}
		switch m.From {
		case experiment.FromJSON:
			r.objects = true
		case experiment.FromRegex:
			r.stdout, r.stderr = r.stdout || m.Stream != "stderr", r.stderr || m.Stream == "stderr"
		}
	}
	r.clients = clientKeys(x)
	r.samples = sampleKeys(x)
	r.objects = r.objects || x.Trial.Clients != nil || r.samples != nil
	return r, nil
}

// Columns are the columns that an experiment's sessions have: of trials.csv,
// and the further ones of clients.csv and samples.csv, which are the keys
// that metrics mention. Records of Run hold their values in this order.
func Columns(x *experiment.Experiment) (metrics []session.Metric, clients, samples []session.Column) {
	for _, m := range x.Metrics {
		c := session.Metric{Name: m.Name, Unit: m.Unit, Better: m.Better, From: string(m.From), Reduce: m.Reduce, Key: m.Key, Per: m.Per}
		if m.Formula != nil {
			c.Formula = m.Formula.String()
		}
		metrics = append(metrics, c)
	}
	return metrics, columns(clientKeys(x)), columns(sampleKeys(x))
}

func columns(keys []string) []session.Column {
	var cs []session.Column
	for _, k := range keys {
		cs = append(cs, session.Column{Name: k})
	}
	return cs
}

// clientKeys are the keys that clients report and metrics use, sorted.
func clientKeys(x *experiment.Experiment) []string {
	var keys []string
	for _, m := range x.Metrics {
		if m.From != experiment.FromClients {
			continue
		}
		for _, k := range []string{m.Key, m.Per} {
			if k != "" {
				keys = append(keys, k)
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// sampleKeys are the keys of samples that metrics use, sorted: of their
// formulas the names that are no factor and no constant.
func sampleKeys(x *experiment.Experiment) []string {
	var keys []string
	for _, m := range x.Metrics {
		switch {
		case m.From != experiment.FromSamples:
		case m.Formula == nil:
			keys = append(keys, m.Key)
		default:
			for _, n := range m.Formula.Names() {
				if !named(x, n.Name) {
					keys = append(keys, n.Name)
				}
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// named says whether a name is a factor or a constant.
func named(x *experiment.Experiment, name string) bool {
	return slices.ContainsFunc(x.Factors, func(f experiment.Factor) bool { return f.Name == name }) ||
		slices.ContainsFunc(x.Constants, func(c experiment.Constant) bool { return c.Name == name })
}

// harvest is what has been read from the output of one process.
type harvest struct {
	r       *reader
	found   []reading // by metric
	samples samples
	objects objects
	report  report
	stdout  *stream // where the times of reports are known
}

// reading is one metric as read so far. Count is how often it stood there.
type reading struct {
	value   float64
	count   int
	problem string // what stood there instead of a number
}

// report is what a client told of itself.
type report struct {
	values         []float64 // by key of the reader
	start, finish  int64     // of the machine's monotonic clock
	hasTimes       bool
	problem        string
	readNS         int64 // when the last object had been read
	seen           bool
	startOK, endOK bool
}

func (r *reader) newHarvest(stdout *stream) *harvest {
	h := &harvest{r: r, found: make([]reading, len(r.x.Metrics)), stdout: stdout}
	h.samples.columns = make([][]float64, len(r.samples))
	h.report.values = nans(len(r.clients))
	h.objects.take = h.object
	return h
}

// takers are the functions for the lines of both streams; nil where nothing
// is read there.
func (h *harvest) takers() (stdout, stderr func(line []byte, end int64)) {
	if h.r.objects || h.r.stdout {
		stdout = func(line []byte, end int64) {
			if h.r.objects {
				h.objects.line(line, end)
			}
			if h.r.stdout {
				h.match("stdout", line)
			}
		}
	}
	if h.r.stderr {
		stderr = func(line []byte, _ int64) { h.match("stderr", line) }
	}
	return stdout, stderr
}

// match looks for the patterns of one stream in a line.
func (h *harvest) match(stream string, line []byte) {
	for i, m := range h.r.x.Metrics {
		if m.From == experiment.FromRegex && (m.Stream == "stderr") == (stream == "stderr") {
			h.found[i].match(h.r.patterns[i], line)
		}
	}
}

// match takes the last match of a pattern in a line.
func (f *reading) match(re *regexp.Regexp, line []byte) {
	all := re.FindAllSubmatch(line, -1)
	if len(all) == 0 {
		return
	}
	f.count += len(all)
	f.value, f.problem = numberIn(string(all[len(all)-1][1]))
}

// object takes an object found on standard output.
func (h *harvest) object(o object, end int64) {
	if h.samples.take(o, h.r.samples) {
		return
	}
	for i, m := range h.r.x.Metrics {
		if m.From != experiment.FromJSON {
			continue
		}
		if v, ok := o.find(m.Key); ok {
			h.found[i].count++
			h.found[i].value, h.found[i].problem = numberOf(v)
		}
	}
	if h.r.x.Trial.Clients != nil {
		h.report.take(o, h.r.clients)
		h.report.readNS = h.stdout.readAt(end)
	}
}

// take keeps what a client reports; where it reports twice, the later holds.
func (p *report) take(o object, keys []string) {
	p.seen = true
	for i, k := range keys {
		if v, ok := o.find(k); ok {
			f, problem := numberOf(v)
			if problem != "" {
				p.problem = k + ": " + problem
				continue
			}
			p.values[i] = f
		}
	}
	if v, ok := o["start_ns"]; ok {
		p.startOK = json.Unmarshal(v, &p.start) == nil
	}
	if v, ok := o["finish_ns"]; ok {
		p.endOK = json.Unmarshal(v, &p.finish) == nil
	}
	p.hasTimes = p.startOK && p.endOK && p.finish >= p.start
}
