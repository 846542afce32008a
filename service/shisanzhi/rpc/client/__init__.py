"""How a server is asked: channels, and a client for every RPC."""
