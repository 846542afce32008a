"""A table service as a platform would write it: it keeps the state that Shisanzhi does not."""
