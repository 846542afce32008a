"""The example of a table service: a match killed in its middle, and every step done twice."""

import asyncio
import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from table_server import assignment
from table_server.store import Store
from table_server.table import Patience, Table

from shisanzhi.v1 import game_logic_service_pb2 as messages
from shisanzhi.v1.card_pb2 import Card
from shisanzhi.v1.game_logic_service_pb2_grpc import GameLogicServiceStub
from shisanzhi.v1.match_pb2 import Match
from shisanzhi.v1.ruleset_pb2 import RULESET_CLASSIC
from tests.servers import Process, serving

EXAMPLE = Path(__file__).parents[2] / "deploy" / "examples" / "table-server"
DATA = EXAMPLE / "data"
PLAYERS = ("ann", "bao", "chen", "ding")
LATE = "ding"
"""Who never arranges: the table does it."""


@contextmanager
def table_server(
    logic: str, folder: Path, *flags: str
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    process = subprocess.Popen(
        [
            *(
                sys.executable,
                "-m",
                "table_server",
                "--logic",
                logic,
                "--store",
                folder / "tables.db",
            ),
            *("--port", "0", "--seed-seconds", "3", "--arrange-seconds", "0.4", *flags),
        ],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(EXAMPLE)},
    )
    try:
        assert process.stdout is not None
        yield process, int(process.stdout.readline().rpartition(":")[2])
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


class Player:
    """One who joins, sends a seed, and lays what the solver says as soon as he has a hand."""

    def __init__(self, name: str, logic: str) -> None:
        self.name = name
        self.told: list[dict[str, Any]] = []
        self._logic = logic

    async def play(self, port: int) -> None:
        """Play until the seed is published or the connection is gone."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        async with grpc.aio.insecure_channel(self._logic) as channel:
            self._stub: Any = GameLogicServiceStub(channel)
            _send(writer, {"table": "taipei-7", "player": self.name})
            _send(writer, {"seed": f"seed of {self.name}".encode().hex()})
            with contextlib.suppress(ConnectionError):
                async for line in reader:
                    said = json.loads(line)
                    self.told.append(said)
                    if "hand" in said and self.name != LATE:
                        await self._lay(writer, said)
                    if "seed" in said:
                        break
        writer.close()

    async def _lay(self, writer: asyncio.StreamWriter, said: dict[str, Any]) -> None:
        hand: Any = [Card.Value(card) for card in said["hand"]]
        request = messages.ArrangeRequest(ruleset=RULESET_CLASSIC, hand=hand)
        best = (await self._stub.Arrange(request)).suggestions[0].arrangement
        _send(writer, {"round": said["round"], "arrangement": MessageToDict(best)})


def _send(writer: asyncio.StreamWriter, what: dict[str, Any]) -> None:
    writer.write(json.dumps(what).encode() + b"\n")


async def all_play(port: int, logic: str) -> list[Player]:
    players = [Player(name, logic) for name in PLAYERS]
    await asyncio.gather(*(player.play(port) for player in players))
    return players


@pytest.fixture(scope="module")
def logic() -> Iterator[Process]:
    with serving() as process:
        yield process


def test_a_match_is_played_killed_in_the_middle_and_played_on(
    logic: Process, tmp_path: Path
) -> None:
    file = str(DATA / "open-match-assignment.json")
    killed = 0
    with table_server(logic.address, tmp_path, "--assignment", file) as (process, port):

        async def until_round_six() -> None:
            playing = asyncio.ensure_future(all_play(port, logic.address))
            while len(Store(tmp_path / "tables.db").results("taipei-7")) < 6:
                await asyncio.sleep(0.05)
                assert process.poll() is None
            process.send_signal(signal.SIGKILL)
            await playing

        asyncio.run(until_round_six())
        killed = len(Store(tmp_path / "tables.db").results("taipei-7"))
    assert killed < 16
    before = Store(tmp_path / "tables.db").results("taipei-7")
    # A second assignment of the same table, as a matchmaker that heard no answer sends it.
    with table_server(logic.address, tmp_path, "--assignment", file, "--linger", "1") as (
        process,
        port,
    ):
        players = asyncio.run(all_play(port, logic.address))
        assert process.wait(30) == 0
    store = Store(tmp_path / "tables.db")
    results = store.results("taipei-7")
    match = Match.FromString(store.table("taipei-7").match)
    assert results[: len(before)] == before
    assert match.finished
    assert len(results) == match.next_round - 1
    assert all(player.told[-1]["seed"] for player in players)
    verify(store, players[0])


def verify(store: Store, player: Player) -> None:
    """Check as a player can: the seed has the commitment, and deals what was dealt."""
    *_, last = player.told
    commitment = next(said["commitment"] for said in player.told if "commitment" in said)
    seed = bytes.fromhex(last["seed"])
    assert hashlib.sha256(seed).hexdigest() == commitment
    assert [bytes.fromhex(each) for each in last["player_seeds"]] == [
        f"seed of {name}".encode() for name in PLAYERS
    ]
    deal = subprocess.run(
        [
            *(
                sys.executable,
                EXAMPLE.parents[2] / "demo" / "verify_deal.py",
                "--ruleset",
                "classic",
            ),
            *("--seed", seed.hex(), "--round", str(first_round(player)["round"])),
            *(word for each in last["player_seeds"] for word in ("--player-seed", each)),
            *("--dealer", str(dealer_of(store, first_round(player)["round"]))),
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    hand = [short(card) for card in first_round(player)["hand"]]
    assert deal[2 + first_round(player)["seat"]].split() == hand


def first_round(player: Player) -> dict[str, Any]:
    return next(said for said in player.told if "hand" in said)


def dealer_of(store: Store, number: int) -> int:
    """Fold the stored results up to a round, to know who dealt it."""
    from shisanzhi.v1.round_pb2 import RoundResult  # noqa: PLC0415

    table = store.table("taipei-7")
    start = messages.StartMatchRequest(
        ruleset=RULESET_CLASSIC,
        seed=table.seed,
        player_seeds=table.player_seeds,
        player_ids=table.players,
    )
    match = answer("StartMatch", start).match
    for result in store.results("taipei-7")[: number - 1]:
        units = [seat.total_units for seat in RoundResult.FromString(result).seats]
        request = messages.AdvanceMatchRequest(match=match, units=units)
        match = answer("AdvanceMatch", request).match
    dealer: int = match.dealer
    return dealer


def answer(method: str, request: Message) -> Any:
    from shisanzhi.rpc.calls.methods import METHODS  # noqa: PLC0415

    return METHODS[method].answer(request)


def short(card: str) -> str:
    """Write CARD_SPADES_ACE as verify_deal.py does: As."""
    _, suit, rank = card.split("_")
    ranks = [
        "TWO",
        "THREE",
        "FOUR",
        "FIVE",
        "SIX",
        "SEVEN",
        "EIGHT",
        "NINE",
        "TEN",
        "JACK",
        "QUEEN",
        "KING",
        "ACE",
    ]
    return "23456789TJQKA"[ranks.index(rank)] + suit[0].lower()


class Stuttering:
    """A stub that asks everything twice, and insists on one answer."""

    def __init__(self, stub: Any) -> None:
        self._stub = stub

    def __getattr__(self, method: str) -> Any:
        async def ask(request: Any) -> Any:
            first = await getattr(self._stub, method)(request)
            second = await getattr(self._stub, method)(request)
            assert first == second
            return second

        return ask


class DoneTwice(Store):
    """A store to which everything is written twice."""

    def open(self, *given: Any) -> None:
        super().open(*given)
        super().open(given[0], given[1], b"another seed, which must not count")

    def start(self, *given: Any) -> None:
        super().start(*given)
        super().start(given[0], [b"another"], b"another")

    def begin(self, name: str, number: int, now: float) -> float:
        begun = super().begin(name, number, now)
        assert super().begin(name, number, now + 60) == begun
        return begun

    def lay(self, name: str, number: int, seat: int, arrangement: bytes, **by: Any) -> None:
        super().lay(name, number, seat, arrangement, **by)
        super().lay(name, number, seat, b"another", **by)

    def settle(self, *given: Any) -> None:
        super().settle(*given)
        super().settle(given[0], given[1], b"another", b"another")


def whole_match(
    logic: Process, path: Path, kind: type[Store], seed: bytes, *, stutter: bool
) -> list[bytes]:
    """Play a match at which nobody shows up, from one seed; give its results."""

    async def run() -> list[bytes]:
        store = kind(path)
        store.open("t", PLAYERS, seed)
        async with grpc.aio.insecure_channel(logic.address) as channel:
            stub: Any = GameLogicServiceStub(channel)
            asked = Stuttering(stub) if stutter else stub
            await Table("t", store, asked, lambda *_: None, Patience(0, 0)).play()
        return store.results("t")

    return asyncio.run(run())


def test_a_retry_anywhere_changes_nothing(logic: Process, tmp_path: Path) -> None:
    seed = bytes(range(48))
    once = whole_match(logic, tmp_path / "once.db", Store, seed, stutter=False)
    twice = whole_match(logic, tmp_path / "twice.db", DoneTwice, seed, stutter=True)
    assert len(once) > 3
    assert once == twice


def test_both_matchmakers_assign_the_same_table() -> None:
    read = [assignment.read(json.loads(file.read_text())) for file in sorted(DATA.iterdir())]
    assert read == [assignment.Assigned("taipei-7", PLAYERS)] * 2


def test_three_players_are_no_table() -> None:
    answer = json.loads((DATA / "open-match-assignment.json").read_text())
    answer["assignments"][0]["ticketIds"].pop()
    with pytest.raises(ValueError, match="four different players"):
        assignment.read(answer)


def test_a_foul_is_told_and_not_laid(logic: Process, tmp_path: Path) -> None:
    async def run() -> None:
        store = Store(tmp_path / "foul.db")
        store.open("t", PLAYERS, bytes(48))
        hands: dict[str, Any] = {}
        async with grpc.aio.insecure_channel(logic.address) as channel:
            stub: Any = GameLogicServiceStub(channel)

            def tell(player: str, what: dict[str, Any]) -> None:
                if "hand" in what:
                    hands.setdefault(player, what)

            table = Table("t", store, stub, tell, Patience(0, 60))
            playing = asyncio.ensure_future(table.play())
            while len(hands) < 4:  # noqa: ASYNC110 - the table tells, and nobody else
                await asyncio.sleep(0.01)
            # The best arrangement upside down.
            hand: Any = [Card.Value(card) for card in hands["ann"]["hand"]]
            best = await stub.Arrange(messages.ArrangeRequest(ruleset=RULESET_CLASSIC, hand=hand))
            rows = MessageToDict(best.suggestions[0].arrangement)
            turned = {"front": rows["front"], "middle": rows["back"], "back": rows["middle"]}
            answer = await table.hear("ann", {"round": 1, "arrangement": turned})
            assert "violations" in answer
            assert store.laid("t", 1) == {}
            assert await table.hear("ann", {"round": 1, "arrangement": rows}) == {"kept": 1}
            assert await table.hear("ann", {"round": 9, "arrangement": rows}) == {"late": 9}
            playing.cancel()

    asyncio.run(run())
