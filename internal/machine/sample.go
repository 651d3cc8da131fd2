package machine

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// State is what a Sampler read at one moment. NaN is "unknown".
type State struct {
	Load1      float64 // load average over a minute
	ForeignCPU float64 // share of all processors busy with others' work, 0..1
	MHz        float64 // mean current frequency of the first processors
	TempC      float64 // of the processor package, or the hottest zone
	Throttled  float64 // throttle events since the Sampler was made
}

const (
	// window is the shortest time over which ForeignCPU is taken: the
	// kernel counts busy time in ticks of 10 ms.
	window = time.Second
	// sampledCPUs bounds the processors whose frequency and throttle
	// counters are read, so that a look stays cheap on a large machine.
	sampledCPUs = 8
)

// Sampler reads the machine's state again and again, cheaply: its files stay
// open. It is for one goroutine.
type Sampler struct {
	load, stat  *os.File
	mhz, temp   []*os.File
	throttle    []*os.File
	cpuinfo     *os.File // the fallback for mhz
	buf         []byte
	throttled0  float64
	base        usage // the start of the window
	foreign     float64
	ticksPerSec float64
}

// usage is how much processor time was used at one moment, by all and by
// this process's own tree.
type usage struct {
	at        int64 // Monotonic
	all, idle float64
	ours      time.Duration
}

// NewSampler opens what there is under root. Close releases it.
func NewSampler(root string) *Sampler {
	s := &Sampler{
		load:        open(root, "proc/loadavg"),
		stat:        open(root, "proc/stat"),
		mhz:         openAll(root, "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq"),
		temp:        openTemperature(root),
		throttle:    openThrottle(root),
		buf:         make([]byte, 8192),
		foreign:     math.NaN(),
		ticksPerSec: 100, // USER_HZ, fixed on every architecture that Linux gives to Go
	}
	if len(s.mhz) == 0 {
		s.cpuinfo = open(root, "proc/cpuinfo")
	}
	s.throttled0 = s.sum(s.throttle)
	return s
}

// Close closes the files that the sampler reads.
func (s *Sampler) Close() {
	for _, f := range slices.Concat([]*os.File{s.load, s.stat, s.cpuinfo}, s.mhz, s.temp, s.throttle) {
		if f != nil {
			f.Close()
		}
	}
}

// Sample reads the state now. Ours is asked for the processor time that the
// caller's own tree of processes has used so far; it is taken off what all
// used since an earlier look, at least a second ago. ForeignCPU is NaN until
// then, and stays what it was for the next second.
func (s *Sampler) Sample(ours func() time.Duration) State {
	s.note(ours)
	return State{
		Load1:      s.firstNumber(s.load),
		ForeignCPU: s.foreign,
		MHz:        s.frequency(),
		TempC:      s.temperature(),
		Throttled:  s.sum(s.throttle) - s.throttled0,
	}
}

// Look is the start of a measurement of its own of ForeignCPU: the function
// returned gives the share since then.
func (s *Sampler) Look(ours time.Duration) func(ours time.Duration) float64 {
	from := s.now(ours)
	return func(ours time.Duration) float64 { return s.share(from, s.now(ours)) }
}

// note moves the window forward, once it is long enough.
func (s *Sampler) note(ours func() time.Duration) {
	if s.base.at != 0 && Monotonic()-s.base.at < int64(window) {
		return
	}
	now := s.now(ours())
	if s.base.at != 0 {
		s.foreign = s.share(s.base, now)
	}
	s.base = now
}

// share is the part of all processors' time between two moments that was
// busy, and not with our work; NaN where no tick has passed.
func (s *Sampler) share(from, to usage) float64 {
	all, idle := to.all-from.all, to.idle-from.idle
	if !(all > 0) {
		return math.NaN()
	}
	ours := (to.ours - from.ours).Seconds() * s.ticksPerSec
	return min(max((all-idle-ours)/all, 0), 1)
}

// now reads the first line of /proc/stat. Stolen time counts as busy: it is
// others' work, on the same processor. Waiting for a disk is idle.
func (s *Sampler) now(ours time.Duration) usage {
	u := usage{at: Monotonic(), all: math.NaN(), idle: math.NaN(), ours: ours}
	first, _, _ := bytes.Cut(s.read(s.stat), []byte("\n"))
	fields := strings.Fields(string(first))
	if len(fields) < 6 || fields[0] != "cpu" {
		return u
	}
	u.all, u.idle = 0, 0
	for i, f := range fields[1:min(len(fields), 9)] { // user nice system idle iowait irq softirq steal
		ticks := number(f)
		u.all += ticks
		if i == 3 || i == 4 {
			u.idle += ticks
		}
	}
	return u
}

// frequency is in MHz, the mean over the first processors.
func (s *Sampler) frequency() float64 {
	if len(s.mhz) > 0 {
		return s.sum(s.mhz) / float64(len(s.mhz)) / 1000
	}
	info := s.read(s.cpuinfo)
	sum, n := 0.0, 0.0
	for n < sampledCPUs {
		_, after, _ := bytes.Cut(info, []byte("cpu MHz"))
		value, rest, whole := bytes.Cut(after, []byte("\n"))
		if !whole {
			break // none left, or the end of the buffer within the number
		}
		sum, n = sum+number(strings.TrimLeft(string(value), "\t :")), n+1
		info = rest
	}
	return sum / n // NaN where there is none
}

// temperature is in °C: the highest of the sensors that were chosen.
func (s *Sampler) temperature() float64 {
	hottest := math.NaN()
	for _, f := range s.temp {
		if c := s.firstNumber(f) / 1000; !(c <= hottest) && c > -50 && c < 200 {
			hottest = c
		}
	}
	return hottest
}

// sum adds the numbers of some files; NaN where there are none, or where one
// cannot be read.
func (s *Sampler) sum(files []*os.File) float64 {
	if len(files) == 0 {
		return math.NaN()
	}
	total := 0.0
	for _, f := range files {
		total += s.firstNumber(f)
	}
	return total
}

func (s *Sampler) firstNumber(f *os.File) float64 {
	text := s.read(f)
	if end := bytes.IndexAny(text, " \n"); end >= 0 {
		text = text[:end]
	}
	return number(string(text))
}

// read reads the start of an open file anew, as far as the buffer goes.
func (s *Sampler) read(f *os.File) []byte {
	if f == nil {
		return nil
	}
	n, _ := f.ReadAt(s.buf, 0) // io.EOF is the rule; nothing read is nothing known
	return s.buf[:n]
}

func open(root, path string) *os.File {
	f, err := os.Open(filepath.Join(root, path))
	if err != nil {
		return nil
	}
	return f
}

// openAll opens the first files that match a pattern, in the order of the
// numbers in their names.
func openAll(root, pattern string) []*os.File {
	paths, _ := filepath.Glob(filepath.Join(root, pattern)) // the patterns are ours and well formed
	slices.SortFunc(paths, func(a, b string) int {
		if d := len(a) - len(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var files []*os.File
	for _, p := range paths[:min(len(paths), sampledCPUs)] {
		if f, err := os.Open(p); err == nil {
			files = append(files, f)
		}
	}
	return files
}

// openTemperature prefers the sensor of the processor package to the thermal
// zones of a board, whose meaning varies.
func openTemperature(root string) []*os.File {
	hwmon, _ := filepath.Glob(filepath.Join(root, "sys/class/hwmon/hwmon*"))
	for _, dir := range hwmon {
		switch line(dir, "name") {
		case "coretemp", "k10temp", "zenpower", "cpu_thermal":
			return openAll(dir, "temp1_input")
		}
	}
	zones, _ := filepath.Glob(filepath.Join(root, "sys/class/thermal/thermal_zone*"))
	for _, dir := range zones {
		if line(dir, "type") == "x86_pkg_temp" {
			return openAll(dir, "temp")
		}
	}
	return openAll(root, "sys/class/thermal/thermal_zone*/temp")
}

// openThrottle opens the counters of thermal throttling.
func openThrottle(root string) []*os.File {
	return slices.Concat(
		openAll(root, "sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/core_throttle_count"),
		openAll(root, "sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count"))
}

// TreeCPU is the processor time used so far by processes, by their living
// descendants, and by the dead ones that they waited for. Processes that
// cannot be read count nothing.
func TreeCPU(root string, pids ...int) time.Duration {
	var ticks float64
	for seen := 0; seen < len(pids); seen++ {
		pid := strconv.Itoa(pids[seen])
		ticks += cpuTicks(line(root, "proc", pid, "stat"))
		for child := range strings.FieldsSeq(children(root, pid)) {
			if n, err := strconv.Atoi(child); err == nil && len(pids) < 10_000 {
				pids = append(pids, n)
			}
		}
	}
	return time.Duration(ticks * float64(10*time.Millisecond))
}

// cpuTicks is utime+stime+cutime+cstime of a line of /proc/PID/stat.
func cpuTicks(stat string) float64 {
	end := strings.LastIndex(stat, ") ") // the name before it may hold anything
	if end < 0 {
		return 0
	}
	fields := strings.Fields(stat[end+2:])
	if len(fields) < 15 {
		return 0
	}
	sum := 0.0
	for _, f := range fields[11:15] {
		if n := number(f); n > 0 {
			sum += n
		}
	}
	return sum
}

// children are the process ids of a process's children.
func children(root, pid string) string {
	tasks, _ := filepath.Glob(filepath.Join(root, "proc", pid, "task/*/children"))
	var all strings.Builder
	for _, t := range tasks {
		b, _ := os.ReadFile(t) // the process may have ended meanwhile: then it has none
		all.Write(b)
		all.WriteByte(' ')
	}
	return all.String()
}
