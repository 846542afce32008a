"""Build the server, start it, and stop it so that nobody notices."""
