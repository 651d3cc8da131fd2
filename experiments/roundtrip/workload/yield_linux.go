package main

import "syscall"

// yield lets another thread run, of this process or of another.
func yield() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
