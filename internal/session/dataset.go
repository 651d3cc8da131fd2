package session

// Session is one session as read back from disk.
type Session struct {
	Info
	Dir    string
	Plan   []Planned
	Rows   []Row // in the order of trials.csv
	Sealed bool
	// Discarded and Abandoned are the reasons in the remarks; empty: neither.
	Discarded, Abandoned string
	Remarks              []Remark
}

// Remark is one row of SESSION.remarks.csv, which stands beside the folder
// and outside the seal.
type Remark struct {
	At     string // RFC 3339, UTC
	Kind   string // "note", "discard", "abandon", "accept"
	Text   string
	Change // of an acceptance: what is accepted
}

// Dataset is the sessions of one experiment that an analysis uses, oldest
// first, and how many there are in all.
type Dataset struct {
	Sessions []*Session
	Started  int       // sessions on disk, of any state
	LeftOut  []LeftOut // those not used, oldest first
}

// LeftOut is a session that is not used, and why ("discarded: …", "pilot",
// "not complete", "unit of elapsed is s, here ms").
type LeftOut struct {
	Session, Reason string
}

// Blocked says whether an order has blocks, within which trials pair.
func Blocked(order string) bool { return order != "sequential" && order != "complete-randomization" }
