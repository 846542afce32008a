"""The same question has the same answer, byte for byte, whoever answers it and when."""

from tests import questions
from tests.server.calls import OK, ask
from tests.servers import Process, serving


def answers(process: Process) -> list[bytes]:
    outcomes = [ask(process, method) for method in questions.METHODS]
    assert [outcome.code for outcome in outcomes] == [OK] * len(outcomes)
    return [outcome.response for outcome in outcomes]


def test_answers_are_the_same_in_every_process_and_after_a_restart() -> None:
    with serving(environment={"PYTHONHASHSEED": "1"}) as process:
        first = answers(process)
        assert first == answers(process)
    with (
        serving(environment={"PYTHONHASHSEED": "2"}) as process,
        serving("--workers", "1", environment={"PYTHONHASHSEED": "3"}) as other,
    ):
        assert first == answers(process) == answers(other)
