"""The command's own words, in both languages; the game's are in ``engine/names.py``."""

from typing import Final

from shisanzhi.engine.names import Text
from shisanzhi.engine.scoring import RowOutcome

RULESET: Final = Text("規則", "ruleset")
SEAT: Final = Text("座位", "seat")
HAND: Final = Text("手牌", "hand")
ROW: Final = Text("墩", "row")
CARDS: Final = Text("牌", "cards")
VALUE: Final = Text("牌型", "value")
DEALER: Final = Text("莊家", "dealer")
CUT_CARD: Final = Text("切牌", "cut card")
TURNED_UP_CARD: Final = Text("翻牌", "turned up")
FIRST_RECEIVER: Final = Text("先拿牌", "receives first")
DISCARDS: Final = Text("棄牌", "discards")
SEED: Final = Text("種子", "seed")
COMMITMENT: Final = Text("承諾值", "commitment")
ALGORITHM: Final = Text("演算法", "algorithm")
LEGAL: Final = Text("合法", "legal")
NOT_LEGAL: Final = Text("不合法", "not legal")
PAIR: Final = Text("兩家", "pair")
PAIR_UNITS: Final = Text("兩勝一敗", "2 to 1")
ROYALTIES: Final = Text("額外加分", "royalties")
COLLECTS: Final = Text("收", "collects")
PAYS: Final = Text("付", "pays")
ROYALTY: Final = Text("加分牌型", "royalty")
TOTAL: Final = Text("合計", "total")
PLACE: Final = Text("名次", "place")
POINTS: Final = Text("積分", "points")
PAIRS_TITLE: Final = Text("兩家互比（以前者計）", "Pairs of seats, as the first sees them")
ROYALTIES_TITLE: Final = Text("額外加分明細", "Royalties")
TOTALS_TITLE: Final = Text("本局得分", "Totals")

OUTCOMES: Final = {
    RowOutcome.WON: Text("勝", "won"),
    RowOutcome.LOST: Text("負", "lost"),
    RowOutcome.TIED: Text("和", "tied"),
}
