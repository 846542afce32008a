"""The only room that knows gRPC and protobuf."""
