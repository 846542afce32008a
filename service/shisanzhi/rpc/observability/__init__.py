"""What an operator sees: metrics, log and traces. None of it can keep an answer back."""
