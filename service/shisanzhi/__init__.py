"""Shisanzhi: the game logic of Taiwanese thirteen-card poker (十三支)."""

__version__ = "1.0.0"
