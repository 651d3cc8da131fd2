package runner

import (
	"bytes"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// A new process begins with the memory of its maker as its own peak, because
// the kernel counts what it shares with it until it executes its program. So
// the runner's own peak is the least that maxrss can show.

// lowerPeak brings this process's memory, and with it its peak, down as far
// as it goes: unused heap is given back, and so are the pages of the program
// file, which come back from the page cache when they are needed.
func lowerPeak() {
	debug.FreeOSMemory()
	for _, m := range unchangedFiles() {
		unix.Syscall(unix.SYS_MADVISE, m.from, m.to-m.from, unix.MADV_DONTNEED)
	}
	resetPeak()
}

type mapping struct{ from, to uintptr }

// unchangedFiles are the parts of this process's memory that are read from
// files and of which no page has been changed, as a dynamic linker changes
// some before it protects them: only those are on disk as they are here.
func unchangedFiles() []mapping {
	smaps, _ := os.ReadFile("/proc/self/smaps") // without it the peak is only higher
	var found []mapping
	var last mapping
	for l := range bytes.Lines(smaps) {
		f := strings.Fields(string(l))
		switch {
		case len(f) >= 6 && strings.HasPrefix(f[1], "r-") && strings.HasPrefix(f[5], "/"):
			from, to, _ := strings.Cut(f[0], "-")
			first, err1 := strconv.ParseUint(from, 16, 64)
			end, err2 := strconv.ParseUint(to, 16, 64)
			if err1 == nil && err2 == nil {
				last = mapping{uintptr(first), uintptr(end)}
			}
		case len(f) == 3 && f[0] == "Anonymous:":
			if f[1] == "0" && last != (mapping{}) {
				found = append(found, last)
			}
			last = mapping{}
		}
	}
	return found
}

// resetPeak makes the memory in use now the peak.
func resetPeak() { os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// ownPeak is the most memory that this process has used since, in bytes.
func ownPeak() int64 {
	status, _ := os.ReadFile("/proc/self/status") // always there where /proc is
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	kib, _ := strconv.ParseInt(fields[0], 10, 64)
	return kib << 10
}
