"""What holds for every row, arrangement, round and deal."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from shisanzhi.engine import game_logic
from shisanzhi.engine.arrangement import Arrangement, bonus_rank_of, come_from, judge, misfits
from shisanzhi.engine.cards import Card, Rank, Suit, count_cards, format_cards, parse_cards
from shisanzhi.engine.categories import Category
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.questions import DealRoundQuestion, RawArrangement, ValidateQuestion
from shisanzhi.engine.rulesets import CLASSIC, RULESETS, Ruleset
from shisanzhi.engine.scoring.results import RoundResult, RowOutcome
from shisanzhi.engine.scoring.round import score
from shisanzhi.engine.seats import counter_clockwise
from tests import generators, oracle
from tests.generators import Cards, PlayedHand, PlayedRound, Rows

EXAMPLES = settings().max_examples
PARTS = ("pair_units", "gunshot_units", "home_run_units", "royalty_units")
OPPOSITE = {
    RowOutcome.WON: RowOutcome.LOST,
    RowOutcome.LOST: RowOutcome.WON,
    RowOutcome.TIED: RowOutcome.TIED,
    None: None,
}


def scored(played: PlayedRound) -> RoundResult:
    return score(played.ruleset, played.arrangements, played.cut_card, dealer=played.dealer)


def value_of(ruleset: Ruleset, cut_card: Card | None, row: Sequence[Card]) -> RowValue:
    return ruleset.evaluator(bonus_rank_of(cut_card)).value(row)


def texts(cards: Sequence[Card]) -> list[str]:
    """Write cards as the oracle reads them."""
    return [str(card) for card in cards]


# Cards


@given(st.lists(generators.cards))
def test_cards_written_and_read_again_are_the_same(cards: list[Card]) -> None:
    assert tuple(cards) == parse_cards(format_cards(cards))
    assert [eval(repr(card)) for card in cards] == cards  # noqa: S307 - what repr promises


@given(generators.cards)
def test_every_way_of_writing_a_card_reads_the_same(card: Card) -> None:
    ranks = {card.rank.letter, card.rank.letter.lower(), card.rank.letter.replace("T", "10")}
    suits = {card.suit.letter, card.suit.letter.upper(), card.suit.symbol}
    written = {rank + suit for rank in ranks for suit in suits}
    written |= {card.suit.symbol + rank for rank in ranks}
    assert {card} == {Card.parse(text) for text in written}


# Rows


@given(generators.rows(2))
@settings(max_examples=5 * EXAMPLES)
def test_strength_orders_any_two_rows_as_the_rules_do(case: Rows) -> None:
    first, second = case.rows
    cut = None if case.cut_card is None else str(case.cut_card)
    expected = oracle.compare(case.ruleset.key, cut, texts(first), texts(second))
    difference = (
        value_of(case.ruleset, case.cut_card, first).strength
        - value_of(case.ruleset, case.cut_card, second).strength
    )
    assert expected == (difference > 0) - (difference < 0)


@given(generators.rows(2))
@settings(max_examples=3 * EXAMPLES)
def test_two_rows_are_equally_strong_exactly_if_category_and_ranks_are_equal(case: Rows) -> None:
    first, second = (value_of(case.ruleset, case.cut_card, row) for row in case.rows)
    if len(case.rows[0]) == len(case.rows[1]):
        same = (first.category, first.ranks) == (second.category, second.ranks)
        assert same == (first.strength == second.strength)
    assert (first == second) == (first.strength == second.strength)


@given(generators.rows(1), st.randoms(use_true_random=False))
def test_the_order_of_the_cards_in_a_row_changes_nothing(case: Rows, rng: Random) -> None:
    (row,) = case.rows
    value = value_of(case.ruleset, case.cut_card, row)
    mixed = rng.sample(row, len(row))
    assert value == value_of(case.ruleset, case.cut_card, mixed)


def test_four_cards_of_a_suit_are_no_flush_wherever_the_fifth_stands() -> None:
    """Not even where only its suit sets it apart from one of them."""
    nine, *others = Rank.NINE, Rank.KING, Rank.FIVE, Rank.TWO
    for suit, other_suit in permutations(Suit, 2):
        four = [Card.of(rank, suit) for rank in (nine, *others)]
        for row in permutations([*four, Card.of(nine, other_suit)]):
            assert str(value_of(CLASSIC, None, row)) == "PAIR 9 K 5 2"


@given(st.data())
def test_a_front_that_equals_a_middle_as_far_as_it_goes_is_less(data: st.DataObject) -> None:
    ruleset = data.draw(generators.rulesets)
    bonus_rank = data.draw(st.sampled_from(ruleset.bonus_ranks))
    evaluate = ruleset.evaluator(bonus_rank).value
    copies = data.draw(st.sampled_from([1, 2, 3]))
    ranks = data.draw(st.lists(st.sampled_from(Rank), min_size=5, max_size=5, unique=True))
    group, *kickers = ranks[: 6 - copies]
    kickers.sort(reverse=True)
    if copies == 1:
        group, *kickers = sorted([group, *kickers], reverse=True)
    # Suits by turns: no flush, and no card twice.
    suits = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
    middle = list(map(Card.of, [group] * copies + kickers, suits))
    middle_value, front_value = evaluate(middle), evaluate(middle[:3])
    if middle_value.category is Category.STRAIGHT:
        return
    assert middle_value.category is front_value.category
    assert front_value.ranks == middle_value.ranks[: len(front_value.ranks)]
    assert front_value.strength < middle_value.strength


@given(st.data())
def test_relabelling_the_suits_of_a_row_changes_nothing(data: st.DataObject) -> None:
    case = data.draw(generators.rows(1))
    change = data.draw(generators.suit_changes(case.ruleset))
    (row,) = case.rows
    expected = value_of(case.ruleset, case.cut_card, row)
    assert expected == value_of(case.ruleset, case.cut_card, relabelled(row, change))


def relabelled(cards: Sequence[Card], change: Mapping[Suit, Suit]) -> Cards:
    return tuple(Card.of(card.rank, change[card.suit]) for card in cards)


# Arrangements


@given(generators.arrangements())
@settings(max_examples=3 * EXAMPLES)
def test_an_arrangement_breaks_the_rules_that_the_oracle_names(case: PlayedHand) -> None:
    cut = None if case.cut_card is None else str(case.cut_card)
    front, middle, back = map(texts, case.arrangement)
    hand = None if case.hand is None else texts(case.hand)
    expected = oracle.faults(case.ruleset.key, cut, (front, middle, back), hand)
    judged = game_logic.validate(
        ValidateQuestion(
            case.ruleset.number,
            case.cut_card or 0,
            RawArrangement(*case.arrangement),
            case.hand or (),
        )
    )
    assert set(expected) == {violation.reason.name for violation in judged.violations}
    assert (not expected) == judged.legal


@given(generators.arrangements())
def test_an_arrangement_comes_from_the_deck_and_the_hand_exactly_if_nothing_misfits(
    case: PlayedHand,
) -> None:
    in_hand = None if case.hand is None else count_cards(case.hand)
    found = list(misfits(case.arrangement, case.ruleset.stock(case.cut_card), in_hand))
    hands = [] if case.hand is None else [case.hand]
    in_play = case.ruleset.packed_stock(case.cut_card)
    assert come_from(in_play, [case.arrangement], hands) is (not found)


@given(generators.arrangements())
def test_what_is_played_and_what_is_discarded_is_the_hand(case: PlayedHand) -> None:
    judged = judge(case.ruleset, case.arrangement, case.cut_card, case.hand)
    hand = Counter(case.hand or ())
    assert hand - Counter(case.arrangement.cards) == Counter(judged.discards)
    if case.hand is not None and judged.legal:
        assert len(judged.discards) == case.ruleset.hand_size - 13


# Rounds


@given(generators.rounds())
def test_the_totals_sum_to_zero_and_so_does_each_part(played: PlayedRound) -> None:
    result = scored(played)
    for part in (*PARTS, "total_units", "points"):
        assert sum(getattr(seat, part) for seat in result.seats) == 0, part


@given(generators.rounds())
def test_the_four_parts_of_a_seat_sum_to_its_total(played: PlayedRound) -> None:
    for seat in scored(played).seats:
        assert sum(getattr(seat, part) for part in PARTS) == seat.total_units


@given(generators.rounds())
def test_each_seat_s_total_and_each_part_of_it_is_the_sum_of_its_pairs(
    played: PlayedRound,
) -> None:
    result = scored(played)
    assert [(pair.seat, pair.opponent) for pair in result.pairs] == [
        (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)
    ]  # fmt: skip
    for seat in result.seats:
        pairs = [seen_from(result, seat.seat, other) for other in range(4) if other != seat.seat]
        for part in (*PARTS, "total_units"):
            assert sum(units[part] for _, units, _ in pairs) == getattr(seat, part), part


SeenPair = tuple[
    tuple[RowOutcome | None, ...], dict[str, int], list[tuple[bool, str | None, str | None, int]]
]


def seen_from(result: RoundResult, seat: int, opponent: int) -> SeenPair:
    """Give a pair's outcomes, units and royalties (own or not) as one of its seats sees them."""
    (pair,) = (pair for pair in result.pairs if {pair.seat, pair.opponent} == {seat, opponent})
    sign = 1 if pair.seat == seat else -1
    outcomes = tuple(
        outcome if sign > 0 else OPPOSITE[outcome]
        for outcome in (pair.front, pair.middle, pair.back)
    )
    royalties = [
        (
            royalty.payee == seat,
            None if royalty.row is None else royalty.row.name,
            None if royalty.category is None else royalty.category.name,
            royalty.units,
        )
        for royalty in pair.royalties
    ]
    assert all({royalty.payee, royalty.payer} == {seat, opponent} for royalty in pair.royalties)
    units = {
        "pair_units": sign * pair.pair_units,
        "gunshot_units": sign * pair.gunshot_units,
        "home_run_units": sign * pair.home_run_units,
        "royalty_units": sum(units if own else -units for own, _, _, units in royalties),
        "total_units": sign * pair.total_units,
    }
    return outcomes, units, sorted(royalties, key=repr)


@given(generators.rounds(), generators.seat_orders)
def test_permuting_the_seats_permutes_the_result(played: PlayedRound, order: list[int]) -> None:
    before = scored(played)
    after = scored(played._replace(arrangements=tuple(played.arrangements[seat] for seat in order)))
    for new, old in enumerate(order):
        expected = before.seats[old]._replace(seat=new, place=after.seats[new].place)
        assert expected == after.seats[new]
    for new, other in permutations(range(4), 2):
        assert seen_from(before, order[new], order[other]) == seen_from(after, new, other)


@given(generators.rounds(), generators.seats)
def test_turning_the_table_with_its_dealer_keeps_every_place(
    played: PlayedRound, steps: int
) -> None:
    before = scored(played)
    turned = PlayedRound(
        played.ruleset,
        played.cut_card,
        (played.dealer + steps) % 4,
        (),
        tuple(played.arrangements[(seat - steps) % 4] for seat in range(4)),
    )
    after = scored(turned)
    for seat in before.seats:
        moved = (seat.seat + steps) % 4
        assert seat._replace(seat=moved) == after.seats[moved]
    assert tuple((seat + steps) % 4 for seat in before.showing_order) == after.showing_order


@given(generators.rounds())
def test_places_follow_the_totals_and_then_the_order_of_showing(played: PlayedRound) -> None:
    result = scored(played)
    assert result.showing_order == tuple((played.dealer + step) % 4 for step in range(4))
    ranking = sorted(
        result.seats, key=lambda seat: (-seat.total_units, (seat.seat - played.dealer) % 4)
    )
    assert tuple(range(1, 5)) == tuple(seat.place for seat in ranking)


@given(generators.rounds(), generators.seats)
def test_the_dealer_changes_no_unit(played: PlayedRound, dealer: int) -> None:
    before, after = scored(played), scored(played._replace(dealer=dealer))
    assert before.pairs == after.pairs
    assert [seat._replace(place=0) for seat in before.seats] == [
        seat._replace(place=0) for seat in after.seats
    ]
    assert counter_clockwise(dealer, seats=4) == after.showing_order


@given(generators.rounds(), st.randoms(use_true_random=False))
def test_the_order_of_the_cards_in_the_rows_of_a_round_changes_nothing(
    played: PlayedRound, rng: Random
) -> None:
    mixed = tuple(
        Arrangement(*(tuple(rng.sample(row, len(row))) for row in arrangement))
        for arrangement in played.arrangements
    )
    assert scored(played) == scored(played._replace(arrangements=mixed))


@given(st.data())
def test_relabelling_the_suits_of_a_round_changes_nothing(data: st.DataObject) -> None:
    played = data.draw(generators.rounds())
    change = data.draw(generators.suit_changes(played.ruleset))
    cut_card = None if played.cut_card is None else relabelled([played.cut_card], change)[0]
    arrangements = tuple(
        Arrangement(*(relabelled(row, change) for row in arrangement))
        for arrangement in played.arrangements
    )
    expected = scored(played)
    assert expected == scored(played._replace(cut_card=cut_card, arrangements=arrangements))


def test_suits_can_be_relabelled_where_every_card_comes_once() -> None:
    """Four suits in CLASSIC, all but spades in BONUS."""
    free = {
        ruleset.key: {suit for suit in Suit if ruleset.deck.count(Card.of(Rank.ACE, suit)) == 1}
        for ruleset in RULESETS.values()
    }
    assert free == {"classic": set(Suit), "bonus": set(Suit) - {Suit.SPADES}}


# Deals


@given(generators.deals())
def test_a_deal_is_exactly_the_deck(question: DealRoundQuestion) -> None:
    ruleset = RULESETS[question.ruleset]
    dealt = game_logic.deal_round(question)
    hands = [card for hand in dealt.hands for card in hand]
    cut = [] if dealt.cut_card is None else [dealt.cut_card]
    assert Counter(ruleset.deck) == Counter(hands + cut)
    assert [ruleset.hand_size] * 4 == [len(hand) for hand in dealt.hands]
    assert (dealt.cut_card is not None, dealt.turned_up_card is not None) == (
        ruleset.key == "bonus",
        ruleset.key == "classic",
    )


@given(generators.deals())
def test_a_deal_is_the_one_that_the_oracle_deals(question: DealRoundQuestion) -> None:
    expected = oracle.deal(RULESETS[question.ruleset].key, *question[1:])
    dealt = game_logic.deal_round(question)
    assert expected.hands == [texts(hand) for hand in dealt.hands]
    assert (expected.cut_card, expected.turned_up_card) == (
        dealt.cut_card and str(dealt.cut_card),
        dealt.turned_up_card and str(dealt.turned_up_card),
    )
    assert (expected.dealer, expected.first_receiver) == (dealt.dealer, dealt.first_receiver)
    assert (question.seed, oracle.commitment(question.seed)) == (dealt.seed, dealt.commitment)


@given(generators.deals())
def test_the_named_dealer_deals(question: DealRoundQuestion) -> None:
    dealt = game_logic.deal_round(question)
    assert dealt.dealer == (dealt.dealer if question.dealer is None else question.dealer)
    again = game_logic.deal_round(question._replace(dealer=dealt.dealer))
    assert dealt == again
