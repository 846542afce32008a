"""The command's own words, in both languages; the game's are the engine's."""

from typing import Final

from shisanzhi.engine.names import Text

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
ALL_THIRTEEN: Final = Text("一條龍（全部十三張）", "dragon (all thirteen cards)")
BONUS_CARDS: Final = Text("彩金牌", "bonus cards")
WHAT_BONUS_CARDS_ARE: Final = Text(
    "與切牌同點數的四張；不是百搭，三條、葫蘆的三張或鐵支的四張都是彩金牌才升級",
    "the four of the cut card's rank; not wild: they raise only trips, a full house "
    "or quads whose three or four they are",
)
FROM_WHO_IS_GUNNED: Final = Text("被打槍者付 {}", "{} from the seat that is gunned")
MORE_FROM_EACH: Final = Text("三家各再付 {}", "{} more from each of the three others")
FROM_THE_LOSER: Final = Text("敗方付 {}", "{} from the loser of the pair")
FROM_EACH: Final = Text("三家各付 {}", "{} from each of the three others")
ROW_COLLECTS: Final = Text(
    "該墩嚴格大於對方者，向該對方收", "to whoever's row is strictly greater, from that opponent"
)
PAIR_COLLECTS: Final = Text(
    "兩家互比的勝方以自己的每一墩向敗方收，不論該墩勝負",
    "to the winner of the pair of seats, from its loser, for each of the winner's own rows",
)
SEATS_TITLE: Final = Text("抓位", "Seats")
ROUNDS_TITLE: Final = Text("各局得分", "Rounds")
STANDINGS_TITLE: Final = Text("總成績", "Standings")
LADDER_TITLE: Final = Text("牌型大小（由大到小）", "Categories, greatest first")
PAIRS_TITLE: Final = Text("兩家互比（以前者計）", "Pairs of seats, as the first sees them")
GUNSHOTS_TITLE: Final = Text("打槍", "Gunshots")
TOTALS_TITLE: Final = Text("本局得分", "Totals")
