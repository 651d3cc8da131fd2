package iiop

import (
	"context"
	"testing"
)

// BenchmarkRoundTrip is one client that calls an operation without arguments
// and results over loopback, under each dispatcher.
func BenchmarkRoundTrip(b *testing.B) {
	for _, dispatcher := range allDispatchers {
		b.Run(dispatcher.String(), func(b *testing.B) {
			server, _ := serve(b, ServerOptions{Dispatcher: dispatcher})
			roundTrips(b, dial(b, server.Address()).Object("shared"))
		})
	}
	b.Run("omniORB", func(b *testing.B) {
		conn, factory, err := DialReference(context.Background(), startOmni(b), ClientOptions{})
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close()
		roundTrips(b, create(b, factory, "bench"))
	})
}

func roundTrips(b *testing.B, echo *Object) {
	b.ReportAllocs()
	ctx := context.Background()
	for b.Loop() {
		if err := echo.Call(ctx, "notes", nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBatch is 64 calls sent together; the time is for all of them.
func BenchmarkBatch(b *testing.B) {
	for _, dispatcher := range allDispatchers {
		b.Run(dispatcher.String(), func(b *testing.B) {
			server, _ := serve(b, ServerOptions{Dispatcher: dispatcher})
			conn := dial(b, server.Address())
			echo := conn.Object("shared")
			for b.Loop() {
				batch := conn.Batch()
				for range 64 {
					batch.Add(echo, "notes", nil, nil)
				}
				if err := batch.Do(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
