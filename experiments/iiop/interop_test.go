package iiop

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// omni holds the omniORB server and client of testdata/omni, built at most
// once in a run of the tests.
var omni = sync.OnceValues(buildOmni)

// omniDir is the folder of the built programs, which TestMain removes.
var omniDir string

func TestMain(m *testing.M) {
	code := m.Run()
	if omniDir != "" {
		os.RemoveAll(omniDir)
	}
	os.Exit(code)
}

// needOmni gives the folder of the built programs, or skips the test where
// omniORB is missing.
func needOmni(t testing.TB) string {
	t.Helper()
	for _, program := range []string{"omniidl", "g++"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is missing; Debian: apt-get install omniorb omniidl libomniorb4-dev g++", program)
		}
	}
	probe := exec.Command("g++", "-E", "-x", "c++", "-")
	probe.Stdin = strings.NewReader("#include <omniORB4/CORBA.h>\n")
	if probe.Run() != nil {
		t.Skip("omniORB's headers are missing; Debian: apt-get install libomniorb4-dev")
	}
	dir, err := omni()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func buildOmni() (string, error) {
	source, err := filepath.Abs("testdata/omni")
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "iiop-omni-")
	if err != nil {
		return "", err
	}
	omniDir = dir
	commands := [][]string{
		{"omniidl", "-bcxx", "-Wbh=.hh", filepath.Join(source, "interop.idl")},
		{"g++", "-c", "interopSK.cc"},
	}
	for _, program := range []string{"server", "client"} {
		commands = append(commands, []string{"g++", "-std=c++17", "-I.", "-o", program,
			filepath.Join(source, program+".cc"), "interopSK.o", "-lomniORB4", "-lomnithread"})
	}
	for _, command := range commands {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, out)
		}
	}
	return dir, nil
}

// startOmni starts the omniORB server and gives its factory's reference. At
// the end of the test the server ends with its standard input.
func startOmni(t testing.TB, args ...string) IOR {
	t.Helper()
	cmd := exec.Command(filepath.Join(needOmni(t), "server"), append([]string{"-ORBendPoint", "giop:tcp:127.0.0.1:"}, args...)...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("omniORB server: %v", err)
		}
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("the omniORB server's reference: %v", err)
	}
	ref, err := ParseReference(line)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// runOmni runs the omniORB client on a reference; it must find all well.
func runOmni(t *testing.T, reference string) {
	t.Helper()
	out, err := exec.Command(filepath.Join(needOmni(t), "client"), reference).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "ok" {
		t.Errorf("omniORB client: %v\n%s", err, out)
	}
}

func TestGoClientWithOmniServer(t *testing.T) {
	for _, big := range []bool{false, true} {
		tryFactory(t, startOmni(t), ClientOptions{BigEndian: big})
	}
}

func TestGoClientWithOmniServerOfOneThread(t *testing.T) {
	tryFactory(t, startOmni(t, "-ORBthreadPerConnectionPolicy", "0", "-ORBmaxServerThreadPoolSize", "1"), ClientOptions{})
}

func TestOmniClientWithGoServer(t *testing.T) {
	needOmni(t)
	for _, dispatcher := range allDispatchers {
		for _, big := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v/big-endian=%v", dispatcher, big), func(t *testing.T) {
				_, factory := serve(t, ServerOptions{Dispatcher: dispatcher, BigEndian: big})
				runOmni(t, factory.String())
			})
		}
	}
}

func TestOmniClientWithOmniServer(t *testing.T) {
	runOmni(t, startOmni(t).String())
}

func TestCorbalocLeadsAcrossORBs(t *testing.T) {
	at, err := startOmni(t).Address()
	if err != nil {
		t.Fatal(err)
	}
	ref, err := ParseReference("corbaloc:iiop:1.0@" + at.HostPort() + "/EchoFactory")
	if err != nil {
		t.Fatal(err)
	}
	tryFactory(t, ref, ClientOptions{})

	server, _ := serve(t, ServerOptions{})
	runOmni(t, "corbaloc:iiop:1.0@"+server.Address()+"/EchoFactory")
}

func TestOmniClientFollowsAForwardOfGoServer(t *testing.T) {
	needOmni(t)
	_, factory := serve(t, ServerOptions{})
	first, err := Listen("127.0.0.1:0", ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	first.Redirect("old", factory)
	serveUntilTheEnd(t, first)
	runOmni(t, "corbaloc:iiop:1.0@"+first.Address()+"/old")
}

// TestOmniToolsReadOurReference asks omniORB's catior what it sees in a
// reference of ours.
func TestOmniToolsReadOurReference(t *testing.T) {
	if _, err := exec.LookPath("catior"); err != nil {
		t.Skip("catior is missing; Debian: apt-get install omniorb")
	}
	ref, err := NewIOR("IDL:RTT:1.0", Address{Host: "localhost", Port: 2809, Key: []byte("rtt-7")})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("catior", ref.String()).CombinedOutput()
	if err != nil {
		t.Fatalf("catior: %v\n%s", err, out)
	}
	for _, want := range []string{`"IDL:RTT:1.0"`, "IIOP 1.0 localhost 2809", `"rtt-7"`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("catior does not show %s:\n%s", want, out)
		}
	}
}
