// Command workload has the two programs of the order experiments: work, a
// fixed amount of arithmetic, and neighbour, a load on the same processor
// that rises while the session goes on.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	if len(os.Args) != 3 {
		fail("usage: workload work ROUNDS | workload neighbour SECONDS")
	}
	n, err := strconv.Atoi(os.Args[2])
	if err != nil || n <= 0 {
		fail("%q is no positive whole number", os.Args[2])
	}
	switch os.Args[1] {
	case "work":
		fmt.Printf("{\"sum\": %d}\n", work(n)%1000)
	case "neighbour":
		neighbour(time.Duration(n) * time.Second)
	default:
		fail("unknown program %q", os.Args[1])
	}
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(2)
}

// work is n rounds of a xorshift generator. The sum is printed so that no
// compiler leaves the work out.
func work(n int) uint64 {
	x, sum := uint64(88172645463325252), uint64(0)
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		sum += x
	}
	return sum
}

// neighbour keeps its processor busy for a share of every period that rises
// evenly from nothing to peak while rise goes by, and stays there.
func neighbour(rise time.Duration) {
	const period = 4 * time.Millisecond
	start := time.Now()
	fmt.Println("neighbour: ready")
	for {
		busy := time.Duration(share(time.Since(start), rise) * float64(period))
		begin := time.Now()
		for time.Since(begin) < busy {
			sink += work(1000)
		}
		time.Sleep(period - busy)
	}
}

// sink keeps the neighbour's work from being left out.
var sink uint64

// peak is the largest share of the processor that the neighbour takes.
const peak = 0.5

func share(gone, rise time.Duration) float64 {
	return peak * min(1, float64(gone)/float64(rise))
}
