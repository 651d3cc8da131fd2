package iiop

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// script listens on a socket, answers its one connection by play, and gives a
// client's connection to it.
func script(t *testing.T, options ClientOptions, play func(*scripted)) *Conn {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	played := make(chan struct{})
	go func() {
		defer close(played)
		socket, err := listener.Accept()
		if err != nil {
			return
		}
		defer socket.Close()
		play(&scripted{t, socket, bufio.NewReader(socket)})
	}()
	conn, err := Dial(t.Context(), listener.Addr().String(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		listener.Close()
		<-played
	})
	return conn
}

// scripted is the server's side of a scripted connection.
type scripted struct {
	t      *testing.T
	socket net.Conn
	reader *bufio.Reader
}

// expect reads a message, which must be of that kind.
func (s *scripted) expect(kind messageType) *Decoder {
	h, err := peekHeader(s.reader, DefaultMaxMessage)
	if err != nil {
		s.t.Errorf("waiting for a %v: %v", kind, err)
		return newDecoder(nil, orderOf(true))
	}
	if h.kind != kind {
		s.t.Errorf("client sent a %v, want a %v", h.kind, kind)
	}
	d, err := readMessage(s.reader, h, nil)
	if err != nil {
		s.t.Error(err)
	}
	return d
}

// request reads a request and gives its number.
func (s *scripted) request() uint32 {
	h, err := readRequest(s.expect(msgRequest))
	if err != nil {
		s.t.Error(err)
	}
	return h.id
}

// answer sends a reply with an unsigned long.
func (s *scripted) answer(id, value uint32) { s.socket.Write(answerBytes(id, value)) }

func answerBytes(id, value uint32) []byte {
	e := newEncoder(orderOf(false))
	e.reply(replyHeader{id, noException})
	e.ULong(value)
	e.end(DefaultMaxMessage)
	return e.buf
}

// ask calls an operation that gives an unsigned long.
func ask(ctx context.Context, conn *Conn) (v uint32, err error) {
	err = conn.Object("x").Call(ctx, "ask", nil, func(d *Decoder) { v = d.ULong() })
	return v, err
}

func TestRepliesOfABatchMayComeInAnyOrder(t *testing.T) {
	conn := script(t, ClientOptions{}, func(s *scripted) {
		ids := []uint32{s.request(), s.request(), s.request()}
		for _, i := range []int{2, 0, 1} {
			s.answer(ids[i], uint32(100+i))
		}
	})
	b := conn.Batch()
	got := make([]uint32, 3)
	for i := range got {
		b.Add(conn.Object("x"), "ask", nil, func(d *Decoder) { got[i] = d.ULong() })
	}
	if err := b.Send(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.Receive(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(t, "replies", fmt.Sprint(got), "[100 101 102]")
	if err := b.Receive(t.Context()); err == nil {
		t.Error("Receive of a batch that is not under way has no error")
	}
	if err := b.Do(t.Context()); err == nil {
		t.Error("a batch that is used a second time has no error")
	}
}

func TestCallThatIsGivenUpIsCancelledAndItsLateReplyPassedOver(t *testing.T) {
	late := make(chan struct{})
	conn := script(t, ClientOptions{}, func(s *scripted) {
		first := s.request()
		check(t, "number that is cancelled", s.expect(msgCancelRequest).ULong(), first)
		<-late
		s.answer(first, 1)
		s.answer(s.request(), 2)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := ask(ctx, conn); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("call that is given up: error %v, want %v", err, context.DeadlineExceeded)
	}
	close(late)
	if v, err := ask(t.Context(), conn); v != 2 || err != nil {
		t.Errorf("next call gives %d, %v, want 2", v, err)
	}
}

func TestCallGivenUpInTheMiddleOfItsReplyEndsTheConnection(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	conn := script(t, ClientOptions{}, func(s *scripted) {
		reply := answerBytes(s.request(), 1)
		s.socket.Write(reply[:headerSize+3])
		time.AfterFunc(200*time.Millisecond, cancel) // once the client has read that far
		io.Copy(io.Discard, s.reader)
	})
	if _, err := ask(ctx, conn); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if _, err := ask(t.Context(), conn); err == nil {
		t.Error("the next call has no error, want one: the stream is torn")
	}
}

func TestCallWaitsNoLongerThanTheTimeout(t *testing.T) {
	conn := script(t, ClientOptions{}, func(s *scripted) {
		s.request()
		io.Copy(io.Discard, s.reader)
	})
	conn.options.Timeout = 100 * time.Millisecond // not while it dials
	_, err := ask(t.Context(), conn)
	if ne, ok := errors.AsType[net.Error](err); !ok || !ne.Timeout() {
		t.Errorf("error %v, want a time-out", err)
	}
}

func TestCallerThatWaitsForItsTurnMayGiveUp(t *testing.T) {
	conn := script(t, ClientOptions{}, func(s *scripted) { s.answer(s.request(), 1) })
	b := conn.Batch()
	b.Add(conn.Object("x"), "ask", nil, nil)
	if err := b.Send(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := ask(ctx, conn); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want %v", err, context.DeadlineExceeded)
	}
	if err := b.Receive(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestWhatAServerMaySayInsteadOfAReply(t *testing.T) {
	tests := []struct {
		name, says string
		want       error
		rejected   bool // whether the client answers with a MessageError
	}{
		{"it takes leave", `"GIOP" 01 00 00 05 00000000`, ErrClosed, false},
		{"it could not read", messageError, ErrRejected, false},
		{"GIOP 1.2", `"GIOP" 01 02 00 01 00000000`, ErrMalformed, true},
		{"another protocol", `"HTTP/1.1 400 Bad Request"`, ErrMalformed, true},
		{"a reply of 4 GiB", `"GIOP" 01 00 00 01 ffffffff`, ErrTooLarge, true},
		{"a request", `"GIOP" 01 00 00 00 00000000`, ErrMalformed, true},
		{"a reply to nobody", `"GIOP" 01 00 00 01 0000000c 00000000 00000063 00000000`, ErrMalformed, true},
		{"reply status 4", `"GIOP" 01 00 00 01 0000000c 00000000 00000000 00000004`, ErrMalformed, true},
		{"a locate reply to a request", `"GIOP" 01 00 00 04 00000008 00000000 00000001`, ErrMalformed, true},
		{"locate status 3", `"GIOP" 01 00 00 04 00000008 00000000 00000003`, ErrMalformed, true},
		{"half a reply", `"GIOP" 01 00 00 01 0000000c 00000000`, io.ErrUnexpectedEOF, false},
		{"half a header", `"GIO"`, io.ErrUnexpectedEOF, false},
		{"nothing", ``, io.EOF, false},
	}
	for _, tt := range tests {
		conn := script(t, ClientOptions{}, func(s *scripted) {
			s.request()
			s.socket.Write(unhex(t, tt.says))
			if tt.rejected {
				s.expect(msgMessageError)
			}
		})
		for _, call := range []string{"call", "call after it"} {
			if _, err := ask(t.Context(), conn); !errors.Is(err, tt.want) {
				t.Errorf("%s: the %s has error %v, want %v", tt.name, call, err, tt.want)
			}
		}
	}
}

func TestReplyWithoutItsResultsIsAnErrorOfTheCallAlone(t *testing.T) {
	conn := script(t, ClientOptions{}, func(s *scripted) {
		s.socket.Write(unhex(t, `"GIOP" 01 00 00 01 0000000c 00000000 00000000 00000000`))
		s.request()
		s.answer(s.request(), 7)
	})
	if _, err := ask(t.Context(), conn); !errors.Is(err, ErrMalformed) {
		t.Errorf("error %v, want %v", err, ErrMalformed)
	}
	if v, err := ask(t.Context(), conn); v != 7 || err != nil {
		t.Errorf("next call gives %d, %v, want 7", v, err)
	}
}

func TestWhatCannotBeSentIsNotSent(t *testing.T) {
	server, _ := serve(t, ServerOptions{})
	conn, err := Dial(t.Context(), server.Address(), ClientOptions{MaxMessage: 70000})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	echo := conn.Object("shared")
	long := func(e *Encoder) { e.String(strings.Repeat("x", 70000)) }
	if err := echo.Call(t.Context(), "text", long, nil); !errors.Is(err, ErrTooLarge) {
		t.Errorf("message above the limit: error %v, want %v", err, ErrTooLarge)
	}
	b := conn.Batch()
	for range 2 {
		b.Add(echo, "text", func(e *Encoder) { e.String(strings.Repeat("x", 40000)) }, nil)
	}
	if err := b.Do(t.Context()); !errors.Is(err, ErrBatchTooLarge) {
		t.Errorf("batch above the limit: error %v, want %v", err, ErrBatchTooLarge)
	}
	b = conn.Batch()
	b.Add(dial(t, server.Address()).Object("shared"), "notes", nil, nil)
	if err := b.Do(t.Context()); err == nil {
		t.Error("batch with another connection's object: no error")
	}
	check(t, "notes, asked afterwards", askULong(t, echo, "notes"), 0)
}

func TestReplyAboveTheServersLimitIsAnException(t *testing.T) {
	server, _ := serve(t, ServerOptions{MaxMessage: 1 << 10})
	_, err := server.Activate("big", Servant{Operations: map[string]Operation{
		"big": func(_ *Decoder, out *Encoder) error { out.Octets(make([]byte, 2000)); return nil },
		"bad": func(_ *Decoder, out *Encoder) error { out.String("π"); return nil },
		"odd": func(_ *Decoder, _ *Encoder) error { return errors.New("odd") },
	}})
	if err != nil {
		t.Fatal(err)
	}
	conn := dial(t, server.Address())
	checkSystem(t, conn.Object("big").Call(t.Context(), "big", nil, nil), marshal)
	checkSystem(t, conn.Object("big").Call(t.Context(), "bad", nil, nil), marshal)
	checkSystem(t, conn.Object("big").Call(t.Context(), "odd", nil, nil), unknown)
}

func TestForwards(t *testing.T) {
	server, factory := serve(t, ServerOptions{})
	elsewhere, _ := serve(t, ServerOptions{})
	conn := dial(t, elsewhere.Address())
	shared := askReference(t, dialObject(t, factory), "sharedEcho", nil)

	server.Redirect("near", shared)
	check(t, "notes through a forward", askULong(t, dial(t, server.Address()).Object("near"), "notes"), 0)

	elsewhere.Redirect("far", shared)
	forward, ok := errors.AsType[*Forward](conn.Object("far").Call(t.Context(), "notes", nil, nil))
	if !ok || forward.To.String() != shared.String() {
		t.Errorf("call that is forwarded elsewhere: %v, want the reference", forward)
	}
	_, err := conn.Object("far").Locate(t.Context())
	if _, ok := errors.AsType[*Forward](err); !ok {
		t.Errorf("Locate of what is elsewhere: error %v, want a forward", err)
	}

	round, err := NewIOR("", Address{Host: "127.0.0.1", Port: elsewhere.port, Key: []byte("round")})
	if err != nil {
		t.Fatal(err)
	}
	elsewhere.Redirect("round", round)
	if err := conn.Object("round").Call(t.Context(), "notes", nil, nil); err == nil {
		t.Error("call that is forwarded in a circle has no error")
	}
}

func dialObject(t *testing.T, ref IOR) *Object {
	t.Helper()
	conn, object, err := DialReference(t.Context(), ref, ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return object
}

func TestConnectionIsSharedByCallersInTurn(t *testing.T) {
	for _, dispatcher := range allDispatchers {
		server, _ := serve(t, ServerOptions{Dispatcher: dispatcher})
		echo := dial(t, server.Address()).Object("shared")
		var callers sync.WaitGroup
		for i := range 8 {
			callers.Go(func() {
				for k := range 50 {
					sent, got := fmt.Sprintf("%d-%d", i, k), ""
					mustCall(t, echo, "text", func(e *Encoder) { e.String(sent) }, func(d *Decoder) { got = d.String() })
					check(t, "text", got, sent)
				}
			})
		}
		callers.Wait()
	}
}
