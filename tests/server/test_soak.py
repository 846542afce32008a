"""A server that has worked for a while is as it was; ``make soak`` takes longer over it."""

from tests.server.soak import main


def test_memory_and_descriptors_are_flat_and_answers_the_same() -> None:
    assert main(minutes=0.2)
