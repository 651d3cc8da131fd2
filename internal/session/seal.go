package session

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// compressAbove is the size in bytes from which on samples.csv is compressed
// at the seal.
const compressAbove = 1 << 20

// Seal ends a session: all that it holds is made durable, and
// datapackage.json records every file's size and hash. Whole blocks can be
// sealed, fewer than planned too (a stopping rule, a limit of time); a block
// that is cut cannot. After an error Seal may be called again.
func (w *Writer) Seal() error {
	if err := w.seal(); err != nil {
		return fmt.Errorf("sealing session %s: %w", w.info.Session, err)
	}
	return nil
}

func (w *Writer) seal() error {
	switch whole, rest := wholeBlocks(w.plan, w.last.trial > 0, w.last); {
	case w.broken != nil:
		return fmt.Errorf("the state on disk is unknown since an earlier error: %w", w.broken)
	case w.sealed:
		return errors.New("it is sealed already")
	case whole == 0:
		return errors.New("no measured block is whole yet")
	case rest:
		return fmt.Errorf("it ends within a block, at trial %d of %d", w.last.trial, len(w.plan))
	}
	if err := w.sync(w.clients, w.samples, w.trials); err != nil {
		return err
	}
	if err := w.compressSamples(); err != nil {
		return err
	}
	if err := w.syncFiles(); err != nil {
		return err
	}
	text, err := packageText(w.dir, w.info)
	if err != nil {
		return err
	}
	if err := replaceFile(filepath.Join(w.dir, packageName), text); err != nil {
		return err
	}
	w.sealed = true
	return removeSums(w.dir)
}

// syncFiles makes durable what was written without, such as outputs.
func (w *Writer) syncFiles() error {
	root, err := os.OpenRoot(w.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	files, err := sealedFiles(root)
	if err != nil {
		return err
	}
	for _, name := range files {
		f, err := root.Open(name)
		if err != nil {
			return err
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// compressSamples replaces a long samples.csv by samples.csv.gz. Where that
// is cut off between the two, Continue goes back to the plain file.
func (w *Writer) compressSamples() error {
	if w.samples == nil || w.samples.size <= compressAbove {
		return nil
	}
	path := w.samples.path
	if err := compressFile(path); err != nil {
		return err
	}
	if err := errors.Join(w.samples.close(), os.Remove(path)); err != nil {
		return err
	}
	w.samples = nil
	return syncDir(w.dir)
}

// compressFile writes path.gz. The same rows give the same bytes: the gzip
// header has neither name nor time.
func compressFile(path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := renameio.NewPendingFile(path+".gz", renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer out.Cleanup()
	z := gzip.NewWriter(out)
	if _, err := io.Copy(z, in); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return out.CloseAtomicallyReplace()
}
