"""A refusal is carried over the wire whole, or says what is missing."""

from google.rpc import error_details_pb2, status_pb2

from shisanzhi.engine.errors import Fault, InvalidRequestError, Reason
from shisanzhi.rpc.messages import status

MANY = InvalidRequestError(
    tuple(Fault(Reason.CARD_UNKNOWN, f"hand[{index}]", "expected a card") for index in range(900)),
    more=100,
)


def test_faults_that_do_not_fit_are_counted() -> None:
    carried = status.refusal(status.invalid_argument(MANY))
    assert carried is not None
    assert MANY.faults[: len(carried.faults)] == carried.faults
    assert len(carried.faults) + carried.more == 1000


def test_the_message_says_how_many_faults_it_does_not_name() -> None:
    assert status.invalid_argument(MANY).message.endswith("(and 999 more)")


def test_a_reason_newer_than_this_version_is_carried_as_unspecified() -> None:
    sent = status_pb2.Status()
    violation = error_details_pb2.BadRequest.FieldViolation(
        field="moon", description="expected a full one", reason="MOON_PHASE"
    )
    sent.details.add().Pack(error_details_pb2.BadRequest(field_violations=[violation]))
    carried = status.refusal(sent)
    assert carried is not None
    assert (Fault(Reason.UNSPECIFIED, "moon", "expected a full one"),) == carried.faults


def test_another_status_is_no_refusal() -> None:
    assert status.refusal(status.internal("an id")) is None
