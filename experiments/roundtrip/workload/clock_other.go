//go:build !linux

package main

import "time"

// sharedClock says that each process here reads a clock of its own.
const sharedClock = false

var began = time.Now()

// now gives the nanoseconds since this process began.
func now() int64 { return int64(time.Since(began)) }
