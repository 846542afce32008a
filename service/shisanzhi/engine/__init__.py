"""The game logic: pure functions of plain values, on the standard library alone."""
