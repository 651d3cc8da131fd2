package figure

import (
	"regexp"
	"strings"
)

// numeral is what differs between the tooltips of one series; # stands for
// itself.
var numeral = regexp.MustCompile(`#|[0-9][0-9.]*`)

// foldTips writes tooltips in short: neighbours that differ in their numbers
// alone have their text once, with the numbers that are alike in all of them.
func foldTips(tips []string) []string {
	var out []string
	for first := 0; first < len(tips); {
		text := numeral.ReplaceAllString(tips[first], "#")
		var rows [][]string
		for n := first; n < len(tips) && numeral.ReplaceAllString(tips[n], "#") == text; n++ {
			rows = append(rows, numeral.FindAllString(tips[n], -1))
		}
		first += len(rows)
		out = append(out, foldAlike(text, rows)...)
	}
	return out
}

// foldAlike is a text with # for each number, and the numbers of each tooltip:
// those that are alike stand in the text.
func foldAlike(text string, rows [][]string) []string {
	parts := strings.Split(text, "#")
	folded, lines := parts[0], make([][]string, len(rows))
	for k, part := range parts[1:] {
		alike := rows[0][k] != "#"
		for _, r := range rows {
			alike = alike && r[k] == rows[0][k]
		}
		if alike {
			folded += rows[0][k] + part
			continue
		}
		folded += "#" + part
		for i, r := range rows {
			lines[i] = append(lines[i], r[k])
		}
	}
	numbers := make([]string, len(rows))
	for i, l := range lines {
		numbers[i] = strings.Join(l, " ")
	}
	return []string{folded, strings.Join(numbers, ";")}
}
