"""What a frontend or the command shows for a reason or an outcome, in both languages.

Each table has a text for every number of the contract's enum, in its order; None, and
``Reason.UNSPECIFIED``, stand for the unspecified one.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from shisanzhi.engine.errors import Reason
from shisanzhi.engine.match import FinishReason
from shisanzhi.engine.names import Text
from shisanzhi.engine.rows import ViolationReason
from shisanzhi.engine.scoring.results import RowOutcome

VIOLATION_REASONS: Final = {
    None: Text("不合規則", "a rule is broken"),
    ViolationReason.ROW_SIZE: Text("張數不符", "wrong number of cards"),
    ViolationReason.CARD_REPEATED: Text("牌重複", "card repeated"),
    ViolationReason.CARD_NOT_IN_HAND: Text("不在手牌中", "card not in the hand"),
    ViolationReason.FRONT_NOT_BELOW_MIDDLE: Text("相公，未小於中墩", "foul, not below the middle"),
    ViolationReason.MIDDLE_NOT_BELOW_BACK: Text(
        "相公，與尾墩的大小順序不合", "foul, not below the back"
    ),
}
"""Said of the violation's row."""

ERROR_REASONS: Final[Mapping[Reason | None, Text]] = {
    Reason.UNSPECIFIED: Text("原因不明。", "The reason is unknown."),
    Reason.MALFORMED_REQUEST: Text("請求的格式不正確。", "The request is malformed."),
    Reason.RULESET_REQUIRED: Text("未指定規則。", "No ruleset is named."),
    Reason.RULESET_UNKNOWN: Text("沒有這種規則。", "There is no such ruleset."),
    Reason.CUT_CARD_REQUIRED: Text("此規則須指定切出的牌。", "This ruleset needs the cut card."),
    Reason.CUT_CARD_FORBIDDEN: Text("此規則沒有切出的牌。", "This ruleset has no cut card."),
    Reason.CARD_UNKNOWN: Text("沒有這張牌。", "There is no such card."),
    Reason.CARD_REPEATED: Text(
        "這張牌出現的次數超過牌堆所有。", "A card appears more often than the deck holds it."
    ),
    Reason.CARD_NOT_IN_HAND: Text(
        "這張牌不在該家的手牌中。", "The card is not in the seat's hand."
    ),
    Reason.ROW_SIZE: Text("這一墩的張數不符。", "The row has the wrong number of cards."),
    Reason.ROW_COUNT: Text("須為 1 到 1000 墩。", "There must be 1 to 1000 rows."),
    Reason.ARRANGEMENT_REQUIRED: Text("缺少擺牌。", "The arrangement is missing."),
    Reason.ARRANGEMENT_COUNT: Text("須有四家的擺牌。", "There must be four arrangements."),
    Reason.FRONT_NOT_BELOW_MIDDLE: Text(
        "相公：頭墩未小於中墩。", "Foul: the front is not below the middle."
    ),
    Reason.MIDDLE_NOT_BELOW_BACK: Text(
        "相公：中墩與尾墩的大小順序不合。", "Foul: the middle is not below the back."
    ),
    Reason.SEAT_UNKNOWN: Text("座位須為 0 到 3。", "A seat must be 0 to 3."),
    Reason.HAND_COUNT: Text("手牌須為四家，或全部省略。", "There must be four hands, or none."),
    Reason.HAND_SIZE: Text("手牌的張數不符。", "The hand has the wrong number of cards."),
    Reason.SEED_SIZE: Text("種子須為 16 到 64 位元組。", "A seed must have 16 to 64 bytes."),
    Reason.PLAYER_SEED_COUNT: Text("玩家種子最多 8 個。", "There may be at most 8 player seeds."),
    Reason.PLAYER_SEED_SIZE: Text(
        "玩家種子須為 1 到 64 位元組。", "A player seed must have 1 to 64 bytes."
    ),
    Reason.CUT_COUNT: Text("最多切牌三次。", "There may be at most three cuts."),
    Reason.CUT_OUT_OF_RANGE: Text("每次須切 1 到 51 張。", "A cut must be 1 to 51 cards."),
    Reason.CUTS_FORBIDDEN: Text("此規則不由玩家切牌。", "Players make no cuts in this ruleset."),
    Reason.SUGGESTION_COUNT: Text("建議的擺牌最多 20 種。", "There may be at most 20 suggestions."),
    Reason.PLAYER_COUNT: Text("須有四名玩家。", "There must be four players."),
    Reason.PLAYER_ID_SIZE: Text(
        "玩家識別碼須為 1 到 128 位元組。", "A player id must have 1 to 128 bytes."
    ),
    Reason.PLAYER_ID_REPEATED: Text("玩家識別碼重複。", "Two players have the same id."),
    Reason.UNIT_COUNT: Text("須有四家的得分。", "There must be the units of four seats."),
    Reason.UNIT_SUM: Text(
        "四家得分的總和須為零。", "The units of the four seats must sum to zero."
    ),
    Reason.UNIT_OUT_OF_RANGE: Text(
        "累計得分超出可記錄的範圍。", "The units in total are too many to be counted."
    ),
    Reason.MATCH_REQUIRED: Text("缺少這一將的資料。", "The match is missing."),
    Reason.MATCH_FINISHED: Text("這一將已經結束。", "The match is over."),
    Reason.MATCH_CONTRADICTORY: Text("這一將的資料自相矛盾。", "The match contradicts itself."),
    Reason.OVERLOADED: Text("服務忙碌中，請稍後再試。", "The service is busy; try again soon."),
    Reason.INTERNAL: Text("服務內部發生錯誤。", "The service has failed."),
    Reason.MESSAGE_TOO_LARGE: Text("請求過大。", "The request is too large."),
    Reason.CLIENT_NAME: Text(
        "用戶端憑證的名稱未獲允許。", "The client's certificate has no allowed name."
    ),
    Reason.DEADLINE: Text(
        "期限已過，尚未處理完成。", "The deadline passed before the work was done."
    ),
    Reason.UNKNOWN_METHOD: Text("沒有這個方法。", "There is no such method."),
    Reason.UNKNOWN_SERVICE: Text("沒有這項服務。", "There is no such service."),
    Reason.DEALER_REQUIRED: Text("未指定莊家。", "No dealer is named."),
    Reason.REQUEST_LATE: Text("請求未在時限內送達。", "The request did not arrive in time."),
    Reason.TOO_MANY_STREAMS: Text(
        "這條連線開啟的串流過多。", "This connection has too many streams open."
    ),
    Reason.REQUEST_COUNT: Text("須為 1 到 1000 個請求。", "There must be 1 to 1000 requests."),
}

FINISH_REASONS: Final = {
    None: Text("尚未結束。", "The match is not over."),
    FinishReason.ROUNDS_PLAYED: Text("打完全部局數。", "All rounds are played."),
    FinishReason.POINTS_LOST: Text("有玩家輸光積分。", "A player has lost all points."),
}

ROW_OUTCOMES: Final = {
    None: Text("不比", "not compared"),
    RowOutcome.WON: Text("勝", "won"),
    RowOutcome.LOST: Text("負", "lost"),
    RowOutcome.TIED: Text("和", "tied"),
}


class Texts(NamedTuple):
    """Every table, by the name of its field in the contract."""

    violation_reasons: Mapping[ViolationReason | None, Text]
    error_reasons: Mapping[Reason | None, Text]
    finish_reasons: Mapping[FinishReason | None, Text]
    row_outcomes: Mapping[RowOutcome | None, Text]


TEXTS: Final = Texts(VIOLATION_REASONS, ERROR_REASONS, FINISH_REASONS, ROW_OUTCOMES)
