"""Whatever is sent, a client is told what is wrong with it; the server is never at fault."""

from collections.abc import Callable
from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rpc.test_bad_input import assert_well_told
from tests.rpc.test_determinism import GOOD
from tests.rpc.test_twins import QUESTIONS
from tests.rpc.wire import METHODS, Refusal, Wire


@pytest.mark.parametrize("method", QUESTIONS)
@given(data=st.data())
def test_any_question_is_answered_or_refused_completely(
    wire: Wire, method: str, data: st.DataObject
) -> None:
    questions: st.SearchStrategy[Any] = QUESTIONS[method][0]
    encoded: Callable[..., Any] = QUESTIONS[method][1]
    answer = wire.send(method, encoded(data.draw(questions)).SerializeToString())
    if isinstance(answer, Refusal):
        assert_well_told(answer)


@pytest.mark.parametrize("method", METHODS)
@given(data=st.data())
def test_any_bytes_are_answered_or_refused(wire: Wire, method: str, data: st.DataObject) -> None:
    """Bytes of any kind, and good requests of this method or another that a few bytes spoil."""
    answer = wire.send(method, data.draw(st.binary(max_size=64) | spoilt()))
    if isinstance(answer, Refusal):
        assert answer.code == grpc.StatusCode.INVALID_ARGUMENT
        assert answer.domain == "shisanzhi"


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """Change, add and cut out some bytes of a good request."""
    raw = draw(st.sampled_from(GOOD))[1].SerializeToString()
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(raw)))
        end = start + draw(st.integers(0, 3))
        raw = raw[:start] + draw(st.binary(max_size=3)) + raw[end:]
    return raw
