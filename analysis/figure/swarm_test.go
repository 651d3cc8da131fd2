package figure

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestDotsOfASwarmDoNotTouchWhileThereIsRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.SliceOfN(rapid.Float64Range(0, 200), 1, 30).Draw(t, "at")
		aside := swarm(at, 5, 80)
		for i := range at {
			if math.Abs(aside[i]) > 80 {
				t.Fatalf("dot %d is %v aside, beyond its lane", i, aside[i])
			}
			for j := range i {
				if math.Hypot(at[i]-at[j], aside[i]-aside[j]) < 5*0.97 {
					t.Fatalf("dots %d and %d touch: (%v, %v) and (%v, %v)", i, j, at[i], aside[i], at[j], aside[j])
				}
			}
		}
	})
}

func TestASwarmIsNotRandomAndStaysInItsLane(t *testing.T) {
	at := make([]float64, 3000) // all upon each other
	one, two := swarm(at, 5, 12), swarm(at, 5, 12)
	if !slices.Equal(one, two) {
		t.Error("the same dots moved differently")
	}
	if m := slices.Max(one); m > 12 {
		t.Errorf("a dot is %v aside in a lane of 12", m)
	}
}
