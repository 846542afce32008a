"""Servers to compare with: bare grpc.aio, as generated code registers it.

``noop`` answers every request with a stored response; ``bare`` asks the game logic, with nothing
around it; ``tuned`` is ``bare`` as ``shisanzhi serve`` runs it: its scheduling and its event loop.
All print their address as ``shisanzhi serve`` does.
"""

import asyncio
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import grpc

from shisanzhi.rpc.event_loop import event_loop
from shisanzhi.rpc.scheduling import BATCH, schedule
from shisanzhi.rpc.servicer import GameLogic
from shisanzhi.v1 import game_logic_service_pb2_grpc as service_grpc
from tests import questions


def _handler(ask: Callable[[Any], Any]) -> Any:
    async def handle(request: Any, _context: Any) -> Any:
        return ask(request)

    return handle


def _stored(name: str) -> Callable[[Any], Any]:
    response = questions.response(name)
    return lambda _request: response


async def serve(kind: str) -> None:
    logic = GameLogic()
    server = grpc.aio.server()
    kinds: dict[str, Callable[[str], Callable[[Any], Any]]] = {
        "noop": _stored,
        "bare": lambda name: getattr(logic, name),
        "tuned": lambda name: getattr(logic, name),
    }
    answers = kinds[kind]
    servicer: Any = SimpleNamespace(**{name: _handler(answers(name)) for name in questions.METHODS})
    add: Any = service_grpc.add_GameLogicServiceServicer_to_server
    add(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"serving on 127.0.0.1:{port}\n")
    sys.stdout.flush()
    await server.wait_for_termination()


if __name__ == "__main__":
    tuned = sys.argv[1] == "tuned"
    if tuned:
        schedule(BATCH)
    with asyncio.Runner(loop_factory=event_loop if tuned else None) as runner:
        runner.run(serve(sys.argv[1]))
