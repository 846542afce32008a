// Package conformance holds the Go client to the golden cases that every client answers to; ../../README.md
// says how.
package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/shisanzhi/shisanzhi/clients/go/shisanzhi"
)

const language = "go"

func TestConformance(t *testing.T) {
	target := required(t, "SHISANZHI_TARGET")
	cases, err := read(required(t, "SHISANZHI_VECTORS"))
	if err != nil {
		t.Fatal(err)
	}
	say("versions %s", versions())
	client := dial(t, target)
	for _, kind := range kinds {
		report(t, kind.name, kind.run(t.Context(), client, cases[kind.name]))
	}
	report(t, "verify", verify(cases["deal"]))
	report(t, "example", []error{example(target)})
	if newer := os.Getenv("SHISANZHI_NEWER_TARGET"); newer != "" {
		report(t, "newer", newerChecks(t.Context(), dial(t, newer)))
	}
}

// report prints what came of a kind: an outcome for each case, nil where it passed.
func report(t *testing.T, kind string, outcomes []error) {
	passed := 0
	for i, err := range outcomes {
		if err == nil {
			passed++
			continue
		}
		t.Fail()
		say("failed %s %d: %v", kind, i+1, err)
	}
	say("%s %d", kind, passed)
}

func say(format string, values ...any) {
	fmt.Println("conformance: " + language + " " + strings.ReplaceAll(fmt.Sprintf(format, values...), "\n", " "))
}

func required(t *testing.T, variable string) string {
	t.Helper()
	value := os.Getenv(variable)
	if value == "" {
		t.Fatalf("expected %s in the environment, got none", variable)
	}
	return value
}

func versions() string {
	protobuf, _ := exec.Command("go", "list", "-m", "-f", "{{.Version}}", "google.golang.org/protobuf").Output()
	return fmt.Sprintf(
		"go %s, grpc %s, protobuf %s",
		strings.TrimPrefix(runtime.Version(), "go"), grpc.Version, strings.Trim(string(protobuf), "v\n"),
	)
}

func dial(t *testing.T, target string) *shisanzhi.Client {
	t.Helper()
	client, err := shisanzhi.Dial(
		target,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithUnaryInterceptor(named),
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// named has an error say which method it comes from.
func named(
	ctx context.Context, method string, request, reply any, connection *grpc.ClientConn,
	invoke grpc.UnaryInvoker, options ...grpc.CallOption,
) error {
	err := invoke(ctx, method, request, reply, connection, options...)
	if err == nil {
		return nil
	}
	return callError{method[strings.LastIndex(method, "/")+1:], err}
}

type callError struct {
	method string
	error
}

func (e callError) Error() string {
	failed := status.Convert(errors.Unwrap(e))
	return fmt.Sprintf("%s: %s %s", e.method, code.Code(failed.Code()), failed.Message())
}

func (e callError) Unwrap() error { return e.error }
