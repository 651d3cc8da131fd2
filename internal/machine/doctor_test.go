package machine

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// plenty is a disk with much space.
func plenty(string) (float64, error) { return 100 << 30, nil }

func examined(t *testing.T, c Checkup, check string) Finding {
	t.Helper()
	all := Examine(c)
	i := slices.IndexFunc(all, func(f Finding) bool { return f.Check == check })
	if i < 0 {
		t.Fatalf("nothing is said of %s", check)
	}
	return all[i]
}

// Each case is a machine that differs from the laptop of the test data in
// some files, and what is then said.
func TestExamineFindsWhatSpoilsMeasurements(t *testing.T) {
	const cpu0 = "sys/devices/system/cpu/cpu0/"
	for _, tt := range []struct {
		check    string
		files    map[string]string
		severity Severity
		found    string
		mend     string
	}{
		{"governor", nil, Warning, "different governors (performance, powersave)", "cpupower"},
		{"governor", map[string]string{"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor": "powersave\n"}, Warning, "powersave: the clock follows the load", "cpupower"},
		{"governor", map[string]string{cpu0 + "cpufreq/scaling_governor": "performance\n"}, Good, "performance", ""},
		{"turbo", nil, Good, "off", ""},
		{"turbo", map[string]string{"sys/devices/system/cpu/intel_pstate/no_turbo": "0\n"}, Note, "on:", "intel_pstate/no_turbo"},
		{"smt", nil, Note, "on:", "smt/control"},
		{"smt", map[string]string{"sys/devices/system/cpu/smt/active": "0\n"}, Good, "off", ""},
		{"processors", nil, Good, "4 processors", ""},
		{"processors", map[string]string{"sys/devices/system/cpu/online": "0\n"}, Warning, "one processor", "more processors"},
		{"processors", map[string]string{"sys/devices/system/cpu/online": "0,2\n"}, Note, "2 processors", "cpus"},
		{"processors", map[string]string{"sys/devices/system/cpu/online": "all\n"}, Unknown, "cannot be read", ""},
		{"load", nil, Note, "load average 0.42 0.36 0.30 on 4 processors", "quiet"},
		{"load", map[string]string{"proc/loadavg": "3.5 1 1 1/300 1\n"}, Warning, "it is busy", "quiet"},
		{"load", map[string]string{"proc/loadavg": "0.02 1 1 1/300 1\n"}, Good, "load average", ""},
		{"memory", map[string]string{"proc/meminfo": "MemTotal: 1000000 kB\nMemAvailable: 50000 kB\n"}, Warning, "48 of 976 MiB are free", "ps aux"},
		{"memory", map[string]string{"proc/meminfo": "MemTotal: 1000000 kB\nMemAvailable: 500000 kB\n"}, Good, "488 of 976 MiB", ""},
		{"swap", map[string]string{"proc/meminfo": "SwapTotal: 2097148 kB\nSwapFree: 1048576 kB\n"}, Warning, "1023 MiB of memory are on disk", "swapoff"},
		{"swap", map[string]string{"proc/meminfo": "SwapTotal: 2097148 kB\nSwapFree: 2097148 kB\n"}, Note, "not in use now", "swapoff"},
		{"swap", map[string]string{"proc/meminfo": "SwapTotal: 0 kB\nSwapFree: 0 kB\n"}, Good, "none", ""},
		{"throttling", nil, Note, "slowed down by heat 20 times", "cooling"},
		{"temperature", map[string]string{"sys/class/hwmon/hwmon1/name": "coretemp\n", "sys/class/hwmon/hwmon1/temp1_input": "91000\n"}, Warning, "91 °C", "cool"},
		{"temperature", map[string]string{"sys/class/hwmon/hwmon1/name": "coretemp\n", "sys/class/hwmon/hwmon1/temp1_input": "45000\n"}, Good, "45 °C", ""},
		{"power", map[string]string{"sys/class/power_supply/BAT0/type": "Battery\n", "sys/class/power_supply/BAT0/status": "Discharging\n", "sys/class/power_supply/AC/online": "0\n", "sys/class/power_supply/AC/type": "Mains\n"}, Warning, "on battery", "plug it in"},
		{"power", map[string]string{"sys/class/power_supply/AC/online": "1\n", "sys/class/power_supply/AC/type": "Mains\n"}, Good, "mains", ""},
		{"virtualization", nil, Good, "no virtual machine", ""},
		{"virtualization", map[string]string{"proc/cpuinfo": "flags: fpu hypervisor\n", "sys/class/dmi/id/product_name": "KVM\n"}, Note, "virtual machine KVM", "own"},
		{"virtualization", map[string]string{".dockerenv": ""}, Note, "docker", "container"},
		{"stolen time", map[string]string{"proc/stat": "cpu  100 0 50 800 50 0 0 50 0 0\n"}, Warning, "25.0 %", "instance"},
		{"stolen time", map[string]string{"proc/stat": "cpu  100 0 50 800 50 0 0 0 0 0\n"}, Good, "none", ""},
		{"clock source", nil, Good, "tsc", ""},
		{"clock source", map[string]string{"sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet\n"}, Warning, "hpet", "dmesg"},
		{"address layout", nil, Good, "randomized", ""},
		{"address layout", map[string]string{"proc/sys/kernel/randomize_va_space": "0\n"}, Note, "one layout", "sysctl"},
		{"huge pages", nil, Good, "madvise", ""},
		{"huge pages", map[string]string{"sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never\n"}, Note, "two speeds", "madvise"},
		{"numa", map[string]string{"sys/devices/system/node/node0/x": "", "sys/devices/system/node/node1/x": "", "proc/sys/kernel/numa_balancing": "1\n"}, Note, "moves pages", "numa_balancing"},
		{"cpu quota", nil, Warning, "leaves 1.50 processors", "limit"},
		{"cpu quota", map[string]string{"sys/fs/cgroup/cpu.max": "max 100000\n"}, Good, "no control group", ""},
		{"cpu quota", map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/cpu.max": "50000 100000\n", "sys/fs/cgroup/a/cpu.stat": "usage_usec 7\nnr_throttled 12\n"}, Warning, "leaves 0.50 processors to what runs here, and stops it for the rest of each period (12 times so far)", "CPUQuota"},
		{"cpu quota", map[string]string{"sys/fs/cgroup/cpu.max": "max 100000\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "25000\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n"}, Warning, "leaves 0.25 processors", "CPUQuota"},
		{"data folder", map[string]string{"proc/self/mounts": "d / ext4 rw 0 0\nt /data tmpfs rw 0 0\n"}, Warning, "100.0 GiB free on tmpfs: sessions recorded here are gone", "disk"},
		{"data folder", map[string]string{"proc/self/mounts": "d / ext4 rw 0 0\nt /dat tmpfs rw 0 0\n"}, Good, "on ext4", ""},
		{"data folder", map[string]string{"proc/self/mounts": "d / ext4 rw 0 0\nh:/x /data nfs4 rw 0 0\n"}, Note, "network", "--sync block"},
	} {
		root := laptop(t)
		for name, content := range tt.files {
			put(t, root, name, content)
		}
		f := examined(t, Checkup{Root: root, Data: "/data/of mine", Free: plenty}, tt.check)
		if f.Severity != tt.severity || !strings.Contains(f.Found, tt.found) || !strings.Contains(f.Mend, tt.mend) || (f.Mend == "") != (tt.mend == "") {
			t.Errorf("%s with %v: %s, %q, mend %q; want %s, %q, %q", tt.check, tt.files, f.Severity, f.Found, f.Mend, tt.severity, tt.found, tt.mend)
		}
	}
}

func TestExamineLooksForSpace(t *testing.T) {
	few := func(string) (float64, error) { return 100 << 20, nil }
	if f := examined(t, Checkup{Root: laptop(t), Data: "/data", Free: few}, "data folder"); f.Severity != Warning || !strings.Contains(f.Found, "0.1 GiB free") {
		t.Errorf("with 100 MiB left: %+v", f)
	}
	broken := func(string) (float64, error) { return 0, errors.New("no") }
	if f := examined(t, Checkup{Root: t.TempDir(), Data: "/data", Free: broken}, "data folder"); f.Severity != Unknown {
		t.Errorf("where nothing can be read: %+v", f)
	}
	if free, err := freeSpace(t.TempDir()); err != nil || free <= 0 {
		t.Errorf("free space of a temporary folder = %v, %v", free, err)
	}
}

func TestExamineWithoutGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if f := examined(t, Checkup{Root: laptop(t)}, "git"); f.Severity != Warning || f.Mend == "" {
		t.Errorf("without git: %+v", f)
	}
}

// What cannot be read is unknown, and never good.
func TestExamineWhereNothingCanBeRead(t *testing.T) {
	for _, f := range Examine(Checkup{Root: t.TempDir()}) {
		if f.Check != "git" && (f.Severity != Unknown || f.Mend != "") {
			t.Errorf("%s of nothing is %s: %s", f.Check, f.Severity, f.Found)
		}
	}
}

func TestForeignWorkIsJudgedByItsShare(t *testing.T) {
	for share, want := range map[float64]Severity{0.5: Warning, 0.05: Note, 0.01: Good} {
		if f := foreign(share); f.Severity != want {
			t.Errorf("others use %v: %s, want %s", share, f.Severity, want)
		}
	}
	if f := examined(t, Checkup{Look: 50 * time.Millisecond}, "others' work"); f.Severity == Unknown {
		t.Errorf("a look at this machine's own work: %+v", f)
	}
}

// Examine changes nothing: the tree is the same afterwards.
func TestExamineWritesNothing(t *testing.T) {
	root := laptop(t)
	state := func() (s string) {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil {
				var info fs.FileInfo
				info, err = d.Info()
				s += path + " " + info.ModTime().String() + "\n"
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	before := state()
	Examine(Checkup{Root: root, Data: root})
	if state() != before {
		t.Error("Examine changed the tree that it looked at")
	}
}
