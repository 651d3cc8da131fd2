package machine

import (
	"time"
)

// Severity is how much a finding bears on measurements.
type Severity string

const (
	Good    Severity = "good"
	Note    Severity = "note"    // worth knowing; some experiments suffer
	Warning Severity = "warning" // numbers will be noisier, or mean something else
)

// Finding is what one look at the machine found. A severity that is Unknown
// says that it could not be read.
type Finding struct {
	Check    string   // such as "governor"
	Severity Severity // or Unknown
	Found    string   // what is there, and what it does to measurements
	Mend     string   // a command, or what to do; empty where nothing is to be mended
}

// Checkup is what Examine looks at.
type Checkup struct {
	Root string                                         // "" is "/"
	Data string                                         // the folder that data goes to; "": it is not looked at
	Look time.Duration                                  // how long the work of others is watched; 0: it is not
	Free func(folder string) (bytes float64, err error) // nil: asks the system
}

// Examine says what on this machine will spoil measurements and how to mend
// it. It changes nothing. The order of the findings is always the same.
func Examine(c Checkup) []Finding {
	if c.Root == "" {
		c.Root = "/"
	}
	if c.Free == nil {
		c.Free = freeSpace
	}
	var all []Finding
	for _, check := range []struct {
		name string
		look func(Checkup) Finding
	}{
		{"processors", lookProcessors}, {"cpu quota", lookQuota}, {"governor", lookGovernor}, {"turbo", lookTurbo}, {"smt", lookSMT},
		{"load", lookLoad}, {"others' work", lookOthers}, {"memory", lookMemory}, {"swap", lookSwap}, {"throttling", lookThrottling},
		{"temperature", lookTemperature}, {"power", lookPower}, {"virtualization", lookVirtualization}, {"stolen time", lookSteal},
		{"clock source", lookClock}, {"address layout", lookASLR}, {"huge pages", lookHugePages}, {"numa", lookNUMA},
		{"data folder", lookData}, {"git", lookGit},
	} {
		f := check.look(c)
		f.Check = check.name
		if f.Found == "" {
			f.Severity, f.Found, f.Mend = Unknown, "cannot be read here", ""
		}
		all = append(all, f)
	}
	return all
}

func good(found string) Finding { return Finding{Severity: Good, Found: found} }

func noted(found, mend string) Finding { return Finding{Severity: Note, Found: found, Mend: mend} }

func warned(found, mend string) Finding { return Finding{Severity: Warning, Found: found, Mend: mend} }
