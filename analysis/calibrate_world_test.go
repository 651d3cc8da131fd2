package analysis

import (
	"math"
	"math/rand/v2"
)

// world is how the simulated machine disturbs trials. All of it acts on the
// log scale and averages to zero over a session, so that the truth is what
// the treatments are.
type world struct {
	name  string
	noise func(*rand.Rand) float64 // of one trial
	// mood is the standard deviation of what all trials of k slots in a row
	// share, k being the number of treatments: the machine's mood.
	mood    float64
	weather func(w *slots)
	carry   float64 // what a trial of version=new leaves to the next one
	calls   int     // samples in a trial, which gives their mean; 0: none
	// required are the promises that hold the build.
	required promise
}

// promise is what a calibration holds of a world.
type promise struct {
	cover    bool // intervals cover at least 93 %
	notWider bool // and at most 97 %
	verdicts bool // false verdicts are at most 6 %
}

// slots are the places in time of one session's trials: what the machine
// adds to whatever runs there, and its share that is noise.
type slots struct {
	r       *rand.Rand
	k       int // treatments
	machine []float64
}

func normalNoise(sd float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return math.Log1p(sd*r.NormFloat64()) + sd*sd/2 + 3*sd*sd*sd*sd/4 }
}

func lognormalNoise(sd float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return sd * r.NormFloat64() }
}

// spikes are trials half as long again, one in a dozen.
func spikes(r *rand.Rand) float64 {
	const share = 0.08
	e := 0.02*r.NormFloat64() - share*math.Log(1.5)
	if r.Float64() < share {
		e += math.Log(1.5)
	}
	return e
}

// twoModes are trials 4 % below or above.
func twoModes(r *rand.Rand) float64 {
	e := 0.01*r.NormFloat64() - 0.04
	if r.Uint64()&1 == 1 {
		e += 0.08
	}
	return e
}

var (
	noisePromise = promise{cover: true, notWider: true}
	wideAllowed  = promise{cover: true}
	fullPromise  = promise{cover: true, notWider: true, verdicts: true}
)

// worlds are all that is simulated, in the order of the table.
var worlds = []world{
	{name: "normal 3 %, quiet machine", noise: normalNoise(0.03), required: noisePromise},
	{name: "normal 3 %", noise: normalNoise(0.03), mood: 0.06, required: noisePromise},
	{name: "lognormal 10 %", noise: lognormalNoise(0.10), mood: 0.06, required: noisePromise},
	{name: "spikes: 8 % of trials x 1.5", noise: spikes, mood: 0.06, required: wideAllowed},
	{name: "two modes 8 % apart", noise: twoModes, mood: 0.06, required: noisePromise},
	{name: "drift: 10 % over the session", noise: normalNoise(0.03), weather: drift, required: fullPromise},
	{name: "interference: every k-th slot 10 % slower", noise: normalNoise(0.03), weather: interference, required: fullPromise},
	{name: "position: 5 % from first to last of a block", noise: normalNoise(0.03), weather: position, required: fullPromise},
	{name: "autocorrelation: AR(0.8), 5 %", noise: normalNoise(0.01), weather: autocorrelation, required: noisePromise},
	{name: "clustered: 50 calls a trial", noise: lognormalNoise(0.03), mood: 0.06, calls: 50, required: noisePromise},
	{name: "carry-over: 3 % after `new`", noise: normalNoise(0.03), carry: 0.03},
}

// drift makes every trial a little slower than the one before.
func drift(w *slots) {
	last := float64(len(w.machine) - 1)
	for t := range w.machine {
		w.machine[t] += 0.10 * (float64(t)/last - 0.5)
	}
}

// interference slows every k-th slot, beginning somewhere.
func interference(w *slots) {
	phase := w.r.IntN(w.k)
	for t := range w.machine {
		w.machine[t] -= 0.10 / float64(w.k)
		if t%w.k == phase {
			w.machine[t] += 0.10
		}
	}
}

// position makes a trial the slower, the later it stands in its block.
func position(w *slots) {
	for t := range w.machine {
		w.machine[t] += 0.05 * (float64(t%w.k)/float64(w.k-1) - 0.5)
	}
}

// autocorrelation is an autoregressive machine, begun in its stationary
// state.
func autocorrelation(w *slots) {
	const rho, sd = 0.8, 0.05
	x := sd * w.r.NormFloat64()
	for t := range w.machine {
		w.machine[t] += x
		x = rho*x + sd*math.Sqrt(1-rho*rho)*w.r.NormFloat64()
	}
}

// draw is what the machine and chance add in each slot of a session, whatever
// runs there, and the samples of each slot beside it.
func (w *world) draw(r *rand.Rand, k, blocks int) (added []float64, calls [][]float64) {
	s := &slots{r: r, k: k, machine: make([]float64, k*blocks)}
	for t := range s.machine {
		s.machine[t] = w.noise(r)
	}
	for b := range blocks {
		mood := w.mood * r.NormFloat64()
		for t := b * k; t < (b+1)*k; t++ {
			s.machine[t] += mood
		}
	}
	if w.weather != nil {
		w.weather(s)
	}
	if w.calls > 0 {
		calls = s.sample(w.calls)
	}
	return s.machine, calls
}

// sample splits each slot into calls whose mean is its number.
func (w *slots) sample(n int) [][]float64 {
	const sd = 0.10
	calls := make([][]float64, len(w.machine))
	for t := range w.machine {
		sum := 0.0
		for range n {
			x := math.Exp(w.machine[t] + sd*w.r.NormFloat64() - sd*sd/2)
			calls[t] = append(calls[t], x)
			sum += x
		}
		w.machine[t] = math.Log(sum/float64(n)) + (math.Exp(sd*sd)-1)/float64(2*n)
	}
	return calls
}
