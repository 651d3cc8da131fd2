package report

import "testing"

// The commands claim a commit only where one was recorded.
func TestTheCommandsSayWhetherTheyRepeatTheCommit(t *testing.T) {
	in := twoVersions("one", "two").input()
	wantIn(t, text(t, in), "# the order of a recorded session, at its commit\n")
	delete(in.Data.Sessions[0].Parts[0].Environment, "git_commit")
	wantIn(t, text(t, in), "# the order of a recorded session, at its commit where that is known\n")
	delete(in.Data.Sessions[1].Parts[0].Environment, "git_commit")
	wantIn(t, text(t, in), "# the order of a recorded session; its commit is not known\n")
}
