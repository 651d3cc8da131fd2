package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// asProgram makes a copy of the test binary be the program itself.
const asProgram = "ROUNDTRIP_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program gives a command that runs this program in a process of its own.
func program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.Stderr = os.Stderr
	return cmd
}

// released runs n client processes, releases them when all are ready, and
// gives their reports.
func released(t *testing.T, n int, args ...string) []report {
	t.Helper()
	clients := make([]*client, n)
	for i := range clients {
		clients[i] = startClient(t, args...)
	}
	for _, c := range clients {
		if line := c.line(t); line != "fieldbook: ready" {
			t.Fatalf("client says %q, want that it is ready", line)
		}
	}
	for _, c := range clients {
		io.WriteString(c.stdin, "go\n")
	}
	reports := make([]report, n)
	for i, c := range clients {
		if err := json.Unmarshal([]byte(c.line(t)), &reports[i]); err != nil {
			t.Fatal(err)
		}
		if err := c.cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	return reports
}

// A client is a client's process.
type client struct {
	cmd    *exec.Cmd
	stdin  io.Writer
	stdout *bufio.Reader
}

func startClient(t *testing.T, args ...string) *client {
	t.Helper()
	cmd := program(append([]string{"client"}, args...)...)
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
	return &client{cmd, stdin, bufio.NewReader(stdout)}
}

func (c *client) line(t *testing.T) string {
	t.Helper()
	line, err := c.stdout.ReadString('\n')
	if err != nil {
		t.Fatalf("reading a client: %v", err)
	}
	return strings.TrimSuffix(line, "\n")
}

// inProcess runs a client in this process and gives its report.
func inProcess(t *testing.T, args ...string) report {
	t.Helper()
	var stdout bytes.Buffer
	if err := run(t.Context(), append([]string{"client"}, args...), strings.NewReader("go\n"), &stdout); err != nil {
		t.Fatal(err)
	}
	ready, result, _ := strings.Cut(stdout.String(), "\n")
	if ready != "fieldbook: ready" {
		t.Errorf("first line %q, want that the client is ready", ready)
	}
	var r report
	if err := json.Unmarshal([]byte(result), &r); err != nil {
		t.Fatal(err)
	}
	return r
}
