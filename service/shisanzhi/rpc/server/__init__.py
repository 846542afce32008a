"""The server as a process: put together, bound, secured, probed, drained and stopped."""
