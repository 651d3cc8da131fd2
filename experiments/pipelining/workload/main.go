// Command workload is the study of one queue or many threads: a server of
// documents over IIOP, and a client whose workers read documents from it,
// either each by itself or all through a queue with one thread of I/O.
//
//	workload serve --listen HOST:PORT
//	workload client --server HOST:PORT --communication queue|batched|threaded|sequential
//	                --sessions 1|2 --workers N --calls N [--arrival exact|jittered]
//
// It refuses to time connecting together with the calls: that has a figure
// of its own.
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
	err := run(context.Background(), os.Args[1:], os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "pipelining:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) == 0 {
		return errors.New("no verb, want serve or client")
	}
	switch verb, args := args[0], args[1:]; verb {
	case "serve":
		return serveVerb(ctx, args)
	case "client":
		return clientVerb(ctx, args, stdout)
	default:
		return fmt.Errorf("verb is %q, want serve or client", verb)
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
