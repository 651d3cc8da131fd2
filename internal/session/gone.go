package session

import (
	"errors"
	"os"
	"slices"
	"strings"
)

// Gone are the sessions of which a data folder still holds remarks, but no
// longer the folder; sorted.
func Gone(dataDir string) ([]string, error) {
	entries, err := os.ReadDir(dataDir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	there, err := IDs(dataDir)
	if err != nil {
		return nil, err
	}
	var gone []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".remarks.csv"); ok && ValidID(id) && !slices.Contains(there, id) {
			gone = append(gone, id)
		}
	}
	return gone, nil
}
