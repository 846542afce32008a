package conformance

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/shisanzhi/shisanzhi/clients/go/shisanzhi"
	pb "github.com/shisanzhi/shisanzhi/clients/go/shisanzhi/v1"
)

// TestRestarts starts a call every 5 ms while somebody else restarts the only server.
func TestRestarts(t *testing.T) {
	if os.Getenv("SHISANZHI_SECONDS") == "" {
		t.Skip("asked for by SHISANZHI_SECONDS")
	}
	seconds, err := time.ParseDuration(os.Getenv("SHISANZHI_SECONDS") + "s")
	if err != nil {
		t.Fatal(err)
	}
	client, err := shisanzhi.Dial(
		required(t, "SHISANZHI_TARGET"), grpc.WithTransportCredentials(insecure.NewCredentials()),
	)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	request := &pb.EvaluateRequest{
		Ruleset: pb.Ruleset_RULESET_CLASSIC, Rows: []*pb.CardList{{Cards: must(shisanzhi.ParseCards("As Ah Kd"))}},
	}
	var calling sync.WaitGroup
	var started sync.Once
	var calls, lost atomic.Int64
	every := time.NewTicker(5 * time.Millisecond)
	defer every.Stop()
	for end := time.Now().Add(seconds); time.Now().Before(end); <-every.C {
		calling.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			calls.Add(1)
			if _, err := client.Evaluate(ctx, request); err != nil {
				lost.Add(1)
				t.Error(err)
			}
			started.Do(func() { fmt.Printf("restarts: %s started\n", language) })
		})
	}
	calling.Wait()
	fmt.Printf("restarts: %s calls %d lost %d\n", language, calls.Load(), lost.Load())
}
