package design

// latinSquare is k orders of 0..k-1 in which each number stands once at each
// position: the cyclic square with rows, columns and numbers permuted.
func latinSquare(s source, k int) [][]int {
	rows, columns, names := s.permutation(k), s.permutation(k), s.permutation(k)
	square := make([][]int, k)
	for i, r := range rows {
		square[i] = make([]int, k)
		for j, c := range columns {
			square[i][j] = names[(r+c)%k]
		}
	}
	return square
}

// williamsRows is the number of orders that balance the predecessors of k
// treatments: k where k is even, 2k where it is odd.
func williamsRows(k int) int {
	if k%2 == 1 && k > 1 {
		return 2 * k
	}
	return k
}

// williams is williamsRows(k) orders of 0..k-1 in which each number stands
// equally often at each position and each ordered pair of neighbours occurs
// equally often: once for even k, twice for odd k (Williams 1949). The first
// row is 1, 2, k, 3, k-1, …, each further one adds 1 to it; an odd k takes
// these rows backwards too. Row order and names are then drawn.
func williams(s source, k int) [][]int {
	first := make([]int, k)
	for j := range first {
		if first[j] = (j + 1) / 2; j%2 == 0 {
			first[j] = (k - j/2) % k
		}
	}
	names := s.permutation(k)
	rows := make([][]int, williamsRows(k))
	for i := range rows {
		rows[i] = make([]int, k)
		for j := range first {
			at := j
			if i >= k {
				at = k - 1 - j
			}
			rows[i][j] = names[(first[at]+i)%k]
		}
	}
	shuffle(s, rows)
	return rows
}
