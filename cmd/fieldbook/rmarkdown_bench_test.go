package main

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkReportsAgainstRmarkdown sets the rendering of all reports of this
// repository from recorded data beside one rmarkdown::render of a page with
// one figure, both as whole processes, turn by turn. The ratio of the shortest
// times is at most 1; it is given for each figure and each figure or table too.
func BenchmarkReportsAgainstRmarkdown(b *testing.B) {
	for _, program := range []string{"Rscript", "pandoc"} {
		if _, err := exec.LookPath(program); err != nil {
			b.Skipf("%s is not installed, so that rmarkdown cannot be measured (Debian: apt-get install r-cran-rmarkdown pandoc)", program)
		}
	}
	if out, err := exec.Command("Rscript", "-e", "library(rmarkdown)").CombinedOutput(); err != nil {
		b.Skipf("R has no package rmarkdown (Debian: apt-get install r-cran-rmarkdown)\n%s", out)
	}
	bin, site := buildTool(b), b.TempDir()
	scripts, err := filepath.Abs(filepath.Join("testdata", "rmarkdown"))
	if err != nil {
		b.Fatal(err)
	}
	var ours, theirs []time.Duration
	for b.Loop() {
		ours = append(ours, timed(b, exec.Command(bin, "-C", filepath.Join("..", ".."), "report", "-q", "--out", site)))
		theirs = append(theirs, timed(b, exec.Command("Rscript", filepath.Join(scripts, "render.R"), filepath.Join(scripts, "one_figure.Rmd"), b.TempDir())))
	}
	figures, tables := shownParts(b, site)
	ratio := float64(slices.Min(ours)) / float64(slices.Min(theirs))
	b.ReportMetric(slices.Min(ours).Seconds(), "s-all-reports")
	b.ReportMetric(slices.Min(theirs).Seconds(), "s-rmarkdown")
	b.ReportMetric(ratio, "of-rmarkdown")
	b.ReportMetric(ratio/float64(figures), "of-rmarkdown/figure")
	b.ReportMetric(ratio/float64(figures+tables), "of-rmarkdown/figure-or-table")
	b.Logf("%d figures and %d tables", figures, tables)
	if ratio > 1 {
		b.Errorf("all reports take %v, one page of rmarkdown %v", slices.Min(ours), slices.Min(theirs))
	}
}

// timed is how long a command takes from start to end.
func timed(b *testing.B, cmd *exec.Cmd) time.Duration {
	b.Helper()
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return time.Since(start)
}

// shownParts counts the figures and tables of a site.
func shownParts(b *testing.B, site string) (figures, tables int) {
	b.Helper()
	reports, err := readSite(site)
	if err != nil || len(reports) == 0 {
		b.Fatalf("no reports in %s: %v", site, err)
	}
	for _, r := range reports {
		figures, tables = figures+len(r.Figures), tables+len(r.Tables)
	}
	return figures, tables
}
