"""Measurements, each beside something to compare with, in one run."""
