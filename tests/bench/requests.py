"""What the costliest requests cost, from their bytes to the answer's.

    python -m tests.bench.requests [BYTES]

The event loop is held for so long by a request that is not large enough for a worker.
"""

import sys
import time
from typing import NamedTuple

from google.protobuf.message_factory import GetMessageClass

from shisanzhi.rpc.calls.servicer import GameLogic
from shisanzhi.rpc.calls.unary_call import LIGHT_BYTES
from shisanzhi.rpc.limits.refusals import explain
from tests import hostile_requests, questions
from tests.rpc.wire import SERVICE

REPEATS = 9


class Cost(NamedTuple):
    """The least CPU time that a request took, in milliseconds, of how many bytes."""

    milliseconds: float
    size: int
    name: str

    def __str__(self) -> str:
        per_kib = self.milliseconds / max(self.size / 1024, 1 / 1024)
        return f"{self.milliseconds:7.2f} ms {self.size:6} B {per_kib:7.3f} ms/KiB  {self.name}"


def answer(logic: GameLogic, method: str, raw: bytes) -> bytes:
    """Answer as the server does, or tell what is wrong."""
    parse = GetMessageClass(SERVICE.methods_by_name[method].input_type).FromString
    try:
        response: bytes = getattr(logic, method)(parse(raw)).SerializeToString()
    except Exception as error:  # noqa: BLE001 - as the server does
        return explain(error, "id").status.SerializeToString()
    return response


def cost(logic: GameLogic, name: str, method: str, raw: bytes) -> Cost:
    took = []
    for _ in range(REPEATS):
        started = time.thread_time()
        answer(logic, method, raw)
        took.append(time.thread_time() - started)
    return Cost(min(took) * 1000, len(raw), name)


def costs(size: int) -> list[Cost]:
    """Give what every hostile request of about that size costs, the costliest first."""
    logic = GameLogic()
    found = [
        cost(logic, name, *hostile_requests.make(name, size)) for name in hostile_requests.REQUESTS
    ]
    return sorted(found, reverse=True)


def main(arguments: list[str]) -> None:
    for size in map(int, arguments or (hostile_requests.FULL, LIGHT_BYTES)):
        sys.stdout.write("".join(f"{each}\n" for each in (*costs(size), "")))
    logic = GameLogic()
    for method in questions.METHODS:
        sys.stdout.write(f"{cost(logic, f'{method}: as usual', method, questions.raw(method))}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
