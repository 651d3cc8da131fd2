package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"fieldbook/report"
)

// openSite opens what `fieldbook report` rendered: a folder, the folder of one
// report in it, or a site.zip. ok is false where the path is none of these.
// closed has to be called.
func openSite(name string) (site fs.FS, closed func() error, ok bool) {
	if isDir(name) {
		site = os.DirFS(name)
		_, err := fs.Stat(site, "index.html")
		return site, func() error { return nil }, err == nil
	}
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, nil, false
	}
	for _, root := range []string{".", "site"} {
		if _, err := fs.Stat(z, path.Join(root, "index.html")); err != nil {
			continue
		}
		if site, err = fs.Sub(z, root); err == nil {
			return site, z.Close, true
		}
	}
	_ = z.Close()
	return nil, nil, false
}

// looksLikeSite says whether an argument of compare means a rendered site and
// no session.
func looksLikeSite(name string) bool {
	_, closed, ok := openSite(name)
	if ok {
		_ = closed()
	}
	return ok || path.Ext(name) == ".zip"
}

// readSite reads the answers of each report of a site, by experiment.
func readSite(name string) (map[string]report.Answers, error) {
	site, closed, ok := openSite(name)
	if !ok {
		return nil, usage("%s is neither a folder that `fieldbook report` rendered nor its site.zip; compare takes two sites, or two sessions", name)
	}
	defer closed()
	pages, err := fs.Glob(site, "*/index.html")
	if err != nil {
		return nil, err
	}
	all := map[string]report.Answers{}
	for _, page := range pages {
		experiment := path.Dir(page)
		if all[experiment], err = readAnswers(site, experiment); err != nil {
			return nil, failed("%s in %s cannot be compared: %v; render the site anew", experiment, name, err)
		}
	}
	if one, err := readAnswers(site, "."); err == nil {
		all[one.Experiment] = one
	}
	if len(all) == 0 {
		return nil, failed("%s holds no report that `fieldbook report` rendered", name)
	}
	return all, nil
}

// mostAnswers is how large a report.json may be: a site can come from anybody.
const mostAnswers = 256 << 20

// readAnswers reads the answers of the report in a folder of a site.
func readAnswers(site fs.FS, folder string) (report.Answers, error) {
	f, err := site.Open(path.Join(folder, "report.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return report.Answers{}, errors.New("it has no report.json")
	}
	if err != nil {
		return report.Answers{}, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, mostAnswers+1))
	if err != nil {
		return report.Answers{}, err
	}
	if len(src) > mostAnswers {
		return report.Answers{}, fmt.Errorf("its report.json has more than %d MB", mostAnswers>>20)
	}
	return report.ReadAnswers(src)
}
