//go:build !linux

package machine

import "time"

var began = time.Now()

// Monotonic is a monotonic clock in nanoseconds. Away from Linux its zero is
// the start of this process.
func Monotonic() int64 { return int64(time.Since(began)) }
