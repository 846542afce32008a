"""All state of all tables, in one SQLite file: a platform has its database here.

Every write is a transaction that does nothing the second time: whoever was cut off before he
heard of its success just does it again.
"""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
  name TEXT PRIMARY KEY, players TEXT NOT NULL, seed BLOB NOT NULL,
  player_seeds TEXT, match BLOB, next_round INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS seeds (
  name TEXT, player TEXT, seed BLOB NOT NULL, PRIMARY KEY (name, player));
CREATE TABLE IF NOT EXISTS rounds (
  name TEXT, round INTEGER, begun REAL NOT NULL, result BLOB, PRIMARY KEY (name, round));
CREATE TABLE IF NOT EXISTS arrangements (
  name TEXT, round INTEGER, seat INTEGER, arrangement BLOB NOT NULL, by_player INTEGER NOT NULL,
  PRIMARY KEY (name, round, seat));
"""


class Seated(NamedTuple):
    """A table as stored; `match` is empty until the players' seeds are in."""

    name: str
    players: tuple[str, ...]
    seed: bytes
    player_seeds: tuple[bytes, ...]
    match: bytes


class Store:
    """The database."""

    def __init__(self, path: Path) -> None:
        """Open it, and make it if it is new."""
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;" + _SCHEMA)

    def open(self, name: str, players: Sequence[str], seed: bytes) -> None:
        """Open a table. A second assignment of it changes nothing, its seed least of all."""
        self._db.execute(
            "INSERT OR IGNORE INTO tables (name, players, seed) VALUES (?, ?, ?)",
            (name, json.dumps(list(players)), seed),
        )

    def table(self, name: str) -> Seated:
        """Give a table."""
        row = self._db.execute(
            "SELECT name, players, seed, player_seeds, match FROM tables WHERE name = ?", (name,)
        ).fetchone()
        seeds = tuple(bytes.fromhex(each) for each in json.loads(row[3] or "[]"))
        return Seated(row[0], tuple(json.loads(row[1])), row[2], seeds, row[4] or b"")

    def tables(self) -> list[str]:
        """Name all tables: what a restarted process has to go on with."""
        return [name for (name,) in self._db.execute("SELECT name FROM tables ORDER BY name")]

    def keep_seed(self, name: str, player: str, seed: bytes) -> None:
        """Keep a player's seed; the first one counts."""
        self._db.execute("INSERT OR IGNORE INTO seeds VALUES (?, ?, ?)", (name, player, seed))

    def seeds(self, name: str) -> dict[str, bytes]:
        """Give the seeds that have come, by player."""
        rows = self._db.execute("SELECT player, seed FROM seeds WHERE name = ?", (name,))
        return dict(rows.fetchall())

    def start(self, name: str, player_seeds: Sequence[bytes], match: bytes) -> None:
        """Keep the opened match, with the seeds that it was drawn from; the first one counts."""
        self._db.execute(
            "UPDATE tables SET player_seeds = ?, match = ?, next_round = 1"
            " WHERE name = ? AND match IS NULL",
            (json.dumps([seed.hex() for seed in player_seeds]), match, name),
        )

    def begin(self, name: str, number: int, now: float) -> float:
        """Begin a round; give when it was begun, which a restart does not change."""
        self._db.execute(
            "INSERT OR IGNORE INTO rounds (name, round, begun) VALUES (?, ?, ?)",
            (name, number, now),
        )
        row = self._db.execute(
            "SELECT begun FROM rounds WHERE name = ? AND round = ?", (name, number)
        ).fetchone()
        return float(row[0])

    def lay(
        self, name: str, number: int, seat: int, arrangement: bytes, *, by_player: bool
    ) -> None:
        """Keep an arrangement; what is laid is laid."""
        self._db.execute(
            "INSERT OR IGNORE INTO arrangements VALUES (?, ?, ?, ?, ?)",
            (name, number, seat, arrangement, by_player),
        )

    def laid(self, name: str, number: int) -> dict[int, bytes]:
        """Give what is laid, by seat."""
        rows = self._db.execute(
            "SELECT seat, arrangement FROM arrangements WHERE name = ? AND round = ?",
            (name, number),
        )
        return dict(rows.fetchall())

    def settle(self, name: str, number: int, result: bytes, match: bytes) -> None:
        """Keep a result and the match after it, both or neither, and each round once."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            moved = self._db.execute(
                "UPDATE tables SET match = ?, next_round = ? WHERE name = ? AND next_round = ?",
                (match, number + 1, name, number),
            )
            if moved.rowcount:
                self._db.execute(
                    "UPDATE rounds SET result = ? WHERE name = ? AND round = ?",
                    (result, name, number),
                )

    def results(self, name: str) -> list[bytes]:
        """Give the results so far, in order."""
        rows = self._db.execute(
            "SELECT result FROM rounds WHERE name = ? AND result IS NOT NULL ORDER BY round",
            (name,),
        )
        return [result for (result,) in rows]
