package machine

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Query says what Environment should read beside the machine itself.
type Query struct {
	Tool      string   // the version of the tool that records
	Folder    string   // an experiment's folder: its repository and toolchains; "": neither is read
	Data      string   // a folder whose changes do not make the source dirty
	Programs  []string // words that may name programs in use: of these the toolchains' versions are told
	Variables []string // environment variables that may be told, beside the usual ones
	Root      string   // "" is "/"
}

// usual are the environment variables that change how programs run and hold
// nothing personal.
var usual = []string{"GOAMD64", "GOARM64", "GODEBUG", "GOEXPERIMENT", "GOFLAGS", "GOGC", "GOMAXPROCS", "GOMEMLIMIT",
	"LANG", "LC_ALL", "MALLOC_ARENA_MAX", "OMP_NUM_THREADS", "TZ"}

// Environment is what can be read about this machine and about the source
// tree, as facts. What cannot be read is "unknown". Neither the name of the
// host nor that of a person, nor their home folder, is ever among them.
func Environment(q Query) (map[string]string, error) {
	if q.Root == "" {
		q.Root = "/"
	}
	facts := map[string]string{"tool": known(q.Tool), "tool_go": runtime.Version(), "arch": runtime.GOARCH}
	for _, read := range []func(root string) map[string]string{systemFacts, cpuFacts, memoryFacts, Changing} {
		for k, v := range read(q.Root) {
			facts[k] = known(v)
		}
	}
	for _, name := range slices.Concat(usual, q.Variables) {
		if v, ok := os.LookupEnv(name); ok {
			facts["env_"+name] = v
		}
	}
	if q.Folder != "" {
		maps.Copy(facts, versions(q.Folder, q.Programs))
		gitFacts(facts, ReadGit(q.Folder, q.Data))
	}
	for k, v := range facts {
		facts[k] = withoutHome(v)
	}
	return facts, nil
}

// withoutHome writes ~ for the person's home folder.
func withoutHome(s string) string {
	home, err := os.UserHomeDir()
	if err != nil || len(home) < 2 {
		return s
	}
	return strings.ReplaceAll(s, home, "~")
}

func gitFacts(facts map[string]string, g Git) {
	if g.Unavailable != "" {
		facts["git"] = "unavailable: " + g.Unavailable
		return
	}
	facts["git_commit"] = g.Commit
	facts["git_dirty"] = "no"
	if g.Changed > 0 {
		facts["git_dirty"] = fmt.Sprintf("yes, %d tracked files", g.Changed)
		if g.Changed == 1 {
			facts["git_dirty"] = "yes, 1 tracked file"
		}
		facts["git_diff"] = "sha256 " + g.Diff
	}
	facts["git_untracked"] = strconv.Itoa(g.Untracked)
}

func systemFacts(root string) map[string]string {
	return map[string]string{
		"os":             osName(root),
		"kernel":         line(root, "proc/sys/kernel/osrelease"),
		"boot":           line(root, "proc/sys/kernel/random/boot_id"),
		"boot_options":   bootOptions(line(root, "proc/cmdline")),
		"virtualization": virtualization(root),
		"aslr":           line(root, "proc/sys/kernel/randomize_va_space"),
	}
}

func osName(root string) string {
	for l := range strings.Lines(contents(root, "etc/os-release")) {
		if v, ok := strings.CutPrefix(l, "PRETTY_NAME="); ok {
			return strings.Trim(strings.TrimSpace(v), `"'`)
		}
	}
	return ""
}

// bootOptions keeps those of the kernel's options that bear on performance:
// the others may name disks and hosts.
func bootOptions(cmdline string) string {
	var kept []string
	for field := range strings.FieldsSeq(cmdline) {
		name, _, _ := strings.Cut(field, "=")
		switch name {
		case "mitigations", "isolcpus", "nohz_full", "rcu_nocbs", "intel_pstate", "amd_pstate", "idle", "processor.max_cstate",
			"intel_idle.max_cstate", "nosmt", "maxcpus", "nr_cpus", "transparent_hugepage", "hugepages", "clocksource", "tsc", "preempt", "pti", "numa_balancing":
			kept = append(kept, field)
		}
	}
	if len(kept) == 0 && cmdline != "" {
		return "none of note"
	}
	return strings.Join(kept, " ")
}

// load is the three load averages.
func load(root string) string {
	fields := strings.Fields(line(root, "proc/loadavg"))
	return strings.Join(fields[:min(3, len(fields))], " ")
}

// virtualization names what the machine runs in, as far as it shows.
func virtualization(root string) string {
	var found []string
	if _, err := os.Stat(filepath.Join(root, ".dockerenv")); err == nil {
		found = append(found, "docker")
	}
	if _, err := os.Stat(filepath.Join(root, "run/.containerenv")); err == nil {
		found = append(found, "podman")
	}
	product := line(root, "sys/class/dmi/id/product_name")
	if product == "" {
		product = line(root, "sys/hypervisor/type")
	}
	flags := " " + cpuinfo(root, "flags") + " "
	switch {
	case strings.Contains(flags, " hypervisor "):
		found = append(found, strings.TrimSpace("virtual machine "+product))
	case flags != "  ":
		found = append(found, "none seen")
	}
	return strings.Join(found, ", ")
}

func cpuFacts(root string) map[string]string {
	return map[string]string{
		"cpu":           model(root),
		"cpus":          strconv.Itoa(runtime.NumCPU()),
		"cpus_isolated": isolated(root),
		"cores":         cores(root),
		"microcode":     cpuinfo(root, "microcode"),
		"mitigations":   mitigations(root),
	}
}

func isolated(root string) string {
	if _, err := os.Stat(filepath.Join(root, "sys/devices/system/cpu/isolated")); err != nil {
		return ""
	}
	if cpus := line(root, "sys/devices/system/cpu/isolated"); cpus != "" {
		return cpus
	}
	return "none"
}

// cores counts the distinct cores of all packages.
func cores(root string) string {
	dirs, _ := filepath.Glob(filepath.Join(root, "sys/devices/system/cpu/cpu[0-9]*/topology"))
	seen := map[string]bool{}
	for _, d := range dirs {
		if id := line(d, "core_id"); id != "" {
			seen[line(d, "physical_package_id")+"/"+id] = true
		}
	}
	if len(seen) == 0 {
		return ""
	}
	return strconv.Itoa(len(seen))
}

func smt(root string) string {
	switch line(root, "sys/devices/system/cpu/smt/active") {
	case "1":
		return "on"
	case "0":
		return "off"
	}
	return ""
}

func turbo(root string) string {
	if v := line(root, "sys/devices/system/cpu/intel_pstate/no_turbo"); v != "" {
		return map[string]string{"0": "on", "1": "off"}[v]
	}
	return map[string]string{"1": "on", "0": "off"}[line(root, "sys/devices/system/cpu/cpufreq/boost")]
}

// distinct are the different first lines of the files that match a pattern.
func distinct(root, pattern string) string {
	paths, _ := filepath.Glob(filepath.Join(root, pattern))
	var values []string
	for _, p := range paths {
		if v := line(p); v != "" {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return strings.Join(slices.Compact(values), ", ")
}

// quota is the share of processors that a control group leaves to us.
func quota(root string) string {
	fields := strings.Fields(line(root, "sys/fs/cgroup/cpu.max"))
	if len(fields) != 2 {
		return ""
	}
	if fields[0] == "max" {
		return "none"
	}
	return fmt.Sprintf("%.2f", number(fields[0])/number(fields[1]))
}

// mitigations lists the processor's flaws that the kernel works around.
func mitigations(root string) string {
	paths, _ := filepath.Glob(filepath.Join(root, "sys/devices/system/cpu/vulnerabilities/*"))
	var found []string
	for _, p := range paths {
		if v := line(p); strings.HasPrefix(v, "Mitigation") || strings.HasPrefix(v, "Vulnerable") {
			kind, _, _ := strings.Cut(v, ":")
			found = append(found, filepath.Base(p)+" "+strings.ToLower(kind))
		}
	}
	if len(paths) > 0 && len(found) == 0 {
		return "none needed"
	}
	return strings.Join(found, ", ")
}

func memoryFacts(root string) map[string]string {
	return map[string]string{
		"memory":     memory(root, "MemTotal:"),
		"swap":       memory(root, "SwapTotal:"),
		"swappiness": line(root, "proc/sys/vm/swappiness"), // how readily the kernel moves memory to the swap space
		"numa_nodes": numaNodes(root),
	}
}

// memory is a line of /proc/meminfo in MiB.
func memory(root, key string) string { return measure(mebibytes(root, key), 0, "MiB") }

// mebibytes is a line of /proc/meminfo, cut to whole MiB; NaN where it is not
// there.
func mebibytes(root, key string) float64 {
	return math.Floor(keyed(contents(root, "proc/meminfo"), key) / 1024)
}

// numaNodes counts the parts of the memory that are near to some processors
// and far from others.
func numaNodes(root string) string {
	nodes, _ := filepath.Glob(filepath.Join(root, "sys/devices/system/node/node[0-9]*"))
	if len(nodes) == 0 {
		return ""
	}
	return strconv.Itoa(len(nodes))
}
