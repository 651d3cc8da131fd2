package runner

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// groups are the control groups (cgroup v2) of a run, where this process may
// make some: one for trials and commands, one for services. No controller is
// switched on in them, so that nothing is limited or counted that would not
// be without. What is in a group cannot leave it, and the kernel ends all of
// it at one moment: also what starts processes faster than they can be killed
// one by one, and, after the runner's own death, what has wiped its
// environment.
type groups struct{ trial, service *group }

// group is one control group; nil where there are none.
type group struct {
	name   string // of the folder, without the number
	made   int    // how often it was made
	dir    string
	fd     int // of the folder, for starting processes in it
	killer int // of its file cgroup.kill
	killed bool
}

const groupPrefix = "fieldbook-"

// groupMark is the mark in the name of a run's control group.
func groupMark(name string) (runMark, bool) {
	text, ours := strings.CutPrefix(name, groupPrefix)
	if !ours {
		return runMark{}, false
	}
	return parseMark(text)
}

// newGroups makes a run's groups, or none where the system has no cgroup v2,
// does not let this process make groups, or is too old to start processes in
// them and to end them whole (Linux 5.14).
func newGroups(m runMark) groups {
	own, err := ownGroup("/")
	if err != nil {
		return groups{}
	}
	name := filepath.Join(own, groupPrefix+m.String())
	g := groups{&group{name: name + "-trial"}, &group{name: name + "-service"}}
	if g.trial.make() && g.service.make() && g.trial.works() {
		return g
	}
	g.close()
	return groups{}
}

// ownGroup is the folder of this process's control group, below a root.
func ownGroup(root string) (string, error) {
	lines, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return "", err
	}
	mounts, err := os.ReadFile(filepath.Join(root, "proc/self/mountinfo"))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(lines)) {
		path, unified := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "0::")
		if !unified {
			continue
		}
		for mount := range strings.Lines(string(mounts)) {
			if dir, ok := groupFolder(mount, path); ok {
				return filepath.Join(root, dir), nil
			}
		}
	}
	return "", errors.New("there is no control group of version 2")
}

// groupFolder is where a control group is to be found under a mount, a line
// of mountinfo; proc_pid_mountinfo(5).
func groupFolder(mount, path string) (string, bool) {
	before, after, _ := strings.Cut(mount, " - ")
	fields, kind := strings.Fields(before), strings.Fields(after)
	if len(fields) < 5 || len(kind) == 0 || kind[0] != "cgroup2" {
		return "", false
	}
	rel, err := filepath.Rel(fields[3], path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return "", false
	}
	return filepath.Join(unoctal.Replace(fields[4]), rel), true
}

// unoctal takes back the escapes of mountinfo.
var unoctal = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)

// make makes the group's folder, under a new name each time, and says whether
// that was possible.
func (g *group) make() bool {
	g.made++
	g.dir, g.fd, g.killer, g.killed = g.name+"-"+strconv.Itoa(g.made), -1, -1, false
	if os.Mkdir(g.dir, 0o755) != nil {
		g.dir = ""
		return false
	}
	var err error
	if g.fd, err = unix.Open(g.dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err == nil {
		g.killer, err = unix.Open(filepath.Join(g.dir, "cgroup.kill"), unix.O_WRONLY|unix.O_CLOEXEC, 0)
	}
	return err == nil
}

// ready says whether processes can be started in the group. One in which
// something was killed is made anew: some kernels kill whatever starts in
// such a group from outside.
func (g *group) ready() bool {
	if g == nil || g.dir == "" {
		return false
	}
	if !g.killed {
		return true
	}
	g.close()
	return g.make()
}

// works says whether a process can be started in the group. The program that
// is tried is none, below a file that is no folder: that it is this which
// fails shows that the rest would do.
func (g *group) works() bool {
	pid, err := syscall.ForkExec(os.DevNull+"/none", []string{"none"}, &syscall.ProcAttr{
		Sys: &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: g.fd}})
	if err == nil {
		unix.Wait4(pid, nil, 0, nil) // it was killed before it could fail
	}
	return errors.Is(err, unix.ENOTDIR)
}

// of is the group for a command: services, and what is run for them, are told
// by their mark.
func (g groups) of(c *command) *group {
	if slices.ContainsFunc(c.env, func(v string) bool { return strings.HasPrefix(v, serviceMark+"=") }) {
		return g.service
	}
	return g.trial
}

// kill ends everything in the group at once.
func (g *group) kill() {
	if g != nil && g.killer >= 0 {
		g.killed = true
		unix.Write(g.killer, []byte("1"))
	}
}

// close ends what is left in a group and removes it. One that stays, as a
// process in it does not end, is left to a later run.
func (g *group) close() {
	if g == nil || g.dir == "" {
		return
	}
	g.kill()
	for _, fd := range []int{g.killer, g.fd} {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
	removeGroup(g.dir)
	g.dir, g.fd, g.killer = "", -1, -1
}

func (g groups) close() {
	g.trial.close()
	g.service.close()
}

// removeGroup removes a group with those below it, and waits a moment for
// what is ending in it.
func removeGroup(dir string) {
	below, _ := os.ReadDir(dir)
	for _, e := range below {
		if e.IsDir() {
			removeGroup(filepath.Join(dir, e.Name()))
		}
	}
	for until := time.Now().Add(100 * time.Millisecond); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if err := unix.Rmdir(dir); !errors.Is(err, unix.EBUSY) && !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// goneGroups are the folders of groups with a mark that is gone's, where this
// process would make its own.
func goneGroups(gone func(runMark) bool) []string {
	own, err := ownGroup("/")
	if err != nil {
		return nil
	}
	var all []string
	entries, _ := os.ReadDir(own)
	for _, e := range entries {
		if m, ok := groupMark(e.Name()); ok && gone(m) {
			all = append(all, filepath.Join(own, e.Name()))
		}
	}
	return all
}

// killGroup ends everything in the group of a folder.
func killGroup(dir string) {
	if fd, err := unix.Open(filepath.Join(dir, "cgroup.kill"), unix.O_WRONLY|unix.O_CLOEXEC, 0); err == nil {
		unix.Write(fd, []byte("1"))
		unix.Close(fd)
	}
}
