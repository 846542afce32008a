"""The command with a log, a tracer and meters that raise, whatever they are asked for."""

from typing import NoReturn

from prometheus_client import Histogram

from shisanzhi.cli import main
from shisanzhi.rpc.observability import game_metrics as domain
from shisanzhi.rpc.observability import metrics
from shisanzhi.rpc.observability.access_log import AccessLog
from shisanzhi.rpc.observability.tracing import Tracing

BOOKS = (
    *((AccessLog, name) for name in ("wants", "write", "flush", "unexpected")),
    *((Tracing, "record"), (Histogram, "observe"), (domain, "_of")),
)


def fail(*_arguments: object, **_named: object) -> NoReturn:
    raise RuntimeError("broken")


if __name__ == "__main__":
    for place, name in BOOKS:
        setattr(place, name, fail)
    setattr(metrics, "REJECTIONS", ())  # noqa: B010 - types would have it otherwise
    main()
