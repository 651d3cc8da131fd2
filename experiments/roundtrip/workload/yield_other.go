//go:build !linux

package main

import "runtime"

// yield lets another goroutine run.
func yield() { runtime.Gosched() }
