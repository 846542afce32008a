"""The command with two faults built in: what a test cannot bring about from outside.

Evaluate fails with a text that must not get out. Arrange takes half a second of a worker's time, or
with BUSY so many seconds of its CPU.
"""

import os
import time
from typing import Any

from shisanzhi.cli import main
from shisanzhi.rpc import server
from shisanzhi.rpc.servicer import GameLogic
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2

SECONDS = 0.5


def evaluate(_logic: GameLogic, request: Any) -> Any:
    raise KeyError(f"secret {request}", request.SerializeToString())


def arrange(_logic: GameLogic, _request: Any) -> Any:
    busy = float(os.environ.get("BUSY", "0"))
    end = time.thread_time() + busy
    while time.thread_time() < end:
        pass
    time.sleep(0 if busy else SECONDS)
    return service_pb2.ArrangeResponse()


if __name__ == "__main__":
    import sys
    if "SWI" in os.environ: sys.setswitchinterval(float(os.environ["SWI"]))
    GameLogic.Evaluate = evaluate  # type: ignore[method-assign]
    GameLogic.Arrange = arrange  # type: ignore[method-assign]
    server.warm = lambda _logic: None
    main()
