// Package shisanzhi asks the game logic of Taiwanese thirteen-card poker (十三支).
//
// The calls are those of the contract, in package shisanzhiv1; this package connects with the retries that
// the service counts on, and holds what every client needs beside them.
package shisanzhi

import (
	_ "embed"

	"google.golang.org/grpc"
	_ "google.golang.org/grpc/health" // what healthCheckConfig needs

	pb "github.com/shisanzhi/shisanzhi/clients/go/shisanzhi/v1"
)

//go:embed service_config.json
var serviceConfig string

// Client is a connection to the service, safe for use by many goroutines.
type Client struct {
	pb.GameLogicServiceClient
	connection *grpc.ClientConn
}

// Dial connects to target, such as 127.0.0.1:50051 or dns:///shisanzhi:50051, at the first call.
//
// Every call waits for a server, is made again where a server goes away under it, and has ten seconds
// unless its context says less. Credentials are to be named, as for grpc.NewClient.
func Dial(target string, options ...grpc.DialOption) (*Client, error) {
	options = append([]grpc.DialOption{grpc.WithDefaultServiceConfig(serviceConfig)}, options...)
	connection, err := grpc.NewClient(target, options...)
	if err != nil {
		return nil, err
	}
	return &Client{pb.NewGameLogicServiceClient(connection), connection}, nil
}

// Close ends the connection and the calls on it.
func (c *Client) Close() error { return c.connection.Close() }
