"""The solver: the arrangement of a hand that is expected to earn most."""
