"""The names of grpcio that we use though they are not public.

Tried on 1.85, to which the package's dependencies hold it; ``tests/rpc/test_core.py`` tells when
one of them is gone or does something else.
"""

from typing import Any, Final

from grpc._cython import cygrpc  # type: ignore[attr-defined] # it has no types

AioServer: Final[Any] = cygrpc.AioServer
"""What ``grpc.aio.server`` gives a face to."""
RequestCallError: Final[type[Exception]] = cygrpc._RequestCallError  # noqa: SLF001 - see above
"""A call was asked for and will not come: the server stops."""

Context: Final[Any] = cygrpc._ServicerContext  # noqa: SLF001
execute: Final[Any] = cygrpc.execute_batch
"""Has the core carry out operations on a call; raises :data:`ExecuteError` where it has ended."""
ExecuteError: Final[type[Exception]] = cygrpc.ExecuteBatchError
SendMetadata: Final[Any] = cygrpc.SendInitialMetadataOperation
SendMessage: Final[Any] = cygrpc.SendMessageOperation
SendStatus: Final[Any] = cygrpc.SendStatusFromServerOperation
ReceiveClose: Final[Any] = cygrpc.ReceiveCloseOnServerOperation

handle: Final[Any] = cygrpc._handle_rpc  # noqa: SLF001
schedule: Final[Any] = cygrpc._schedule_rpc_coro  # noqa: SLF001
"""What grpc.aio serves a call with."""
