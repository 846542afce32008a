"""The table server of the examples in a process of its own, and four players who play at it."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict

from shisanzhi.v1 import game_logic_service_pb2 as messages
from shisanzhi.v1.card_pb2 import Card
from shisanzhi.v1.game_logic_service_pb2_grpc import GameLogicServiceStub
from shisanzhi.v1.ruleset_pb2 import RULESET_CLASSIC

TABLE = "taipei-7"
PLAYERS = ("ann", "bao", "chen", "ding")
LATE = "ding"
"""Who never arranges: the table does it when his time is up, so each round takes all its time."""
EXAMPLE = Path(__file__).parents[1] / "examples" / "table-server"

Told = dict[str, Any]
"""A line that a player was told."""

_RETRIES = files("shisanzhi").joinpath("service_config.json").read_text(encoding="utf-8")


def connect(logic: str) -> Any:
    """Give a channel that makes calls again, as we ship it."""
    return grpc.aio.insecure_channel(logic, options=[("grpc.service_config", _RETRIES)])


@contextmanager
def table_server(
    logic: str, folder: Path, *flags: str
) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """Run a table server for the length of a block; give it and its port."""
    words: list[str | Path] = [
        *(sys.executable, "-m", "table_server", "--logic", logic, "--store", folder / "tables.db"),
        *("--port", "0", "--seed-seconds", "3", *flags),
    ]
    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(EXAMPLE)}
    )
    with process.stdout or sys.exit("expected a pipe") as said:
        try:
            yield process, int(said.readline().rpartition(":")[2])
        finally:
            process.kill()
            process.wait()


class Player:
    """One who joins, sends a seed, and lays what the solver says as soon as he has a hand."""

    def __init__(self, name: str, logic: str) -> None:
        """Nothing has been told yet."""
        self.name = name
        self.told: list[Told] = []
        self._logic = logic

    async def play(self, port: int) -> None:
        """Play until the seed is published or the connection is gone."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        async with connect(self._logic) as channel:
            stub = GameLogicServiceStub(channel)
            _send(writer, {"table": TABLE, "player": self.name})
            _send(writer, {"seed": f"seed of {self.name}".encode().hex()})
            with contextlib.suppress(ConnectionError):
                async for line in reader:
                    said = json.loads(line)
                    self.told.append(said)
                    if "hand" in said and self.name != LATE:
                        await self._lay(writer, said, stub)
                    if "seed" in said:
                        break
        writer.close()

    @staticmethod
    async def _lay(writer: asyncio.StreamWriter, said: Told, stub: Any) -> None:
        hand: Any = [Card.Value(card) for card in said["hand"]]
        request = messages.ArrangeRequest(ruleset=RULESET_CLASSIC, hand=hand)
        best = (await stub.Arrange(request)).suggestions[0].arrangement
        _send(writer, {"round": said["round"], "arrangement": MessageToDict(best)})


def _send(writer: asyncio.StreamWriter, what: Told) -> None:
    writer.write(json.dumps(what).encode() + b"\n")


async def all_play(port: int, logic: str) -> list[Player]:
    """Have all four play to the end; give them, with what they were told."""
    players = [Player(name, logic) for name in PLAYERS]
    await asyncio.gather(*(player.play(port) for player in players))
    return players
