package analysis

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"fieldbook/analysis/stat"
)

// course is one number a trial or a block, in the order in which they ran.
type course struct {
	step   string    // "trial" or "block"
	number []int     // of each
	xs     []float64 // on the log scale where log says so
	times  []float64 // seconds since the first; nil where they were not recorded
	log    bool
	unit   string // of the metric
	// mixed says that treatment and time are confounded, so that neither a
	// speed nor a shift can be told from the treatments.
	mixed bool
}

// courseOfTrials is what the residuals of a session go through.
func (r *Result) courseOfTrials(residuals []Residual, metric int, order string) course {
	c := course{step: "trial", unit: r.Metrics[metric].Unit, mixed: order == "sequential"}
	var at []time.Time
	for _, res := range residuals {
		c.number, c.xs, c.log = append(c.number, res.Trial), append(c.xs, res.Residual), res.Log
		at = append(at, startOf(res))
	}
	c.times = secondsOf(at)
	return c
}

// courseOfBlocks is what the means of complete blocks go through; a block that
// misses a trial would be none of their kind. A block's time is the mean of its
// trials'.
func (r *Result) courseOfBlocks(residuals []Residual, metric int) course {
	c := course{step: "block", unit: r.Metrics[metric].Unit}
	of, most := map[int][]Residual{}, 0
	for _, res := range residuals {
		if res.Block > 0 {
			of[res.Block] = append(of[res.Block], res)
			most = max(most, len(of[res.Block]))
		}
	}
	var at []time.Time
	for _, b := range slices.Sorted(maps.Keys(of)) {
		if len(of[b]) < most {
			continue
		}
		sum, first, since := 0.0, startOf(of[b][0]), time.Duration(0)
		for _, res := range of[b] {
			sum += res.Fitted + res.Residual
			since += startOf(res).Sub(first) / time.Duration(most)
		}
		c.number, c.xs, c.log = append(c.number, b), append(c.xs, sum/float64(most)), of[b][0].Log
		at = append(at, first.Add(since))
	}
	c.times = secondsOf(at)
	return c
}

// startOf is when a trial began; the zero time where that was not recorded.
func startOf(res Residual) time.Time {
	t, err := time.Parse(time.RFC3339Nano, res.Started)
	if err != nil {
		return time.Time{}
	}
	return t
}

// secondsOf are times since the first; nil where they do not go on.
func secondsOf(at []time.Time) []float64 {
	if len(at) == 0 || !at[len(at)-1].After(at[0]) {
		return nil
	}
	out := make([]float64, len(at))
	for i, t := range at {
		out[i] = t.Sub(at[0]).Seconds()
	}
	return out
}

// mostSen is the longest series whose slopes are all looked at; a longer one
// is averaged over neighbours first.
const mostSen = 1000

// speed is Sen's slope with its interval in words, such as "+4.2 % [+1.0, +7.5]
// an hour"; nothing where there is none.
func (c course) speed() string {
	if c.mixed || len(c.xs) == 0 {
		return ""
	}
	xs, times := c.xs, c.times
	per, each := "a "+c.step, 1.0
	if times == nil {
		times = make([]float64, len(xs))
		for i := range times {
			times[i] = float64(i)
		}
	} else {
		per, each = unitOfTime(times[len(times)-1])
	}
	if n := (len(xs) + mostSen - 1) / mostSen; n > 1 {
		xs, times = averaged(xs, n), averaged(times, n)
	}
	e := stat.SenSlopeOver(times, xs, confidence)
	if e.Refused != "" || math.IsInf(e.Lo, 0) || math.IsInf(e.Hi, 0) {
		return ""
	}
	text := offText(each*e.Value, c.log)
	if !c.log {
		text += unitSuffix(c.unit)
	}
	return fmt.Sprintf("%s [%s, %s] %s", text, bareOff(each*e.Lo, c.log), bareOff(each*e.Hi, c.log), per)
}

// bareOff is offText without the sign of percent.
func bareOff(x float64, log bool) string {
	if log {
		x = 100 * math.Expm1(x)
	}
	return offText(x, false)
}

// unitOfTime is the largest unit that a session of so many seconds reaches at
// least half of: beyond what was seen, a slope would be a guess.
func unitOfTime(span float64) (words string, seconds float64) {
	switch {
	case span >= 1800:
		return "an hour", 3600
	case span >= 30:
		return "a minute", 60
	}
	return "a second", 1
}

// averaged are the means of each n neighbours.
func averaged(xs []float64, n int) []float64 {
	var out []float64
	for part := range slices.Chunk(xs, n) {
		out = append(out, average(part))
	}
	return out
}

// trend is Mann and Kendall's test of a drift over an order, with Sen's slope
// as its size where rising means something.
func trend(d Diagnostic, check, over string, c course, sized bool) Diagnostic {
	d.Check = check
	order, _, _ := strings.Cut(over, ",") // without what it is for, which is for what was found
	if len(c.xs) > maxTrend {
		d.Text = fmt.Sprintf("trend over %s not looked at: more than %d values", order, maxTrend)
		return d
	}
	t := stat.MannKendall(c.xs)
	if t.Refused != "" {
		d.Text = fmt.Sprintf("trend over %s not looked at: %s", order, t.Refused)
		return d
	}
	d.Value, d.P = t.TauB, t.P
	speed := ""
	if sized {
		speed = c.speed()
	}
	if d.Flag = t.P < flagAlpha; d.Flag {
		direction := "up"
		if t.S < 0 {
			direction = "down"
		}
		d.Text = fmt.Sprintf("drift: the numbers go %s over %s (%s)", direction, over, PText(t.P))
		if speed != "" {
			d.Text += ", by " + speed
		}
		return d
	}
	d.Text = fmt.Sprintf("quiet: no trend seen over %s (%s)", over, PText(t.P))
	if speed != "" {
		d.Text += "; it lies at " + speed
	}
	return d
}

// shift is Pettitt's test of one change of level. Where it finds it is a
// little nearer to the middle than where it is.
func shift(d Diagnostic, c course) Diagnostic {
	d.Check = "shift"
	if c.mixed {
		d.Text = "change of level not looked at: treatments ran one after the other, so that one could not be told from the other"
		return d
	}
	t := stat.Pettitt(c.xs)
	if t.Refused != "" {
		d.Text = "change of level not looked at: " + t.Refused
		if len(c.xs) < minShift {
			d.Text = fmt.Sprintf("change of level not looked at: it takes %d %ss, and there are %d", minShift, c.step, len(c.xs))
		}
		return d
	}
	before, after := stat.Quantile(c.xs[:t.At], 0.5), stat.Quantile(c.xs[t.At:], 0.5)
	d.Value, d.P = after-before, t.P
	if d.Flag = t.P < flagAlpha; !d.Flag {
		d.Text = fmt.Sprintf("quiet: no change of level seen after any one %s (%s)", c.step, PText(t.P))
		return d
	}
	off := offText(d.Value, c.log)
	if !c.log {
		off += unitSuffix(c.unit)
	}
	d.Text = fmt.Sprintf("shift: after about %s %d the numbers lie elsewhere, by %s (%s); a drift shows so, too", c.step, c.number[t.At-1], off, PText(t.P))
	return d
}

// minShift is the least number of values in which a shift is looked for.
const minShift = 20
