"""The names of grpcio that we use though they are not public.

``tests/rpc/test_core.py`` tells when one of them is gone or does something else.
"""

from functools import partial
from typing import Any, Final

from grpc._cython import cygrpc  # type: ignore[attr-defined] # it has no types

TRIED_ON: Final = "1.85"
"""The version of grpcio, to which the package's dependencies hold it."""

AioServer: Final[Any] = cygrpc.AioServer
"""What ``grpc.aio.server`` gives a face to."""
OVERRIDDEN: Final = ("_make_request_call_future", "_serving_task_crash_handler")
"""Its methods that ours replace: it calls them to take a call, and once it no longer serves."""
CALLED: Final = (
    *("_request_call", "_request_registered_call"),
    *("add_insecure_port", "add_registered_method_handlers", "add_secure_port"),
    *("is_running", "shutdown", "start"),
)
"""Its methods that we call."""
RequestCallError: Final[type[Exception]] = cygrpc._RequestCallError  # noqa: SLF001 - see above
"""A call was asked for and will not come: the server stops."""

ServicerContext: Final[Any] = cygrpc._ServicerContext  # noqa: SLF001
execute: Final[Any] = cygrpc.execute_batch
"""Has the core carry out operations on a call; raises :data:`ExecuteError` where it has ended."""
ExecuteError: Final[type[Exception]] = cygrpc.ExecuteBatchError
SendMetadata: Final[Any] = cygrpc.SendInitialMetadataOperation
SendMessage: Final[Any] = cygrpc.SendMessageOperation
SendStatus: Final[Any] = cygrpc.SendStatusFromServerOperation
ReceiveClose: Final[Any] = cygrpc.ReceiveCloseOnServerOperation
"""Done when a call is over; ``cancelled()`` then tells whether it was cut off."""

handle: Final[Any] = cygrpc._handle_rpc  # noqa: SLF001
schedule: Final[Any] = cygrpc._schedule_rpc_coro  # noqa: SLF001
"""What grpc.aio serves a call with."""


def handles_events(callback: object) -> bool:
    """Tell whether it is what grpc.aio has a loop call when it was woken."""
    handler = callback.func if isinstance(callback, partial) else None
    return isinstance(getattr(handler, "__self__", None), cygrpc.PollerCompletionQueue)
