package machine

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"
)

func lookProcessors(c Checkup) Finding {
	switch n := countCPUs(line(c.Root, "sys/devices/system/cpu/online")); {
	case n == 0:
		return Finding{}
	case n == 1:
		return warned("one processor: the tool, the workload and everything else share it", "measure on a machine with more processors")
	case n < 4:
		return noted(fmt.Sprintf("%d processors: services, clients and the system leave few to the workload", n), "give services and trials processors of their own (`cpus`)")
	default:
		return good(fmt.Sprintf("%d processors", n))
	}
}

// countCPUs counts a list such as 0-3,6; 0 where it is none.
func countCPUs(list string) int {
	n := 0
	for part := range strings.SplitSeq(list, ",") {
		from, to, span := strings.Cut(part, "-")
		if !span {
			to = from
		}
		a, err := strconv.Atoi(from)
		b, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil || b < a {
			return 0
		}
		n += b - a + 1
	}
	return n
}

func lookGovernor(c Checkup) Finding {
	const mend = "sudo cpupower frequency-set -g performance"
	switch governors := distinct(c.Root, "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor"); {
	case governors == "":
		return Finding{}
	case governors == "performance":
		return good("performance on all processors")
	case strings.Contains(governors, ","):
		return warned("processors have different governors ("+governors+"): where a trial runs decides how fast it is", mend)
	default:
		return warned(governors+": the clock follows the load, so that short trials and those after a pause run slower", mend)
	}
}

func lookTurbo(c Checkup) Finding {
	switch turbo(c.Root) {
	case "on":
		mend := "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"
		if line(c.Root, "sys/devices/system/cpu/intel_pstate/no_turbo") != "" {
			mend = "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
		}
		return noted("on: the clock depends on heat and on how many processors work", mend)
	case "off":
		return good("off")
	}
	return Finding{}
}

func lookSMT(c Checkup) Finding {
	switch smt(c.Root) {
	case "on":
		return noted("on: two programs on one core slow each other down", "pin trials to one thread a core (`cpus`), or: echo off | sudo tee /sys/devices/system/cpu/smt/control")
	case "off":
		return good("off")
	}
	return Finding{}
}

func lookThrottling(c Checkup) Finding {
	s := NewSampler(c.Root)
	defer s.Close()
	switch n := s.throttled0; {
	case math.IsNaN(n):
		return Finding{}
	case n > 0:
		return noted(fmt.Sprintf("slowed down by heat %.0f times since it was started", n), "better cooling, or a lower clock: trials.csv says for each trial how often it happened")
	}
	return good("never since it was started")
}

func lookTemperature(c Checkup) Finding {
	s := NewSampler(c.Root)
	defer s.Close()
	switch t := s.temperature(); {
	case math.IsNaN(t):
		return Finding{}
	case t >= 85:
		return warned(fmt.Sprintf("%.0f °C: the processor is about to slow down", t), "let it cool before measuring; clean the fans")
	case t >= 70:
		return noted(fmt.Sprintf("%.0f °C: warm before anything has run", t), "let it cool before measuring")
	default:
		return good(fmt.Sprintf("%.0f °C", t))
	}
}

func lookClock(c Checkup) Finding {
	switch source := line(c.Root, "sys/devices/system/clocksource/clocksource0/current_clocksource"); source {
	case "":
		return Finding{}
	case "hpet", "acpi_pm", "jiffies", "pit", "refined-jiffies":
		return warned(source+": reading the clock takes a microsecond or more, in the workload too", "boot with tsc=reliable if the processor's own clock is sound; `dmesg | grep -i clocksource` says why it was given up")
	default:
		return good(source)
	}
}

// lookOthers watches for a moment how much of all processors is busy, the
// tool being idle.
func lookOthers(c Checkup) Finding {
	if c.Look <= 0 {
		return Finding{}
	}
	s := NewSampler(c.Root)
	defer s.Close()
	pid := os.Getpid()
	share := s.Look(TreeCPU(c.Root, pid))
	time.Sleep(c.Look)
	return foreign(share(TreeCPU(c.Root, pid)))
}

func foreign(share float64) Finding {
	const mend = "`top` shows who works; stop it, or let trials wait with `quiet: {cpu-below: 5%}`"
	found := fmt.Sprintf("others use %.0f %% of the processors now", 100*share)
	switch {
	case math.IsNaN(share):
		return Finding{}
	case share > 0.10:
		return warned(found, mend)
	case share > 0.03:
		return noted(found, mend)
	default:
		return good(found)
	}
}

func lookLoad(c Checkup) Finding {
	fields := strings.Fields(load(c.Root))
	n := countCPUs(line(c.Root, "sys/devices/system/cpu/online"))
	if len(fields) < 3 || n == 0 {
		return Finding{}
	}
	found := fmt.Sprintf("load average %s on %d processors", strings.Join(fields, " "), n)
	const mend = "wait until the machine is quiet, or let trials wait with `quiet`"
	switch each := number(fields[0]) / float64(n); {
	case math.IsNaN(each):
		return Finding{}
	case each > 0.5:
		return warned(found+": it is busy", mend)
	case each > 0.1:
		return noted(found+": something ran in the last minute", mend)
	default:
		return good(found)
	}
}
