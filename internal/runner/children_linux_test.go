package runner

import (
	"os/exec"
	"runtime"
	"slices"
	"testing"
)

// TestChildListsAreWhole: also where a list is longer than the kernel gives at
// once, and again after it was read before.
func TestChildListsAreWhole(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l := openChildLists()
	defer l.close()
	if l.fds == nil {
		t.Skip("this kernel was built without lists of children")
	}
	var want []int
	for range 3 {
		for range 300 { // of 5 or 6 bytes each
			cmd := exec.Command("true")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Wait()
			want = append(want, cmd.Process.Pid)
		}
		slices.Sort(want)
		if got, err := l.read(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d children are read, %v; want %d", len(got), err, len(want))
		}
	}
}
