//go:build !linux

package machine

import "errors"

func freeSpace(string) (float64, error) { return 0, errors.ErrUnsupported }
