package figure

import (
	"fmt"
	"slices"
)

// refusal is a reason why there is no estimate, and of what.
type refusal struct {
	why string
	of  []string
}

// refusals are different reasons, in the order in which they came up.
type refusals []refusal

// add notes a reason, and the group that it holds for.
func (rs *refusals) add(why string, g *group) {
	name := within(g.fullName())
	for i := range *rs {
		if one := &(*rs)[i]; one.why == why {
			one.of = append(one.of, name)
			return
		}
	}
	*rs = append(*rs, refusal{why, []string{name}})
}

// names are what a reason holds for; of many the first, and how many more.
func (r refusal) names() string {
	if more := len(r.of) - mostNamed; more > 0 {
		return list(append(slices.Clone(r.of[:mostNamed]), fmt.Sprintf("%d more", more)))
	}
	return list(r.of)
}
