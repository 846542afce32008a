"""A match through the load test: sixteen rounds of CLASSIC, killed in the middle and played on.

    PYTHONPATH=deploy/examples/table-server python -m deploy.loadtest.match --logic 127.0.0.1:8081

The table server of the examples plays it with four players, is killed with -9 half-way, and goes on
from what it had stored. Then the match is held against the seed that was published, as a player
can do it, and every question is asked once more. Exits with 1 unless all is as it should be.
"""

import argparse
import asyncio
import hashlib
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from table_server.store import Seated, Store

from demo.verify_deal import deal
from deploy.loadtest.players import EXAMPLE, PLAYERS, TABLE, Told, all_play, connect, table_server
from shisanzhi.v1 import game_logic_service_pb2 as messages
from shisanzhi.v1.arrangement_pb2 import Arrangement
from shisanzhi.v1.game_logic_service_pb2_grpc import GameLogicServiceStub
from shisanzhi.v1.match_pb2 import Match
from shisanzhi.v1.round_pb2 import RoundResult
from shisanzhi.v1.ruleset_pb2 import RULESET_CLASSIC

ROUNDS = 16
SEED = bytes(48)
"""Of a match in which nobody loses all points before the last round."""
_RULES: Any = {"ruleset": RULESET_CLASSIC}
_RANKS = ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN")


class WrongError(Exception):
    """Something of the match is not as it should be."""


def expect(got: object, wanted: object, what: str) -> None:
    """Raise :class:`WrongError` where two things differ that should be the same."""
    if got != wanted:
        raise WrongError(f"expected {what} to be {wanted}, got {got}")


class Played(NamedTuple):
    """The round in which it was resumed, and all that players were told, before and after."""

    resumed: int
    told: list[Told]


async def play(logic: str, folder: Path, seconds: float) -> Played:
    """Play it in about so many seconds, and kill the table server half-way."""
    store = Store(folder / "tables.db")
    store.open(TABLE, PLAYERS, SEED)
    # Assigned again at each start, as by a matchmaker that heard no answer.
    assigned = ("--assignment", str(EXAMPLE / "data" / "open-match-assignment.json"))
    flags = (*assigned, "--arrange-seconds", str(seconds / ROUNDS), "--linger", "1")
    with table_server(logic, folder, *flags) as (process, port):
        playing = asyncio.ensure_future(all_play(port, logic))
        while len(store.results(TABLE)) < ROUNDS // 2:
            await asyncio.sleep(0.05)
            expect(process.poll(), None, "the exit code in the middle")
        process.kill()
        players = await playing
    before = store.results(TABLE)
    with table_server(logic, folder, *flags) as (process, port):
        players += await all_play(port, logic)
        expect(await asyncio.to_thread(process.wait, 30), 0, "the exit code in the end")
    expect(store.results(TABLE)[: len(before)], before, "what was stored before the kill")
    return Played(len(before) + 1, [said for player in players for said in player.told])


async def verify(logic: str, store: Store, told: Sequence[Told]) -> None:
    """Hold a finished match against its seed, and ask every question once more."""
    table = store.table(TABLE)
    commitments = {said["commitment"] for said in told if "commitment" in said}
    expect(commitments, {hashlib.sha256(SEED).hexdigest()}, "what was committed to")
    expect({said["seed"] for said in told if "seed" in said}, {SEED.hex()}, "the published seed")
    hands = _hands(told)
    async with connect(logic) as channel:
        stub: Any = GameLogicServiceStub(channel)
        match = await _start(stub, table)
        for number, stored in enumerate(store.results(TABLE), start=1):
            expect(hands[number], _repeated(table, match), f"each hand of round {number}")
            result = await _score(stub, table, match, store.laid(TABLE, number))
            expect(result, RoundResult.FromString(stored), f"the result of round {number}")
            units = [seat.total_units for seat in result.seats]
            request = messages.AdvanceMatchRequest(match=match, units=units)
            match = (await stub.AdvanceMatch(request)).match
    expect(match, Match.FromString(table.match), "the match")
    expect((match.finished, match.next_round), (True, ROUNDS + 1), "the end and the next round")


def _hands(told: Sequence[Told]) -> dict[int, dict[int, set[str]]]:
    """Give every hand that a seat was told of, by round."""
    hands: dict[int, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for said in told:
        if "hand" in said:
            hands[said["round"]][said["seat"]].add(" ".join(map(_short, said["hand"])))
    return hands


def _short(card: str) -> str:
    """Write CARD_SPADES_ACE as the program that repeats deals does: As."""
    _, suit, rank = card.split("_")
    digits = dict(zip(_RANKS, "23456789T", strict=True))
    return digits.get(rank, rank[0]) + suit[0].lower()


def _repeated(table: Seated, match: Any) -> dict[int, set[str]]:
    """Deal a round with a program that shares nothing with Shisanzhi."""
    seeds = (table.seed, table.player_seeds)
    *_, hands = deal("classic", *seeds, number=match.next_round, dealer=match.dealer)
    return {seat: {hand} for seat, hand in enumerate(hands)}


async def _start(stub: Any, table: Seated) -> Any:
    request = messages.StartMatchRequest(
        **_RULES, seed=table.seed, player_seeds=table.player_seeds, player_ids=table.players
    )
    return (await stub.StartMatch(request)).match


async def _score(stub: Any, table: Seated, match: Any, laid: dict[int, bytes]) -> Any:
    dealt = await stub.DealRound(
        messages.DealRoundRequest(
            **_RULES,
            seed=table.seed,
            player_seeds=table.player_seeds,
            round=match.next_round,
            dealer=match.dealer,
        )
    )
    request = messages.ScoreRequest(
        **_RULES,
        arrangements=[Arrangement.FromString(laid[seat]) for seat in range(4)],
        dealer=match.dealer,
        hands=dealt.hands,
    )
    return (await stub.Score(request)).result


async def run(logic: str, seconds: float, folder: Path) -> str:
    """Play and verify; say how it went."""
    played = await play(logic, folder, seconds)
    await verify(logic, Store(folder / "tables.db"), played.told)
    return (
        f"{ROUNDS} rounds of CLASSIC, killed and resumed in round {played.resumed}; every deal "
        f"follows from the published seed, and every question asked again has the stored answer"
    )


def main() -> None:
    """Read the command line; play."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--logic", default="127.0.0.1:8081")
    parser.add_argument("--seconds", type=float, default=30.0)
    given = parser.parse_args()
    # Told to end, it ends its table server too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory() as folder:
        try:
            said = asyncio.run(run(given.logic, given.seconds, Path(folder)))
        except WrongError as error:
            sys.exit(f"match: {error}")
    sys.stdout.write(f"match: {said}\n")


if __name__ == "__main__":
    main()
