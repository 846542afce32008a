"""The edge of the match's books: whether a match that comes back is one that was handed out."""

from collections.abc import Sequence
from typing import Final

from shisanzhi.engine.checks import Checker
from shisanzhi.engine.errors import Reason
from shisanzhi.engine.match import Match, next_dealer, write_up
from shisanzhi.engine.questions import RawMatch, read
from shisanzhi.engine.rulesets import Ruleset

PLAYER_ID_SIZES: Final = range(1, 129)
"""Bytes of UTF-8 in a player's id."""

MAX_ROUNDS: Final = 2**32 - 2
MAX_POINTS: Final = 2**31 - 1
"""What the contract's numbers can hold."""


class MatchChecker(Checker):
    __slots__ = ()

    def players(self, path: str, player_ids: Sequence[str]) -> None:
        """Check that there is a player for each seat, all different."""
        if len(player_ids) != self.seats:
            text = f"expected {self.seats} players, got {len(player_ids)}"
            self._faults.add(Reason.PLAYER_COUNT, path, text)
        seen: set[bytes] = set()
        for index, player_id in enumerate(read(player_ids, self.seats)):
            place, name = f"{path}[{index}]", player_id.encode()
            self._size(Reason.PLAYER_ID_SIZE, place, name, PLAYER_ID_SIZES)
            if len(name) >= PLAYER_ID_SIZES.stop:
                continue
            if name in seen:
                text = f"expected {self.seats} different players, got one again"
                self._faults.add(Reason.PLAYER_ID_REPEATED, place, text)
            seen.add(name)

    def match(self, raw: RawMatch | Match | None) -> Match | None:
        """Check a match that is to go on: its parts, and that they follow from one another."""
        if raw is None:
            self._faults.add(Reason.MATCH_REQUIRED, "match", "expected a match, got none")
            return None
        self.players("match.player_ids", raw.player_ids)
        self.seat_number("match.dealer", raw.dealer)
        self._units("match.units", raw.units)
        if self._ruleset is None or self._faults:
            return None
        match = write_up(
            self._ruleset,
            tuple(raw.player_ids),
            next_round=raw.next_round,
            dealer=raw.dealer,
            units=tuple(raw.units),
        )
        self._check_rounds(self._ruleset, raw)
        self._check_books(match, raw)
        return match

    def round_units(self, match: Match | None, units: Sequence[int]) -> None:
        """Check what a round brought: numbers that sum to zero and that the match can hold."""
        self._units("units", units)
        if self._ruleset is None or match is None:
            return
        most = (MAX_POINTS - self._ruleset.starting_points) // (self._ruleset.points_per_unit or 1)
        won_by_seat = read(units, self.seats)
        for seat, (before, won) in enumerate(zip(match.units, won_by_seat, strict=False)):
            if abs(before + won) > most:
                text = f"expected a total of at most {most} either way, got {before + won}"
                self._faults.add(Reason.UNIT_OUT_OF_RANGE, f"units[{seat}]", text)

    def _units(self, path: str, units: Sequence[int]) -> None:
        if len(units) != self.seats:
            text = f"expected {self.seats} numbers, got {len(units)}"
            self._faults.add(Reason.UNIT_COUNT, path, text)
        elif sum(units):
            text = f"expected a sum of 0, got {sum(units)}"
            self._faults.add(Reason.UNIT_SUM, path, text)

    def _check_rounds(self, ruleset: Ruleset, raw: RawMatch | Match) -> None:
        """Check the number of the round, and how a match begins."""
        last = ruleset.rounds + 1 if ruleset.rounds else MAX_ROUNDS
        if not 1 <= raw.next_round <= last:
            text = f"expected a next round of 1 to {last}, got {raw.next_round}"
            self._faults.add(Reason.MATCH_CONTRADICTORY, "match.next_round", text)
        if raw.next_round == 1 and any(raw.units):
            text = "expected no units before the first round, got some"
            self._faults.add(Reason.MATCH_CONTRADICTORY, "match.units", text)
        dealer = _known_dealer(ruleset, raw)
        if dealer is not None and raw.dealer != dealer:
            text = f"expected seat {dealer} to deal round {raw.next_round}, got {raw.dealer}"
            self._faults.add(Reason.MATCH_CONTRADICTORY, "match.dealer", text)

    def _check_books(self, match: Match, raw: RawMatch | Match) -> None:
        """Check what follows from the rest: points, standings, and whether it is over."""
        self._check_points(match, raw.points)
        if raw.finished != match.finished:
            text = f"expected finished to be {match.finished}, got {raw.finished}".lower()
            self._faults.add(Reason.MATCH_CONTRADICTORY, "match.finished", text)
        if (raw.finish_reason or 0) != (match.finish_reason or 0):
            text = f"expected {match.finish_reason or 'none'}, got {raw.finish_reason or 'none'}"
            self._faults.add(Reason.MATCH_CONTRADICTORY, "match.finish_reason", text)
        if read(raw.standings, self.seats) != match.standings:
            text = "expected the standings that follow from the units, got others"
            self._faults.add(Reason.MATCH_CONTRADICTORY, "match.standings", text)
        if raw.finished and match.finished:
            text = "expected a match that goes on, got one that is over"
            self._faults.add(Reason.MATCH_FINISHED, "match.finished", text)

    def _check_points(self, match: Match, points: Sequence[int]) -> None:
        if len(points) != self.seats:
            text = f"expected {self.seats} numbers, got {len(points)}"
            self._faults.add(Reason.MATCH_CONTRADICTORY, "match.points", text)
            return
        for seat, (expected, got) in enumerate(zip(match.points, points, strict=True)):
            if expected != got:
                text = f"expected {expected} points, which the units make, got {got}"
                self._faults.add(Reason.MATCH_CONTRADICTORY, f"match.points[{seat}]", text)


def _known_dealer(ruleset: Ruleset, raw: RawMatch | Match) -> int | None:
    """Give the dealer where it follows: players who draw for seats have seat 0 deal first."""
    if not ruleset.draws_seats or raw.next_round not in {1, 2}:
        return None
    return 0 if raw.next_round == 1 else next_dealer(ruleset, 0, raw.units)
