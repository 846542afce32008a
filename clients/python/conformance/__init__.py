"""Asks a server every golden case with the Python client, and compares every field."""
