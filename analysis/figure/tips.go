package figure

import (
	"regexp"
	"strings"
)

// numeral is what differs between the tooltips of one series; # stands for
// itself.
var numeral = regexp.MustCompile(`#|[0-9][0-9.]*`)

// foldTips writes tooltips in short: neighbours that differ in their numbers
// alone have their text once.
func foldTips(tips []string) []string {
	var out []string
	for _, tip := range tips {
		text := numeral.ReplaceAllString(tip, "#")
		numbers := strings.Join(numeral.FindAllString(tip, -1), " ")
		if n := len(out); n > 0 && out[n-2] == text {
			out[n-1] += ";" + numbers
			continue
		}
		out = append(out, text, numbers)
	}
	return out
}
