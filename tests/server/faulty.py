"""The command with faults built in: what a test cannot bring about from outside.

Evaluate fails with a text that must not get out; Arrange takes half a second of a worker's time;
health's List, on either port, ends the loop that accepts calls.
"""

import time
from typing import Any

from shisanzhi.cli import main
from shisanzhi.rpc.calls.call import Call
from shisanzhi.rpc.calls.servicer import GameLogic, TakesLongerError
from shisanzhi.rpc.server import server
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2

SECONDS = 0.5


def evaluate(_logic: GameLogic, request: Any) -> Any:
    raise KeyError(f"secret {request}", request.SerializeToString())


def arrange(_logic: GameLogic, _request: Any) -> Any:
    time.sleep(SECONDS)
    return service_pb2.ArrangeResponse()


ENDS = "/grpc.health.v1.Health/List"
run = Call.run


async def running(call: Call, *arguments: Any) -> None:
    if call.method.path == ENDS:
        raise OSError("secret")
    await run(call, *arguments)


def arrange_at_once(_logic: GameLogic, _request: Any) -> Any:
    raise TakesLongerError


if __name__ == "__main__":
    setattr(GameLogic, "arrange_at_once", arrange_at_once)  # noqa: B010
    setattr(Call, "run", running)  # noqa: B010
    setattr(GameLogic, "Evaluate", evaluate)  # noqa: B010 - types would have it otherwise
    setattr(GameLogic, "Arrange", arrange)  # noqa: B010
    setattr(server, "warm", lambda _logic: None)  # noqa: B010
    main()
