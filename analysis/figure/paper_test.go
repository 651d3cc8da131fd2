package figure

import (
	"regexp"
	"testing"
)

// A PDF paints round ends of a step without length, and no square ones.
func TestSquareMarksHaveALength(t *testing.T) {
	cv := &canvas{inline: true, pile: &pile{}}
	for x := range 20 {
		cv.marker("", 1, float64(8*x), 40, 3, "")
	}
	cv.flush()
	marks := 0
	for _, path := range regexp.MustCompile(`<path [^>]*class="sq"[^>]*>`).FindAllString(cv.b.String(), -1) {
		for _, step := range regexp.MustCompile(`[hvl][-0-9. ]*`).FindAllString(regexp.MustCompile(` d="[^"]*"`).FindString(path), -1) {
			marks++
			if !regexp.MustCompile(`[1-9]`).MatchString(step) {
				t.Errorf("the square mark %q has no length: %s", step, path)
			}
		}
	}
	if marks != 20 {
		t.Errorf("%d of 20 square marks are found in %s", marks, cv.b.String())
	}
}
