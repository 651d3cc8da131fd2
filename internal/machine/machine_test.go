package machine

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// laptop writes the tree of a made-up machine and returns its root.
func laptop(t testing.TB) string {
	t.Helper()
	a, err := txtar.ParseFile("testdata/laptop.txtar")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := txtar.Write(a, root); err != nil {
		t.Fatal(err)
	}
	return root
}

func put(t testing.TB, root, name, content string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("GOMAXPROCS", "3")
	t.Setenv("FIELDBOOK_TEST_SECRET", "secret")
	t.Setenv("MINE", filepath.Join(os.Getenv("HOME"), "x"))
	facts, err := Environment(Query{Tool: "1.2", Root: laptop(t), Variables: []string{"MINE"}})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"tool": "1.2", "os": "Sample Linux 12 (wood)", "kernel": "6.1.0-18-amd64", "boot": "00000000-1111-2222-3333-444444444444",
		"boot_options": "mitigations=off isolcpus=3", "aslr": "2", "load": "0.42 0.36 0.30", "memory": "15921 MiB", "swap": "2047 MiB",
		"cpu": "Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz", "microcode": "0xf4", "clock_source": "tsc", "cpus_online": "0-3", "cpus_isolated": "3",
		"cores": "2", "smt": "on", "turbo": "off", "governor": "performance, powersave", "scaling": "intel_pstate", "cpu_quota": "1.50",
		"mitigations": "meltdown mitigation, retbleed vulnerable", "huge_pages": "madvise", "virtualization": "none seen",
		"numa_nodes": "2", "swappiness": "60", "swap_used": "11 MiB", "power": "battery discharging", "frequency_limits": "800 to 4500 MHz",
		"frequency": "1800 MHz", "temperature": "54.0 °C", "throttled": "20 times", "steal": "2.50 s",
		"env_GOMAXPROCS": "3", "env_MINE": "~/x",
	} {
		if facts[key] != want {
			t.Errorf("%s is %q, want %q", key, facts[key], want)
		}
	}
	for key, v := range facts {
		if strings.Contains(v, "secret") || v == "" {
			t.Errorf("%s is %q: neither secrets nor nothing may be told", key, v)
		}
	}
}

func TestEnvironmentWhereNothingCanBeRead(t *testing.T) {
	facts, err := Environment(Query{Root: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"tool", "os", "kernel", "cpu", "cores", "smt", "turbo", "governor", "memory", "clock_source", "microcode", "virtualization", "mitigations", "cpu_quota", "boot_options", "load",
		"numa_nodes", "power", "frequency", "frequency_limits", "temperature", "throttled", "steal", "swap_used", "swappiness", "clock_source", "huge_pages", "cpus_online"} {
		if facts[key] != Unknown {
			t.Errorf("%s is %q, want unknown", key, facts[key])
		}
	}
}

// TestNoNames: what is told of this very machine names neither it nor whose
// it is.
func TestNoNames(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("GOFLAGS", "-modfile="+home+"/go.mod")
	host, err := os.Hostname()
	if err != nil {
		t.Skip("the host has no name")
	}
	facts, err := Environment(Query{Folder: "."})
	if err != nil {
		t.Fatal(err)
	}
	for key, v := range facts {
		if strings.Contains(v, home) || len(host) > 3 && strings.Contains(v, host) {
			t.Errorf("%s is %q, which names the host or the home folder", key, v)
		}
	}
}

func TestLabels(t *testing.T) {
	for _, tt := range []struct {
		model string
		cpus  int
		want  string
	}{
		{"Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz", 12, "i7-9750h-12cpu"},
		{"AMD EPYC", 2, "epyc-2cpu"},
		{"AMD EPYC 7763 64-Core Processor", 4, "epyc-7763-4cpu"},
		{"AMD Ryzen 7 5800X 8-Core Processor", 16, "ryzen-7-5800x-16cpu"},
		{"12th Gen Intel(R) Core(TM) i5-1240P", 16, "i5-1240p-16cpu"},
		{"Intel(R) Xeon(R) Platinum 8488C", 2, "xeon-platinum-8488c-2cpu"},
		{"Raspberry Pi 4 Model B Rev 1.4", 4, "raspberry-pi-4-model-b-rev-1-4-4cpu"},
		{"Intel", 1, "amd64-1cpu"},
		{strings.Repeat("very long name ", 10), 128, "very-long-name-very-long-name-ver-128cpu"},
	} {
		got := labelOf(tt.model, tt.cpus)
		if want := strings.ReplaceAll(tt.want, "amd64", runtime.GOARCH); got != want || !ValidLabel(got) {
			t.Errorf("the label of %q with %d processors is %q, want %q", tt.model, tt.cpus, got, want)
		}
	}
	if l := Label(); !ValidLabel(l) {
		t.Errorf("Label() = %q, which is no valid label", l)
	}
	for _, bad := range []string{"", "A", "a_b", "ü", strings.Repeat("a", 41), "a b", "a\n"} {
		if ValidLabel(bad) {
			t.Errorf("ValidLabel(%q) holds", bad)
		}
	}
}

func TestSampler(t *testing.T) {
	root := laptop(t)
	s := NewSampler(root)
	defer s.Close()
	ours := time.Duration(0)
	own := func() time.Duration { return ours }
	first := s.Sample(own)
	if first.Load1 != 0.42 || first.MHz != 1800 || first.TempC != 54 || first.Throttled != 0 || !math.IsNaN(first.ForeignCPU) {
		t.Errorf("first look is %+v, want load 0.42, 1800 MHz, 54 °C, 0 throttled, no share yet", first)
	}
	put(t, root, "proc/loadavg", "7.5 1 1 1/1 1\n")
	put(t, root, "sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "5\n")
	if next := s.Sample(own); next.Load1 != 7.5 || next.Throttled != 2 {
		t.Errorf("second look is %+v, want load 7.5, 2 throttled", next)
	}
}

func TestForeignShare(t *testing.T) {
	root := laptop(t)
	s := NewSampler(root)
	defer s.Close()
	share := s.Look(0)
	// 100 ticks more: 30 user, 10 system, 40 idle, 10 waiting for a disk, 10 stolen.
	put(t, root, "proc/stat", "cpu  1030 0 510 8040 510 0 0 260 0 0\n")
	if got := share(200 * time.Millisecond); math.Abs(got-0.3) > 1e-12 { // 20 of the 50 busy ticks are ours
		t.Errorf("share is %g, want 0.3", got)
	}
	if got := share(10 * time.Second); got != 0 {
		t.Errorf("share is %g where we used more than was used, want 0", got)
	}
	if got := s.Look(0)(0); !math.IsNaN(got) {
		t.Errorf("share is %g where no tick has passed, want NaN", got)
	}
}

func TestSamplerWhereNothingCanBeRead(t *testing.T) {
	s := NewSampler(t.TempDir())
	defer s.Close()
	got := s.Sample(func() time.Duration { return 0 })
	for name, v := range map[string]float64{"load": got.Load1, "share": got.ForeignCPU, "MHz": got.MHz, "temperature": got.TempC, "throttled": got.Throttled} {
		if !math.IsNaN(v) {
			t.Errorf("%s is %g, want NaN", name, v)
		}
	}
}

// TestFrequencyWithoutScaling falls back on what the processor says.
func TestFrequencyWithoutScaling(t *testing.T) {
	root := laptop(t)
	for _, cpu := range []string{"cpu0", "cpu1"} {
		if err := os.RemoveAll(filepath.Join(root, "sys/devices/system/cpu", cpu, "cpufreq")); err != nil {
			t.Fatal(err)
		}
	}
	s := NewSampler(root)
	defer s.Close()
	if got := s.Sample(func() time.Duration { return 0 }).MHz; got != 1700 {
		t.Errorf("frequency is %g MHz, want 1700, the mean of 2600 and 800", got)
	}
}

// TestTreeCPU: a name with brackets and blanks, and a child.
func TestTreeCPU(t *testing.T) {
	if got := TreeCPU(laptop(t), 100, 4242); got != 300*time.Millisecond {
		t.Errorf("TreeCPU = %s, want 300ms: 20 ticks and the child's 10", got)
	}
}

func TestMonotonic(t *testing.T) {
	a := Monotonic()
	time.Sleep(2 * time.Millisecond)
	if b := Monotonic(); b-a < int64(time.Millisecond) || a <= 0 {
		t.Errorf("clock went from %d to %d in 2 ms", a, b)
	}
}

// BenchmarkSample is the cost of a look before each trial; well below 100 µs.
func BenchmarkSample(b *testing.B) {
	s := NewSampler("/")
	defer s.Close()
	for b.Loop() {
		s.Sample(func() time.Duration { return 0 })
	}
}

func TestOnlyToolchainsInUseAreAsked(t *testing.T) {
	if Find("go") == "" {
		t.Skip("go is not in PATH")
	}
	for _, tt := range []struct {
		programs []string
		want     bool
	}{{[]string{"go", "build"}, true}, {[]string{"sleep"}, false}, {nil, false}} {
		facts, err := Environment(Query{Folder: ".", Programs: tt.programs})
		if err != nil {
			t.Fatal(err)
		}
		if _, asked := facts["toolchain_go"]; asked != tt.want {
			t.Errorf("with programs %v: toolchain_go is told: %v, want %v", tt.programs, asked, tt.want)
		}
	}
}
