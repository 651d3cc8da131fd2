package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"

	"fieldbook-experiments/iiop"
)

// A report is what a client prints in the end.
type report struct {
	RTT    float64 `json:"rtt_ms"` // time of the whole loop, in milliseconds
	Calls  int     `json:"calls"`
	Start  int64   `json:"start_ns,omitempty"` // of the machine's monotonic clock; missing where no such clock is read
	Finish int64   `json:"finish_ns,omitempty"`
}

func clientVerb(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) error {
	flags := flag.NewFlagSet("client", flag.ContinueOnError)
	address := flags.String("server", "", "`host:port` of the server")
	object := flags.String("object", "shared", "shared, or per-client")
	calls := flags.Int("calls", 1000, "how many `calls` to make")
	name := flags.String("method", "sync_VV", "which operation to call: "+methodNames())
	if err := parse(flags, args); err != nil {
		return err
	}
	m, known := methods[*name]
	if !known {
		return fmt.Errorf("method is %q, want one of %s", *name, methodNames())
	}
	if *calls < 0 {
		return fmt.Errorf("calls is %d, want 0 or more", *calls)
	}
	conn, rtt, err := obtain(ctx, *address, *object)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := barrier(stdin, stdout); err != nil {
		return err
	}
	r, err := loop(ctx, rtt, *name, m, *calls)
	if err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(r)
}

// obtain connects and gets the object: the one that all share, or a new one.
func obtain(ctx context.Context, address, object string) (*iiop.Conn, *iiop.Object, error) {
	operation := map[string]string{"shared": "sharedRTT", "per-client": "createRTT"}[object]
	if operation == "" {
		return nil, nil, fmt.Errorf("object is %q, want shared or per-client", object)
	}
	conn, err := iiop.Dial(ctx, address, iiop.ClientOptions{})
	if err != nil {
		return nil, nil, err
	}
	var ref iiop.IOR
	err = conn.Object(factoryKey).Call(ctx, operation, nil, func(d *iiop.Decoder) { ref = d.Reference() })
	if err != nil {
		conn.Close()
		return nil, nil, err
	}
	rtt, err := conn.Resolve(ref)
	if err != nil {
		conn.Close()
		return nil, nil, err
	}
	return conn, rtt, nil
}

// barrier says that this client is ready and waits until all are released.
func barrier(stdin io.Reader, stdout io.Writer) error {
	if _, err := fmt.Fprintln(stdout, "fieldbook: ready"); err != nil {
		return err
	}
	line, err := bufio.NewReader(stdin).ReadString('\n')
	if strings.TrimSpace(line) == "go" {
		return nil
	}
	if err != nil && err != io.EOF {
		return err
	}
	return fmt.Errorf("standard input says %q, want the line go", line)
}

// loop makes the calls and times them together.
func loop(ctx context.Context, rtt *iiop.Object, name string, m method, calls int) (report, error) {
	call := func() error { return rtt.Call(ctx, name, m.args, m.result) }
	if m.oneWay {
		call = func() error { return rtt.Send(ctx, name, m.args) }
	}
	start := now()
	for range calls {
		if err := call(); err != nil {
			return report{}, err
		}
	}
	finish := now()
	r := report{RTT: float64(finish-start) / 1e6, Calls: calls}
	if sharedClock {
		r.Start, r.Finish = start, finish
	}
	return r, nil
}

func countersVerb(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("counters", flag.ContinueOnError)
	address := flags.String("server", "", "`host:port` of the server")
	if err := parse(flags, args); err != nil {
		return err
	}
	conn, err := iiop.Dial(ctx, *address, iiop.ClientOptions{})
	if err != nil {
		return err
	}
	defer conn.Close()
	var counted struct {
		Objects uint32 `json:"objects"`
		Calls   uint64 `json:"calls"`
	}
	err = conn.Object(factoryKey).Call(ctx, "counters", nil, func(d *iiop.Decoder) {
		counted.Objects, counted.Calls = d.ULong(), d.ULongLong()
	})
	if err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(counted)
}
