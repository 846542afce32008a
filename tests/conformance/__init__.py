"""Runs the conformance runner of every language against real servers; see ``clients/README.md``."""
