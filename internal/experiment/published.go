package experiment

// publishedColumns are the columns of a file of published numbers besides
// the factors.
var publishedColumns = []string{"machine", "metric", "value", "unit", "aggregate", "n", "note"}
