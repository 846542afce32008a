"""A table: commits to a seed, collects the players' seeds, and plays a match round by round.

Whatever it has done it finds in the store, and whatever Shisanzhi answers follows from what it is
asked: so at any point it can be killed, and goes on from there. Only when a step is stored is it
told to the players.
"""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from google.protobuf.json_format import MessageToDict, ParseDict

from shisanzhi.v1 import game_logic_service_pb2 as messages
from shisanzhi.v1.arrangement_pb2 import Arrangement
from shisanzhi.v1.match_pb2 import Match
from shisanzhi.v1.ruleset_pb2 import RULESET_CLASSIC
from table_server.assignment import Assigned
from table_server.store import Seated, Store

Tell = Callable[[str, dict[str, Any]], None]
"""Tells a player something; a player who is away hears it when he comes back."""

_RULES: Any = {"ruleset": RULESET_CLASSIC}


class Patience(NamedTuple):
    """How long players are waited for, in seconds."""

    seeds: float = 15.0
    arranging: float = 60.0  # RulesetInfo.arrange_seconds


class Table:
    """One table while it is played."""

    def __init__(self, name: str, store: Store, logic: Any, tell: Tell, patience: Patience) -> None:
        """Take the table as stored; ``logic`` is a stub of GameLogicService."""
        self._name = name
        self._store = store
        self._logic = logic
        self._tell = tell
        self._patience = patience
        self._moved = asyncio.Event()
        self._deal: Any = None

    @staticmethod
    def open(assigned: Assigned, store: Store) -> None:
        """Open a table for those who were assigned to it, with a seed of its own."""
        store.open(assigned.table, assigned.players, secrets.token_bytes(48))

    async def play(self) -> None:
        """Play the match to its end, from wherever it stands."""
        table = self._store.table(self._name)
        self._say({"commitment": hashlib.sha256(table.seed).hexdigest()})
        if not table.match:
            table = await self._start(table)
        match = Match.FromString(table.match)
        while not match.finished:
            match = await self._round(table, match)
        # Every round is over: now everybody may check them all.
        self._say(
            {
                "seed": table.seed.hex(),
                "player_seeds": [seed.hex() for seed in table.player_seeds],
                "standings": [MessageToDict(each) for each in match.standings],
            }
        )

    async def _start(self, table: Seated) -> Seated:
        await self._wait(
            lambda: len(self._store.seeds(table.name)) == len(table.players),
            time.time() + self._patience.seeds,
        )
        seeds = self._store.seeds(table.name)
        # In the order of the assignment, from those who sent one.
        player_seeds = [seeds[player] for player in table.players if player in seeds]
        started = await self._logic.StartMatch(
            messages.StartMatchRequest(
                **_RULES, seed=table.seed, player_seeds=player_seeds, player_ids=table.players
            )
        )
        self._store.start(table.name, player_seeds, started.match.SerializeToString())
        return self._store.table(table.name)

    async def _round(self, table: Seated, match: Match) -> Match:
        number = match.next_round
        begun = self._store.begin(table.name, number, time.time())
        # The same seeds, round and dealer deal the same cards, so a deal need not be stored.
        self._deal = await self._logic.DealRound(
            messages.DealRoundRequest(
                **_RULES,
                seed=table.seed,
                player_seeds=table.player_seeds,
                round=number,
                dealer=match.dealer,
            )
        )
        for seat, player in enumerate(match.player_ids):
            hand = MessageToDict(self._deal.hands[seat])["cards"]
            self._tell(player, {"round": number, "seat": seat, "hand": hand})
        await self._wait(
            lambda: len(self._store.laid(table.name, number)) == 4, begun + self._patience.arranging
        )
        await self._lay_for_the_late(table.name, number)
        return await self._settle(table.name, match)

    async def _lay_for_the_late(self, name: str, number: int) -> None:
        for seat in {0, 1, 2, 3} - set(self._store.laid(name, number)):
            request = messages.ArrangeRequest(**_RULES, hand=self._deal.hands[seat].cards)
            best = (await self._logic.Arrange(request)).suggestions[0].arrangement
            self._store.lay(name, number, seat, best.SerializeToString(), by_player=False)

    async def _settle(self, name: str, match: Match) -> Match:
        number = match.next_round
        laid = self._store.laid(name, number)
        scored = await self._logic.Score(
            messages.ScoreRequest(
                **_RULES,
                arrangements=[Arrangement.FromString(laid[seat]) for seat in range(4)],
                dealer=match.dealer,
                hands=self._deal.hands,
            )
        )
        units = [seat.total_units for seat in scored.result.seats]
        advanced = await self._logic.AdvanceMatch(
            messages.AdvanceMatchRequest(match=match, units=units)
        )
        self._store.settle(
            name, number, scored.result.SerializeToString(), advanced.match.SerializeToString()
        )
        # What is stored counts, should somebody else have been quicker.
        match = Match.FromString(self._store.table(name).match)
        self._say({"round": number, "units": units, "points": list(match.points)})
        return match

    async def hear(self, player: str, said: dict[str, Any]) -> dict[str, Any]:
        """Take what a player says: a seed, or an arrangement; answer it."""
        if "seed" in said:
            self._store.keep_seed(self._name, player, bytes.fromhex(said["seed"]))
            self._moved.set()
            return {"kept": "seed"}
        return await self._take(player, int(said["round"]), said["arrangement"])

    async def _take(self, player: str, number: int, laid: dict[str, Any]) -> dict[str, Any]:
        match = Match.FromString(self._store.table(self._name).match)
        if number != match.next_round or self._deal is None:
            return {"late": number}
        seat = list(match.player_ids).index(player)
        arrangement = ParseDict(laid, Arrangement())
        checked = await self._logic.Validate(
            messages.ValidateRequest(
                **_RULES, arrangement=arrangement, hand=self._deal.hands[seat].cards
            )
        )
        if not checked.legal:
            return {"violations": [MessageToDict(each) for each in checked.violations]}
        self._store.lay(self._name, number, seat, arrangement.SerializeToString(), by_player=True)
        self._moved.set()
        return {"kept": number}

    def _say(self, what: dict[str, Any]) -> None:
        for player in self._store.table(self._name).players:
            self._tell(player, what)

    async def _wait(self, true: Callable[[], bool], until: float) -> None:
        """Wait until something is so, or the time is up."""
        while not true() and (left := until - time.time()) > 0:
            self._moved.clear()
            try:
                await asyncio.wait_for(self._moved.wait(), left)
            except TimeoutError:
                return
