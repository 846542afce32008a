"""Cards are read however they are written where this game is played, and are counted."""

import pytest

from shisanzhi.engine.cards import (
    CARDS,
    MAX_PACKED,
    Card,
    count_cards,
    covers,
    pack,
    parse_cards,
    take,
)
from shisanzhi.engine.errors import CardSyntaxError


@pytest.mark.parametrize(
    ("card", "written"),
    [
        ("As", "A♠ a♠ ♠A A♠\ufe0f ♠\ufe0fA A♠\ufe0e A♤ ♤A Ａ♠ Ａｓ ａｓ 黑桃A A黑桃 黑桃Ａ sA"),
        ("Kh", "K♥ K♥\ufe0f K♡ Ｋ♥ 紅心K 紅桃K 红心K 红桃K k紅心"),
        ("Qd", "Q♦ Q♦\ufe0f Q♢ Ｑ♦ 方塊Q 方块Q 方片Q"),
        ("Jc", "J♣ J♣\ufe0f J♧ Ｊ♣ 梅花J 草花J"),
        ("Ts", "10♠ １０♠ T♤ Ｔ♠ 黑桃10 黑桃１０ 黑桃T ♠️10"),
    ],
)
def test_every_notation_is_read(card: str, written: str) -> None:
    assert {Card.parse(card)} == {Card.parse(text) for text in written.split()}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A",
        "s",
        "黑桃",
        "A黑",
        "1s",
        "11s",
        "A♠♠",
        "AA",
        "Asx",
        "A s",
        "As ",
        "紅A",
        "🂡",
        "\ufe0f",
    ],
)
def test_what_is_no_card_is_not(text: str) -> None:
    with pytest.raises(CardSyntaxError):
        Card.parse(text)


def test_each_copy_of_a_card_is_taken_once() -> None:
    stock = count_cards(parse_cards("As As Kd"))
    taken = [take(stock, [card]) for card in parse_cards("As Kd Kd As As")]
    assert taken == [True, True, False, True, False]


@pytest.mark.parametrize("had", [0, 1, MAX_PACKED // 2, MAX_PACKED])
@pytest.mark.parametrize("wanted", [0, 1, MAX_PACKED // 2 + 1, MAX_PACKED])
def test_a_packed_stock_covers_as_many_of_a_card_as_it_has(had: int, wanted: int) -> None:
    """However many of the others there are."""
    full = pack(CARDS) * MAX_PACKED
    for card in parse_cards("2c 8d As"):
        stock = full - pack([card] * (MAX_PACKED - had))
        assert covers(stock, pack([card] * wanted)) == (wanted <= had)
