package analysis

import (
	"strings"

	"fieldbook/analysis/stat"
)

// noPowerLaw is how the warning begins that an exponent is none.
const noPowerLaw = "a power law does not fit"

// Remark is what must stand beside a number of a curve wherever it is shown:
// that a knee is extrapolated or rests on a law that does not fit, that an
// exponent is none or takes for granted that there is no intercept. It is
// empty where the number can stand alone.
func (e Estimate) Remark() string {
	var words []string
	for _, w := range e.Warnings {
		switch {
		case w.Code == stat.BeyondData && e.Stat == "knee":
			words = append(words, "extrapolated beyond what was measured")
		case w.Code == Misfit:
			words = append(words, "the law does not fit")
		case w.Code == stat.Intercept && strings.HasPrefix(w.Text, noPowerLaw):
			words = append(words, "no exponent: "+noPowerLaw)
		case w.Code == stat.Intercept:
			words = append(words, "an exponent only without an intercept")
		}
	}
	return strings.Join(words, ", ")
}
