// Package machine knows what can be read about the machine that it runs on
// and about a source tree: hardware, system, toolchains, load, the state of a
// git repository, the content of files. What cannot be read is "unknown" (a
// fact), NaN (a number) or an error with the reason; it is never guessed. It
// changes nothing, and never tells the name of the host or of a person.
//
// Functions that read /proc and /sys take the folder under which those lie,
// "/" on a real machine, so that tests can hand in trees of their own.
package machine

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Unknown stands for a fact that could not be read.
const Unknown = "unknown"

// line is the first line of a file under root, trimmed; "" where it cannot be
// read.
func line(root string, path ...string) string {
	first, _, _ := strings.Cut(contents(root, path...), "\n")
	return strings.TrimSpace(strings.Trim(first, "\x00"))
}

// contents is a whole file under root; "" where it cannot be read.
func contents(root string, path ...string) string {
	b, err := os.ReadFile(filepath.Join(append([]string{root}, path...)...))
	if err != nil {
		return ""
	}
	return string(b)
}

// keyed is the number behind a key at the beginning of a line; NaN without.
func keyed(text, key string) float64 {
	for l := range strings.Lines(text) {
		if fields := strings.Fields(l); len(fields) >= 2 && fields[0] == key {
			return number(fields[1])
		}
	}
	return math.NaN()
}

// known is s, or Unknown where s is empty.
func known(s string) string {
	if s == "" {
		return Unknown
	}
	return s
}

// number reads a decimal number; NaN where the text is none.
func number(s string) float64 {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		return math.NaN()
	}
	return f
}
