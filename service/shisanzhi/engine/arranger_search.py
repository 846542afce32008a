"""The solver's kernel: plain Python that Cython also compiles, with the same answers to the bit.

Compiled (``arranger_search.pxd`` gives the C types), it lets go of the interpreter's lock while it
searches. It works on numbers alone: ``odds.py`` makes the tables, ``arranger.py`` turns cards into
numbers and back. A row is a set of cards, one bit for each card of the hand. Its *class* is the
place of its value among all values of the ruleset, fronts and rows of five together: greater is
better, equal ties.
"""

from array import array
from collections.abc import MutableSequence, Sequence
from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from shisanzhi.engine import cython_shim as cython
else:
    try:
        import cython
    except ImportError:
        from shisanzhi.engine import cython_shim as cython

COMPILED: Final = bool(cython.compiled)
"""Whether this is the compiled kernel, or its source interpreted."""

DIGIT_BITS: Final = 7  # classes are sorted by two digits
DIGIT: Final = (1 << DIGIT_BITS) - 1
MAX_CLASSES: Final = 1 << 2 * DIGIT_BITS
NOTHING: Final = -1e18  # less than any arrangement is worth
ROYALTY: Final = 5  # where the odds of a row hold what it earns
SLACK: Final = 1e-9  # more than rounding can take from a bound

Ints = MutableSequence[int]
Floats = MutableSequence[float]


class Tables(NamedTuple):
    """What the search reads: the class of each row for one bonus rank, and the odds of each class.

    ``steps[13 · place + rank]`` add up to the index of a row, given its ranks (0..12) from the
    lowest up; ``plain``, ``flush`` and ``fronts`` give the class by index. ``odds`` hold the
    ``width`` fields of ``Odds`` for each class, first as a front, then as a middle, then as a back.
    """

    steps: Ints
    plain: Ints
    flush: Ints
    fronts: Ints
    odds: Floats
    width: int
    classes: int
    may_equal: bool
    rows_decide: bool
    gunshot: float
    home_run: float
    pair: float


class Found(NamedTuple):
    """An arrangement: its expected units, and its rows as sets of cards."""

    units: float
    front: int
    middle: int
    back: int


def ints(numbers: Sequence[int]) -> Ints:
    """Give whole numbers as the kernel reads them."""
    return array("i", numbers)


def floats(numbers: Sequence[float]) -> Floats:
    """Give numbers as the kernel reads them."""
    return array("d", numbers)


class Search:
    """One search for the best arrangements of a hand, distinct in their classes.

    ``fives`` and ``threes`` are the rows that the hand holds, by falling class; an arrangement is
    three places in them. Its units rise with the class of each row, save for its own royalties,
    which need not: a row's *ceiling* is the most that the hand earns with it or any lesser row. So
    the units of three rows, royalties taken at the ceiling, bound those of all arrangements of rows
    no better: every loop runs from the best row down, and stops where the bound falls under the
    worst arrangement still kept.
    """

    def __init__(
        self, tables: Tables, ranks: Sequence[int], suits: Sequence[int], keep: int
    ) -> None:
        """Take a hand by rising rank (0..12), its suits as one bit each; make room."""
        self.steps, self.plain, self.flush = tables.steps, tables.plain, tables.flush
        self.fronts, self.odds = tables.fronts, tables.odds
        self.width, self.classes = tables.width, tables.classes
        self.may_equal, self.rows_decide = tables.may_equal, tables.rows_decide
        self.gunshot, self.home_run, self.pair = tables.gunshot, tables.home_run, tables.pair
        self.cards, self.ranks, self.suits = len(ranks), ints(ranks), ints(suits)
        self.five_count, self.three_count = comb(self.cards, 5), comb(self.cards, 3)
        self.listed, self.listed_classes = _zeros(self.five_count), _zeros(self.five_count)
        self.placed, self.sizes = _zeros(self.five_count), _zeros(1 << DIGIT_BITS)
        self.order, self.spare = _zeros(self.five_count), _zeros(self.five_count)
        self.fives, self.five_classes = _zeros(self.five_count), _zeros(self.five_count)
        self.threes, self.three_classes = _zeros(self.three_count), _zeros(self.three_count)
        self.middle_ceilings = _filled(0.0, self.five_count)
        self.back_ceilings = _filled(0.0, self.five_count)
        self.front_ceilings = _filled(0.0, self.three_count)
        self.first_middles, self.first_fronts = _zeros(self.five_count), _zeros(self.five_count)
        self.free = _zeros(self.three_count)
        self.bounds = _filled(NOTHING, self.five_count)
        self.keep, self.kept, self.worst = keep, 0, NOTHING
        self.kept_units, self.kept_fronts = _filled(NOTHING, keep), _zeros(keep)
        self.kept_middles, self.kept_backs = _zeros(keep), _zeros(keep)

    def answer(self) -> tuple[Found, ...]:
        """Search, and give the arrangements kept, best first."""
        with cython.nogil:
            self.run()
        return tuple(
            Found(
                self.kept_units[place],
                self.threes[self.kept_fronts[place]],
                self.fives[self.kept_middles[place]],
                self.fives[self.kept_backs[place]],
            )
            for place in range(self.kept)
        )

    def run(self) -> None:
        """Try the backs by their bounds, the greatest first: it rules nearly all others out."""
        self.list_threes()
        self.sort(self.three_count, self.threes, self.three_classes)
        self.list_fives()
        self.sort(self.five_count, self.fives, self.five_classes)
        self.find_first_middles()
        self.find_first_fronts()
        self.set_ceilings()
        self.try_back(0)
        first = self.set_bounds(self.hopeful_backs())
        if first:
            self.try_back(first)
        for back in range(1, self.five_count):
            if back != first and self.bounds[back] >= self.worst - SLACK and self.promises(back):
                self.try_back(back)

    # The rows that the hand holds

    def list_fives(self) -> None:
        """List the rows of five in the order of their cards."""
        count = 0
        for a in range(self.cards - 4):
            for b in range(a + 1, self.cards - 3):
                index_b = self.steps[self.ranks[a]] + self.steps[13 + self.ranks[b]]
                for c in range(b + 1, self.cards - 2):
                    index_c = index_b + self.steps[26 + self.ranks[c]]
                    for d in range(c + 1, self.cards - 1):
                        index_d = index_c + self.steps[39 + self.ranks[d]]
                        suit = self.suits[a] & self.suits[b] & self.suits[c] & self.suits[d]
                        row = 1 << a | 1 << b | 1 << c | 1 << d
                        for e in range(d + 1, self.cards):
                            index = index_d + self.steps[52 + self.ranks[e]]
                            self.listed[count] = row | 1 << e
                            if suit & self.suits[e]:
                                self.listed_classes[count] = self.flush[index]
                            else:
                                self.listed_classes[count] = self.plain[index]
                            count += 1

    def list_threes(self) -> None:
        """List the fronts in the order of their cards."""
        count = 0
        for a in range(self.cards - 2):
            for b in range(a + 1, self.cards - 1):
                index_b = self.steps[self.ranks[a]] + self.steps[13 + self.ranks[b]]
                for c in range(b + 1, self.cards):
                    self.listed[count] = 1 << a | 1 << b | 1 << c
                    self.listed_classes[count] = self.fronts[
                        index_b + self.steps[26 + self.ranks[c]]
                    ]
                    count += 1

    def sort(self, count: int, rows: Ints, classes: Ints) -> None:
        """Sort what was listed by falling class; rows of one class keep their order."""
        for index in range(count):
            self.order[index] = index
        self.sort_by_digit(count, 0, self.order, self.spare)
        self.sort_by_digit(count, DIGIT_BITS, self.spare, self.order)
        for place in range(count):
            index = self.order[place]
            self.placed[index] = place
            rows[place] = self.listed[index]
            classes[place] = self.listed_classes[index]

    def sort_by_digit(self, count: int, shift: int, source: Ints, target: Ints) -> None:
        """Sort by a part of the class, falling; what is equal in it keeps its order."""
        for digit in range(1 << DIGIT_BITS):
            self.sizes[digit] = 0
        for index in range(count):
            self.sizes[self.listed_classes[index] >> shift & DIGIT] += 1
        start = 0
        for digit in range(DIGIT, -1, -1):
            size = self.sizes[digit]
            self.sizes[digit] = start
            start += size
        for place in range(count):
            index = source[place]
            digit = self.listed_classes[index] >> shift & DIGIT
            target[self.sizes[digit]] = index
            self.sizes[digit] += 1

    # Bounds

    def set_ceilings(self) -> None:
        """Find the ceilings, from the least row up."""
        front_ceiling = middle_ceiling = back_ceiling = 0.0
        for front in range(self.three_count - 1, -1, -1):
            front_ceiling = max(front_ceiling, self.odds[self.front_odds(front) + ROYALTY])
            self.front_ceilings[front] = front_ceiling
        for row in range(self.five_count - 1, -1, -1):
            middle_ceiling = max(middle_ceiling, self.odds[self.middle_odds(row) + ROYALTY])
            back_ceiling = max(back_ceiling, self.odds[self.back_odds(row) + ROYALTY])
            self.middle_ceilings[row], self.back_ceilings[row] = middle_ceiling, back_ceiling

    def find_first_middles(self) -> None:
        """Find for each back the best row that may stand above it: of its class, or the next."""
        start = 0
        while start < self.five_count:
            end = start
            while end < self.five_count and self.five_classes[end] == self.five_classes[start]:
                end += 1
            for back in range(start, end):
                self.first_middles[back] = start if self.may_equal else end
            start = end

    def find_first_fronts(self) -> None:
        """Find for each middle the best front below it."""
        front = 0
        for middle in range(self.five_count):
            while (
                front < self.three_count and self.three_classes[front] >= self.five_classes[middle]
            ):
                front += 1
            self.first_fronts[middle] = front

    def hopeful_backs(self) -> int:
        """Count the backs that might do, had they the best middle below them and the best front."""
        low, high = 0, self.five_count
        while low < high:
            back = (low + high) >> 1
            middle = self.first_middles[back]
            ceiling = self.back_ceilings[back]
            if (
                middle < self.five_count
                and self.bound(0, middle, back, ceiling) >= self.worst - SLACK
            ):
                low = back + 1
            else:
                high = back
        return low

    def set_bounds(self, hopeful: int) -> int:
        """Bound the first backs: by the best middle and the best front of other cards.

        Goes through the backs in the order of their cards, as they were listed: what is best
        beside some cards is where to look on for what is best beside these and one more. Where the
        best row beside a back is better than the back, the bound is a loose one, by the back's own
        class. Gives the back with the greatest bound that is not loose.
        """
        index = first = 0
        for a in range(self.cards - 4):
            row_a = 1 << a
            middle_a, front_a = self.next_five(0, row_a), self.next_three(0, row_a)
            for b in range(a + 1, self.cards - 3):
                row_b = row_a | 1 << b
                middle_b = self.next_five(middle_a, row_b)
                front_b = self.next_three(front_a, row_b)
                for c in range(b + 1, self.cards - 2):
                    row_c = row_b | 1 << c
                    middle_c = self.next_five(middle_b, row_c)
                    front_c = self.next_three(front_b, row_c)
                    for d in range(c + 1, self.cards - 1):
                        row_d = row_c | 1 << d
                        middle_d = self.next_five(middle_c, row_d)
                        front_d = self.next_three(front_c, row_d)
                        for e in range(d + 1, self.cards):
                            back = self.placed[index]
                            index += 1
                            if back < hopeful:
                                row = row_d | 1 << e
                                middle = self.next_five(middle_d, row)
                                loose = middle < self.first_middles[back]
                                if loose:
                                    middle = self.first_middles[back]
                                self.bounds[back] = self.bound_back(front_d, middle, back)
                                if not loose and self.bounds[back] > self.bounds[first]:
                                    first = back
        return first

    def promises(self, back: int) -> bool:
        """Tell whether the bound of a back stands once its best middle is looked up."""
        middle = self.first_middles[back]
        while middle < self.five_count and self.fives[middle] & self.fives[back]:
            middle += 1
        return self.bound_back(0, middle, back) >= self.worst - SLACK

    def bound_back(self, front: int, middle: int, back: int) -> float:
        """Bound a back by a middle no better than this, and a front no better than this."""
        if middle == self.five_count:
            return NOTHING
        front = max(front, self.first_fronts[middle])
        while front < self.three_count and self.threes[front] & self.fives[back]:
            front += 1
        if front == self.three_count:
            return NOTHING
        return self.bound(front, middle, back, self.odds[self.back_odds(back) + ROYALTY])

    def next_five(self, five: int, used: int) -> int:
        """Give the next row of five cards not used; there is one, beside five or less."""
        while self.fives[five] & used:
            five += 1
        return five

    def next_three(self, three: int, used: int) -> int:
        """Give the next front of cards not used."""
        while self.threes[three] & used:
            three += 1
        return three

    def bound(self, front: int, middle: int, back: int, earned: float) -> float:
        """Bound what a back can be worth with a middle and a front no better than these."""
        front_ceiling, middle_ceiling = self.front_ceilings[front], self.middle_ceilings[middle]
        return self.units(front, middle, back, front_ceiling, middle_ceiling, earned)

    # Arrangements

    def try_back(self, back: int) -> None:
        """Go through the middles that a back leaves, best first."""
        row = self.fives[back]
        earned = self.odds[self.back_odds(back) + ROYALTY]
        free_count = 0
        for front in range(self.three_count):
            if not self.threes[front] & row:
                self.free[free_count] = front
                free_count += 1
        best = 0
        for middle in range(self.first_middles[back], self.five_count):
            if self.fives[middle] & row:
                continue
            while best < free_count and self.free[best] < self.first_fronts[middle]:
                best += 1
            if best == free_count:
                return
            if self.bound(self.free[best], middle, back, earned) < self.worst - SLACK:
                return
            self.try_middle(middle, back, best, free_count)

    def try_middle(self, middle: int, back: int, best: int, free_count: int) -> None:
        """Go through the fronts that a back and a middle leave, best first."""
        middle_earned = self.odds[self.middle_odds(middle) + ROYALTY]
        back_earned = self.odds[self.back_odds(back) + ROYALTY]
        for index in range(best, free_count):
            front = self.free[index]
            if self.threes[front] & self.fives[middle]:
                continue
            ceiling = self.front_ceilings[front]
            units = self.units(front, middle, back, ceiling, middle_earned, back_earned)
            if units < self.worst - SLACK:
                return
            earned = self.odds[self.front_odds(front) + ROYALTY]
            if earned < ceiling:
                units = self.units(front, middle, back, earned, middle_earned, back_earned)
            self.offer(units, front, middle, back)

    def offer(self, units: float, front: int, middle: int, back: int) -> None:
        """Keep an arrangement if it is among the best; of equal classes, the first."""
        place = self.kept
        while place > 0 and self.comes_before(units, front, middle, back, place - 1):
            place -= 1
        if place == self.keep or (place > 0 and self.same_classes(front, middle, back, place - 1)):
            return
        last = place
        while last < self.kept and not self.same_classes(front, middle, back, last):
            last += 1
        if last == self.keep:
            last -= 1
        elif last == self.kept:
            self.kept += 1
        self.make_room(place, last)
        self.kept_units[place] = units
        self.kept_fronts[place] = front
        self.kept_middles[place] = middle
        self.kept_backs[place] = back
        if self.kept == self.keep:
            self.worst = self.kept_units[self.keep - 1]

    def make_room(self, place: int, last: int) -> None:
        """Move what was kept one place down, over the last of it."""
        for after in range(last, place, -1):
            self.kept_units[after] = self.kept_units[after - 1]
            self.kept_fronts[after] = self.kept_fronts[after - 1]
            self.kept_middles[after] = self.kept_middles[after - 1]
            self.kept_backs[after] = self.kept_backs[after - 1]

    def same_classes(self, front: int, middle: int, back: int, place: int) -> bool:
        """Tell whether an arrangement has the classes of the one kept there."""
        return (
            self.five_classes[back] == self.five_classes[self.kept_backs[place]]
            and self.five_classes[middle] == self.five_classes[self.kept_middles[place]]
            and self.three_classes[front] == self.three_classes[self.kept_fronts[place]]
        )

    def comes_before(  # noqa: PLR0911 - one for each thing compared
        self, units: float, front: int, middle: int, back: int, place: int
    ) -> bool:
        """Compare with the one kept there: by units, classes, then cards, from the back on."""
        kept_front, kept_middle = self.kept_fronts[place], self.kept_middles[place]
        kept_back = self.kept_backs[place]
        if units != self.kept_units[place]:
            return units > self.kept_units[place]
        if self.five_classes[back] != self.five_classes[kept_back]:
            return self.five_classes[back] > self.five_classes[kept_back]
        if self.five_classes[middle] != self.five_classes[kept_middle]:
            return self.five_classes[middle] > self.five_classes[kept_middle]
        if self.three_classes[front] != self.three_classes[kept_front]:
            return self.three_classes[front] > self.three_classes[kept_front]
        if back != kept_back:
            return back < kept_back
        if middle != kept_middle:
            return middle < kept_middle
        return front < kept_front

    # Expected units

    def front_odds(self, front: int) -> int:
        """Say where the odds of a front begin."""
        return self.three_classes[front] * self.width

    def middle_odds(self, middle: int) -> int:
        """Say where the odds of a middle begin."""
        return (self.classes + self.five_classes[middle]) * self.width

    def back_odds(self, back: int) -> int:
        """Say where the odds of a back begin."""
        return (2 * self.classes + self.five_classes[back]) * self.width

    def units(  # noqa: PLR0913, PLR0917 - two numbers for each row
        self, front: int, middle: int, back: int, earns_f: float, earns_m: float, earns_b: float
    ) -> float:
        """Give the expected units against three opponents whose rows are independent.

        What the rows earn is given, so that a bound can set it higher.
        """
        f, m, b = self.front_odds(front), self.middle_odds(middle), self.back_odds(back)
        if self.rows_decide:
            return self.row_units(f, m, b, earns_f + earns_m + earns_b)
        return self.gun_units(f, m, b, earns_f, earns_m, earns_b)

    def gun_units(  # noqa: PLR0913, PLR0917 - two numbers for each row
        self, f: int, m: int, b: int, earns_f: float, earns_m: float, earns_b: float
    ) -> float:
        """Gunshots, home runs and royalties as ``gun_scoring.py`` settles them."""
        wins_f, wins_m, wins_b = self.odds[f], self.odds[m], self.odds[b]
        guns = self.odds[f + 1] * self.odds[m + 1] * self.odds[b + 1]
        gunned = (1.0 - wins_f) * (1.0 - wins_m) * (1.0 - wins_b)
        swept = self.odds[f + 2] * self.odds[m + 2] * self.odds[b + 2]
        royalties = (
            (earns_f * wins_f - self.odds[f + 6])
            + (earns_m * wins_m - self.odds[m + 6])
            + (earns_b * wins_b - self.odds[b + 6])
        )
        home_runs = guns * guns * guns - swept
        return 3.0 * (self.gunshot * (guns - gunned) + self.home_run * home_runs + royalties)

    def row_units(self, f: int, m: int, b: int, royalties: float) -> float:
        """Pairs won and lost, home runs and royalties as ``row_scoring.py`` settles them."""
        wins_f, wins_m, wins_b = self.odds[f], self.odds[m], self.odds[b]
        holds_f, holds_m, holds_b = self.odds[f + 1], self.odds[m + 1], self.odds[b + 1]
        loses_f, loses_m, loses_b = 1.0 - holds_f, 1.0 - holds_m, 1.0 - holds_b
        even = (holds_f - wins_f) * (holds_m - wins_m) * (holds_b - wins_b)
        guns = holds_f * holds_m * holds_b - even
        gunned = (1.0 - wins_f) * (1.0 - wins_m) * (1.0 - wins_b) - even
        won = spread(wins_f, wins_m, wins_b, loses_f, loses_m, loses_b)
        lost = spread(loses_f, loses_m, loses_b, wins_f, wins_m, wins_b)
        swept = (
            self.odds[f + 2] * self.odds[m + 2] * self.odds[b + 2]
            - 2.0 * (self.odds[f + 3] * self.odds[m + 3] * self.odds[b + 3])
            + self.odds[f + 4] * self.odds[m + 4] * self.odds[b + 4]
            - even * guns * guns
        )
        return 3.0 * (
            self.gunshot * (guns - gunned)
            + self.pair * (won - lost)
            + self.home_run * (guns * guns * guns - swept)
            + (guns + won) * royalties
            - self.paid(f, m, b)
        )

    def paid(self, f: int, m: int, b: int) -> float:
        """Give what an opponent collects: the royalties of all its rows, when it wins the pair.

        For each row, three numbers say what its royalty comes to where it is higher, equal and
        lower. Each lost pattern has one of them, times the odds of the two other rows.
        """
        wins_f, wins_m, wins_b = self.odds[f], self.odds[m], self.odds[b]
        holds_f, holds_m, holds_b = self.odds[f + 1], self.odds[m + 1], self.odds[b + 1]
        loses_f, loses_m, loses_b = 1.0 - holds_f, 1.0 - holds_m, 1.0 - holds_b
        higher_f, higher_m, higher_b = self.odds[f + 6], self.odds[m + 6], self.odds[b + 6]
        equal_f, equal_m, equal_b = self.odds[f + 7], self.odds[m + 7], self.odds[b + 7]
        lower_f, lower_m, lower_b = self.odds[f + 8], self.odds[m + 8], self.odds[b + 8]
        gunned = spread(
            1.0 - wins_f,
            1.0 - wins_m,
            1.0 - wins_b,
            higher_f + equal_f,
            higher_m + equal_m,
            higher_b + equal_b,
        ) - spread(holds_f - wins_f, holds_m - wins_m, holds_b - wins_b, equal_f, equal_m, equal_b)
        return (
            gunned
            + spread(wins_f, loses_m, loses_b, lower_f, higher_m, higher_b)
            + spread(loses_f, wins_m, loses_b, higher_f, lower_m, higher_b)
            + spread(loses_f, loses_m, wins_b, higher_f, higher_m, lower_b)
        )


def spread(a: float, b: float, c: float, x: float, y: float, z: float) -> float:  # noqa: PLR0913, PLR0917 - two numbers for each row
    """Multiply the rows' numbers with one of them exchanged, for each row in turn; add up."""
    return x * b * c + a * y * c + a * b * z


def _zeros(count: int) -> Ints:
    return array("i", [0]) * count


def _filled(number: float, count: int) -> Floats:
    return array("d", [number]) * count
