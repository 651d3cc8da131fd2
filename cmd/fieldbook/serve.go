package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"fieldbook/internal/defect"
	"fieldbook/internal/diag"
)

// usualAddress is where serve listens unless it is told: this machine alone.
const usualAddress = "127.0.0.1:8417"

func (a *app) serveCmd() *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "serve [NAME]",
		Short: "Show the reports in a browser, and anew after each change of a file",
		Long: "Serve renders the reports in memory, watches experiments/, data/ and the inputs, and reloads\n" +
			"the page at the same place when something changed. What is wrong is shown in the page with its\n" +
			"line, above the last page that was good. It runs nothing of the notebook and writes no file.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			return a.serve(ctx, args, listen)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", usualAddress, "listen at this `address:port`; port 0 takes a free one")
	return cmd
}

// serve listens until ctx ends, which is the way in which serving is meant to
// end and no error.
func (a *app) serve(ctx context.Context, args []string, listen string) error {
	n, err := a.open()
	if err != nil {
		return err
	}
	names, err := n.choose(args)
	if err != nil {
		return err
	}
	l, err := a.listen(listen)
	if err != nil {
		return err
	}
	defer l.Close()
	w, err := watch(n)
	if err != nil {
		return failed("cannot watch the notebook: %v", err)
	}
	defer w.Close()
	a.printProblems(w.problems())
	v := newPreview(a, n, w)
	go v.follow(ctx, w)
	start := "/"
	if len(args) > 0 {
		start = pathOf(names[0])
	}
	fmt.Fprintf(a.stdout, "serving      http://%s%s until Ctrl-C\n", l.Addr(), start)
	return serveUntil(ctx, l, v.handler(listen))
}

// serveUntil answers requests until ctx ends, and then lets those that are
// being answered come to an end.
func serveUntil(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{
		Handler:           caught(h),
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	done := make(chan error, 1)
	go func() {
		defer defect.Catch()
		done <- server.Serve(l)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	return server.Shutdown(last)
}

// caught answers a request whose handler panics, and says so in one line,
// where the server would print a trace.
func caught(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if v := recover(); v != nil {
				defect.Say(os.Stderr, v)
				http.Error(w, "a defect of the tool itself; its terminal says more", http.StatusInternalServerError)
			}
		}()
		h.ServeHTTP(w, r)
	})
}

// listen opens the address. Where it can be reached from other machines, that
// has to be written out, and is warned of.
func (a *app) listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return nil, usage("--listen is %q, want an address and a port such as %s", address, usualAddress)
	}
	if host == "" {
		return nil, usage("--listen %s would be reachable from other machines; write 127.0.0.1%s, or 0.0.0.0%s if that is meant", address, address, address)
	}
	network := "tcp"
	if at, err := netip.ParseAddr(host); err == nil && at.Is4() {
		network = "tcp4" // else 0.0.0.0 would mean every address of IPv6, too
	}
	l, err := net.Listen(network, address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, failed("%s is in use, perhaps by another `fieldbook serve`; --listen %s takes a free port", address, net.JoinHostPort(host, "0"))
	case err != nil:
		return nil, err
	}
	if at, err := netip.ParseAddrPort(l.Addr().String()); err == nil && !at.Addr().Unmap().IsLoopback() {
		a.printProblems(diag.List{{Warning: true, Text: fmt.Sprintf("whoever can reach %s can read the reports of this notebook", l.Addr())}})
	}
	return l, nil
}
