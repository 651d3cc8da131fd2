package analysis

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldbook/internal/session"
)

// R 4.2.2: anova(lm(log(time_s) ~ factor(block) + mode * sessions)) and the
// block contrasts, on machine m1 of factorial.csv.
func TestEffectsAgainstReference(t *testing.T) {
	tables, err := factorialStudy(t).result().Effects("time", nil)
	if err != nil || len(tables) != 3 || tables[0].Machine != "m1" {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	want := []struct {
		factors     string
		f, p, ratio float64
	}{
		{"mode", 8175.27137138686, 4.65805265916073e-35, 1.36856535618546},
		{"sessions", 5.77047840624598, 0.0234441613761322, 0.991698669952577},
		{"mode sessions", 0.356626671598982, 0.55536113041206, 1.00415324798921},
	}
	for i, e := range tables[0].Effects {
		w := want[i]
		if strings.Join(e.Factors, " ") != w.factors || !near(e.F, w.f, 1e-7) || !near(e.P, w.p, 1e-9) || e.ErrorDF != 27 || !near(e.Ratio.Value, w.ratio, 1e-9) {
			t.Errorf("%v: F = %v, p = %v, df %v, ratio %v, want %+v", e.Factors, e.F, e.P, e.ErrorDF, e.Ratio.Value, w)
		}
	}
	if got := tables[0].Effects[0].Ratio; got.Selection != "mode=threaded / mode=pipelined" || got.N != 10 {
		t.Errorf("%q over %d blocks", got.Selection, got.N)
	}
}

// R 4.2.2: aov(log(y) ~ A * B + Error(block/A)) on splitplot.csv.
func TestEffectsOfWholePlots(t *testing.T) {
	s := newStudy(elapsedMS, "a!: cfg1 cfg2", "b: s m l")
	ses := s.run(ids(1), "m", "randomized-blocks", 0, nil)
	for _, row := range table(t, "splitplot.csv") {
		at := slices.IndexFunc(s.treatments, func(l []string) bool { return l[0] == row["A"] && l[1] == row["B"] })
		block, _ := strconv.Atoi(row["block"])
		s.add(ses, block, block, at, "", func(trialAt) outcome { return outcome{value: number(t, row["y"])} })
		ses.Plan[len(ses.Plan)-1].Plot = 2*block + map[string]int{"cfg1": 0, "cfg2": 1}[row["A"]]
	}
	tables, err := s.result().Effects("elapsed", nil)
	if err != nil || len(tables) != 1 || tables[0].Refused != "" {
		t.Fatalf("%+v, %v", tables, err)
	}
	e := tables[0].Effects
	if !near(e[0].F, 2.21112039011931, 1e-6) || e[0].ErrorDF != 5 || e[0].Error != "whole plots" {
		t.Errorf("a: F = %v on %v df of %s", e[0].F, e[0].ErrorDF, e[0].Error)
	}
	if !near(e[1].F, 24862.8193666356, 1e-4) || e[1].ErrorDF != 20 || e[1].Error != "residual" {
		t.Errorf("b: F = %v on %v df of %s", e[1].F, e[1].ErrorDF, e[1].Error)
	}
	if e[1].Ratio.Refused == "" {
		t.Errorf("three levels have no single ratio, and %v is given", e[1].Ratio.Value)
	}
}

func TestEffectsNeedACrossing(t *testing.T) {
	s := newStudy(elapsedMS, "version: old new", "size: 1 2")
	s.run(ids(1), "m", "randomized-blocks", 6, withNoise(func([]string) float64 { return 5 }, 0.1))
	in := s.input()
	in.Identity = map[string]string{"old\x1f1": "id1", "old\x1f2": "id1", "new\x1f1": "id1"}
	tables, err := Analyze(in).Effects("elapsed", nil)
	if err != nil || !strings.Contains(tables[0].Refused, "not fully crossed: 3 treatments of 4 combinations") {
		t.Errorf("%+v, %v", tables, err)
	}
	one, err := s.result().Effects("elapsed", sel("version=old size=1"))
	if err != nil || one[0].Refused != "there is only one treatment" {
		t.Errorf("%+v, %v", one, err)
	}
	if _, err := s.result().Effects("elapsed", sel("version=x")); err == nil {
		t.Error("an unknown level is no error")
	}
}

func TestResidualsOfABlockModel(t *testing.T) {
	s := newStudy(session.Metric{Name: "elapsed", Unit: "ms"}, "version: old new", "size: 1 2")
	s.run(ids(1), "m", "randomized-blocks", 5, func(at trialAt) outcome {
		x := 100 * math.Exp(0.3*float64(at.block)) // a machine that slows down between blocks
		if at.levels[0] == "new" {
			x *= 1.5
		}
		if at.block == 3 && at.levels[0] == "old" && at.levels[1] == "1" {
			x *= math.E
		}
		return outcome{value: x}
	})
	all, err := s.result().Residuals("elapsed", nil)
	if err != nil || len(all) != 20 {
		t.Fatalf("%d residuals, %v", len(all), err)
	}
	sum, largest := 0.0, all[0]
	for _, r := range all {
		sum += r.Residual
		if math.Abs(r.Residual) > math.Abs(largest.Residual) {
			largest = r
		}
		if !near(math.Exp(r.Fitted+r.Residual), r.Value, 1e-12) {
			t.Errorf("trial %d: fitted and residual do not add up to %v", r.Trial, r.Value)
		}
	}
	// The one wild trial of 4 x 5 keeps (1-1/4)(1-1/5) of its size.
	if largest.Block != 3 || !near(largest.Residual, 0.6, 1e-9) || !near(sum, 0, 1e-9) {
		t.Errorf("largest residual %v in block %d, sum %v", largest.Residual, largest.Block, sum)
	}
}
