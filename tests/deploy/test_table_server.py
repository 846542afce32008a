"""The example of a table service: a match killed in its middle, and every step done twice."""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import MessageToDict
from table_server import assignment
from table_server.store import Store
from table_server.table import Patience, Table

from deploy.loadtest import match
from deploy.loadtest.players import EXAMPLE, PLAYERS, Told
from shisanzhi.v1 import game_logic_service_pb2 as messages
from shisanzhi.v1.card_pb2 import Card
from shisanzhi.v1.game_logic_service_pb2_grpc import GameLogicServiceStub
from shisanzhi.v1.ruleset_pb2 import RULESET_CLASSIC
from tests.servers import Process, serving

DATA = EXAMPLE / "data"


@pytest.fixture(scope="module")
def logic() -> Iterator[Process]:
    with serving() as process:
        yield process


@pytest.fixture(scope="module")
def played(logic: Process, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, match.Played]:
    folder = tmp_path_factory.mktemp("match")
    return folder / "tables.db", asyncio.run(match.play(logic.address, folder, 6))


def test_a_match_is_played_killed_in_the_middle_and_played_on(
    logic: Process, played: tuple[Path, match.Played]
) -> None:
    stored, (resumed, told) = played
    assert 9 <= resumed <= 16
    asyncio.run(match.verify(logic.address, Store(stored), told))


def changed_result(store: sqlite3.Connection, _told: list[Told]) -> None:
    store.execute(
        "UPDATE rounds SET result = (SELECT result FROM rounds WHERE round = 4) WHERE round = 5"
    )


def changed_match(store: sqlite3.Connection, _told: list[Told]) -> None:
    store.execute("UPDATE tables SET match = ?", (b"",))


def missing_round(store: sqlite3.Connection, _told: list[Told]) -> None:
    store.execute("DELETE FROM rounds WHERE round = 16")


def changed_hand(_store: sqlite3.Connection, told: list[Told]) -> None:
    said = next(said for said in told if "hand" in said)
    said["hand"] = said["hand"][::-1]


def another_seed(_store: sqlite3.Connection, told: list[Told]) -> None:
    told[-1]["seed"] = bytes(47).hex()


def another_commitment(_store: sqlite3.Connection, told: list[Told]) -> None:
    told.append({"commitment": bytes(32).hex()})


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (changed_result, "the result of round 5"),
        (changed_match, "the match"),
        (missing_round, "the match"),
        (changed_hand, "each hand of round 1"),
        (another_seed, "the published seed"),
        (another_commitment, "what was committed to"),
    ],
)
def test_a_match_that_is_not_right_is_noticed(
    logic: Process,
    played: tuple[Path, match.Played],
    tmp_path: Path,
    change: Callable[[sqlite3.Connection, list[Told]], None],
    named: str,
) -> None:
    stored, (_, told) = played
    copy = tmp_path / "tables.db"
    told = json.loads(json.dumps(told))
    with closing(sqlite3.connect(stored)) as source, closing(sqlite3.connect(copy)) as store:
        source.backup(store)
        change(store, told)
        store.commit()
    with pytest.raises(match.WrongError, match=f"expected {named} "):
        asyncio.run(match.verify(logic.address, Store(copy), told))


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
