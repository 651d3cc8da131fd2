package main

import (
	"testing"
	"time"
)

func TestShareRisesEvenlyToItsPeak(t *testing.T) {
	for _, tt := range []struct {
		gone time.Duration
		want float64
	}{{0, 0}, {time.Second, 0.25}, {2 * time.Second, 0.5}, {time.Hour, 0.5}} {
		if got := share(tt.gone, 2*time.Second); got != tt.want {
			t.Errorf("share(%v, 2s) = %v, want %v", tt.gone, got, tt.want)
		}
	}
}

func TestWorkIsTheSameEveryTime(t *testing.T) {
	if a, b := work(1000), work(1000); a != b || a == 0 {
		t.Errorf("work(1000) = %d, then %d; want the same, not 0", a, b)
	}
}
