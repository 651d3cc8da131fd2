package stat

import (
	"cmp"
	"slices"
)

// letters name groups; there are no more groups than letters.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// CompactLetters gives each of k things the letters of its groups, so that
// two share one exactly where they are not told apart: the compact letter
// display by insertion and absorption (Piepho, J. Comput. Graph. Stat. 13,
// 2004). apart is symmetric. Things that follow each other in rank have
// letters that follow each other. It is nil where letters do not suffice.
func CompactLetters(k int, apart func(i, j int) bool) []string {
	everyone := make([]bool, k)
	for i := range everyone {
		everyone[i] = true
	}
	groups := [][]bool{everyone}
	for i := range k {
		for j := i + 1; j < k; j++ {
			if !apart(i, j) {
				continue
			}
			if groups = separated(groups, i, j); len(groups) > 4*len(letters) {
				return nil
			}
		}
	}
	slices.SortFunc(groups, func(a, b []bool) int {
		for i := range k {
			if a[i] != b[i] {
				return cmp.Compare(boolRank(a[i]), boolRank(b[i]))
			}
		}
		return 0
	})
	return lettered(groups, k)
}

// boolRank puts members before others.
func boolRank(member bool) int {
	if member {
		return 0
	}
	return 1
}

// separated are the groups with i and j in none together: a group that holds
// both becomes two, and one that another holds whole is dropped.
func separated(groups [][]bool, i, j int) [][]bool {
	var out [][]bool
	for _, g := range groups {
		if !g[i] || !g[j] {
			out = append(out, g)
			continue
		}
		for _, without := range []int{j, i} {
			part := slices.Clone(g)
			part[without] = false
			out = append(out, part)
		}
	}
	return slices.DeleteFunc(slices.Clone(out), func(g []bool) bool {
		return slices.ContainsFunc(out, func(of []bool) bool { return !slices.Equal(of, g) && within(g, of) })
	})
}

// within says whether each member of g is one of the other.
func within(g, other []bool) bool {
	for i := range g {
		if g[i] && !other[i] {
			return false
		}
	}
	return true
}

func lettered(groups [][]bool, k int) []string {
	if len(groups) > len(letters) {
		return nil
	}
	out := make([]string, k)
	for at, g := range groups {
		for i, member := range g {
			if member {
				out[i] += letters[at : at+1]
			}
		}
	}
	return out
}
