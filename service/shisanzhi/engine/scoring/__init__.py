"""What a round pays: one file for each scoring system, and what they have in common."""
