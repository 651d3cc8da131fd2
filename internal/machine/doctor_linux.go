package machine

import "syscall"

// freeSpace is what an ordinary user may still write to the file system of a
// folder, in bytes.
func freeSpace(folder string) (float64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, err
	}
	return float64(s.Bavail) * float64(s.Bsize), nil
}
