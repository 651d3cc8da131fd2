package runner

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test program stand in for workloads: a server, a client
// of it, a program that needs memory.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "serve":
			serve(os.Args[2], os.Args[3])
			return
		case "fetch":
			fetch(os.Args[2])
			return
		case "hog":
			hog(200 << 20)
			return
		}
	}
	os.Exit(m.Run())
}

// helper is the test program in the experiment's folder, as ./helper.
func (r *rig) helper() *rig {
	r.t.Helper()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, r.path("helper"))
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return r
}

// serve listens, answers HTTP with its name, and notes when it starts and
// stops.
func serve(port, name string) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	l, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	appendLine("log", "start:"+name)
	appendLine("pids", fmt.Sprint(os.Getpid()))
	fmt.Println("listening on", port)
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path != "/health" {
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprintln(w, name)
	}))
	word := map[os.Signal]string{syscall.SIGTERM: "stop:", syscall.SIGINT: "int:"}[<-signals]
	appendLine("log", word+name)
}

func appendLine(file, line string) {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		fmt.Fprintln(f, line)
		f.Close()
	}
}

func fetch(url string) {
	res, err := http.Get(url)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	io.Copy(os.Stdout, res.Body)
}

// hog touches memory and uses some processor time.
func hog(size int) {
	b := make([]byte, size)
	for i := 0; i < len(b); i += 4096 {
		b[i] = 1
	}
	for began := time.Now(); time.Since(began) < 50*time.Millisecond; {
		b[0]++
	}
}
