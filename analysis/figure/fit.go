package figure

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fit shortens labels so that none is wider than limit pixels and labels that
// differ stay different: at the end if that is enough, else in the middle,
// else around the place where they differ, and at worst by number.
func fit(labels []string, limit, size float64) []string {
	texts := make([]string, len(labels))
	for i, l := range labels {
		texts[i] = shown(l)
	}
	shared := sharedPrefixes(texts)
	for _, cut := range []func(t text, limit, size float64) string{cutEnd, cutMiddle, cutAround, cutNumber} {
		out := make([]string, len(texts))
		for i, t := range texts {
			out[i] = t
			if tooLong(t, limit, size) {
				out[i] = cut(text{t, i, shared[i]}, limit, size)
			}
		}
		if distinct(labels, out) {
			return out
		}
	}
	return numbered(labels)
}

// text is one of several labels: its words, its place among them, and how
// many bytes of its beginning another one has as well.
type text struct {
	string
	place, shared int
}

func tooLong(s string, limit, size float64) bool {
	return utf8.RuneCountInString(s) > longest || measure(s, size) > limit
}

// distinct says whether different labels are still written differently.
func distinct(labels, out []string) bool {
	of := map[string]string{}
	for i, s := range out {
		if l, ok := of[s]; ok && l != labels[i] {
			return false
		}
		of[s] = labels[i]
	}
	return true
}

// cutEnd keeps the beginning.
func cutEnd(t text, limit, size float64) string {
	return head(t.string, limit-measure("…", size), size) + "…"
}

// cutMiddle keeps beginning and end.
func cutMiddle(t text, limit, size float64) string {
	rest := (limit - measure("…", size)) / 2
	return head(t.string, rest, size) + "…" + tail(t.string, rest, size)
}

// cutAround keeps the beginning and what follows the longest beginning that
// the text shares with another one.
func cutAround(t text, limit, size float64) string {
	rest := limit - 2*measure("…", size)
	end := t.string[t.shared:]
	if measure(end, size) > rest*0.6 {
		end = head(end, rest*0.6, size) + "…"
	}
	return head(t.string, rest*0.4, size) + "…" + end
}

// cutNumber keeps as much of the beginning as the text's number leaves.
func cutNumber(t text, limit, size float64) string {
	mark := "… (" + strconv.Itoa(t.place+1) + ")"
	return head(t.string, limit-measure(mark, size), size) + mark
}

// numbered is what is left where there is no room for anything: equal labels
// share a number.
func numbered(labels []string) []string {
	out := make([]string, len(labels))
	for i, l := range labels {
		out[i] = "#" + strconv.Itoa(slices.Index(labels, l)+1)
	}
	return out
}

// sharedPrefixes are, for each text, the length of the longest beginning that
// a different one has as well. In sorted order that one is a neighbour.
func sharedPrefixes(texts []string) []int {
	order := slices.Compact(slices.Sorted(slices.Values(texts)))
	longest := map[string]int{}
	for i := 1; i < len(order); i++ {
		n := sharedPrefix(order[i-1], order[i])
		longest[order[i-1]] = max(longest[order[i-1]], n)
		longest[order[i]] = n
	}
	shared := make([]int, len(texts))
	for i, t := range texts {
		shared[i] = longest[t]
	}
	return shared
}

// sharedPrefix is the length in bytes of the longest beginning that two texts
// share, in whole characters.
func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) {
		r, size := utf8.DecodeRuneInString(a[n:])
		if q, _ := utf8.DecodeRuneInString(b[n:]); q != r {
			break
		}
		n += size
	}
	return n
}

// head is the longest beginning that is not wider than limit. It never parts a
// letter from the marks on it.
func head(s string, limit, size float64) string {
	width, count, end := 0.0, 0, 0
	for i, r := range s {
		if width += measure(string(r), size); width > limit || count == longest {
			return s[:end]
		}
		count++
		if next := i + utf8.RuneLen(r); !joins(s[next:]) {
			end = next
		}
	}
	return s
}

// tail is the longest end that is not wider than limit.
func tail(s string, limit, size float64) string {
	width, start := 0.0, len(s)
	for i := len(s); i > 0 && len(s)-i < longest; {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		i -= n
		if width += measure(string(r), size); width > limit {
			break
		}
		if !joins(s[i:]) {
			start = i
		}
	}
	return s[start:]
}

// joins says whether a text begins with a character that belongs to the one
// before it: a mark, a joiner, a variation selector, a skin tone.
func joins(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && (unicode.In(r, unicode.M) || r == 0x200d || r >= 0x1f3fb && r <= 0x1f3ff)
}

// wrap breaks labels into at most n lines of at most limit pixels, after blanks
// and signs where it can. Labels that differ stay different.
func wrap(labels []string, n int, limit, size float64) [][]string {
	out := make([][]string, len(labels))
	for room := limit * float64(n); ; room *= 0.9 {
		ok := true
		for i, t := range fit(labels, room, size) {
			lines := breakLines(t, limit, size)
			ok = ok && len(lines) <= n
			out[i] = lines[:min(n, len(lines))]
		}
		if ok || room < limit*0.5 {
			return out
		}
	}
}

// breaks are the characters after which a line may end.
const breaks = " ,;:/=&|)]}>"

// breakLines breaks one text into lines of at most limit pixels.
func breakLines(s string, limit, size float64) []string {
	var lines []string
	for measure(s, size) > limit {
		line := head(s, limit, size)
		if line == "" { // not even one character has room
			break
		}
		if at := strings.LastIndexAny(line, breaks); at > len(line)/3 {
			_, n := utf8.DecodeRuneInString(line[at:])
			line = line[:at+n]
		}
		lines = append(lines, strings.TrimRight(line, " "))
		s = s[len(line):]
	}
	return append(lines, strings.TrimLeft(s, " "))
}
