"""One tree of errors, each with a stable reason."""

import enum
import reprlib
from collections.abc import Callable, Iterable
from typing import ClassVar, Final, NamedTuple, TypeVar


class Reason(enum.Enum):
    """Why a request cannot be answered: ``ErrorReason`` of the contract, names and numbers.

    UNSPECIFIED is a newer server's reason that this version does not know. Some are never the
    engine's: a server has reasons of its own.
    """

    UNSPECIFIED = 0
    MALFORMED_REQUEST = enum.auto()
    RULESET_REQUIRED = enum.auto()
    RULESET_UNKNOWN = enum.auto()
    CUT_CARD_REQUIRED = enum.auto()
    CUT_CARD_FORBIDDEN = enum.auto()
    CARD_UNKNOWN = enum.auto()
    CARD_REPEATED = enum.auto()
    CARD_NOT_IN_HAND = enum.auto()
    ROW_SIZE = enum.auto()
    ROW_COUNT = enum.auto()
    ARRANGEMENT_REQUIRED = enum.auto()
    ARRANGEMENT_COUNT = enum.auto()
    FRONT_NOT_BELOW_MIDDLE = enum.auto()
    MIDDLE_NOT_BELOW_BACK = enum.auto()
    SEAT_UNKNOWN = enum.auto()
    HAND_COUNT = enum.auto()
    HAND_SIZE = enum.auto()
    SEED_SIZE = enum.auto()
    PLAYER_SEED_COUNT = enum.auto()
    PLAYER_SEED_SIZE = enum.auto()
    CUT_COUNT = enum.auto()
    CUT_OUT_OF_RANGE = enum.auto()
    CUTS_FORBIDDEN = enum.auto()
    SUGGESTION_COUNT = enum.auto()
    PLAYER_COUNT = enum.auto()
    PLAYER_ID_SIZE = enum.auto()
    PLAYER_ID_REPEATED = enum.auto()
    UNIT_COUNT = enum.auto()
    UNIT_SUM = enum.auto()
    UNIT_OUT_OF_RANGE = enum.auto()
    MATCH_REQUIRED = enum.auto()
    MATCH_FINISHED = enum.auto()
    MATCH_CONTRADICTORY = enum.auto()
    OVERLOADED = enum.auto()
    INTERNAL = enum.auto()
    MESSAGE_TOO_LARGE = enum.auto()
    CLIENT_NAME = enum.auto()
    DEADLINE = enum.auto()
    UNKNOWN_METHOD = enum.auto()
    UNKNOWN_SERVICE = enum.auto()
    DEALER_REQUIRED = enum.auto()
    REQUEST_LATE = enum.auto()
    TOO_MANY_STREAMS = enum.auto()
    REQUEST_COUNT = enum.auto()


class Fault(NamedTuple):
    """One thing wrong with a request: where it is and what was expected there."""

    reason: Reason
    path: str
    description: str


class GameError(Exception):
    """Anything that the engine refuses."""


class CardSyntaxError(GameError, ValueError):
    """A text that is not a card."""

    reason: ClassVar = Reason.CARD_UNKNOWN

    def __init__(self, text: str) -> None:
        super().__init__(f"expected a card such as As, Td, 10d or ♠A, got {reprlib.repr(text)}")


class RowSizeError(GameError, ValueError):
    """A row of neither three nor five cards."""

    def __init__(self, size: int) -> None:
        super().__init__(f"expected a row of 3 or 5 cards, got {size}")


class InvalidRequestError(GameError, ValueError):
    """A request that cannot be answered, with every fault found in it."""

    def __init__(self, faults: tuple[Fault, ...], more: int = 0) -> None:
        """Take the faults to report, in the order found, and how many more there were."""
        super().__init__("; ".join(f"{fault.path}: {fault.description}" for fault in faults))
        self.faults = faults
        self.more = more


MAX_FAULTS: Final = 1000
_Item = TypeVar("_Item")


class Faults:
    """Collects the faults of one request, so that all are reported together.

    Keeps the first 1,000 and counts the rest: a request is not a means to fill the memory.

    >>> faults = Faults()
    >>> faults.add(Reason.SEAT_UNKNOWN, "dealer", "expected a seat 0..3, got 4")
    >>> faults.check()
    Traceback (most recent call last):
    ...
    shisanzhi.engine.errors.InvalidRequestError: dealer: expected a seat 0..3, got 4
    """

    __slots__ = ("_faults", "_more")

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._more = 0

    def __bool__(self) -> bool:
        return bool(self._faults)

    def add(self, reason: Reason, path: str, description: str) -> None:
        if len(self._faults) < MAX_FAULTS:
            self._faults.append(Fault(reason, path, description))
        else:
            self._more += 1

    def add_items(
        self,
        reason: Reason,
        path: str,
        items: Iterable[tuple[int, _Item]],
        describe: Callable[[_Item], str],
    ) -> None:
        """Note what is wrong with items of a list, given with their places."""
        for index, item in items:
            if len(self._faults) < MAX_FAULTS:
                self._faults.append(Fault(reason, f"{path}[{index}]", describe(item)))
            else:
                self._more += 1

    def add_all(self, path: str, error: InvalidRequestError) -> None:
        """Note all that is wrong with the part that stands at ``path``."""
        room = MAX_FAULTS - len(self._faults)
        self._faults += [
            Fault(reason, f"{path}.{inner}", description)
            for reason, inner, description in error.faults[:room]
        ]
        self._more += len(error.faults[room:]) + error.more

    def check(self) -> None:
        """Raise :class:`InvalidRequestError` if any fault was noted."""
        if self._faults:
            raise InvalidRequestError(tuple(self._faults), self._more)
