package experiment

import (
	"slices"
	"strings"
)

// The tables of the experiment file. docs/formats.md explains them; here
// each key has the one line that editors show.

const (
	name       = `[a-z][a-z0-9_]*`
	claimWord  = `[A-Za-z][A-Za-z0-9_-]*`
	duration   = `(?:[0-9]+(?:\.[0-9]+)?(?:h|ms|m|s|us))+`
	percent    = `[0-9]+(?:\.[0-9]+)?%|0?\.[0-9]+|0`
	processors = `[0-9]+(?:-[0-9]+)?(?:,[0-9]+(?:-[0-9]+)?)*`
	reducer    = `mean|median|min|max|sum|count|sd|p[0-9]+(?:\.[0-9]+)?`
	statistic  = `mean|median|geomean|min|max|sd|cv|p[0-9]+(?:\.[0-9]+)?`
)

var (
	factorName  = *matching("the name of a factor", name)
	metricName  = *matching("the name of a metric", name+`(?:\.(?:`+reducer+`))?`)
	claimName   = *matching("the name of a claim", claimWord)
	aText       = text("a text")
	aDuration   = duration1()
	aPercent    = numeric(matching("a percentage such as 25%", percent))
	factorNames = listOf("a list of factors", &factorName)

	aChoice = varying(aText)
	command = varying(either("a text or a list of texts", text("a text"), listOf("a list of texts", aChoice)))
	env     = varying(table("a mapping of variables", aChoice))
	cpus    = varying(either("a list of processors such as [0, 1] or 0-3",
		numeric(matching("processors such as 0-3,6", processors)), listOf("a list of processors", numeric(matching("a processor such as 0 or 0-3", processors)))))

	level  = text("a level")
	levels = listOf("a list of levels", level)
	match  = table("a mapping of factors to levels", either("a level or a list of levels", level, levels))
)

func duration1() *shape {
	return matching("a duration such as 10s, 1m30s or 250ms", duration)
}

// numeric is a text that YAML may also take for a number.
func numeric(s *shape) *shape {
	s.number = true
	return s
}

func req(name string, s *shape, doc string) key { return key{name, s.described(doc), true} }
func opt(name string, s *shape, doc string) key { return key{name, s.described(doc), false} }

var root = object("a mapping of keys such as fieldbook: 1",
	req("fieldbook", &shape{kind: kindWord, what: "the format's version, 1", words: []string{"1"}, number: true}, "Version of the format: 1."),
	opt("title", aText, "Shown above the report."),
	opt("question", aText, "What the experiment asks; shown below the title."),
	opt("commands", table("a mapping of names to commands", either("a text or a list of texts", text("a text"), listOf("a list of texts", aText))), "The short form: one factor `command`, one level for each name."),
	opt("factors", table("a mapping of factors", factor), "What is varied, and the values that it takes."),
	opt("constants", table("a mapping of names to values", aText), "Named values for expressions."),
	opt("zip", listOf("a list of lists of factors", &shape{kind: kindList, what: "a list of factors", least: 2, item: &factorName}), "Factors that move together instead of being crossed."),
	opt("exclude", listOf("a list of mappings", match), "Treatments that are left out."),
	opt("include", listOf("a list of mappings", table("a mapping of factors to levels", level)), "Complete treatments that are added."),
	opt("design", design, "The order of trials, and how many there are."),
	opt("inputs", listOf("a list of paths", aText), "Files and folders that determine the runs; default: the experiment's folder."),
	opt("requires", listOf("a list of programs", aText), "Programs that must be there."),
	opt("source", source, "A checkout of a git repository for each distinct revision, as {source}."),
	opt("build", build, "A command that is run once for each distinct text; {build} is its output folder."),
	opt("services", table("a mapping of services", service), "Programs that run beside the trials."),
	opt("trial", trial, "What runs once in each trial."),
	opt("metrics", table("a mapping of metrics", metric), "Measured quantities."),
	opt("valid", listOf("a list of formulas", aText), "Formulas that each trial must satisfy."),
	opt("controls", controls, "What should show no difference."),
	opt("samples", object("a mapping", req("keep", word("all", "none"), "Whether samples are stored.")), "What happens to samples."),
	opt("published", published, "An earlier study's numbers."),
	opt("claims", table("a mapping of claims", claim), "Sentences with checkable statements."),
)

var factor = either("a list of levels or a mapping", levels, object("a mapping of levels, labels, unit, scale",
	req("levels", levels, "The values, as text."),
	opt("labels", listOf("a list of labels", aText), "What reports show instead of the levels, in their order."),
	opt("unit", aText, "Unit of the levels."),
	opt("scale", word("linear", "log"), "Scale of the axis where the factor is numeric."),
	opt("hard-to-change", &shape{kind: kindBool, what: "true or false"}, "Randomize the factor by whole plots."),
))

var design = object("a mapping",
	opt("order", word(orderNames()...), "How trials are ordered; default randomized-blocks."),
	opt("blocks", either("a whole number, at least 1, or a mapping of min, max and until", integer(1), object("a mapping",
		req("min", integer(1), "Blocks that are always run."),
		req("max", integer(1), "Blocks after which the session stops in any case."),
		req("until", object("a mapping",
			req("claim", &claimName, "The claim whose interval decides."),
			req("half-width", aPercent, "Stop once the interval's half-width is at most this."),
		), "When to stop."),
	)), "Number of blocks; default 10."),
	opt("warmup-blocks", integer(0), "Blocks that are run first and not counted; default 1."),
	opt("seed", integer(0), "A base from which each session derives its own seed."),
)

func orderNames() []string {
	return []string{string(RandomizedBlocks), string(CompleteRandomization), string(LatinSquare), string(Williams), string(Modulus), string(Sequential)}
}

var source = object("a mapping of git and revision",
	req("git", aText, "Path of a git repository, relative to the experiment's folder."),
	req("revision", aText, "A commit, branch or tag; may hold {FACTOR}."),
)

var shell = &shape{kind: kindBool, what: "true or false"}

var build = varying(either("a text, a list of texts, or a mapping of command and shell",
	text("a text"), listOf("a list of texts", aChoice), object("a mapping of command and shell",
		req("command", command, "The command."),
		opt("shell", shell, "Hand the command to sh -c."),
	)))

var service = object("a mapping",
	req("command", command, "The program."),
	opt("shell", shell, "Hand command, before and after to sh -c."),
	opt("scope", word(string(ScopeSession), string(ScopePlot), string(ScopeBlock), string(ScopeTrial)), "How long an instance lives; default session."),
	opt("each", factorNames, "Factors: one instance for each of their levels, side by side."),
	opt("ready", ready, "How the service shows that it is ready."),
	opt("before", command, "A command before the start."),
	opt("after", command, "A command once the service is ready."),
	opt("stop", varying(object("a mapping",
		opt("signal", varying(word("TERM", "INT", "QUIT", "HUP", "USR1", "USR2", "KILL")), "Default TERM."),
		opt("within", varying(aDuration), "Killed after this; default 10s."),
	)), "How the service is stopped."),
	opt("cpus", cpus, "Processors that it may use."),
	opt("env", env, "Variables of its environment."),
)

var ready = varying(object("a mapping of tcp, line, http or command",
	opt("tcp", aChoice, "An address that takes connections."),
	opt("line", aChoice, "A regular expression for a line of its output."),
	opt("http", aChoice, "An address that answers with status 200 to 399."),
	opt("command", command, "A command that exits with 0."),
	opt("within", varying(aDuration), "Default 10s."),
).withVariants(
	variant{key: "tcp", what: "tcp", allowed: []string{"within"}},
	variant{key: "line", what: "line", allowed: []string{"within"}},
	variant{key: "http", what: "http", allowed: []string{"within"}},
	variant{absent: []string{"tcp", "line", "http"}, hint: "how does it show that it is ready: tcp, line, http or command?", required: []string{"command"}, allowed: []string{"within"}},
))

var trial = object("a mapping",
	opt("command", command, "What is run and measured."),
	opt("shell", shell, "Hand command, before and after to sh -c."),
	opt("before", command, "A command before each trial, not measured."),
	opt("after", command, "A command after each trial, not measured."),
	opt("clients", aChoice, "A number of processes that are released together through a barrier."),
	opt("ready-within", varying(aDuration), "Time for all clients to get ready; default 10s."),
	opt("stdin", aChoice, "A file for standard input."),
	opt("env", env, "Variables of the environment."),
	opt("cwd", aChoice, "The working folder; default: the experiment's folder."),
	opt("timeout", varying(aDuration), "Default 10m."),
	opt("retries", varying(integer(0)), "Further attempts after a failure or time-out; default 0."),
	opt("cpus", cpus, "Processors that it may use."),
	opt("quiet", varying(object("a mapping of cpu-below and wait",
		req("cpu-below", varying(aPercent), "Share of the processors that others may use."),
		opt("wait", varying(aDuration), "Longest wait; default 10s."),
	)), "Wait before each trial until the machine is quiet."),
)

var metric = object("a mapping such as {from: wall}",
	opt("from", word(string(FromWall), string(FromRusage), string(FromJSON), string(FromRegex), string(FromFile), string(FromSamples), string(FromClients), string(FromFormula)), "Where the value comes from."),
	opt("unit", aText, `Unit; "1" for a pure number. Defaults: s for times that the tool takes, KiB for maxrss.`),
	opt("better", word("lower", "higher"), "Which direction is better."),
	opt("key", aText, "Key of a JSON object, with dots for inner ones; of rusage: the field."),
	opt("pattern", aText, "A regular expression with one group."),
	opt("stream", word("stdout", "stderr"), "Default stdout."),
	opt("match", word("last", "only"), "Which match counts; default last."),
	opt("path", aText, "A file that is read after the trial."),
	opt("formula", aText, "An expression."),
	opt("per", aText, "For jain: the key by which each client's key is divided."),
	opt("reduce", either("a reducer or a list of them", text("a reducer"), listOf("a list of reducers", text("a reducer"))), "How many values become one."),
).withVariants(
	variant{key: "from", value: "wall", what: "from: wall", allowed: []string{"unit", "better"}},
	variant{key: "from", value: "rusage", what: "from: rusage", required: []string{"key"}, allowed: []string{"unit", "better"}},
	variant{key: "from", value: "json", what: "from: json", required: []string{"key", "unit"}, allowed: []string{"better"}},
	variant{key: "from", value: "regex", what: "from: regex", required: []string{"pattern", "unit"}, allowed: []string{"stream", "match", "better"}},
	variant{key: "from", value: "file", what: "from: file", required: []string{"path", "unit"}, allowed: []string{"key", "pattern", "match", "better"}},
	variant{key: "from", value: "samples", what: "from: samples", required: []string{"reduce", "unit"}, allowed: []string{"key", "formula", "better"}},
	variant{key: "from", value: "clients", what: "from: clients", required: []string{"reduce"}, allowed: []string{"key", "per", "unit", "better"}},
	variant{key: "from", value: "formula", what: "from: formula", required: []string{"formula", "unit"}, allowed: []string{"better"}},
	variant{absent: []string{"from", "formula"}, hint: "where does the value come from: wall, rusage, json, regex, file, samples, clients or formula?", required: []string{"from"}, allowed: []string{"key", "unit", "better", "pattern", "stream", "match", "path", "per", "reduce"}},
	variant{absent: []string{"from"}, what: "formula", required: []string{"formula", "unit"}, allowed: []string{"better"}},
)

var controls = object("a mapping of same and unaffected",
	opt("same", listOf("a list of mappings", table("a mapping of factors to levels", level)), "Treatments that run twice under two labels."),
	opt("unaffected", listOf("a list of metrics", &metricName), "Metrics that no factor should move."),
)

var published = object("a mapping of file and source",
	req("file", aText, "A CSV file beside the experiment file."),
	opt("source", aText, "Where the numbers come from."),
)

// statements are the keys that say which form a claim has. A claim without
// any is about a value.
var statements = []string{"compare", "slope", "fit", "always", "all-of", "untested"}

var (
	claimScope = []string{"where", "for-each", "over", "family", "machines", "says"}
	aSelection = either("a selection", text("a selection"), match)
)

var claim = object("a mapping",
	opt("says", aText, "The sentence."),
	opt("metric", &metricName, "What it is about."),
	opt("stat", matching("a statistic such as median, mean or p99", statistic), "Which statistic of the metric; default: the geometric mean."),
	opt("compare", aText, "SELECTION / SELECTION."),
	opt("pairs", word("matched", "all"), "Which treatments of the two sides are compared; default matched."),
	opt("against", aText, "SELECTION / SELECTION: the ratio of the two ratios."),
	opt("slope", &factorName, "A numeric factor: log of the metric per doubling."),
	opt("fit", word("linear"), "The form that the metric takes over x."),
	opt("x", &factorName, "A numeric factor."),
	opt("within", aPercent, "Largest deviation from the fit at any level."),
	opt("always", aText, "A formula that is true in every trial."),
	opt("all-of", listOf("a list of claims", &claimName), "Claims that must all be supported."),
	opt("untested", aText, "Why the claim is not tested."),
	opt("where", aSelection, "What holds for all treatments that the claim is about."),
	opt("for-each", factorNames, "Factors: the claim must hold at each level."),
	opt("over", factorNames, "Factors that are averaged, with equal weights on the log scale."),
	opt("expect", aText, "What the claim expects, such as ratio < 1."),
	opt("family", &claimName, "Claims that are judged together."),
	opt("machines", listOf("a list of machines", aText), "Published machines that the claim means."),
).withVariants(
	variant{key: "untested", what: "untested", allowed: []string{"says"}},
	variant{key: "all-of", what: "all-of", allowed: []string{"says"}},
	variant{key: "always", what: "always", allowed: []string{"says", "where"}},
	variant{key: "fit", what: "fit", required: []string{"metric", "x", "within"}, allowed: claimScope},
	variant{key: "slope", what: "slope", required: []string{"metric", "expect"}, allowed: claimScope},
	variant{key: "compare", what: "compare", required: []string{"metric", "expect"}, allowed: append([]string{"pairs", "against"}, claimScope...)},
	variant{absent: statements, what: "a value", hint: "a claim without " + list(statements) + " is about a value", required: []string{"metric", "expect"}, allowed: append([]string{"stat"}, claimScope...)},
)

// list joins words for a message: "a, b or c".
func list(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}

// contains spares a long name.
func contains(words []string, w string) bool { return slices.Contains(words, w) }
