package stat

// Williams is a square, for even k, or a pair of squares, for odd k, of the
// treatments 1 to k in which every ordered pair of neighbours occurs equally
// often: once, or twice (Williams, Aust. J. Sci. Res. A 2, 1949). A row is
// one sequence. nil for k < 2.
func Williams(k int) [][]int {
	if k < 2 {
		return nil
	}
	first := zigzag(k)
	var rows [][]int
	for shift := range k {
		row := make([]int, k)
		for i, v := range first {
			row[i] = (v+shift)%k + 1
		}
		rows = append(rows, row)
	}
	if k%2 == 1 {
		for _, row := range rows[:k] {
			mirrored := make([]int, k)
			for i, v := range row {
				mirrored[k-1-i] = v
			}
			rows = append(rows, mirrored)
		}
	}
	return rows
}

// zigzag is 0, 1, k-1, 2, k-2, ...: all its steps differ modulo k.
func zigzag(k int) []int {
	out := make([]int, k)
	for i := 1; i < k; i++ {
		if i%2 == 1 {
			out[i] = (i + 1) / 2
		} else {
			out[i] = k - i/2
		}
	}
	return out
}

// Neighbours counts, for treatments 1 to k, how often j directly follows i
// within the sequences: counts[i-1][j-1].
func Neighbours(rows [][]int, k int) [][]int {
	counts := make([][]int, k)
	for i := range counts {
		counts[i] = make([]int, k)
	}
	for _, row := range rows {
		for i := 1; i < len(row); i++ {
			if a, b := row[i-1], row[i]; a >= 1 && a <= k && b >= 1 && b <= k {
				counts[a-1][b-1]++
			}
		}
	}
	return counts
}
