"""The edge of the engine: every fault of a question is found here, once, with its path."""

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Final

from shisanzhi.engine.arrangement import (
    JudgedRows,
    come_from,
    judge_rows,
    misfits,
    missing_text,
    out_of_order,
)
from shisanzhi.engine.cards import CARDS, Card, Stock, are_cards, count_cards, not_left
from shisanzhi.engine.errors import Faults, Reason
from shisanzhi.engine.questions import RawArrangement, Unread, read
from shisanzhi.engine.rows import (
    FRONT_SIZE,
    ROW_SIZE,
    ROWS,
    SIZES,
    Rows,
    Violation,
    ViolationReason,
)
from shisanzhi.engine.rulesets import RULESETS, Ruleset
from shisanzhi.engine.seats import SEATS
from shisanzhi.engine.solver.search import MOST_KEPT

MAX_ROWS: Final = 1000
LONGEST: Final = max(len(ruleset.deck) for ruleset in RULESETS.values())
"""As many as a deck has cards: no list but that of the rows may be nearly as long."""
SEED_SIZES: Final = range(16, 65)
MAX_PLAYER_SEEDS: Final = 8
PLAYER_SEED_SIZES: Final = range(1, 65)
MOST_SEATS: Final = SEATS[-1]
_SEAT_PATHS: Final = tuple(f"arrangements[{seat}]" for seat in range(MOST_SEATS))


class Checker:
    """Turns the raw parts of one question into the engine's values, and collects the faults.

    What a faulty part turns into is never used: :meth:`finish` raises first. Of a list that is too
    long only that is said, and its items are not looked at; one that is too short is looked at.
    """

    __slots__ = ("_cut_card", "_faults", "_ruleset")

    def __init__(
        self, ruleset: int | None, cut_card: int | None = None, *, path: str = "ruleset"
    ) -> None:
        """Check the ruleset, which stands at ``path``, and the cut card, if there are any."""
        self._faults = Faults()
        self._ruleset = None if ruleset is None else self._check_ruleset(path, ruleset)
        self._cut_card = None
        if self._ruleset is not None and cut_card is not None:
            self._cut_card = self._check_cut_card(self._ruleset, cut_card)

    @property
    def seats(self) -> int:
        """How many seats there are, as far as that is known."""
        return MOST_SEATS if self._ruleset is None else self._ruleset.seats

    def finish(self) -> tuple[Ruleset, Card | None]:
        """Raise all faults together, or give the ruleset and the cut card."""
        self._faults.check()
        assert self._ruleset is not None  # noqa: S101 - a question without one has a fault
        return self._ruleset, self._cut_card

    def rows(self, rows: Sequence[Sequence[int]]) -> list[tuple[Card, ...]]:
        """Check rows that stand alone: each of three or five cards that the deck can hold."""
        if not 1 <= len(rows) <= MAX_ROWS:
            text = f"expected 1 to {MAX_ROWS} rows, got {len(rows)}"
            self._faults.add(Reason.ROW_COUNT, "rows", text)
        return [
            self._row(f"rows[{index}].cards", row) for index, row in enumerate(read(rows, MAX_ROWS))
        ]

    def hand(self, path: str, hand: Sequence[int]) -> tuple[Card, ...]:
        """Check one hand: its size, and that the deck can hold it."""
        return self._hand(path, hand, self._stock())

    def _hands(self, hands: Sequence[Sequence[int]]) -> list[tuple[Card, ...]]:
        """Check a hand for each seat, or none: their sizes, and that one deck can hold them all."""
        if len(hands) not in {0, self.seats}:
            text = f"expected {self.seats} hands or none, got {len(hands)}"
            self._faults.add(Reason.HAND_COUNT, "hands", text)
        if not hands:
            return []
        stock = self._stock()
        return [
            self._hand(f"hands[{seat}].cards", hand, stock)
            for seat, hand in enumerate(read(hands, self.seats))
        ]

    def arrangement(self, path: str, raw: RawArrangement | None) -> Rows:
        """Check that all cards of an arrangement are cards; the rules are not asked.

        Nor is a row of the wrong size a fault; but one of more cards than a deck has is not read.
        """
        if raw is None:
            self._faults.add(Reason.ARRANGEMENT_REQUIRED, path, "expected an arrangement, got none")
            return (), (), ()
        rows = _read_rows(raw, repeat(LONGEST))
        self._check_rows(path, rows)
        return rows

    def played(
        self, raw: Sequence[RawArrangement], hands: Sequence[Sequence[int]]
    ) -> list[JudgedRows]:
        """Check what all seats play, where a rule broken is a fault, and judge it.

        With hands, which are as many, each must come from its own.
        """
        if not self._is_playable(raw, hands):
            raw = self._check_round(raw, hands)
        if self._ruleset is None or (self._cut_card is None and self._ruleset.has_bonus_rank):
            return []
        return [
            self._judge(path, self._ruleset, rows)
            for path, rows in zip(_SEAT_PATHS, raw, strict=False)
        ]

    def seat_number(self, path: str, number: int | None) -> None:
        """Check a seat, or that none is named."""
        if number is not None and not 0 <= number < self.seats:
            text = f"expected a seat 0..{self.seats - 1}, got {number}"
            self._faults.add(Reason.SEAT_UNKNOWN, path, text)

    def dealer(self, number: int | None) -> int:
        """Check the seat of a dealer who must be named: there is none by default."""
        if number is None:
            text = f"expected a seat 0..{self.seats - 1}, got none"
            self._faults.add(Reason.DEALER_REQUIRED, "dealer", text)
            return 0
        self.seat_number("dealer", number)
        return number

    def seeds(self, seed: bytes, player_seeds: Sequence[bytes]) -> None:
        self._size(Reason.SEED_SIZE, "seed", seed, SEED_SIZES)
        if len(player_seeds) > MAX_PLAYER_SEEDS:
            text = f"expected at most {MAX_PLAYER_SEEDS} player seeds, got {len(player_seeds)}"
            self._faults.add(Reason.PLAYER_SEED_COUNT, "player_seeds", text)
        for index, player_seed in enumerate(read(player_seeds, MAX_PLAYER_SEEDS)):
            path = f"player_seeds[{index}]"
            self._size(Reason.PLAYER_SEED_SIZE, path, player_seed, PLAYER_SEED_SIZES)

    def cuts(self, cuts: Sequence[int]) -> None:
        if self._ruleset is None:
            return
        most, size = self._ruleset.max_cuts, len(self._ruleset.deck)
        if cuts and not most:
            self._faults.add(Reason.CUTS_FORBIDDEN, "cuts", f"expected no cuts, got {len(cuts)}")
            return
        if len(cuts) > most:
            text = f"expected at most {most} cuts, got {len(cuts)}"
            self._faults.add(Reason.CUT_COUNT, "cuts", text)
        for index, cut in enumerate(read(cuts, most)):
            if not 1 <= cut < size:
                text = f"expected a cut of 1 to {size - 1} cards, got {cut}"
                self._faults.add(Reason.CUT_OUT_OF_RANGE, f"cuts[{index}]", text)

    def suggestions(self, count: int) -> None:
        if count > MOST_KEPT:
            text = f"expected at most {MOST_KEPT} suggestions, got {count}"
            self._faults.add(Reason.SUGGESTION_COUNT, "max_suggestions", text)

    def _check_ruleset(self, path: str, number: int) -> Ruleset | None:
        ruleset = RULESETS.get(number)
        if ruleset is None:
            reason = Reason.RULESET_UNKNOWN if number else Reason.RULESET_REQUIRED
            self._faults.add(reason, path, f"expected a ruleset, got {number or 'none'}")
        return ruleset

    def _check_cut_card(self, ruleset: Ruleset, number: int) -> Card | None:
        if not ruleset.has_bonus_rank:
            if number:
                text = f"expected no cut card in {ruleset.key}, got one"
                self._faults.add(Reason.CUT_CARD_FORBIDDEN, "cut_card", text)
            return None
        if not number:
            text = f"expected a cut card in {ruleset.key}, got none"
            self._faults.add(Reason.CUT_CARD_REQUIRED, "cut_card", text)
            return None
        card = CARDS.get(number)
        if card is None:
            self._faults.add(Reason.CARD_UNKNOWN, "cut_card", _unknown_text(number))
        return card

    def _stock(self) -> Stock | None:
        return None if self._ruleset is None else self._ruleset.stock(self._cut_card)

    def _check_cards(self, path: str, numbers: Sequence[int]) -> None:
        if not are_cards(numbers):
            unknown = (item for item in enumerate(numbers) if item[1] not in CARDS)
            self._faults.add_items(Reason.CARD_UNKNOWN, path, unknown, _unknown_text)

    def _check_rows(self, path: str, rows: Rows) -> None:
        front, middle, back = rows
        if not are_cards(front + middle + back):
            for row, numbers in zip(ROWS, rows, strict=True):
                self._check_cards(f"{path}.{row.field}", numbers)

    def _dealt(self, path: str, numbers: Sequence[int], in_play: Stock | None) -> tuple[Card, ...]:
        """Check the cards of one field against the deck; of what was not read nothing is said."""
        if isinstance(numbers, Unread):
            return numbers
        self._check_cards(path, numbers)
        if in_play is not None:
            missing = not_left(in_play, numbers)
            self._faults.add_items(Reason.CARD_REPEATED, path, missing, _repeated_text)
        return tuple([CARDS[number] for number in numbers if number in CARDS])

    def _row(self, path: str, numbers: Sequence[int]) -> tuple[Card, ...]:
        if len(numbers) not in {FRONT_SIZE, ROW_SIZE}:
            text = f"expected {FRONT_SIZE} or {ROW_SIZE} cards, got {len(numbers)}"
            self._faults.add(Reason.ROW_SIZE, path, text)
        return self._dealt(path, read(numbers, ROW_SIZE), self._stock())

    def _hand(self, path: str, numbers: Sequence[int], stock: Stock | None) -> tuple[Card, ...]:
        size = LONGEST if self._ruleset is None else self._ruleset.hand_size
        if self._ruleset is not None and len(numbers) != size:
            text = f"expected a hand of {size} cards, got {len(numbers)}"
            self._faults.add(Reason.HAND_SIZE, path, text)
        return self._dealt(path, read(numbers, size), stock)

    def _is_playable(self, raw: Sequence[RawArrangement], hands: Sequence[Sequence[int]]) -> bool:
        """Tell whether there is no more to check than the order of the rows."""
        ruleset = self._ruleset
        if ruleset is None or len(raw) != ruleset.seats or len(hands) not in {0, ruleset.seats}:
            return False
        if any(len(hand) != ruleset.hand_size for hand in hands):
            return False
        return come_from(ruleset.packed_stock(self._cut_card), raw, hands)

    def _check_round(
        self, raw: Sequence[RawArrangement], hands: Sequence[Sequence[int]]
    ) -> list[RawArrangement]:
        """Find what is wrong with hands and arrangements; give what can be read of these."""
        dealt = self._hands(hands)
        if len(raw) != self.seats:
            text = f"expected {self.seats} arrangements, got {len(raw)}"
            self._faults.add(Reason.ARRANGEMENT_COUNT, "arrangements", text)
        read_rows = [_read_rows(rows, SIZES) for rows in read(raw, self.seats)]
        self._check_played(read_rows, dealt)
        return read_rows

    def _check_played(self, raw: Sequence[RawArrangement], hands: Sequence[Sequence[Card]]) -> None:
        """Check seat by seat the rows' sizes, and their cards against the deck and the hand."""
        in_play = self._stock()
        in_hands: Iterable[Stock | None] = (
            map(_count_read, hands)
            if in_play is not None and len(hands) == len(raw)
            else repeat(None)
        )
        for path, rows, in_hand in zip(_SEAT_PATHS, raw, in_hands, strict=False):
            self._check_rows(path, rows)
            for violation, place in misfits(rows, in_play, in_hand):
                self._add_violation(path, violation, place)

    def _add_violation(self, path: str, violation: Violation, place: int | None = None) -> None:
        """Turn a rule broken into a fault of a row, or of the card at a place of it."""
        reason, row, _, text = violation
        item = "" if place is None else f"[{place}]"
        self._faults.add(Reason[reason.name], f"{path}.{row.field}{item}", text)

    def _judge(self, path: str, ruleset: Ruleset, rows: Rows) -> JudgedRows:
        """Judge the rows of one seat; out of order is a fault."""
        # A row with what is no card in it has no value, and is not part of a dragon.
        judged = judge_rows(
            ruleset, rows if not self._faults else _rows_of_cards(rows), self._cut_card
        )
        for violation in out_of_order(ruleset, judged):
            self._add_violation(path, violation)
        return judged

    def _size(self, reason: Reason, path: str, value: bytes, sizes: range) -> None:
        if len(value) not in sizes:
            text = f"expected {sizes[0]} to {sizes[-1]} bytes, got {len(value)}"
            self._faults.add(reason, path, text)


def _read_rows(rows: Rows, sizes: Iterable[int]) -> RawArrangement:
    """Read the rows that are not larger than their sizes."""
    return RawArrangement(*map(read, rows, sizes))


def _count_read(hand: Sequence[Card]) -> Stock | None:
    """Count the cards of a hand; None for one that was not read."""
    return None if isinstance(hand, Unread) else count_cards(hand)


def _rows_of_cards(rows: Rows) -> Rows:
    """Leave a row empty that has what is no card."""
    front, middle, back = (row if are_cards(row) else () for row in rows)
    return front, middle, back


def _unknown_text(number: int) -> str:
    return f"expected a card, got {number}"


def _repeated_text(card: Card) -> str:
    return missing_text(ViolationReason.CARD_REPEATED, card)
