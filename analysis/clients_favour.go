package analysis

import (
	"math"

	"fieldbook/analysis/stat"
)

func noFavour(why string) Favour {
	return Favour{P: math.NaN(), W: math.NaN(), Refused: why}
}

// favourOf tests whether the columns of rows, of trials, are served alike:
// Friedman's test of all, and each column's ratio to the trial's mean with a
// paired t test, adjusted by Holm. The mean is the arithmetic one: a ratio
// to it is 1 in expectation for clients that are served alike, whatever the
// noise, and a client that got nothing has one.
func favourOf(rows [][]float64) Favour {
	f := Favour{P: math.NaN(), W: math.NaN()}
	test := stat.Friedman(rows)
	if f.Refused = test.Refused; f.Refused == "" {
		f.P, f.W = friedmanP(rows, test.P), test.W
	}
	var ps []float64
	for i := range rows[0] {
		s := shareOver(rows, i)
		f.Shares, ps = append(f.Shares, s), append(ps, s.P)
	}
	for i, p := range stat.Holm(ps) {
		f.Shares[i].Holm = p
	}
	return f
}

// mostRearranged is up to how many rearrangements Friedman's p is counted.
const mostRearranged = 100_000

// friedmanP is Friedman's p: counted where that is soon done, since the
// approximation knows nothing of how few outcomes there are; else
// approximate, and never below the least that can be.
func friedmanP(rows [][]float64, approximate float64) float64 {
	least := math.Pow(math.Gamma(float64(len(rows[0])+1)), float64(1-len(rows)))
	if least*mostRearranged >= 1 {
		p, _ := stat.FriedmanExact(rows)
		return p
	}
	return math.Max(approximate, least)
}

// shareOver is the mean over trials of one client's ratio to the trial's mean.
func shareOver(rows [][]float64, client int) ClientShare {
	d := make([]float64, len(rows))
	for i, row := range rows {
		d[i] = row[client] / average(row)
	}
	l := pairedLine(d, "mean over trials of a client's rate over its trial's mean rate, t interval")
	s := ClientShare{P: l.p(1), Holm: math.NaN()}
	s.Ratio.Estimate = l.interval(confidence)
	s.Ratio.Kind, s.Ratio.Unit, s.Ratio.Stat = Ratio, "1", "share"
	return s
}

// Slowest is the client with the smallest share; -1 where there is none.
func (f Favour) Slowest() int {
	least := -1
	for i, s := range f.Shares {
		if !math.IsNaN(s.Ratio.Value) && (least < 0 || s.Ratio.Value < f.Shares[least].Ratio.Value) {
			least = i
		}
	}
	return least
}

// Favoured are the clients, or places, whose share differs from the fair one
// after Holm.
func (f Favour) Favoured() []int {
	var all []int
	for i, s := range f.Shares {
		if s.Holm < alpha {
			all = append(all, i)
		}
	}
	return all
}

// noiseJain is what Jain's index would be, were all clients served alike, with
// the noise that is left when trial and client are taken out of the logarithms
// of the rates: that of a client from one trial to the next. NaN with fewer
// than two trials, and where a client got nothing.
func noiseJain(rows [][]float64) float64 {
	t, n := float64(len(rows)), float64(len(rows[0]))
	if len(rows) < 2 {
		return math.NaN()
	}
	client := make([]float64, len(rows[0]))
	logs := make([][]float64, len(rows))
	for i, row := range rows {
		logs[i] = mapped(row, math.Log)
		mean := average(logs[i])
		for j := range logs[i] {
			logs[i][j] -= mean
			client[j] += logs[i][j] / t
		}
	}
	rss := 0.0
	for _, row := range logs {
		for j, x := range row {
			rss += (x - client[j]) * (x - client[j])
		}
	}
	cv2 := math.Expm1(rss / ((t - 1) * (n - 1))) // of a lognormal rate
	return 1 / (1 + cv2*(n-1)/n)
}
