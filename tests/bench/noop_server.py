"""Servers to compare with: bare grpc.aio, as generated code registers it.

``noop`` answers every request with a stored response; ``bare`` asks the game logic, with nothing
around it. Both print their address as ``shisanzhi serve`` does.
"""

import asyncio
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import grpc

from shisanzhi.rpc.calls.servicer import GameLogic
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
    asyncio.run(serve(sys.argv[1]))
