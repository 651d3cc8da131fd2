package iiop

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"
)

// started is a server that a test ends by itself.
type started struct {
	*Server
	end    context.CancelFunc
	served chan error
}

func start(t *testing.T, options ServerOptions, operation Operation) started {
	t.Helper()
	server, err := Listen("127.0.0.1:0", options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.Activate("x", Servant{Operations: map[string]Operation{"ask": operation}}); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	s := started{server, end, make(chan error, 1)}
	go func() { s.served <- server.Serve(ctx) }()
	return s
}

func TestEndingServerAnswersWhatExecutesAndTakesLeave(t *testing.T) {
	for _, dispatcher := range allDispatchers {
		entered, proceed := make(chan struct{}), make(chan struct{})
		server := start(t, ServerOptions{Dispatcher: dispatcher}, func(_ *Decoder, out *Encoder) error {
			close(entered)
			<-proceed
			out.ULong(42)
			return nil
		})
		idle, busy := dial(t, server.Address()), dial(t, server.Address())
		answered := make(chan error, 1)
		var answer uint32
		go func() {
			var err error
			answer, err = ask(context.Background(), busy)
			answered <- err
		}()
		<-entered
		server.end()
		time.Sleep(20 * time.Millisecond)
		close(proceed)
		if err := <-answered; err != nil || answer != 42 {
			t.Errorf("%v: the request that executed gives %d, %v, want 42", dispatcher, answer, err)
		}
		if err := <-server.served; err != nil {
			t.Errorf("%v: Serve: %v", dispatcher, err)
		}
		for _, conn := range []*Conn{idle, busy} {
			if _, err := ask(t.Context(), conn); !errors.Is(err, ErrClosed) {
				t.Errorf("%v: call after the end: error %v, want %v", dispatcher, err, ErrClosed)
			}
		}
		if _, err := net.Dial("tcp", server.Address()); err == nil {
			t.Errorf("%v: the socket is still open after the end", dispatcher)
		}
		if n := ours(); n != 0 {
			t.Errorf("%v: %d goroutines are left after the end", dispatcher, n)
		}
	}
}

func TestRequestThatOutlastsTheGraceIsCutOff(t *testing.T) {
	entered, proceed := make(chan struct{}), make(chan struct{})
	server := start(t, ServerOptions{Grace: 30 * time.Millisecond}, func(_ *Decoder, _ *Encoder) error {
		close(entered)
		<-proceed
		return nil
	})
	answered := make(chan error, 1)
	conn := dial(t, server.Address())
	go func() {
		_, err := ask(context.Background(), conn)
		answered <- err
	}()
	<-entered
	server.end()
	if err := <-server.served; err == nil {
		t.Error("Serve has no error, want one that counts the request")
	}
	if err := <-answered; err == nil {
		t.Error("the call has no error, want a lost connection")
	}
	close(proceed)
	if !soonTrue(func() bool { return ours() == 0 }) {
		t.Errorf("%d goroutines are left after the request came to its end", ours())
	}
}

func TestEndingServerDropsAMessageThatHasNotCome(t *testing.T) {
	server := start(t, ServerOptions{Dispatcher: Serial}, func(*Decoder, *Encoder) error { return nil })
	socket, err := net.Dial("tcp", server.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	socket.Write(append(rawRequest(1, "x", "ask"), rawRequest(2, "x", "ask")[:20]...))
	if _, err := io.ReadFull(socket, make([]byte, headerSize+12)); err != nil {
		t.Fatalf("the reply to the request that came whole: %v", err)
	}
	server.end()
	if err := <-server.served; err != nil {
		t.Errorf("Serve: %v", err)
	}
	if got, _ := io.ReadAll(socket); string(got) != string(bare(msgCloseConnection)) {
		t.Errorf("the client got %q, want a CloseConnection", got)
	}
}

func TestSlowMessageAndIdleConnectionEnd(t *testing.T) {
	server, _ := serve(t, ServerOptions{MessageTimeout: 200 * time.Millisecond, IdleTimeout: 100 * time.Millisecond})
	for sent, want := range map[string]string{
		"":                                     string(bare(msgCloseConnection)),
		"GIOP":                                 "",
		"GIOP\x01\x00\x01\x00\x09\x00\x00\x00": "",
	} {
		socket, err := net.Dial("tcp", server.Address())
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(socket, sent)
		socket.SetDeadline(time.Now().Add(10 * time.Second))
		if got, err := io.ReadAll(socket); string(got) != want || err != nil {
			t.Errorf("after %q the client got %q, %v, want %q and the end", sent, got, err, want)
		}
		socket.Close()
	}
}

func TestListeningOnAllAddressesNeedsAHostForReferences(t *testing.T) {
	if s, err := Listen("0.0.0.0:0", ServerOptions{}); err == nil {
		s.Close()
		t.Error("Listen on 0.0.0.0 without a host has no error")
	}
	s, err := Listen("0.0.0.0:0", ServerOptions{Host: "localhost"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ref, err := s.Activate("x", Servant{Type: "IDL:X:1.0"})
	if err != nil {
		t.Fatal(err)
	}
	if at, err := ref.Address(); at.Host != "localhost" || err != nil {
		t.Errorf("reference names %v, %v, want localhost", at, err)
	}
	if _, err := s.Activate("y", Servant{Type: "IDL:Ω:1.0"}); err == nil {
		t.Error("an interface that cannot be encoded has no error")
	}
}

func TestServeSaysWhyTheSocketFailed(t *testing.T) {
	server := start(t, ServerOptions{}, nil)
	server.Close()
	if err := <-server.served; !errors.Is(err, net.ErrClosed) {
		t.Errorf("Serve: error %v, want %v", err, net.ErrClosed)
	}
}

func TestDeactivatedObjectIsUnknown(t *testing.T) {
	server, _ := serve(t, ServerOptions{})
	conn := dial(t, server.Address())
	before := server.Objects()
	server.Deactivate("shared")
	checkSystem(t, conn.Object("shared").Call(t.Context(), "notes", nil, nil), objectNotExist)
	check(t, "objects fewer", before-server.Objects(), 1)
}
