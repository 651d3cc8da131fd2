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
	maps, _ := os.ReadFile("/proc/self/maps") // without it the peak is only higher; so below
	for l := range bytes.Lines(maps) {
		f := strings.Fields(string(l))
		if len(f) < 6 || f[1][1] == 'w' || !strings.HasPrefix(f[5], "/") {
			continue
		}
		from, to, _ := strings.Cut(f[0], "-")
		first, err1 := strconv.ParseUint(from, 16, 64)
		end, err2 := strconv.ParseUint(to, 16, 64)
		if err1 == nil && err2 == nil {
			unix.Syscall(unix.SYS_MADVISE, uintptr(first), uintptr(end-first), unix.MADV_DONTNEED)
		}
	}
	resetPeak()
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
