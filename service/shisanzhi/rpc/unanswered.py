"""What a client says of a server that gives no answer; known without importing gRPC."""


class UnansweredError(Exception):
    """A server that is not there, or that failed; the cause is the ``grpc.RpcError``."""
