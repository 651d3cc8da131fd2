// Command workload is the round-trip study: a server of empty objects over
// IIOP, and a client that calls one of them in a loop, once it has been
// released together with the other clients.
//
//	workload serve --listen HOST:PORT --dispatcher serial|one-thread|concurrent [--body empty|2ms]
//	workload client --server HOST:PORT --object shared|per-client --calls N [--method sync_VV]
//	workload counters --server HOST:PORT
//
// It refuses to time anything but the loop: connecting and getting the object
// are done before a client says that it is ready.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	err := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "roundtrip:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) error {
	if len(args) == 0 {
		return errors.New("no verb, want serve, client or counters")
	}
	switch verb, args := args[0], args[1:]; verb {
	case "serve":
		return serveVerb(ctx, args)
	case "client":
		return clientVerb(ctx, args, stdin, stdout)
	case "counters":
		return countersVerb(ctx, args, stdout)
	default:
		return fmt.Errorf("verb is %q, want serve, client or counters", verb)
	}
}

// parse reads the flags of a verb, which takes nothing else.
func parse(flags *flag.FlagSet, args []string) error {
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%s takes flags only, found %q", flags.Name(), flags.Arg(0))
	}
	return nil
}
