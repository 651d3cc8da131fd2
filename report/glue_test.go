package report

import "testing"

func TestComparisonsStayOnOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"< 0.0001": "<\u00a00.0001", "(dip test, p < 0.0001)": "(dip test, p\u00a0<\u00a00.0001)", "p = 0.3": "p\u00a0=\u00a00.3",
		"<%= 1 %>": "<%= 1 %>", "step = 4": "step = 4", "a < b": "a < b",
	} {
		if got := glued(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestShortNamesWithHyphensAreLeftWhole(t *testing.T) {
	for in, want := range map[string]bool{"uni-celeron-1700": true, "one CPU": false, "plain": false, "a-name-that-is-much-too-long-for-a-phone": false} {
		if oneName(in) != want {
			t.Errorf("%q is left whole: %v, want %v", in, !want, want)
		}
	}
}
