package session

// Info is session.json: what the session is of, and where its parts ran.
// Data outlives the program that made it, so that Info says all that is
// needed to analyse the rows without the experiment file.
type Info struct {
	Format        int               `json:"format"` // 1
	Session       string            `json:"session"`
	Experiment    string            `json:"experiment"`
	Title         string            `json:"title,omitempty"`
	Question      string            `json:"question,omitempty"`
	Machine       string            `json:"machine"`
	Purpose       string            `json:"purpose"` // "measure" or "pilot"
	Note          string            `json:"note,omitempty"`
	Order         string            `json:"order"`
	Generator     string            `json:"generator"`
	Seed          string            `json:"seed"` // 16 hex digits
	Blocks        int               `json:"blocks"`
	WarmupBlocks  int               `json:"warmup_blocks"`
	Stopping      *Stopping         `json:"stopping,omitempty"`
	Factors       []Factor          `json:"factors"`
	Constants     []Constant        `json:"constants,omitempty"`
	Metrics       []Metric          `json:"metrics"`
	ClientColumns []Column          `json:"client_columns,omitempty"`
	SampleColumns []Column          `json:"sample_columns,omitempty"`
	Treatments    []Treatment       `json:"treatments"`
	Unaffected    []string          `json:"unaffected,omitempty"`
	Claims        map[string]string `json:"claims,omitempty"` // name -> hash of its statement
	Parts         []Part            `json:"parts"`
}

// Stopping is an adaptive experiment's rule and how it ended.
type Stopping struct {
	Claim     string  `json:"claim"`
	HalfWidth float64 `json:"half_width"`
	Min       int     `json:"min"`
	Max       int     `json:"max"`
	Looks     []Look  `json:"looks,omitempty"`
}

// Look is one answer of the stopping rule after a whole block.
type Look struct {
	Block     int     `json:"block"`
	HalfWidth float64 `json:"half_width"` // -1 where not computable
	Stop      bool    `json:"stop"`
}

// Factor is what is varied, as the experiment file declared it.
type Factor struct {
	Name         string   `json:"name"`
	Levels       []string `json:"levels"`
	Labels       []string `json:"labels,omitempty"`
	Unit         string   `json:"unit,omitempty"`
	Scale        string   `json:"scale,omitempty"` // "log" or ""
	Numeric      bool     `json:"numeric,omitempty"`
	HardToChange bool     `json:"hard_to_change,omitempty"`
}

// Constant is a named value of the experiment's expressions, as written.
type Constant struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Metric is a column of trials.csv. From says how it was read; Formula is the
// expression of a metric that was computed.
type Metric struct {
	Name    string `json:"name"`
	Unit    string `json:"unit"`
	Better  string `json:"better,omitempty"`
	From    string `json:"from"`
	Reduce  string `json:"reduce,omitempty"`
	Key     string `json:"key,omitempty"`
	Per     string `json:"per,omitempty"`
	Formula string `json:"formula,omitempty"`
}

// Column is a column of clients.csv or samples.csv.
type Column struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
}

// Treatment is one combination of levels with its identity: the hash of all
// that determines what ran.
type Treatment struct {
	Number   int      `json:"number"`
	Levels   []string `json:"levels"`
	Identity string   `json:"identity"`
}

// Part is one continuation of the session with its environment: sorted
// key-value facts such as kernel, cpu, governor, commit.
type Part struct {
	Part        int               `json:"part"`
	Started     string            `json:"started"` // RFC 3339, UTC
	Tool        string            `json:"tool"`
	FirstTrial  int               `json:"first_trial"`
	Environment map[string]string `json:"environment"`
	Built       map[string]string `json:"built,omitempty"` // what was built -> sha256
	// Ended is when the part ended by itself, RFC 3339, UTC; empty where it
	// was killed. AtEnd are the facts of Environment that were others then.
	Ended string            `json:"ended,omitempty"`
	AtEnd map[string]string `json:"at_end,omitempty"`
}
