"""What a ruleset is: an identity card. The engine judges by it, and describes itself from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from shisanzhi.engine.cards import CARDS, MAX_PACKED, Card, Rank, Stock, pack
from shisanzhi.engine.categories import STRAIGHTS, Category, Rung
from shisanzhi.engine.evaluator import Evaluator, RowValue, Tables, tables
from shisanzhi.engine.names import CATEGORIES, Text
from shisanzhi.engine.rows import Row
from shisanzhi.engine.scoring.system import RowRoyalty, ScoringSystem
from shisanzhi.engine.seats import SEATS


@dataclass(frozen=True, kw_only=True, eq=False)
class Ruleset:
    """The identity card of a ruleset.

    Ladder and straights run from the greatest down. There are two to four seats. A ruleset without
    points has 0 ``points_per_unit``; one whose match goes on until the platform stops it has 0
    ``rounds``. One that cuts a card out of the round has a bonus rank; another turns a card up,
    which names the first receiver. Players who do not draw for seats sit as named; where the winner
    does not deal, the deal moves on. A gunshot with a tie in it has a name of its own where there
    is a ``run_over_name``.
    """

    number: int
    key: str
    name: Text
    unit_name: Text
    home_run_name: Text
    run_over_name: Text | None = None
    royalty_name: Text
    category_names: Mapping[Category, Text] = field(default_factory=lambda: CATEGORIES)
    deck: tuple[Card, ...]
    hand_size: int
    seats: int = 4
    has_bonus_rank: bool
    max_cuts: int
    ladder: tuple[Rung, ...]
    straights: tuple[tuple[int, ...], ...] = STRAIGHTS
    middle_may_equal_back: bool
    scoring: ScoringSystem
    royalties: Mapping[tuple[Row, Category], int]
    points_per_unit: int = 0
    starting_points: int = 0
    rounds: int = 0
    arrange_seconds: int = 0
    draws_seats: bool = False
    winner_deals: bool = False

    def __post_init__(self) -> None:
        """Refuse a table that nobody could sit at, or that the deck could not deal."""
        if self.seats not in SEATS or self.seats * self.hand_size > len(self.deck):
            text = f"{self.seats} seats with {self.hand_size} of {len(self.deck)} cards each"
            raise ValueError(f"expected 2 to {SEATS[-1]} seats that the deck can deal, got {text}")
        if len(self.deck) > MAX_PACKED:
            raise ValueError(f"expected at most {MAX_PACKED} cards, got {len(self.deck)}")

    @cached_property
    def tables(self) -> Tables:
        """The values of all rows; shared by all rulesets of one ladder."""
        return tables(self.ladder, self.straights)

    @cached_property
    def _copies(self) -> dict[int, int]:
        return {card: self.deck.count(card) for card in CARDS.values()}

    @cached_property
    def _royalty_table(self) -> list[list[RowRoyalty | None]]:
        """By row and category: hashing an enum costs more than all the rest of a look-up."""
        return [[None, *(self._royalty(row, category) for category in Category)] for row in Row]

    def _royalty(self, row: Row, category: Category) -> RowRoyalty | None:
        units = self.royalties.get((row, category), 0)
        return RowRoyalty(row, category, units) if units else None

    def row_royalties(
        self, front: RowValue, middle: RowValue, back: RowValue
    ) -> tuple[RowRoyalty, ...]:
        """Give what the rows of a seat collect, in their order; most collect nothing."""
        fronts, middles, backs = self._royalty_table
        found = fronts[front.category], middles[middle.category], backs[back.category]
        return tuple([royalty for royalty in found if royalty]) if any(found) else ()

    def evaluator(self, bonus_rank: Rank | None) -> Evaluator:
        """Give the judge of rows for a bonus rank; None where the ruleset has none."""
        return self.tables.evaluator(bonus_rank)

    def stock(self, cut_card: Card | None) -> Stock:
        """Count the copies of each card in play: the deck, less the cut card."""
        stock = self._copies.copy()
        if cut_card is not None:
            stock[cut_card] -= 1
        return stock

    @cached_property
    def _packed_deck(self) -> int:
        return pack(self.deck)

    def packed_stock(self, cut_card: Card | None) -> int:
        """Count the same in one number (:func:`~shisanzhi.engine.cards.pack`)."""
        return self._packed_deck if cut_card is None else self._packed_deck - pack((cut_card,))

    def middle_stands(self, middle: RowValue, back: RowValue) -> bool:
        """Tell whether that middle may stand above that back."""
        if self.middle_may_equal_back:
            return middle.strength <= back.strength
        return middle.strength < back.strength

    @property
    def bonus_ranks(self) -> Sequence[Rank | None]:
        """The bonus ranks that a round can have; only None where the ruleset has none."""
        return tuple(Rank) if self.has_bonus_rank else (None,)
