"""The command's own words, in both languages; the game's are in ``engine/names.py``."""

from typing import Final

from shisanzhi.engine.match import FinishReason
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
PAIR_UNITS: Final = Text("二勝一敗", "2 to 1")
COLLECTS: Final = Text("收", "collects")
PAYS: Final = Text("付", "pays")
ROYALTY: Final = Text("牌型", "royalty")
TOTAL: Final = Text("合計", "total")
PLACE: Final = Text("名次", "place")
POINTS: Final = Text("積分", "points")
EXPECTED: Final = Text("期望得分", "expected")
PLAYER: Final = Text("玩家", "player")
DREW: Final = Text("抓位", "drew")
ROUND: Final = Text("局", "round")
ROUNDS: Final = Text("局數", "rounds")
DECK: Final = Text("牌堆張數", "cards in the deck")
ORDER: Final = Text("大小順序", "order")
CATEGORY: Final = Text("牌型", "category")
IN_FRONT: Final = Text("頭墩可用", "in front")
POINTS_PER_UNIT: Final = Text("每堵積分", "points a unit")
STARTING_POINTS: Final = Text("起始積分", "starting points")
SECONDS: Final = Text("擺牌秒數", "seconds to arrange")
SEATS_TITLE: Final = Text("抓位", "Seats")
ROUNDS_TITLE: Final = Text("各局得分", "Rounds")
STANDINGS_TITLE: Final = Text("總成績", "Standings")
LADDER_TITLE: Final = Text("牌型大小（由大到小）", "Categories, greatest first")
PAIRS_TITLE: Final = Text("兩家互比（以前者計）", "Pairs of seats, as the first sees them")
TOTALS_TITLE: Final = Text("本局得分", "Totals")

FINISH_REASONS: Final = {
    FinishReason.ROUNDS_PLAYED: Text("打完全部局數。", "All rounds are played."),
    FinishReason.POINTS_LOST: Text("有玩家輸光積分。", "A player has lost all points."),
}

OUTCOMES: Final = {
    RowOutcome.WON: Text("勝", "won"),
    RowOutcome.LOST: Text("負", "lost"),
    RowOutcome.TIED: Text("和", "tied"),
}
