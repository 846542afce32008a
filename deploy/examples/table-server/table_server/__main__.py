"""Serves tables to players, a line of JSON at a time, over TCP.

python -m table_server --logic 127.0.0.1:8081 --store tables.db --assignment assignment.json

A player joins with `{"table": "taipei-7", "player": "ann"}`, and is told all that was said so far.
"""

import argparse
import asyncio
import contextlib
import json
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import grpc

from shisanzhi.v1.game_logic_service_pb2_grpc import GameLogicServiceStub
from table_server import assignment
from table_server.store import Store
from table_server.table import Patience, Table

_RETRIES = files("shisanzhi").joinpath("service_config.json").read_text(encoding="utf-8")


class Door:
    """Where players come in: who sits where, and what each was told."""

    def __init__(self) -> None:
        """Nobody is here yet."""
        self.tables: dict[str, Table] = {}
        self._told: dict[tuple[str, str], list[str]] = {}
        self._here: dict[tuple[str, str], asyncio.StreamWriter] = {}

    def tell(self, table: str, player: str, what: dict[str, Any]) -> None:
        """Tell a player who is here, and remember it for one who is not."""
        line = json.dumps(what, ensure_ascii=False)
        self._told.setdefault((table, player), []).append(line)
        if writer := self._here.get((table, player)):
            writer.write(line.encode() + b"\n")

    async def welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Let a player in, and hear him until he goes."""
        with contextlib.suppress(OSError, ValueError, KeyError):
            who = json.loads(await reader.readline())
            table = self.tables[who["table"]]
            key = (who["table"], who["player"])
            self._here[key] = writer
            for line in self._told.get(key, ()):
                writer.write(line.encode() + b"\n")
            async for said in reader:
                answer = await table.hear(who["player"], json.loads(said))
                writer.write(json.dumps(answer).encode() + b"\n")
        writer.close()


async def main(options: argparse.Namespace) -> None:
    """Play all tables, the stored ones and the newly assigned, until each match is over."""
    store = Store(options.store)
    for file in options.assignment:
        Table.open(assignment.read(json.loads(file.read_text(encoding="utf-8"))), store)
    door = Door()
    patience = Patience(options.seed_seconds, options.arrange_seconds)
    async with grpc.aio.insecure_channel(
        options.logic, options=[("grpc.service_config", _RETRIES)]
    ) as channel:
        logic: Any = GameLogicServiceStub(channel)
        for name in store.tables():

            def tell(player: str, what: dict[str, Any], name: str = name) -> None:
                door.tell(name, player, what)

            door.tables[name] = Table(name, store, logic, tell, patience)
        server = await asyncio.start_server(door.welcome, options.host, options.port)
        sys.stdout.write(f"tables on 127.0.0.1:{server.sockets[0].getsockname()[1]}\n")
        sys.stdout.flush()
        async with server:
            await asyncio.gather(*(table.play() for table in door.tables.values()))
            await asyncio.sleep(options.linger)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="table_server", description="Serve tables to players.")
    parser.add_argument("--logic", default="127.0.0.1:8081", help="the gateway's platform listener")
    parser.add_argument("--store", type=Path, default=Path("tables.db"))
    parser.add_argument(
        "--assignment", type=Path, action="append", default=[], help="a matchmaker's"
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=7654)
    parser.add_argument("--seed-seconds", type=float, default=15.0)
    parser.add_argument("--arrange-seconds", type=float, default=60.0)
    parser.add_argument("--linger", type=float, default=5.0, help="seconds to stay after the end")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main(arguments()))
