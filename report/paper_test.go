package report

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"fieldbook/internal/browsertest"
)

// alone leaves of a page only the marks of one class, in pure red, and counts
// them: each is one step of a path.
const alone = `(() => {
	const style = new CSSStyleSheet();
	style.replaceSync("* {visibility: hidden !important; background: none !important} .fig path.%[1]s {visibility: visible !important; stroke: #f00 !important; stroke-opacity: 1 !important; opacity: 1 !important}");
	document.adoptedStyleSheets = [style];
	let n = 0;
	document.querySelectorAll(".fig path.%[1]s").forEach(p => { n += (p.getAttribute("d").match(/h/g) || []).length });
	return n;
})()`

// tryMarksOnPaper prints the marks of each class by themselves and looks for
// their ink: what a screen paints, a PDF need not.
func tryMarksOnPaper(w *browsertest.Window, t *testing.T, address string) {
	if _, err := exec.LookPath("pdftoppm"); err != nil {
		t.Skip("there is no pdftoppm on this machine (Debian: poppler-utils): marks are not looked for on paper")
	}
	for _, class := range []string{"rd", "sq"} {
		w.Open(t, address, "light", 1280)
		marks := browsertest.Eval[int](w, t, fmt.Sprintf(alone, class))
		if marks < 20 {
			t.Fatalf("the page has %d marks of class %s, too few to look for", marks, class)
		}
		pdf := w.Printed(t)
		// A mark is some 20 pixels at this resolution; some lie over others.
		if ink := red(t, pdf); ink < 5*marks {
			t.Errorf("%d marks of class %s leave %d pixels of ink on paper", marks, class, ink)
		}
	}
}

// red counts the red pixels of a document at 96 dots an inch.
func red(t *testing.T, pdf []byte) int {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.pdf")
	write(t, file, pdf)
	out, err := exec.Command("pdftoppm", "-r", "96", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	ink := 0
	for len(out) > 0 {
		var width, height, depth int
		if _, err := fmt.Sscanf(string(out[:min(len(out), 40)]), "P6\n%d %d\n%d\n", &width, &height, &depth); err != nil {
			t.Fatalf("pdftoppm writes %.20q: %v", out, err)
		}
		head := len(fmt.Sprintf("P6\n%d %d\n%d\n", width, height, depth))
		pixels := out[head : head+3*width*height]
		out = out[head+3*width*height:]
		for i := 0; i < len(pixels); i += 3 {
			if bytes.Equal(pixels[i:i+3], []byte{255, 0, 0}) {
				ink++
			}
		}
	}
	return ink
}
