// Command workload puts the question of one queue or many threads to Redis: a
// client whose workers read documents by GET through the library go-redis,
// either each by itself or all through a queue with one thread of I/O.
//
//	workload fill --server HOST:PORT
//	workload client --server HOST:PORT --communication queue|batched|threaded
//	                --sessions 1|2 --workers N --calls N
//
// It refuses to time connecting together with the calls: that has a figure
// of its own.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
)

func main() {
	err := run(context.Background(), os.Args[1:], os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "pipelining-redis:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) == 0 {
		return errors.New("no verb, want fill or client")
	}
	switch verb, args := args[0], args[1:]; verb {
	case "fill":
		return fillVerb(ctx, args)
	case "client":
		return clientVerb(ctx, args, stdout)
	default:
		return fmt.Errorf("verb is %q, want fill or client", verb)
	}
}

// fillVerb puts the documents into an empty server.
func fillVerb(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("fill", flag.ContinueOnError)
	server := flags.String("server", "", "`host:port` of the server")
	if err := parse(flags, args, server); err != nil {
		return err
	}
	return fill(ctx, *server)
}

func clientVerb(ctx context.Context, args []string, stdout io.Writer) error {
	s, err := parseSetup(args)
	if err != nil {
		return err
	}
	r, err := s.measure(ctx)
	if err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(r)
}

func parseSetup(args []string) (setup, error) {
	var s setup
	flags := flag.NewFlagSet("client", flag.ContinueOnError)
	flags.StringVar(&s.server, "server", "", "`host:port` of the server")
	flags.StringVar(&s.communication, "communication", "queue", "queue, batched or threaded")
	flags.IntVar(&s.sessions, "sessions", 1, "`sessions` over which the workers are spread")
	flags.IntVar(&s.workers, "workers", 2, "how many `workers` read documents")
	flags.IntVar(&s.calls, "calls", 4000, "how many `calls` all workers make together")
	if err := parse(flags, args, &s.server); err != nil {
		return setup{}, err
	}
	if !slices.Contains([]string{"queue", "batched", "threaded"}, s.communication) {
		return setup{}, fmt.Errorf("communication is %q, want queue, batched or threaded", s.communication)
	}
	if s.sessions < 1 || s.workers < 1 || s.calls < 1 {
		return setup{}, fmt.Errorf("sessions, workers and calls are %d, %d and %d, want at least 1 each", s.sessions, s.workers, s.calls)
	}
	return s, nil
}

// parse reads the flags of a verb, which takes nothing else and needs a
// server.
func parse(flags *flag.FlagSet, args []string, server *string) error {
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%s takes flags only, found %q", flags.Name(), flags.Arg(0))
	}
	if *server == "" {
		return errors.New("no --server")
	}
	return nil
}
