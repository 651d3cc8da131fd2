package machine

import (
	"fmt"
	"math"
	"path"
	"strings"
)

func lookMemory(c Checkup) Finding {
	total, available := mebibytes(c.Root, "MemTotal:"), mebibytes(c.Root, "MemAvailable:")
	switch share := available / total; {
	case math.IsNaN(share):
		return Finding{}
	case share < 0.10:
		return warned(fmt.Sprintf("%.0f of %.0f MiB are free: the kernel will take pages away while trials run", available, total), "end what uses the memory: `ps aux --sort=-rss | head`")
	default:
		return good(fmt.Sprintf("%.0f of %.0f MiB are free", available, total))
	}
}

func lookSwap(c Checkup) Finding {
	total, free := mebibytes(c.Root, "SwapTotal:"), mebibytes(c.Root, "SwapFree:")
	switch used := total - free; {
	case math.IsNaN(used):
		return Finding{}
	case total == 0:
		return good("none")
	case used >= 1:
		return warned(fmt.Sprintf("%.0f MiB of memory are on disk: what needs them waits for the disk", used), "with enough free memory: sudo swapoff -a && sudo swapon -a")
	default:
		return noted(fmt.Sprintf("%.0f MiB, not in use now", total), "while measuring: sudo swapoff -a")
	}
}

func lookPower(c Checkup) Finding {
	switch source := power(c.Root); {
	case source == "":
		return Finding{}
	case source == "mains":
		return good("mains")
	case strings.HasSuffix(source, "discharging") && !strings.HasSuffix(source, "not discharging"):
		return warned("on battery: the processor saves power, and slows down as the charge falls", "plug it in")
	default:
		return good(source)
	}
}

func lookVirtualization(c Checkup) Finding {
	switch kind := virtualization(c.Root); {
	case kind == "":
		return Finding{}
	case strings.Contains(kind, "virtual machine"):
		return noted(kind+": neighbours share processors, caches and disks, and cannot be seen from here", "repeat sessions on other days and instances; for absolute numbers take a machine of your own")
	case kind == "none seen":
		return good("no virtual machine, no container seen")
	default:
		return noted(kind+": limits and neighbours may not be seen from here", "for absolute numbers run outside of the container")
	}
}

// lookSteal is the share of processor time that the host of a virtual machine
// gave to others although this one had work.
func lookSteal(c Checkup) Finding {
	ticks := cpuTime(c.Root)
	if ticks == nil {
		return Finding{}
	}
	busy := 0.0
	for i, t := range ticks {
		if i != 3 && i != 4 { // idle, iowait
			busy += number(t)
		}
	}
	share := number(ticks[7]) / busy
	found := fmt.Sprintf("%.1f %% of the time in which this machine had work, since it was started, went to others", 100*share)
	switch {
	case math.IsNaN(share):
		return Finding{}
	case share > 0.01:
		return warned(found, "take an instance with processors of its own; more blocks average it out")
	case share > 0:
		return noted(found, "more blocks average it out")
	default:
		return good("none")
	}
}

func lookASLR(c Checkup) Finding {
	switch v := line(c.Root, "proc/sys/kernel/randomize_va_space"); v {
	case "":
		return Finding{}
	case "0":
		return noted("not randomized: all trials share one layout of memory, which may be a lucky or an unlucky one", "sudo sysctl kernel.randomize_va_space=2")
	default:
		return good("randomized: each trial draws a layout of memory, so that no single one decides")
	}
}

func lookHugePages(c Checkup) Finding {
	switch choice := hugePages(c.Root); choice {
	case "":
		return Finding{}
	case "always":
		return noted("transparent huge pages are given whenever the kernel finds some: memory-bound trials jump between two speeds", "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled")
	default:
		return good("transparent huge pages: " + choice)
	}
}

func lookNUMA(c Checkup) Finding {
	nodes := numaNodes(c.Root)
	switch {
	case nodes == "":
		return Finding{}
	case nodes == "1":
		return good("one node")
	case line(c.Root, "proc/sys/kernel/numa_balancing") == "1":
		return noted(nodes+" nodes, and the kernel moves pages between them while trials run", "pin trials to one node (`cpus`), or: sudo sysctl kernel.numa_balancing=0")
	}
	return noted(nodes+" nodes: where a trial runs decides how far its memory is", "pin trials to one node (`cpus`)")
}

func lookGit(Checkup) Finding {
	if Find("git") == "" {
		return warned("not found: sessions cannot say from which commit they come", "install git")
	}
	return good("found")
}

// lookData looks at where sessions are written.
func lookData(c Checkup) Finding {
	if c.Data == "" {
		return Finding{}
	}
	kind := fileSystem(c.Root, c.Data)
	free, err := c.Free(c.Data)
	found := "of unknown size"
	if err == nil {
		found = fmt.Sprintf("%.1f GiB free", free/(1<<30))
	}
	if kind != "" {
		found += " on " + kind
	}
	switch {
	case err != nil && kind == "":
		return Finding{}
	case kind == "tmpfs" || kind == "ramfs":
		return warned(found+": sessions recorded here are gone with the next start", "keep the notebook on a disk")
	case kind == "nfs" || kind == "nfs4" || kind == "cifs" || kind == "fuse.sshfs":
		return noted(found+": each row waits for the network to be durable, between trials", "record on a local disk, or with `run --sync block`")
	case err == nil && free < 1<<30:
		return warned(found+": it may fill up while a session is recorded", "free some space; `run` goes on where a full disk stopped it")
	default:
		return good(found)
	}
}

// fileSystem is the type of the file system that holds a folder, by the list
// of mounts; "" where it cannot be told.
func fileSystem(root, folder string) string {
	folder = path.Clean("/" + folder)
	kind, longest := "", -1
	for l := range strings.Lines(contents(root, "proc/self/mounts")) {
		fields := strings.Fields(l)
		if len(fields) < 3 {
			continue
		}
		at := strings.ReplaceAll(fields[1], `\040`, " ")
		inside := at == "/" || folder == at || strings.HasPrefix(folder, at+"/")
		if inside && len(at) >= longest { // of two mounts on one place the later hides the earlier
			kind, longest = fields[2], len(at)
		}
	}
	return kind
}
