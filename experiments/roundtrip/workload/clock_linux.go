package main

import (
	"syscall"
	"unsafe"
)

// clockMonotonic is Linux's CLOCK_MONOTONIC.
const clockMonotonic = 1

// sharedClock says that all processes of this machine read the same clock.
const sharedClock = true

// now gives the nanoseconds of the machine's monotonic clock.
func now() int64 {
	var ts syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&ts)), 0)
	if errno != 0 {
		panic("the monotonic clock cannot be read: " + errno.Error())
	}
	return ts.Nano()
}
