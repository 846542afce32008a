"""What a client asks for stands in the log, whatever it is: in whole lines, without its query."""

import grpc
import pytest

from tests.server.calls import OK, ask
from tests.server.raw_http2 import Connection
from tests.servers import Process, serving

UNIMPLEMENTED = grpc.StatusCode.UNIMPLEMENTED
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""A locale that knows nothing else."""
CONTROLS = ("/a\n{}\r/b", "/a\x1b[2J/b", "/a\x7f\x9b/b", "/a\u2028\u202e/b")
FORMATS = pytest.mark.parametrize("log_format", ["json", "console"])


@FORMATS
def test_a_path_is_answered_and_logged_whatever_the_locale(log_format: str) -> None:
    with serving("--log-format", log_format, environment=ASCII) as process:
        assert ask(process, "/é/鐵", b"").code is UNIMPLEMENTED
        assert ask(process, "Evaluate").code is OK
        process.line("/unknown/unknown", "UNIMPLEMENTED")


def test_nothing_of_the_path_is_logged(server: Process) -> None:
    for path in ("/x?token=secret", "/shisanzhi.v1.GameLogicService/Evaluate?token=secret"):
        assert ask(server, path, b"").code is UNIMPLEMENTED
    server.line("/unknown/unknown", "UNIMPLEMENTED")
    assert "secret" not in server.text


@FORMATS
def test_no_path_begins_a_line_or_commands_a_terminal(log_format: str) -> None:
    with serving("--log-format", log_format) as process:
        with Connection(process.address) as connection:
            for path in CONTROLS:
                connection.call(path, b"")
        process.line("/unknown/unknown", "UNIMPLEMENTED")
        assert all(line.rstrip("\n").isprintable() for line in process.log)
        assert not any(line.startswith("{}") for line in process.log)
