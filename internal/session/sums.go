package session

import (
	"bytes"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"strconv"
)

// A sealed session is held to its seal. Until then a file beside its folder
// holds a checksum of each row of trials.csv: one line a row, the CRC-32C of
// the row with its line end in eight hexadecimal digits. It finds a changed
// digit, which reads as a number like any other. A row's line is written
// before the row, and without a sync of its own: after a loss of power the
// last rows may be without one, and are then not held to it.

const sumLength = 8 + 1

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func sumsPath(dir string) string { return filepath.Clean(dir) + ".sums" }

func appendSum(b, row []byte) []byte {
	sum := crc32.Checksum(row, castagnoli)
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, "0123456789abcdef"[sum>>shift&15])
	}
	return append(b, '\n')
}

// sums are the checksums that were written with the rows of a session.
type sums struct {
	text []byte // of those that are left
	now  []byte // of the rows as they are
}

// readSums is the checksums beside a session that is not sealed; none where
// there is no such file.
func readSums(dir string) (*sums, error) {
	text, err := readPlain(sumsPath(dir))
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return &sums{text: text}, err
}

// hold says what is wrong with the next row, or nothing. From the first line
// that is no checksum on, rows are held to none.
func (s *sums) hold(row []byte) string {
	at := len(s.now)
	s.now = appendSum(s.now, row)
	if len(s.text) < len(s.now) {
		return ""
	}
	was, is := s.text[at:at+sumLength], s.now[at:]
	if _, err := strconv.ParseUint(string(was[:8]), 16, 32); err != nil || was[8] != '\n' {
		s.text = nil
		return ""
	}
	if !bytes.Equal(was, is) {
		return "the row is not as it was written: its checksum is another"
	}
	return ""
}

// write makes the checksums those of the rows as they are.
func (s *sums) write(dir string) error {
	if bytes.Equal(s.text, s.now) {
		return nil
	}
	return replaceFile(sumsPath(dir), s.now)
}

// removeSums takes the checksums away where the seal says more.
func removeSums(dir string) error {
	err := os.Remove(sumsPath(dir))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
