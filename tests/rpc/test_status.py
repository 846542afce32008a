"""A refusal is carried over the wire whole, or says what is missing."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TypeVar

import pytest
from google.protobuf.message import Message
from google.rpc import code_pb2, status_pb2
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RequestInfo, RetryInfo

from shisanzhi.engine.errors import Fault, InvalidRequestError, Reason
from shisanzhi.rpc.messages import status

MANY = InvalidRequestError(
    tuple(Fault(Reason.CARD_UNKNOWN, f"hand[{index}]", "expected a card") for index in range(900)),
    more=100,
)
M = TypeVar("M", bound=Message)


def error(faults: Sequence[Fault]) -> InvalidRequestError:
    return InvalidRequestError(tuple(faults))


def detail(answered: status_pb2.Status, kind: M) -> M:
    """Give the detail of that kind, of which there is one."""
    assert [packed.Unpack(kind) for packed in answered.details].count(True) == 1
    return kind


def test_faults_that_do_not_fit_are_counted() -> None:
    carried = status.refusal(status.invalid_argument(MANY))
    assert carried is not None
    assert MANY.faults[: len(carried.faults)] == carried.faults
    assert len(carried.faults) + carried.more == 1000


def test_the_message_says_how_many_faults_it_does_not_name() -> None:
    assert status.invalid_argument(MANY).message.endswith("(and 999 more)")


def test_a_reason_newer_than_this_version_is_carried_as_unspecified() -> None:
    sent = status_pb2.Status()
    violation = BadRequest.FieldViolation(
        field="moon", description="expected a full one", reason="MOON_PHASE"
    )
    sent.details.add().Pack(BadRequest(field_violations=[violation]))
    carried = status.refusal(sent)
    assert carried is not None
    assert (Fault(Reason.UNSPECIFIED, "moon", "expected a full one"),) == carried.faults


def test_a_refusal_that_does_not_count_what_was_left_out_left_nothing_out() -> None:
    fault = Fault(Reason.CARD_UNKNOWN, "hand[0]", "expected a card")
    sent = status.invalid_argument(error([fault]))
    assert sent.message == "hand[0]: expected a card"
    carried = status.refusal(sent)
    assert carried is not None
    assert ((fault,), 0) == (carried.faults, carried.more)


def test_a_message_is_no_longer_than_500_characters() -> None:
    fault = Fault(Reason.CARD_UNKNOWN, "", "x" * 501)
    assert status.invalid_argument(error([fault])).message == "x" * 500


def test_another_status_is_no_refusal() -> None:
    assert status.refusal(status.internal("an id")) is None


def test_the_trailers_hold_no_more_than_they_may_however_small_the_faults_are() -> None:
    """Around each fault go some bytes that are no part of it."""
    answered = status.invalid_argument(error([Fault(Reason.CARD_UNKNOWN, "", "")] * 1000))
    carried = detail(answered, BadRequest())
    assert 0.8 < carried.ByteSize() / status.MAX_DETAIL_BYTES <= 1


@pytest.mark.parametrize(("bytes_too_many", "carried"), [(0, 240), (1, 239)])
def test_faults_are_carried_as_long_as_they_fit_to_the_byte(
    bytes_too_many: int, carried: int
) -> None:
    """Each of these takes 20 of the 4800 bytes that there are."""
    faults = [Fault(Reason.ROW_COUNT, "", "row" + "s" * bytes_too_many)]
    faults += [Fault(Reason.ROW_COUNT, "", "row")] * 299
    assert (
        len(detail(status.invalid_argument(error(faults)), BadRequest()).field_violations)
        == carried
    )


def test_a_client_of_an_overloaded_server_hears_when_to_come_back() -> None:
    refused = status.overloaded(0.25)
    assert refused.code == code_pb2.RESOURCE_EXHAUSTED
    assert refused.message == "too many calls in hand, try again a little later"
    assert detail(refused, ErrorInfo()).reason == "OVERLOADED"
    delay = detail(refused, RetryInfo()).retry_delay
    assert delay.ToTimedelta() == timedelta(seconds=0.25)


def test_a_fault_of_the_service_says_only_under_which_id_the_log_has_it() -> None:
    failed = status.internal("an id")
    assert (failed.code, failed.message) == (code_pb2.INTERNAL, "internal error")
    assert detail(failed, ErrorInfo()).reason == "INTERNAL"
    assert detail(failed, RequestInfo()).request_id == "an id"
