"""Tests of shisanzhi; `oracle` and `random_rounds` share no code with the engine they judge."""
