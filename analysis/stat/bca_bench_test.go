package stat

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// pairsVariable names the file from which TestBCaOfPairs, as a process of its
// own, takes what BenchmarkBCa times.
const pairsVariable = "FIELDBOOK_BENCH_PAIRS"

// TestBCaOfPairs is our side of BenchmarkBCa: it reads pairs, and prints the
// BCa interval of the ratio of their means.
func TestBCaOfPairs(t *testing.T) {
	path := os.Getenv(pairsVariable)
	if path == "" {
		t.Skip("a process of BenchmarkBCa")
	}
	x, y := readPairs(t, path)
	b := RandomBootstrap(len(x), ratioOfMeans(x, y), Replicates, Seed("bca of pairs"), 0.95)
	if b.Refused != "" {
		t.Fatal(b.Refused)
	}
	fmt.Printf("%.17g %.17g\n", b.BCa.Lo, b.BCa.Hi)
}

func ratioOfMeans(x, y []float64) Statistic {
	return func(indices []int) float64 {
		left, right := 0.0, 0.0
		for _, i := range indices {
			left, right = left+x[i], right+y[i]
		}
		return left / right
	}
}

func readPairs(t *testing.T, path string) (x, y []float64) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Scan() // the header
	for lines.Scan() {
		var a, b float64
		if _, err := fmt.Sscanf(lines.Text(), "%g,%g", &a, &b); err != nil {
			t.Fatalf("%s: %q: %v", path, lines.Text(), err)
		}
		x, y = append(x, a), append(y, b)
	}
	return x, y
}

// writePairs writes 500 pairs of skewed numbers.
func writePairs(b *testing.B) string {
	b.Helper()
	r := rand.New(rand.NewPCG(5, 500))
	text := []byte("x,y\n")
	for range 500 {
		block := math.Exp(0.2 * r.NormFloat64())
		text = fmt.Appendf(text, "%g,%g\n", 103*block*math.Exp(0.3*r.NormFloat64()), 100*block*math.Exp(0.3*r.NormFloat64()))
	}
	path := filepath.Join(b.TempDir(), "pairs.csv")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkBCa sets a BCa interval of a ratio of means, 9,999 resamples of
// 500 pairs, beside R's boot and scipy's vectorized bootstrap, whole process
// against whole process, turn by turn. The demand is a fiftieth of R's time
// and less than scipy's; the three intervals must agree as far as their
// resamples allow.
func BenchmarkBCa(b *testing.B) {
	pairs := writePairs(b)
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	ours := []string{"env", pairsVariable + "=" + pairs, self, "-test.run=^TestBCaOfPairs$"}
	b.Run("R", func(b *testing.B) {
		script := filepath.Join("testdata", "bca", "bca.R")
		if out, err := exec.Command("Rscript", "-e", "library(boot)").CombinedOutput(); err != nil {
			b.Skipf("R with the package boot is not installed: %v %s", err, out)
		}
		setBeside(b, ours, []string{"Rscript", script, pairs}, 1.0/50)
	})
	b.Run("scipy", func(b *testing.B) {
		script := filepath.Join("testdata", "bca", "bca.py")
		for _, python := range []string{"python3", "/usr/bin/python3"} {
			if exec.Command(python, "-c", "import scipy.stats").Run() == nil {
				setBeside(b, ours, []string{python, script, pairs}, 1)
				return
			}
		}
		b.Skip("python3 with scipy is not installed")
	})
}

// setBeside times two commands turn by turn and fails where ours takes more
// than its share of the other's time: the least of each, since whatever else
// runs on the machine only adds.
func setBeside(b *testing.B, ours, theirs []string, share float64) {
	b.Helper()
	var times [2]time.Duration
	var intervals [2][2]float64
	for range 5 {
		for i, command := range [][]string{ours, theirs} {
			start := time.Now()
			out, err := exec.Command(command[0], command[1:]...).Output()
			took := time.Since(start)
			if err != nil {
				b.Fatalf("%v: %v\n%s", command, err, out)
			}
			if times[i] == 0 || took < times[i] {
				times[i] = took
			}
			if _, err := fmt.Sscan(string(out), &intervals[i][0], &intervals[i][1]); err != nil {
				b.Fatalf("%v printed %q: %v", command, out, err)
			}
		}
	}
	for range b.N { // what is timed is above, in a number that two processes can share
	}
	ratio := float64(times[0]) / float64(times[1])
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(times[0].Microseconds())/1000, "ms")
	b.ReportMetric(float64(times[1].Microseconds())/1000, "theirs-ms")
	b.ReportMetric(1/ratio, "times-as-fast")
	width := intervals[1][1] - intervals[1][0]
	for k := range 2 {
		if math.Abs(intervals[0][k]-intervals[1][k]) > 0.1*width {
			b.Errorf("intervals %v and %v differ by more than resampling explains", intervals[0], intervals[1])
		}
	}
	if ratio > share {
		b.Errorf("%v takes %v, %.3f of %v, at most %.3f is wanted", ours, times[0], ratio, times[1], share)
	}
}
