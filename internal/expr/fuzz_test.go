package expr

import "testing"

// checkError checks that an error can be placed in its text.
func checkError(t *testing.T, src string, err error) {
	t.Helper()
	e, ok := err.(*Error)
	if !ok || e.Off < 0 || e.Off > len(src) || e.Msg == "" {
		t.Fatalf("%q gives the error %#v", src, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, src := range []string{"1 + 2 * x", `if(a == "b", min(1, c.d), -2 // 3)`, "not a < 1 and b or c", "((", `"\"`, "1e5 % .5", "share(9, 2, 0)"} {
		f.Add(src)
	}
	env := func(name string) (Value, bool) { return Level(name), len(name) < 3 }
	f.Fuzz(func(t *testing.T, src string) {
		e, err := Parse(src)
		if err != nil {
			checkError(t, src, err)
			return
		}
		again, err := Parse(e.String())
		if err != nil || again.String() != src {
			t.Fatalf("%q comes back as %v (%v)", src, again, err)
		}
		if v, err := e.Eval(env); err != nil {
			checkError(t, src, err)
		} else if v.Kind == KindNumber && v.Num-v.Num != 0 {
			t.Fatalf("%q is %v, which is not finite", src, v.Num)
		}
	})
}

func FuzzParseTemplate(f *testing.F) {
	for _, src := range []string{"{a}", "{{a}}", "x{a + 1}y", `{if(a == "}", 1, b)}`, "{", "}", "{5}", "{build}/{client}", "{{{a}}}"} {
		f.Add(src)
	}
	env := func(name string) (Value, bool) { return Level("7"), true }
	f.Fuzz(func(t *testing.T, src string) {
		tpl, err := ParseTemplate(src)
		if err != nil {
			checkError(t, src, err)
			return
		}
		if tpl.String() != src {
			t.Fatalf("%q comes back as %q", src, tpl.String())
		}
		if _, err := tpl.Expand(env); err != nil {
			checkError(t, src, err)
		}
		if _, err := tpl.Partial(env, func(name string) bool { return name == "client" }); err != nil {
			checkError(t, src, err)
		}
		for _, n := range tpl.Names() {
			if src[n.Off:n.Off+len(n.Name)] != n.Name {
				t.Fatalf("%q: the name %q does not stand at %d", src, n.Name, n.Off)
			}
		}
	})
}

func FuzzParseComparison(f *testing.F) {
	for _, src := range []string{"a=x / a=y", `a="x y",2 / other where b=1`, "a=", "a=x/b=y where c=d e=f", `a="\n"/a="\\"`, "where=1 / other"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if s, err := ParseSelection(src); err != nil {
			checkError(t, src, err)
		} else if again, err := ParseSelection(s.String()); err != nil || again.String() != s.String() {
			t.Fatalf("%q is %q and comes back as %q (%v)", src, s.String(), again.String(), err)
		}
		c, err := ParseComparison(src)
		if err != nil {
			checkError(t, src, err)
			return
		}
		if again, err := ParseComparison(c.String()); err != nil || again.String() != c.String() {
			t.Fatalf("%q is %q and comes back as %q (%v)", src, c.String(), again.String(), err)
		}
	})
}
