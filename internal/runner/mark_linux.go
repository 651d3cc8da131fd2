package runner

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// markVar begins the mark in the environment of whatever a run starts.
const markVar = "FIELDBOOK_RUNNER="

// markLength is the length of every mark: arguments and environment must have
// one length in all trials.
const markLength = 8 + 1 + 8 + 1 + 8 + 1 + 16 + 1 + 16

// runMark tells one run from every other. It names the process that runs, by
// number and start, so that any other process can see whether that one still
// lives; the number counts within one process-number space (a container has
// its own), and only the same user's runs are anybody's to judge. The nonce
// keeps a mark from being guessed.
type runMark struct {
	space, uid, pid uint32
	start           uint64 // clock ticks after the machine's start
	nonce           uint64
}

// newMark is the mark of a new run of this process.
func newMark() (runMark, error) {
	m := runMark{uid: uint32(os.Geteuid()), pid: uint32(os.Getpid())}
	var ns unix.Stat_t
	if err := unix.Stat("/proc/self/ns/pid", &ns); err != nil {
		return runMark{}, fmt.Errorf("looking up which processes can be seen: %w", err)
	}
	m.space = uint32(ns.Ino)
	p, ok := statOf(os.Getpid())
	if !ok {
		_, err := os.ReadFile("/proc/self/stat")
		return runMark{}, fmt.Errorf("reading when this process began: %w", cmp.Or(err, errors.New("/proc/self/stat says nothing")))
	}
	m.start = p.start
	var nonce [8]byte
	rand.Read(nonce[:]) // never fails
	m.nonce = binary.LittleEndian.Uint64(nonce[:])
	return m, nil
}

func (m runMark) String() string {
	return fmt.Sprintf("%08x-%08x-%08x-%016x-%016x", m.space, m.uid, m.pid, m.start, m.nonce)
}

// parseMark reads what String writes, at the start of a text.
func parseMark(s string) (m runMark, ok bool) {
	if len(s) < markLength {
		return runMark{}, false
	}
	s = s[:markLength]
	n, err := fmt.Sscanf(s, "%08x-%08x-%08x-%016x-%016x", &m.space, &m.uid, &m.pid, &m.start, &m.nonce)
	return m, err == nil && n == 5 && m.String() == s
}

// orphaned says whether another mark's runner has ended. It does not where
// that cannot be known from here: for other users and containers.
func (m runMark) orphaned(other runMark) bool {
	if other.space != m.space || other.uid != m.uid {
		return false
	}
	p, there := statOf(int(other.pid))
	return !there || p.start != other.start || p.ended
}

// procStat is what /proc tells of a process.
type procStat struct {
	parent int
	start  uint64
	ended  bool // and not yet reaped
}

func statOf(pid int) (p procStat, ok bool) {
	b, err := readSmall("/proc/" + strconv.Itoa(pid) + "/stat")
	end := bytes.LastIndex(b, []byte(") ")) // the name before it may hold anything
	if err != nil || end < 0 {
		return procStat{}, false
	}
	fields := strings.Fields(string(b[end+2:]))
	if len(fields) < 20 {
		return procStat{}, false
	}
	p.ended = fields[0] == "Z" || fields[0] == "X"
	p.parent, err = strconv.Atoi(fields[1])
	if err != nil {
		return procStat{}, false
	}
	p.start, err = strconv.ParseUint(fields[19], 10, 64)
	return p, err == nil
}
