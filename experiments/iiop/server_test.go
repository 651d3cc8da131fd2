package iiop

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// serve starts a server with Interop::EchoFactory and gives the factory's
// reference. At the end of the test it is stopped, which must go well.
func serve(t testing.TB, options ServerOptions) (*Server, IOR) {
	t.Helper()
	server, err := Listen("127.0.0.1:0", options)
	if err != nil {
		t.Fatal(err)
	}
	factory := activateFactory(t, server)
	serveUntilTheEnd(t, server)
	return server, factory
}

// serveUntilTheEnd runs a server until the end of the test.
func serveUntilTheEnd(t testing.TB, server *Server) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
}

// allDispatchers are the dispatchers that the tests go through.
var allDispatchers = []Dispatcher{Serial, OneThread, Concurrent}

func TestEveryOperationUnderEveryDispatcherInBothByteOrders(t *testing.T) {
	for _, dispatcher := range allDispatchers {
		for _, big := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v/big-endian=%v", dispatcher, big), func(t *testing.T) {
				_, factory := serve(t, ServerOptions{Dispatcher: dispatcher, BigEndian: big})
				tryFactory(t, factory, ClientOptions{BigEndian: !big})
			})
		}
	}
}

// ours counts the goroutines that are in this package's code.
func ours() int {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	n := 0
	for stack := range strings.SplitSeq(string(buf), "\n\n") {
		if strings.Contains(stack, "iiop.(*Server)") || strings.Contains(stack, "iiop.(*serving)") {
			n++
		}
	}
	return n
}
