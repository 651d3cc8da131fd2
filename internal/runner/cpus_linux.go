package runner

import (
	"fmt"
	"math/bits"
	"strings"

	"fieldbook/internal/experiment"
	"golang.org/x/sys/unix"
)

// CheckCPUs is an error where an experiment asks for processors that this
// machine does not let this process use: known before a session begins.
func CheckCPUs(x *experiment.Experiment) error {
	var l local
	if err := unix.SchedGetaffinity(0, &l.all); err != nil {
		return fmt.Errorf("reading which processors may be used: %w", err)
	}
	return checkCPUs(x, x.Treatments, l.allows)
}

// pin moves the thread to some processors.
func (l *local) pin(cpus []int) error {
	if err := l.allows(cpus); err != nil {
		return err
	}
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("cpus: moving to processors %v: %w", cpus, err)
	}
	return nil
}

func (l *local) allows(cpus []int) error {
	for _, cpu := range cpus {
		if cpu < 0 || cpu >= len(l.all)*bits.UintSize || !l.all.IsSet(cpu) {
			return fmt.Errorf("cpus: processor %d may not be used here, only %s", cpu, processors(&l.all))
		}
	}
	return nil
}

// processors is a set of processors as text: "0-3, 6".
func processors(set *unix.CPUSet) string {
	var parts []string
	for cpu := 0; cpu < len(set)*bits.UintSize; cpu++ {
		if !set.IsSet(cpu) {
			continue
		}
		first := cpu
		for set.IsSet(cpu + 1) {
			cpu++
		}
		if first == cpu {
			parts = append(parts, fmt.Sprint(cpu))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", first, cpu))
		}
	}
	return strings.Join(parts, ", ")
}
