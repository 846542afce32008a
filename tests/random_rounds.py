"""Random rounds, weighted towards what seldom happens; shares no code with the engine.

`random_round` deals real cards, but first it plants chosen rows: strong ones, rows that mirror
another seat's ranks in other suits, dragons. The rest is dealt at random and ordered until it is
legal, mostly; some rounds are fouled on purpose. The oracle says what is legal.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from random import Random
from typing import NamedTuple

from tests import oracle

Cards = tuple[str, ...]
Rows = tuple[Cards, Cards, Cards]
Plan = list[Cards | None]

FRONT, MIDDLE, BACK = 0, 1, 2
SIZES = (3, 5, 5)
RANKS = "23456789TJQKA"
RUNS = ["A2345", *(RANKS[start : start + 5] for start in range(9))]
TRIES_PER_SEAT = 8
FOUL_SHARE = 0.06
NEAR_MISS_SHARE = 0.15
EVEN_ODDS = 0.5


class Round(NamedTuple):
    """A round as dealt and arranged; a hand lists its cards in no order, discards included."""

    ruleset: str
    cut: str | None
    dealer: int
    hands: tuple[Cards, Cards, Cards, Cards]
    arrangements: tuple[Rows, Rows, Rows, Rows]


def random_round(rng: Random, ruleset: str) -> Round:
    """Deal and arrange one round. It may hold fouls: ask the oracle whether it is legal."""
    making = Making(rng, ruleset)
    names, weights = zip(*SCENARIOS[ruleset].items(), strict=True)
    rng.choices(names, weights)[0](making)
    making.finish()
    if rng.random() < FOUL_SHARE:
        making.foul()
    return making.round()


def random_rounds(ruleset: str, count: int, seed: int) -> Iterator[Round]:
    """Make rounds from a seed."""
    rng = Random(seed)
    for _ in range(count):
        yield random_round(rng, ruleset)


class Making:
    """A round in the making: the cards not yet placed, and the rows planted so far."""

    def __init__(self, rng: Random, ruleset: str) -> None:
        """Shuffle the deck; BONUS then loses its cut card."""
        self.rng = rng
        self.ruleset = ruleset
        self.stock = [rank + suit for suit in "cdhs" for rank in RANKS]
        if ruleset == "bonus":
            self.stock += [rank + "s" for rank in RANKS]
        rng.shuffle(self.stock)
        self.cut = self.stock.pop() if ruleset == "bonus" else None
        self.plans: list[Plan] = [[None, None, None] for _ in range(4)]

    # Taking cards out of the stock

    def take(self, wanted: list[str]) -> Cards | None:
        """Take exactly these cards, or nothing if one is gone."""
        if Counter(wanted) - Counter(self.stock):
            return None
        for card in wanted:
            self.stock.remove(card)
        return tuple(wanted)

    def take_ranks(self, ranks: str) -> Cards | None:
        """Take cards of these ranks in whatever suits are left, or nothing."""
        wanted: list[str] = []
        left = list(self.stock)
        for rank in ranks:
            fitting = [card for card in left if card[0] == rank]
            if not fitting:
                return None
            wanted.append(self.rng.choice(fitting))
            left.remove(wanted[-1])
        return self.take(wanted)

    def any_ranks(self, count: int, avoid: str = "") -> str:
        """Name different ranks at random."""
        return "".join(self.rng.sample([rank for rank in RANKS if rank not in avoid], count))

    def give_back(self, cards: Cards) -> None:
        """Put cards back under the stock."""
        self.stock = [*cards, *self.stock]

    # Finishing

    def finish(self) -> None:
        """Deal the stock to the rows that are still open, then order each seat's open rows."""
        self.rng.shuffle(self.stock)
        for seat in range(4):
            self.fill(seat)

    def fill(self, seat: int) -> None:
        """Fill a seat's open rows from the top of the stock; retry until the seat is legal."""
        plan = self.plans[seat]
        missing = sum(size for size, row in zip(SIZES, plan, strict=True) if row is None)
        loose = [self.stock.pop() for _ in range(missing)]
        rows = _lay(plan, loose)
        for _ in range(TRIES_PER_SEAT):
            if not missing or self.is_legal(rows):
                break
            self.rng.shuffle(loose)
            rows = _lay(plan, loose)
            if plan[MIDDLE] is None and plan[BACK] is None and self.compare(*rows[1:]) > 0:
                rows = (rows[FRONT], rows[BACK], rows[MIDDLE])
        self.plans[seat] = list(rows)

    def is_legal(self, rows: Rows) -> bool:
        """Ask the oracle."""
        return oracle.legal(self.ruleset, self.cut, *rows)

    def compare(self, row_a: Cards, row_b: Cards) -> int:
        """Ask the oracle."""
        return oracle.compare(self.ruleset, self.cut, row_a, row_b)

    def foul(self) -> None:
        """Lay one seat's cards out of order: its rows swapped, or pairs drawn into the front."""
        seat = self.rng.randrange(4)
        front, middle, back = self.rows(seat)
        wrong: list[Rows] = [(front, back, middle)]
        cards = [*front, *middle, *back]
        copies = Counter(card[0] for card in cards)
        cards.sort(key=lambda card: (copies[card[0]], RANKS.index(card[0])), reverse=True)
        wrong.append(_lay([None, None, None], cards))
        wrong.append((tuple(middle[:3]), front + tuple(middle[3:]), back))
        self.rng.shuffle(wrong)
        for rows in wrong:
            if not self.is_legal(rows):
                self.plans[seat] = list(rows)
                return

    def rows(self, seat: int) -> Rows:
        """Give a seat's three rows, none of them open any more."""
        front, middle, back = self.plans[seat]
        if front is None or middle is None or back is None:
            raise ValueError(f"expected three filled rows, got an open one in seat {seat}")
        return front, middle, back

    def round(self) -> Round:
        """Give the round: the stock left over is the discards; seats and cards are mixed."""
        order = self.rng.sample(range(4), 4)
        a, b, c, d = ((self.rows(seat), self.discards(seat)) for seat in order)
        return Round(
            self.ruleset,
            self.cut,
            self.rng.randrange(4),
            (self.hand(*a), self.hand(*b), self.hand(*c), self.hand(*d)),
            (self.mixed(a[0]), self.mixed(b[0]), self.mixed(c[0]), self.mixed(d[0])),
        )

    def discards(self, seat: int) -> Cards:
        """Give a seat its quarter of what is left: three cards in BONUS, none in CLASSIC."""
        return tuple(self.stock[seat::4])

    def hand(self, rows: Rows, discards: Cards) -> Cards:
        """Gather a seat's cards as they may have been dealt."""
        cards = [*rows[FRONT], *rows[MIDDLE], *rows[BACK], *discards]
        self.rng.shuffle(cards)
        return tuple(cards)

    def mixed(self, rows: Rows) -> Rows:
        """Shuffle the cards within each row."""
        front, middle, back = (tuple(self.rng.sample(row, len(row))) for row in rows)
        return front, middle, back


def _lay(plan: Plan, loose: list[str]) -> Rows:
    """Put the loose cards, in their order, into the rows that a plan leaves open."""
    rest = iter(loose)
    front, middle, back = (
        tuple(next(rest) for _ in range(size)) if row is None else row
        for size, row in zip(SIZES, plan, strict=True)
    )
    return front, middle, back


# Rows to plant: each takes its cards, or gives None when the stock has not got them --------------


def _of_a_kind(making: Making, count: int, size: int, rank: str | None = None) -> Cards | None:
    """Take `count` of one rank and fill up with different ranks."""
    rank = rank or making.any_ranks(1)
    return making.take_ranks(rank * count + making.any_ranks(size - count, avoid=rank))


def _bonus_rank(making: Making) -> str | None:
    return making.cut[0] if making.cut else None


def _trips_front(making: Making) -> Cards | None:
    return _of_a_kind(making, 3, 3)


def _bonus_trips_front(making: Making) -> Cards | None:
    return _of_a_kind(making, 3, 3, _bonus_rank(making))


def _pair_front(making: Making) -> Cards | None:
    return _of_a_kind(making, 2, 3)


def _pair(making: Making) -> Cards | None:
    return _of_a_kind(making, 2, 5)


def _two_pair(making: Making) -> Cards | None:
    high, low, kicker = list(making.any_ranks(3))
    return making.take_ranks(high * 2 + low * 2 + kicker)


def _trips(making: Making) -> Cards | None:
    return _of_a_kind(making, 3, 5)


def _bonus_trips(making: Making) -> Cards | None:
    return _of_a_kind(making, 3, 5, _bonus_rank(making))


def _straight(making: Making) -> Cards | None:
    return making.take_ranks(making.rng.choice(RUNS))


def _flush(making: Making) -> Cards | None:
    suit = making.rng.choice("cdhs")
    cards = [card for card in making.stock if card[1] == suit]
    return making.take(cards[:5]) if len(cards) >= 5 else None


def _pair_flush(making: Making) -> Cards | None:
    pairs, kickers = making.rng.choice([(1, 3), (2, 1)])
    ranks = making.any_ranks(pairs + kickers)
    return making.take([rank + "s" for rank in ranks[:pairs] + ranks])


def _full_house(making: Making) -> Cards | None:
    trips, pair = list(making.any_ranks(2))
    return making.take_ranks(trips * 3 + pair * 2)


def _bonus_full_house(making: Making) -> Cards | None:
    bonus = _bonus_rank(making) or making.any_ranks(1)
    return making.take_ranks(bonus * 3 + making.any_ranks(1, avoid=bonus) * 2)


def _quads(making: Making) -> Cards | None:
    return _of_a_kind(making, 4, 5)


def _bonus_quads(making: Making) -> Cards | None:
    return _of_a_kind(making, 4, 5, _bonus_rank(making))


def _straight_flush(making: Making) -> Cards | None:
    suit = making.rng.choice("cdhs")
    return making.take([rank + suit for rank in making.rng.choice(RUNS)])


def _five_of_a_kind(making: Making) -> Cards | None:
    return making.take_ranks(making.any_ranks(1) * 5)


def _left_open(_making: Making) -> Cards | None:
    return None


Recipe = Callable[[Making], Cards | None]

FRONT_RECIPES: dict[str, dict[Recipe, int]] = {
    "bonus": {_trips_front: 3, _bonus_trips_front: 3, _pair_front: 3, _left_open: 3},
    "classic": {_trips_front: 3, _pair_front: 2, _left_open: 3},
}
FIVE_CARD_RECIPES: dict[str, dict[Recipe, int]] = {
    "bonus": {
        _left_open: 2,
        _pair: 1,
        _two_pair: 1,
        _trips: 1,
        _bonus_trips: 3,
        _straight: 1,
        _flush: 1,
        _pair_flush: 2,
        _full_house: 2,
        _bonus_full_house: 3,
        _quads: 3,
        _bonus_quads: 4,
        _straight_flush: 4,
        _five_of_a_kind: 4,
    },
    "classic": {
        _left_open: 2,
        _pair: 1,
        _two_pair: 1,
        _trips: 1,
        _straight: 1,
        _flush: 1,
        _full_house: 2,
        _quads: 5,
        _straight_flush: 5,
    },
}


# Scenarios: each plants what it wants, Making.finish does the rest -------------------------------


def _plain(_making: Making) -> None:
    """Plant nothing."""


def _strong_rows(making: Making) -> None:
    """Plant recipes into one to three seats, the greater of two five-card rows behind."""
    for seat in range(making.rng.choice([1, 1, 2, 3])):
        _plant_strong(making, seat)


def _plant_strong(making: Making, seat: int) -> None:
    choose = making.rng.choices
    fives = FIVE_CARD_RECIPES[making.ruleset]
    fronts = FRONT_RECIPES[making.ruleset]
    planted = [recipe(making) for recipe in choose(list(fives), list(fives.values()), k=2)]
    first, second = planted
    if second is None or (first is not None and making.compare(first, second) > 0):
        first, second = second, first
    front = choose(list(fronts), list(fronts.values()))[0](making)
    if front and (first is None or making.compare(front, first) >= 0):
        making.give_back(front)
        front = None
    making.plans[seat] = [front, first, second]


def _mirror(making: Making) -> None:
    """Arrange seat 0 at random, then give seat 1 the same ranks in some or all rows."""
    making.fill(0)
    chosen = making.rng.choice([(0, 1, 2)] * 4 + [(0, 1), (0, 2), (1, 2), (0,), (1,), (2,)])
    _mirror_rows(making, chosen)


def _mirrored_rivals(making: Making) -> None:
    """Tie one row of two seats that both have royalties to win or lose in the others."""
    _plant_strong(making, 0)
    making.fill(0)
    tied = making.rng.randrange(3)
    making.plans[1][tied] = _mirrored(making, making.rows(0)[tied])
    if tied != BACK:
        making.plans[1][BACK] = making.rng.choice([_quads, _straight_flush])(making)


def _mirrored_winners(making: Making) -> None:
    """Give seats 0 and 1 the same three strong rows: in BONUS both may hit the home run."""
    pair, kicker = making.rng.choice("TJQKA"), making.any_ranks(1, avoid="TJQKA")
    making.plans[0] = [making.take_ranks(pair * 2 + kicker), _straight(making), _flush(making)]
    making.fill(0)
    _mirror_rows(making, (FRONT, MIDDLE, BACK))


def _mirror_rows(making: Making, chosen: tuple[int, ...]) -> None:
    """Mirror rows of seat 0 into seat 1, now and then off by one card."""
    for index, row in zip(range(3), making.rows(0), strict=True):
        if index in chosen:
            making.plans[1][index] = _mirrored(making, row)
    if making.rng.random() < NEAR_MISS_SHARE:
        _miss_by_a_card(making, making.plans[1], making.rng.choice(chosen))


def _mirrored(making: Making, row: Cards) -> Cards | None:
    """Take the ranks of a row again: a one-suited row in one suit, any other in any suits."""
    ranks = "".join(card[0] for card in row)
    if len({card[1] for card in row}) > 1:
        return making.take_ranks(ranks)
    for suit in making.rng.sample("cdhs", 4):
        taken = making.take([rank + suit for rank in ranks])
        if taken is not None:
            return taken
    return None


def _miss_by_a_card(making: Making, plan: Plan, index: int) -> None:
    """Change the last card of a planted row for one from the stock."""
    row = plan[index]
    if row is not None:
        plan[index] = (*row[:-1], making.stock.pop())
        making.give_back(row[-1:])


def _echo(making: Making) -> None:
    """Repeat a seat's own ranks in its next row: front in middle, or middle in back."""
    plan = making.plans[making.rng.randrange(4)]
    if making.rng.random() < EVEN_ODDS:
        _echo_front(making, plan)
    else:
        recipe = making.rng.choice([_pair, _two_pair, _straight, _flush, _pair_flush])
        back = recipe(making)
        plan[MIDDLE] = _mirrored(making, back) if back else None
        plan[BACK] = back


def _echo_front(making: Making, plan: Plan) -> None:
    """Plant K-9-4 in front and K-9-4 with two more cards in the middle, or so."""
    front = making.take_ranks(making.any_ranks(3)) or _pair_front(making)
    again = _mirrored(making, front) if front else None
    plan[FRONT] = front
    if again:
        plan[MIDDLE] = (*again, making.stock.pop(), making.stock.pop())


def _dragon(making: Making, seat: int, suit: str | None) -> None:
    """Plant a dragon, in one suit or (nearly always) in several, its rows in any order."""
    cards = making.take([rank + suit for rank in RANKS]) if suit else making.take_ranks(RANKS)
    if cards:
        making.plans[seat] = list(_lay([None, None, None], making.rng.sample(cards, 13)))


def _one_dragon(making: Making) -> None:
    """Plant one dragon; beside it, now and then, a seat with strong rows."""
    _dragon(making, 0, making.rng.choice([None, None, None, "c", "s"]))
    if making.rng.random() < EVEN_ODDS:
        _plant_strong(making, 1)


def _two_dragons(making: Making) -> None:
    """Plant two dragons, of which none, one or both are in one suit; the rest as they fall."""
    one, two = making.rng.sample("cdhs", 2)
    for seat, suit in enumerate(making.rng.choice([(None, None), (one, None), (one, two)])):
        _dragon(making, seat, suit)


def _two_dragons_and_a_straight_flush(making: Making) -> None:
    """Plant two dragons and the only rows that can earn the two others a royalty."""
    _two_dragons(making)
    flushes = [row for row in (_straight_flush(making), _straight_flush(making)) if row]
    if len(flushes) == 2 and making.compare(*flushes) > 0:
        flushes.reverse()
    making.plans[2][3 - len(flushes) :] = flushes


def _four_dragons(making: Making) -> None:
    """Deal each rank's four suits to four dragons: mixed, or one suit each."""
    columns = [making.rng.choice(list(permutations("cdhs"))) for _ in RANKS]
    if making.rng.random() < EVEN_ODDS:
        columns = [columns[0]] * len(RANKS)
    for seat in range(4):
        dealt = [rank + column[seat] for rank, column in zip(RANKS, columns, strict=True)]
        cards = making.take(dealt) or ()
        making.plans[seat] = list(_lay([None, None, None], making.rng.sample(cards, 13)))


Scenario = Callable[[Making], None]

SCENARIOS: dict[str, dict[Scenario, int]] = {
    "bonus": {
        _plain: 20,
        _strong_rows: 42,
        _mirror: 15,
        _mirrored_rivals: 6,
        _mirrored_winners: 10,
        _echo: 7,
    },
    "classic": {
        _plain: 20,
        _strong_rows: 32,
        _mirror: 16,
        _mirrored_rivals: 7,
        _mirrored_winners: 5,
        _echo: 5,
        _one_dragon: 5,
        _two_dragons: 4,
        _two_dragons_and_a_straight_flush: 4,
        _four_dragons: 2,
    },
}
