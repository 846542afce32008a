"""The solver's kernel: plain Python that Cython also compiles, with the same answers to the bit.

Compiled (``search.pxd`` gives the C types), it can let go of the interpreter's lock while
it searches. It works on numbers alone: ``model.py`` makes the tables, ``arranger.py`` turns cards
into numbers and back.

A row's *class* says what it is worth (``classes.py``): greater is better, equal ties. A *row* is
one number: its class, and below it one bit
for each card of the hand, the last card's the lowest. So of two rows of one class the greater holds
the lower cards.
"""

from collections.abc import Sequence
from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple

from shisanzhi.engine.solver.expected_units import Ints, floats, ints

if TYPE_CHECKING:
    from shisanzhi.engine.solver import cython_shim as cython
    from shisanzhi.engine.solver.expected_units import Opponents
else:
    try:
        import cython
    except ImportError:
        from shisanzhi.engine.solver import cython_shim as cython

COMPILED: Final = bool(cython.compiled)
"""Whether this is the compiled kernel, or its source interpreted."""

LEAST_CARDS: Final = 13
MOST_CARDS: Final = 16
MOST_KEPT: Final = 20
SUIT_BITS: Final = 4
SUITS: Final = (1 << SUIT_BITS) - 1
CARD_BITS: Final = 16
CARDS: Final = (1 << CARD_BITS) - 1
DIGIT_BITS: Final = 7  # classes are sorted by two digits
DIGITS: Final = 1 << DIGIT_BITS
DIGIT: Final = DIGITS - 1
MAX_CLASSES: Final = 1 << 2 * DIGIT_BITS
MOST_ROWS: Final = 4369  # of five of 16 cards, and their end
NO_LIMIT: Final = 2_000_000_000  # steps: no search takes as many
NOTHING: Final = -1e18  # less than any arrangement is worth
SLACK: Final = 1e-9  # more than rounding can take from a bound

Places = tuple[int, ...]


def card_number(rank: int, suit: int) -> int:
    """Number a card by its rank (0..12), then its suit (0..3), which has one bit."""
    return rank << SUIT_BITS | 1 << suit


class Tables:
    """What a search reads, for one bonus rank: the class of each row, and the opponents.

    ``steps[13 · place + rank]`` add up to the index of a row, given its ranks (0..12) from the
    lowest up; ``plain``, ``flush`` and ``fronts`` give the class by index.
    """

    def __init__(  # noqa: PLR0913 - one for each kind of row
        self,
        opponents: "Opponents",
        *,
        steps: Ints,
        plain: Ints,
        flush: Ints,
        fronts: Ints,
        classes: int,
        may_equal: bool,
    ) -> None:
        self.opponents, self.steps = opponents, steps
        self.plain, self.flush, self.fronts = plain, flush, fronts
        self.classes, self.may_equal = classes, may_equal


class Found(NamedTuple):
    """An arrangement: its expected units, and of front, middle and back the classes and the cards.

    A card is its place in the hand, 0 for the last; ``left`` are those of no row.
    """

    units: float
    classes: tuple[int, int, int]
    rows: tuple[Places, Places, Places]
    left: Places


class Search:
    """One search for the best arrangements of a hand, distinct in their classes.

    ``fives`` and ``threes`` are the rows that the hand holds, greatest first, and after them 0. The
    units of an arrangement rise with the class of each row, save for its own royalties,
    which need not: a *ceiling* is the most that a class or any lesser one earns. So the units of
    three rows, royalties taken at the ceiling, bound those of all arrangements of rows no better:
    every loop runs from the best row down, and stops where the bound falls under the worst
    arrangement still kept.

    A search can be stopped between two backs, and go on.
    """

    def __init__(self, tables: Tables, cards: Sequence[int], keep: int) -> None:
        """Take a hand of 13 to 16 cards, and how many arrangements to keep, 1 to 20.

        The cards are given as :func:`card_number` numbers them, and rise.
        """
        if not LEAST_CARDS <= len(cards) <= MOST_CARDS or not 0 < keep <= MOST_KEPT:
            message = (
                f"expected {LEAST_CARDS} to {MOST_CARDS} cards and 1 to {MOST_KEPT} arrangements"
            )
            raise ValueError(f"{message}, got {len(cards)} and {keep}")
        self.tables, self.cards = tables, len(cards)
        self.five_count, self.three_count = comb(self.cards, 5), comb(self.cards, 3)
        self.next_back = self.first_middle = self.first_front = 0
        self.listed = self.finished = False
        self.keep, self.kept, self.worst = keep, 0, NOTHING
        if not cython.compiled:  # else they are part of the object, and 0
            self.ranks, self.suits, self.bits = (_zeros(MOST_CARDS) for _ in range(3))
            self.fives, self.spare, self.sizes = (_zeros(MOST_ROWS) for _ in range(3))
            self.threes, self.free = (_zeros(MOST_ROWS) for _ in range(2))
            self.kept_units = floats([NOTHING] * keep)
            self.kept_fronts, self.kept_middles = (_zeros(keep) for _ in range(2))
            self.kept_backs = _zeros(keep)
        for place, card in enumerate(cards):
            self.ranks[place], self.suits[place] = card >> SUIT_BITS, card & SUITS
            self.bits[place] = 1 << self.cards - 1 - place

    def run(self, most_steps: int | None = None) -> bool:
        """Search on, to the end or for little more than so many steps; tell whether it ended.

        A step is a row looked at. With a limit the interpreter's lock is kept: it is not worth
        losing for a short while.
        """
        if most_steps is None:
            with cython.nogil:
                self.search(NO_LIMIT)
        else:
            self.search(most_steps)
        return self.finished

    def answer(self) -> tuple[Found, ...]:
        return tuple([self.found(place) for place in range(self.kept)])

    def found(self, place: int) -> Found:
        front, middle = self.kept_fronts[place], self.kept_middles[place]
        back = self.kept_backs[place]
        return Found(
            self.kept_units[place],
            (front >> CARD_BITS, middle >> CARD_BITS, back >> CARD_BITS),
            (self.places(front), self.places(middle), self.places(back)),
            self.places(~(front | middle | back)),
        )

    def places(self, row: int) -> Places:
        return tuple([place for place in range(self.cards) if row >> place & 1])

    def search(self, most_steps: int) -> None:
        """Try the backs, best first, until none can do or the steps are used up."""
        if not self.listed:
            self.list_threes()
            self.sort(self.three_count, self.threes)
            self.list_fives()
            self.sort(self.five_count, self.fives)
            self.listed = True
        self.steps = 0
        while not self.finished and self.steps < most_steps:
            if self.promises(self.fives[self.next_back]):
                self.try_back(self.fives[self.next_back])
                self.next_back += 1
            else:
                self.finished = True

    # The rows that the hand holds

    def list_fives(self) -> None:
        """List the rows of five, lower cards first."""
        count = 0
        for a in range(self.cards):
            for b in range(a + 1, self.cards):
                index_b = self.tables.steps[self.ranks[a]] + self.tables.steps[13 + self.ranks[b]]
                for c in range(b + 1, self.cards):
                    index_c = index_b + self.tables.steps[26 + self.ranks[c]]
                    for d in range(c + 1, self.cards):
                        index_d = index_c + self.tables.steps[39 + self.ranks[d]]
                        suit = self.suits[a] & self.suits[b] & self.suits[c] & self.suits[d]
                        row = self.bits[a] | self.bits[b] | self.bits[c] | self.bits[d]
                        for e in range(d + 1, self.cards):
                            index = index_d + self.tables.steps[52 + self.ranks[e]]
                            if suit & self.suits[e]:
                                five_class = self.tables.flush[index]
                            else:
                                five_class = self.tables.plain[index]
                            self.fives[count] = five_class << CARD_BITS | row | self.bits[e]
                            count += 1

    def list_threes(self) -> None:
        """List the fronts, lower cards first."""
        count = 0
        for a in range(self.cards):
            for b in range(a + 1, self.cards):
                index_b = self.tables.steps[self.ranks[a]] + self.tables.steps[13 + self.ranks[b]]
                for c in range(b + 1, self.cards):
                    index = index_b + self.tables.steps[26 + self.ranks[c]]
                    row = self.bits[a] | self.bits[b] | self.bits[c]
                    self.threes[count] = self.tables.fronts[index] << CARD_BITS | row
                    count += 1

    def sort(self, count: int, rows: Ints) -> None:
        """Sort rows by falling class; those of one class keep their order."""
        self.sort_by_digit(count, CARD_BITS, rows, self.spare)
        self.sort_by_digit(count, CARD_BITS + DIGIT_BITS, self.spare, rows)

    def sort_by_digit(self, count: int, shift: int, source: Ints, target: Ints) -> None:
        """Sort by a part of the class, falling; what is equal in it keeps its order."""
        for digit in range(DIGITS):
            self.sizes[digit] = 0
        for place in range(count):
            self.sizes[source[place] >> shift & DIGIT] += 1
        start = count
        for digit in range(DIGITS):
            start -= self.sizes[digit]
            self.sizes[digit] = start
        for place in range(count):
            row = source[place]
            digit = row >> shift & DIGIT
            target[self.sizes[digit]] = row
            self.sizes[digit] += 1

    # Bounds

    def promises(self, back: int) -> bool:
        """Tell whether a back or any lesser one might do, with the best rows below it."""
        above = (back >> CARD_BITS) + self.tables.may_equal
        while self.fives[self.first_middle] >> CARD_BITS >= above and self.fives[self.first_middle]:
            self.first_middle += 1
        middle = self.fives[self.first_middle]
        self.first_front = self.next_front(self.first_front, middle, 0)
        front = self.threes[self.first_front]
        return self.may_do(front, middle, back, self.tables.opponents.ceiling[self.back_odds(back)])

    def next_five(self, place: int, used: int) -> int:
        """Find the next row of five cards not used, from this place on, or the end."""
        start = place
        while self.fives[place] & used:
            place += 1
        self.steps += place - start
        return place

    def next_front(self, place: int, middle: int, used: int) -> int:
        """Find the next front below a middle, of cards not used, from this place on, or the end."""
        start = place
        while self.threes[place] and (
            self.threes[place] & used or self.threes[place] >> CARD_BITS >= middle >> CARD_BITS
        ):
            place += 1
        self.steps += place - start
        return place

    def may_do(self, front: int, middle: int, back: int, earned: float) -> bool:
        """Bound what a back can be worth with a middle and a front no better than these.

        Where there is no such middle, there is no front below it.
        """
        if not front:
            return False
        f, m = self.front_odds(front), self.middle_odds(middle)
        front_ceiling = self.tables.opponents.ceiling[f]
        middle_ceiling = self.tables.opponents.ceiling[m]
        bound = self.tables.opponents.units(
            f, m, self.back_odds(back), front_ceiling, middle_ceiling, earned
        )
        return bound >= self.worst - SLACK

    # Arrangements

    def try_back(self, back: int) -> None:
        """Go through the middles that a back leaves, best first."""
        used = back & CARDS
        earned = self.tables.opponents.own[self.back_odds(back)]
        middle = self.fives[self.first_middle]
        first_front = self.next_front(self.first_front, middle, used)
        if not self.may_do(self.threes[first_front], middle, back, earned):
            return
        place = self.next_five(self.first_middle, used)
        middle = self.fives[place]
        first_front = self.next_front(first_front, middle, used)
        if not self.may_do(self.threes[first_front], middle, back, earned):
            return
        self.list_free(first_front, used)
        best = 0
        while middle:
            while self.free[best] and self.free[best] >> CARD_BITS >= middle >> CARD_BITS:
                best += 1
            if not self.may_do(self.free[best], middle, back, earned):
                return
            self.try_middle(middle, back, best)
            place = self.next_five(place + 1, used)
            middle = self.fives[place]

    def list_free(self, first: int, used: int) -> None:
        count = 0
        for place in range(first, self.three_count):
            if not self.threes[place] & used:
                self.free[count] = self.threes[place]
                count += 1
        self.free[count] = 0
        self.steps += self.three_count - first

    def try_middle(self, middle: int, back: int, best: int) -> None:
        """Go through the fronts that a back and a middle leave, best first."""
        m, b = self.middle_odds(middle), self.back_odds(back)
        middle_earned, back_earned = self.tables.opponents.own[m], self.tables.opponents.own[b]
        used = middle & CARDS
        place = self.next_free(best, used)
        while self.free[place]:
            front = self.free[place]
            f = self.front_odds(front)
            ceiling = self.tables.opponents.ceiling[f]
            units = self.tables.opponents.units(f, m, b, ceiling, middle_earned, back_earned)
            if units < self.worst - SLACK:
                return
            earned = self.tables.opponents.own[f]
            if earned != ceiling:
                units = self.tables.opponents.units(f, m, b, earned, middle_earned, back_earned)
            self.offer(units, front, middle, back)
            place = self.next_free(place + 1, used)

    def next_free(self, place: int, used: int) -> int:
        """Find the next free front of cards not used, from this place on, or the end."""
        start = place
        while self.free[place] & used:
            place += 1
        self.steps += place - start
        return place

    def offer(self, units: float, front: int, middle: int, back: int) -> None:
        """Keep an arrangement if it is among the best; of equal classes, the first."""
        place = self.kept
        while place and self.comes_before(units, front, middle, back, place - 1):
            place -= 1
        if place == self.keep or (place and self.ties(front, middle, back, place - 1)):
            return
        if self.kept < self.keep:
            self.kept += 1
        for after in range(self.kept - 1, place, -1):
            self.put(
                after,
                self.kept_units[after - 1],
                self.kept_fronts[after - 1],
                self.kept_middles[after - 1],
                self.kept_backs[after - 1],
            )
        self.put(place, units, front, middle, back)
        if self.kept == self.keep:
            self.worst = self.kept_units[self.keep - 1]

    def put(self, place: int, units: float, front: int, middle: int, back: int) -> None:
        self.kept_units[place] = units
        self.kept_fronts[place] = front
        self.kept_middles[place] = middle
        self.kept_backs[place] = back

    def ties(self, front: int, middle: int, back: int, place: int) -> bool:
        """Tell whether an arrangement has the classes of the one kept there."""
        return (
            same_class(back, self.kept_backs[place])
            and same_class(middle, self.kept_middles[place])
            and same_class(front, self.kept_fronts[place])
        )

    def comes_before(self, units: float, front: int, middle: int, back: int, place: int) -> bool:
        """Compare with the one kept there: by units, then by classes, from the back on.

        What was tried before has no lesser back: its cards are lower where the classes are equal.
        """
        if units != self.kept_units[place] or not same_class(back, self.kept_backs[place]):
            return units > self.kept_units[place]
        return is_above(middle, self.kept_middles[place]) or (
            same_class(middle, self.kept_middles[place])
            and is_above(front, self.kept_fronts[place])
        )

    # Where the odds of a row stand

    def front_odds(self, front: int) -> int:
        return front >> CARD_BITS

    def middle_odds(self, middle: int) -> int:
        return self.tables.classes + (middle >> CARD_BITS)

    def back_odds(self, back: int) -> int:
        return 2 * self.tables.classes + (back >> CARD_BITS)


def same_class(row: int, other: int) -> bool:
    return row >> CARD_BITS == other >> CARD_BITS


def is_above(row: int, other: int) -> bool:
    return row >> CARD_BITS > other >> CARD_BITS


def _zeros(count: int) -> Ints:
    return ints([0] * count)
