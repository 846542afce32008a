"""The rules a second time: slow, obvious, and sharing no code with the engine.

A card is two characters ("As", "Td"), a ruleset is "bonus" or "classic", a row is a sequence of
cards. Each function reads one paragraph of the rules and does what it says, in its order.
"""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

Cards = Sequence[str]
Arrangement = tuple[Cards, Cards, Cards]
Value = tuple[str, tuple[int, ...]]
Matrix = list[list[int]]

SEATS = (0, 1, 2, 3)
ROWS = ("FRONT", "MIDDLE", "BACK")
ROW_SIZES = (3, 5, 5)
RANKS = "23456789TJQKA"
SUITS = "cdhs"

LEAST_TO_GREATEST = (
    "HIGH_CARD",
    "PAIR",
    "TWO_PAIR",
    "TRIPS",
    "BONUS_TRIPS",
    "STRAIGHT",
    "FLUSH",
    "PAIR_FLUSH",
    "FULL_HOUSE",
    "BONUS_FULL_HOUSE",
    "QUADS",
    "BONUS_QUADS",
    "STRAIGHT_FLUSH",
    "FIVE_OF_A_KIND",
)

BONUS_ROYALTIES = {
    ("FRONT", "TRIPS"): 1,
    ("FRONT", "BONUS_TRIPS"): 2,
    ("MIDDLE", "BONUS_TRIPS"): 1,
    ("MIDDLE", "BONUS_FULL_HOUSE"): 2,
    ("MIDDLE", "QUADS"): 2,
    ("MIDDLE", "STRAIGHT_FLUSH"): 2,
    ("MIDDLE", "BONUS_QUADS"): 5,
    ("MIDDLE", "FIVE_OF_A_KIND"): 10,
    ("BACK", "BONUS_TRIPS"): 1,
    ("BACK", "BONUS_FULL_HOUSE"): 1,
    ("BACK", "QUADS"): 1,
    ("BACK", "STRAIGHT_FLUSH"): 1,
    ("BACK", "BONUS_QUADS"): 5,
    ("BACK", "FIVE_OF_A_KIND"): 5,
}

CLASSIC_ROYALTIES = {
    ("FRONT", "TRIPS"): 3,
    ("MIDDLE", "QUADS"): 8,
    ("BACK", "QUADS"): 4,
    ("MIDDLE", "STRAIGHT_FLUSH"): 10,
    ("BACK", "STRAIGHT_FLUSH"): 5,
}

CLASSIC_POINTS_PER_UNIT = 20


class UnanswerableError(ValueError):
    """The round cannot be scored: a foul, or cards that the deck does not hold."""


# Cards -------------------------------------------------------------------------------------------


def rank_of(card: str) -> int:
    """Give a card's rank, 2 to 14. A is high, 2 is low."""
    return RANKS.index(card[0]) + 2


def deck(ruleset: str) -> list[str]:
    """List the canonical deck: clubs, diamonds, hearts, spades; BONUS has the spades again."""
    suits = SUITS + "s" if ruleset == "bonus" else SUITS
    return [rank + suit for suit in suits for rank in RANKS]


def copies_in_play(ruleset: str, cut: str | None, card: str) -> int:
    """Count the copies of a card: one, in BONUS two of each spade, and one less of the cut card."""
    copies = 2 if ruleset == "bonus" and card[1] == "s" else 1
    return copies - 1 if card == cut else copies


def deck_holds(ruleset: str, cut: str | None, cards: Cards) -> bool:
    """Tell whether the deck, less the cut card, holds these cards all at once."""
    for card, copies in Counter(cards).items():
        if copies > copies_in_play(ruleset, cut, card):
            return False
    return True


# Categories --------------------------------------------------------------------------------------


def category_and_ranks(ruleset: str, cut: str | None, row: Cards) -> Value:
    """Name the greatest category that fits a row, and its tie-break ranks in order."""
    bonus_rank = rank_of(cut) if ruleset == "bonus" and cut is not None else None
    return _category_and_ranks(bonus_rank, tuple(row))


@lru_cache(maxsize=4096)
def _category_and_ranks(  # noqa: C901, PLR0911 - one branch for each category
    bonus_rank: int | None, row: tuple[str, ...]
) -> Value:
    """Try the categories from the greatest down; `bonus_rank` is None in CLASSIC."""
    ranks = sorted((rank_of(card) for card in row), reverse=True)
    copies = Counter(ranks)
    grouped = tuple(sorted(copies, key=lambda rank: (copies[rank], rank), reverse=True))
    counts = [copies[rank] for rank in grouped]
    is_bonus = grouped[0] == bonus_rank
    if len(row) == 3:
        return _front_category(counts, is_bonus=is_bonus), grouped
    is_flush = len({card[1] for card in row}) == 1
    top = _top_of_straight(ranks)
    if counts == [5]:
        return "FIVE_OF_A_KIND", grouped
    if is_flush and top is not None:
        return "STRAIGHT_FLUSH", (top,)
    if counts == [4, 1]:
        return "BONUS_QUADS" if is_bonus else "QUADS", grouped
    if counts == [3, 2]:
        return "BONUS_FULL_HOUSE" if is_bonus else "FULL_HOUSE", grouped
    if is_flush and len(counts) < 5:
        return "PAIR_FLUSH", grouped
    if is_flush:
        return "FLUSH", grouped
    if top is not None:
        return "STRAIGHT", (top,)
    if counts == [3, 1, 1]:
        return "BONUS_TRIPS" if is_bonus else "TRIPS", grouped
    if counts == [2, 2, 1]:
        return "TWO_PAIR", grouped
    if counts == [2, 1, 1, 1]:
        return "PAIR", grouped
    return "HIGH_CARD", grouped


def _front_category(counts: list[int], *, is_bonus: bool) -> str:
    """Name a front's category: no straight and no flush there."""
    if counts == [3]:
        return "BONUS_TRIPS" if is_bonus else "TRIPS"
    if counts == [2, 1]:
        return "PAIR"
    return "HIGH_CARD"


def _top_of_straight(ranks: list[int]) -> int | None:
    """Give the top of five consecutive ranks, high to low; A-2-3-4-5 tops at 5, nothing wraps."""
    if ranks == [14, 5, 4, 3, 2]:
        return 5
    top = ranks[0]
    if ranks == [top, top - 1, top - 2, top - 3, top - 4]:
        return top
    return None


def compare(ruleset: str, cut: str | None, row_a: Cards, row_b: Cards) -> int:
    """Compare two rows: 1 if the first is greater, -1 if it is lower, 0 if they are equal."""
    return compare_values(
        category_and_ranks(ruleset, cut, row_a), category_and_ranks(ruleset, cut, row_b)
    )


def compare_values(a: Value, b: Value) -> int:
    """Compare by category, then rank by rank; where three cards run out, five cards win."""
    (category_a, ranks_a), (category_b, ranks_b) = a, b
    if category_a != category_b:
        height_a = LEAST_TO_GREATEST.index(category_a)
        height_b = LEAST_TO_GREATEST.index(category_b)
        return 1 if height_a > height_b else -1
    if category_a == "PAIR_FLUSH" and len(ranks_a) != len(ranks_b):
        # Two pairs leave three ranks and one pair leaves four; two pairs beat one.
        return 1 if len(ranks_a) < len(ranks_b) else -1
    for rank_a, rank_b in zip(ranks_a, ranks_b, strict=False):
        if rank_a != rank_b:
            return 1 if rank_a > rank_b else -1
    if len(ranks_a) != len(ranks_b):
        return 1 if len(ranks_a) > len(ranks_b) else -1
    return 0


# Arrangements ------------------------------------------------------------------------------------


def is_dragon(ruleset: str, cards: Cards) -> bool:
    """Tell whether the cards are a dragon: CLASSIC only, one card of each rank."""
    return ruleset == "classic" and sorted(rank_of(card) for card in cards) == list(range(2, 15))


def legal(ruleset: str, cut: str | None, front: Cards, middle: Cards, back: Cards) -> bool:
    """Tell whether an arrangement may be played; the order of a dragon's rows is not checked."""
    return not faults(ruleset, cut, (front, middle, back), None)


def faults(
    ruleset: str, cut: str | None, arrangement: Arrangement, hand: Cards | None
) -> list[str]:
    """Name every fault of an arrangement, once each: sizes, copies, hand, order."""
    front, middle, back = arrangement
    played = [*front, *middle, *back]
    right_sizes = (len(front), len(middle), len(back)) == ROW_SIZES
    found = []
    if not right_sizes:
        found.append("ROW_SIZE")
    if not deck_holds(ruleset, cut, played):
        found.append("CARD_REPEATED")
    if hand is not None and Counter(played) - Counter(hand):
        found.append("CARD_NOT_IN_HAND")
    if right_sizes and is_dragon(ruleset, played):
        return found
    return found + _order_faults(ruleset, cut, arrangement)


def _order_faults(ruleset: str, cut: str | None, arrangement: Arrangement) -> list[str]:
    """Check front < middle ≤ back (BONUS) or front < middle < back (CLASSIC).

    A row of another size, or one that no deck can deal, has no value and is not compared.
    """
    front, middle, back = (
        category_and_ranks(ruleset, cut, row)
        if len(row) == size and deck_holds(ruleset, cut, row)
        else None
        for row, size in zip(arrangement, ROW_SIZES, strict=True)
    )
    found = []
    if front and middle and compare_values(front, middle) >= 0:
        found.append("FRONT_NOT_BELOW_MIDDLE")
    if middle and back:
        order = compare_values(middle, back)
        if order > 0 or (order == 0 and ruleset == "classic"):
            found.append("MIDDLE_NOT_BELOW_BACK")
    return found


# Scoring -----------------------------------------------------------------------------------------


class OracleRoyalty(NamedTuple):
    """One royalty paid; a dragon's has no row and no category."""

    payee: int
    payer: int
    row: str | None
    category: str | None
    units: int


@dataclass(frozen=True)
class OraclePair:
    """One seat against one opponent, seen from the seat; outcomes are None where none compare."""

    outcomes: tuple[str | None, str | None, str | None]
    pair: int
    gunshot: int
    home_run: int
    royalty: int
    total: int
    royalties: list[OracleRoyalty]
    guns: bool
    gunned: bool


@dataclass(frozen=True)
class OracleRound:
    """A scored round: lists are by seat, pairs are all twelve (seat, opponent)."""

    values: list[tuple[Value, Value, Value]]
    dragons: list[bool]
    pair: list[int]
    gunshot: list[int]
    home_run: list[int]
    royalty: list[int]
    total: list[int]
    place: list[int]
    points: list[int]
    showing_order: list[int]
    pairs: dict[tuple[int, int], OraclePair]
    gunned: set[tuple[int, int]]
    home_runs: set[int]


def _nobody_pays() -> Matrix:
    return [[0, 0, 0, 0] for _ in SEATS]


@dataclass
class Ledger:
    """Who pays whom, reason by reason: `ledger.gunshot[payer][payee]` units."""

    pair: Matrix = field(default_factory=_nobody_pays)
    gunshot: Matrix = field(default_factory=_nobody_pays)
    home_run: Matrix = field(default_factory=_nobody_pays)
    royalties: list[OracleRoyalty] = field(default_factory=list)
    outcomes: dict[tuple[int, int], tuple[str, str, str]] = field(default_factory=dict)
    gunned: set[tuple[int, int]] = field(default_factory=set)
    home_runs: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Table:
    """What lies on the table: each seat's three row values, its dragon and that dragon's suit."""

    values: list[tuple[Value, Value, Value]]
    dragons: list[bool]
    one_suit: list[bool]


def score(
    ruleset: str, cut: str | None, dealer: int, arrangements: Sequence[Arrangement]
) -> OracleRound:
    """Score four arrangements; raise `UnanswerableError` for a foul or a card played too often."""
    _refuse_the_unplayable(ruleset, cut, arrangements)
    table = _look_at_the_table(ruleset, cut, arrangements)
    ledger = _bonus_ledger(table) if ruleset == "bonus" else _classic_ledger(table)
    return _sum_up(ruleset, dealer, table, ledger)


def _refuse_the_unplayable(
    ruleset: str, cut: str | None, arrangements: Sequence[Arrangement]
) -> None:
    """A foul cannot be played, nor can a card the deck does not hold. There is no penalty."""
    for seat in SEATS:
        front, middle, back = arrangements[seat]
        if not legal(ruleset, cut, front, middle, back):
            raise UnanswerableError(f"expected a legal arrangement, got a foul in seat {seat}")
    everything = [card for rows in arrangements for row in rows for card in row]
    if not deck_holds(ruleset, cut, everything):
        raise UnanswerableError("expected cards of one deck, got more copies than it holds")


def _look_at_the_table(ruleset: str, cut: str | None, arrangements: Sequence[Arrangement]) -> Table:
    """Value each row and recognise the dragons, judged on the thirteen cards as such."""
    values = []
    dragons = []
    one_suit = []
    for front, middle, back in arrangements:
        played = [*front, *middle, *back]
        values.append(
            (
                category_and_ranks(ruleset, cut, front),
                category_and_ranks(ruleset, cut, middle),
                category_and_ranks(ruleset, cut, back),
            )
        )
        dragons.append(is_dragon(ruleset, played))
        one_suit.append(len({card[1] for card in played}) == 1)
    return Table(values, dragons, one_suit)


def _others(seat: int) -> list[int]:
    return [other for other in SEATS if other != seat]


def _meet(table: Table, seat: int, opponent: int) -> tuple[str, str, str]:
    """Compare two seats row by row, as the first of them sees it."""
    words = {1: "WON", 0: "TIED", -1: "LOST"}
    front, middle, back = (
        words[compare_values(mine, theirs)]
        for mine, theirs in zip(table.values[seat], table.values[opponent], strict=True)
    )
    return front, middle, back


def _bonus_ledger(table: Table) -> Ledger:
    """BONUS: gunshots, then home runs, then royalties; winning a row scores nothing in itself."""
    ledger = Ledger()
    for seat in SEATS:
        for opponent in _others(seat):
            ledger.outcomes[seat, opponent] = _meet(table, seat, opponent)
            if "LOST" not in ledger.outcomes[seat, opponent]:
                ledger.gunned.add((seat, opponent))
                ledger.gunshot[opponent][seat] += 1
            _pay_bonus_royalties(table, ledger, seat, opponent)
    for seat in SEATS:
        if all((seat, opponent) in ledger.gunned for opponent in _others(seat)):
            ledger.home_runs.add(seat)
            for opponent in _others(seat):
                ledger.home_run[opponent][seat] += 2
    return ledger


def _pay_bonus_royalties(table: Table, ledger: Ledger, seat: int, opponent: int) -> None:
    """The opponent pays for each strictly greater row of the seat that is in the table."""
    for index, row in enumerate(ROWS):
        category, _ = table.values[seat][index]
        if ledger.outcomes[seat, opponent][index] == "WON" and (row, category) in BONUS_ROYALTIES:
            units = BONUS_ROYALTIES[row, category]
            ledger.royalties.append(OracleRoyalty(seat, opponent, row, category, units))


def _classic_ledger(table: Table) -> Ledger:
    """CLASSIC: dragons first, then the pairs of seats that compare, then the home run."""
    ledger = Ledger()
    dragons = [seat for seat in SEATS if table.dragons[seat]]
    common = [seat for seat in SEATS if not table.dragons[seat]]
    if len(dragons) == 4:
        return ledger
    best_dragon = _best_dragon(table, dragons)
    for dragon in dragons:
        for other in common:
            ledger.gunned.add((dragon, other))
            ledger.gunshot[other][dragon] += 6
            ledger.royalties.append(OracleRoyalty(dragon, other, None, None, 13))
    if best_dragon is None:
        for seat in common:
            for opponent in common:
                if seat != opponent:
                    _settle_classic_pair(table, ledger, seat, opponent)
    _pay_classic_home_run(ledger, best_dragon, common)
    return ledger


def _best_dragon(table: Table, dragons: list[int]) -> int | None:
    """Name the one dragon, or the one of two that is all in one suit while the other is not."""
    if len(dragons) == 1:
        return dragons[0]
    suited = [seat for seat in dragons if table.one_suit[seat]]
    return suited[0] if len(suited) == 1 else None


def _settle_classic_pair(table: Table, ledger: Ledger, seat: int, opponent: int) -> None:
    """Pay the seat if it beats the opponent; the opponent's side is settled in its own turn."""
    outcomes = _meet(table, seat, opponent)
    ledger.outcomes[seat, opponent] = outcomes
    won, lost, tied = (outcomes.count(word) for word in ("WON", "LOST", "TIED"))
    if (won, lost, tied) in [(3, 0, 0), (2, 0, 1), (1, 0, 2)]:
        ledger.gunned.add((seat, opponent))
        ledger.gunshot[opponent][seat] += 6
    elif (won, lost, tied) == (2, 1, 0):
        ledger.pair[opponent][seat] += 1
    else:
        return
    for (category, _), row in zip(table.values[seat], ROWS, strict=True):
        if (row, category) in CLASSIC_ROYALTIES:
            units = CLASSIC_ROYALTIES[row, category]
            ledger.royalties.append(OracleRoyalty(seat, opponent, row, category, units))


def _pay_classic_home_run(ledger: Ledger, best_dragon: int | None, common: list[int]) -> None:
    """Six more from each: to a seat that gunned all three others, or to the better dragon."""
    if best_dragon is not None:
        ledger.home_runs.add(best_dragon)
        for other in common:
            ledger.home_run[other][best_dragon] += 6
        return
    for seat in SEATS:
        if all((seat, opponent) in ledger.gunned for opponent in _others(seat)):
            ledger.home_runs.add(seat)
            for opponent in _others(seat):
                ledger.home_run[opponent][seat] += 6


def _sum_up(ruleset: str, dealer: int, table: Table, ledger: Ledger) -> OracleRound:
    """Add up what each seat received and paid, and place the seats."""
    royalty = _nobody_pays()
    for paid in ledger.royalties:
        royalty[paid.payer][paid.payee] += paid.units
    parts = [ledger.pair, ledger.gunshot, ledger.home_run, royalty]
    pair, gunshot, home_run, royalties = ([_net(m, seat) for seat in SEATS] for m in parts)
    total = [sum(_net(matrix, seat) for matrix in parts) for seat in SEATS]
    showing_order = [(dealer + step) % 4 for step in range(4)]
    return OracleRound(
        values=table.values,
        dragons=table.dragons,
        pair=pair,
        gunshot=gunshot,
        home_run=home_run,
        royalty=royalties,
        total=total,
        place=_places(total, showing_order),
        points=[units * CLASSIC_POINTS_PER_UNIT if ruleset == "classic" else 0 for units in total],
        showing_order=showing_order,
        pairs={
            (seat, opponent): _pair_seen_from(ledger, royalty, seat, opponent)
            for seat in SEATS
            for opponent in _others(seat)
        },
        gunned=ledger.gunned,
        home_runs=ledger.home_runs,
    )


def _net(matrix: Matrix, seat: int) -> int:
    """Give what a seat receives less what it pays."""
    return sum(matrix[other][seat] - matrix[seat][other] for other in SEATS)


def _pair_seen_from(ledger: Ledger, royalty: Matrix, seat: int, opponent: int) -> OraclePair:
    """Give the units that moved between two seats, gains positive for the first."""
    pair, gunshot, home_run, royalties = (
        matrix[opponent][seat] - matrix[seat][opponent]
        for matrix in (ledger.pair, ledger.gunshot, ledger.home_run, royalty)
    )
    return OraclePair(
        outcomes=ledger.outcomes.get((seat, opponent), (None, None, None)),
        pair=pair,
        gunshot=gunshot,
        home_run=home_run,
        royalty=royalties,
        total=pair + gunshot + home_run + royalties,
        royalties=[
            paid for paid in ledger.royalties if {paid.payee, paid.payer} == {seat, opponent}
        ],
        guns=(seat, opponent) in ledger.gunned,
        gunned=(opponent, seat) in ledger.gunned,
    )


def _places(total: list[int], showing_order: list[int]) -> list[int]:
    """Place 1 to 4 by total; of equal totals the seat nearer in showing order ranks first."""
    places = []
    for seat in SEATS:
        ahead = 0
        for other in _others(seat):
            nearer = showing_order.index(other) < showing_order.index(seat)
            if total[other] > total[seat] or (total[other] == total[seat] and nearer):
                ahead += 1
        places.append(ahead + 1)
    return places


# Dealing from a seed: algorithm shisanzhi.v1 -----------------------------------------------------


class OracleDeal(NamedTuple):
    """What a seed deals: one of `cut_card` (BONUS) and `turned_up_card` (CLASSIC) is None."""

    dealer: int
    first_receiver: int
    cut_card: str | None
    turned_up_card: str | None
    hands: list[list[str]]


class Draws:
    """The numbers one purpose draws: HMAC-SHA256 blocks, cut into big-endian 32-bit words."""

    def __init__(self, key: bytes, purpose: str, ruleset: str, round_number: int) -> None:
        """Start the stream at its first word."""
        self._words = _words(key, f"shisanzhi.v1/{purpose}/{ruleset}/{round_number}/")

    def bounded(self, n: int) -> int:
        """Draw a number below n: the first word below 2^32 - (2^32 mod n), mod n."""
        word = next(self._words)
        while word >= 2**32 - 2**32 % n:
            word = next(self._words)
        return word % n

    def shuffle(self, cards: list[str]) -> None:
        """Shuffle in place: for i from the last down to 1, swap card i and card bounded(i + 1)."""
        for i in range(len(cards) - 1, 0, -1):
            j = self.bounded(i + 1)
            cards[i], cards[j] = cards[j], cards[i]


def _words(key: bytes, prefix: str) -> Iterator[int]:
    i = 0
    while True:
        block = hmac.digest(key, f"{prefix}{i}".encode("ascii"), "sha256")
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")
        i += 1


def mixed_key(seed: bytes, player_seeds: Sequence[bytes]) -> bytes:
    """Give the key: the seed, or with player seeds an HMAC of each one's length and bytes."""
    if not player_seeds:
        return seed
    message = b"shisanzhi.v1/mix"
    for player_seed in player_seeds:
        message += bytes([len(player_seed)]) + player_seed
    return hmac.digest(seed, message, "sha256")


def commitment(seed: bytes) -> bytes:
    """Give what is published before the round: SHA-256 of the seed."""
    return hashlib.sha256(seed).digest()


def deal(  # noqa: PLR0913, PLR0917 - the inputs of the algorithm
    ruleset: str,
    seed: bytes,
    player_seeds: Sequence[bytes] = (),
    round_number: int = 1,
    dealer: int | None = None,
    cuts: Sequence[int] = (),
) -> OracleDeal:
    """Deal a round: shuffle, cut, take out or turn up a card, deal one card at a time."""
    key = mixed_key(seed, player_seeds)
    if dealer is None:
        dealer = Draws(key, "dealer", ruleset, round_number).bounded(4)
    draws = Draws(key, "deal", ruleset, round_number)
    cards = deck(ruleset)
    draws.shuffle(cards)
    for position in cuts:
        cards = cards[position:] + cards[:position]
    chosen = draws.bounded(len(cards))
    if ruleset == "bonus":
        cut_card, turned_up, first = cards.pop(chosen), None, dealer
    else:
        cut_card, turned_up = None, cards[chosen]
        first = (dealer + _number_of(turned_up) - 1) % 4
    hands: list[list[str]] = [[], [], [], []]
    for t, card in enumerate(cards):
        hands[(first + t) % 4].append(card)
    return OracleDeal(dealer, first, cut_card, turned_up, hands)


def _number_of(card: str) -> int:
    """Give the number a turned-up card counts off: A = 1, J, Q, K = 11, 12, 13."""
    return 1 if card[0] == "A" else rank_of(card)


def seats(seed: bytes, player_seeds: Sequence[bytes] = ()) -> tuple[list[list[str]], list[int]]:
    """Draw CLASSIC's seats: every draw made, and the player who sits in each seat."""
    draws = Draws(mixed_key(seed, player_seeds), "seats", "classic", 1)
    cards = deck("classic")
    drawn: list[list[str]] = []
    while True:
        draws.shuffle(cards)
        for start in range(0, 52, 4):
            four = cards[start : start + 4]
            drawn.append(four)
            if len({rank_of(card) for card in four}) == 4:
                players = sorted(SEATS, key=lambda player: rank_of(four[player]), reverse=True)
                return drawn, players
