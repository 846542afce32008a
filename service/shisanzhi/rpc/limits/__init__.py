"""What a client may take: how much at once, for how long, and what refuses it."""
