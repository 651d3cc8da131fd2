package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"fieldbook/internal/expr"
)

// PublishedValue answers a query on the published numbers; no interval is
// ever made up for them. Selections may name machine=; factors that the study
// does not state are passed over. The statistics are "" (per run, in the
// metric's unit, to be laid beside today's trials), "value" (as printed, in
// the unit of the file), "sum" where a sum was printed, "mean" (per run, of
// what is no single value) and "n"; any other is refused, since it cannot be
// had from what was published.
func (r *Result) PublishedValue(q Query) (Estimate, error) {
	metric, err := r.metricIndex(q.Metric)
	if err != nil {
		return Estimate{}, err
	}
	if err := r.checkOld(q.Selection); err != nil {
		return Estimate{}, err
	}
	if q.Stat != "" && q.Stat != "value" && q.Stat != "sum" && checkStat(q.Stat) != nil {
		return Estimate{}, unknown("statistic", q.Stat, append([]string{"value", "sum"}, statNames...))
	}
	e := Estimate{Metric: q.Metric, Stat: q.Stat, Unit: r.Metrics[metric].Unit, Selection: q.Selection.String(), Published: true}
	in := slices.DeleteFunc(r.oldIn(q.Selection), func(o *old) bool { _, _, why := r.oldNumber(metric, o); return why == "not stated" })
	if why := oneOld(in); why != "" {
		e.Estimate = refused("%s", why)
		return e, nil
	}
	r.fillOld(&e, metric, in[0])
	return e, nil
}

// oneOld says why a selection is not one published number, or nothing.
func oneOld(in []*old) string {
	if len(in) == 0 {
		return "not stated"
	}
	if why := oneMachine(in); why != "" {
		return why
	}
	levels := map[string][]string{}
	for _, o := range in {
		for f, l := range o.levels {
			if !slices.Contains(levels[f], l) {
				levels[f] = append(levels[f], l)
			}
		}
	}
	var open []expr.Term
	for _, f := range slices.Sorted(maps.Keys(levels)) {
		if len(levels[f]) > 1 {
			open = append(open, expr.Term{Factor: f, Levels: levels[f]})
		}
	}
	if len(open) > 0 {
		return nameThem(open)
	}
	if len(in) > 1 {
		return "several published numbers match, of which some state a factor that others do not"
	}
	return ""
}

// fillOld gives an estimate its number, without an interval.
func (r *Result) fillOld(e *Estimate, metric int, o *old) {
	x, method, why := r.oldNumber(metric, o)
	row, printed := o.rows[e.Metric]
	switch e.Stat {
	case "":
	case "value":
		if printed {
			e.Estimate, e.Unit = bare(row.Value, row.N, firstOf(method, "as printed")), row.Unit
			return
		}
	case "sum":
		if !printed || row.Aggregate != "sum" {
			why = "no sum was published"
			break
		}
		e.Estimate, e.Unit = bare(row.Value, row.N, method), row.Unit
		return
	case "n":
		if row.N > 0 {
			e.Estimate, e.Unit = bare(float64(row.N), row.N, "number of runs, as stated"), "1"
			return
		}
		why = "the number of runs is not stated"
	case "mean":
		if printed && row.Aggregate == "value" && row.N != 1 {
			why = "a single value was published, not a mean"
		}
	default:
		why = fmt.Sprintf("the earlier study states %s, from which no %s can be had", firstOf(method, "one number"), e.Stat)
	}
	if why != "" {
		e.Estimate = refused("%s", why)
		return
	}
	e.Estimate = bare(x, row.N, method)
}

// PublishedRatio is the ratio of two published numbers, without an interval.
// Sums are set side by side per run, so that sums of equally many runs give
// the ratio of the sums.
func (r *Result) PublishedRatio(metric string, c expr.Comparison) (Estimate, error) {
	m, err := r.metricIndex(metric)
	if err != nil {
		return Estimate{}, err
	}
	if c.Other {
		return Estimate{}, errOther
	}
	if err := r.checkOld(slices.Concat(c.Left, c.Right, c.Where)); err != nil {
		return Estimate{}, err
	}
	e := Estimate{Metric: metric, Kind: Ratio, Stat: "ratio", Unit: "1", Selection: c.String(), Published: true}
	x, method, why := r.oldRatio(m, nil, both(c.Left, c.Where), both(c.Right, c.Where))
	if why != "" {
		e.Estimate = refused("%s", why)
		return e, nil
	}
	e.Estimate = bare(x, 0, method)
	return e, nil
}

// PublishedNumber is one treatment's number in an earlier study, with its rank
// on its machine: 1 is the best where the metric says what is better, else the
// smallest. Equal numbers share the better rank.
type PublishedNumber struct {
	Machine   string
	Treatment string // as a selection of what the study states
	Levels    map[string]string
	Estimate  Estimate // as printed
	Rank      int      // 0: there is no number per run
	Line      int      // in the file; 0: computed
}

// PublishedNumbers are all numbers of a metric, by machine in the study's
// order and then by rank.
func (r *Result) PublishedNumbers(metric string) ([]PublishedNumber, error) {
	m, err := r.metricIndex(metric)
	if err != nil {
		return nil, err
	}
	var all []PublishedNumber
	value := map[int]float64{}
	for _, o := range r.old {
		x, _, why := r.oldNumber(m, o)
		if why == "not stated" {
			continue
		}
		e := Estimate{Metric: metric, Unit: r.Metrics[m].Unit, Selection: o.selection().String(), Published: true, Stat: "value"}
		r.fillOld(&e, m, o)
		if why == "" {
			value[len(all)] = x
		}
		all = append(all, PublishedNumber{Machine: o.machine, Treatment: e.Selection, Levels: maps.Clone(o.levels), Estimate: e, Line: o.rows[metric].Line})
	}
	for i := range all {
		all[i].Rank = r.oldRank(all, value, i, r.Metrics[m].Better == "higher")
	}
	machines := r.PublishedMachines()
	slices.SortStableFunc(all, func(a, b PublishedNumber) int {
		return cmp.Or(cmp.Compare(slices.Index(machines, a.Machine), slices.Index(machines, b.Machine)), cmp.Compare(a.Rank, b.Rank))
	})
	return all, nil
}

func (r *Result) oldRank(all []PublishedNumber, value map[int]float64, i int, high bool) int {
	own, ok := value[i]
	if !ok {
		return 0
	}
	rank := 1
	for k, x := range value {
		if all[k].Machine == all[i].Machine && (x < own && !high || x > own && high) {
			rank++
		}
	}
	return rank
}
