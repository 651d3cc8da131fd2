package machine

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
)

// Changing are the facts that may change while a session runs, as Environment
// tells them too: looked at again at its end, they say what has. Counters
// (throttled, steal) count from the machine's start.
func Changing(root string) map[string]string {
	if root == "" {
		root = "/"
	}
	facts := map[string]string{
		"cpu_quota":        quota(root),
		"cpus_online":      line(root, "sys/devices/system/cpu/online"),
		"clock_source":     line(root, "sys/devices/system/clocksource/clocksource0/current_clocksource"),
		"frequency_limits": frequencyLimits(root),
		"governor":         distinct(root, "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor"),
		"huge_pages":       hugePages(root),
		"load":             load(root),
		"power":            power(root),
		"scaling":          line(root, "sys/devices/system/cpu/cpu0/cpufreq/scaling_driver"),
		"smt":              smt(root),
		"steal":            steal(root),
		"swap_used":        swapUsed(root),
		"turbo":            turbo(root),
	}
	s := NewSampler(root)
	defer s.Close()
	facts["frequency"] = measure(s.frequency(), 0, "MHz")
	facts["temperature"] = measure(s.temperature(), 1, "°C")
	facts["throttled"] = measure(s.throttled0, 0, "times")
	for k, v := range facts {
		facts[k] = known(v)
	}
	return facts
}

// measure is a number with its unit; "" for one that is not known.
func measure(x float64, decimals int, unit string) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'f', decimals, 64) + " " + unit
}

// frequencyLimits is between what the governor of the first processor may
// choose.
func frequencyLimits(root string) string {
	const dir = "sys/devices/system/cpu/cpu0/cpufreq"
	low, high := number(line(root, dir, "scaling_min_freq")), number(line(root, dir, "scaling_max_freq"))
	if math.IsNaN(low) || math.IsNaN(high) {
		return ""
	}
	return fmt.Sprintf("%.0f to %.0f MHz", low/1000, high/1000)
}

func hugePages(root string) string {
	choice := line(root, "sys/kernel/mm/transparent_hugepage/enabled")
	if _, after, ok := strings.Cut(choice, "["); ok {
		choice, _, _ = strings.Cut(after, "]")
	}
	return choice
}

// power is what the machine runs on: mains or battery. A machine that has
// neither to tell of is most often one without a battery; it is unknown.
func power(root string) string {
	supplies, _ := filepath.Glob(filepath.Join(root, "sys/class/power_supply/*")) // the pattern is well formed
	battery := ""
	for _, dir := range supplies {
		switch line(dir, "type") {
		case "Mains", "USB":
			if line(dir, "online") == "1" {
				return "mains"
			}
		case "Battery":
			if status := strings.ToLower(line(dir, "status")); status == "discharging" || battery == "" {
				battery = strings.TrimSpace("battery " + status)
			}
		}
	}
	return battery
}

// steal is the time that the host of a virtual machine gave to others while
// this one wanted to run, over all processors, since the machine's start.
func steal(root string) string {
	ticks := cpuTime(root)
	if ticks == nil {
		return ""
	}
	return measure(number(ticks[7])/100, 2, "s")
}

// cpuTime is how all processors have spent their time since the machine's
// start, in ticks of 10 ms: user, nice, system, idle, iowait, irq, softirq,
// steal; nil where the kernel does not tell all of these.
func cpuTime(root string) []string {
	fields := strings.Fields(line(root, "proc/stat"))
	if len(fields) < 9 || fields[0] != "cpu" {
		return nil
	}
	return fields[1:9]
}

func swapUsed(root string) string {
	total, free := mebibytes(root, "SwapTotal:"), mebibytes(root, "SwapFree:")
	return measure(total-free, 0, "MiB")
}
