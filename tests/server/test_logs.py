"""Logs: one line per call that says enough, and nothing that must stay secret."""

import base64
import json
import os
import pty
import re
import subprocess
import time
from typing import Any

import grpc
import pytest

from shisanzhi.engine.cards import CARDS
from shisanzhi.v1.card_pb2 import Card
from tests import questions
from tests.server.calls import OK, ask, series, total
from tests.server.raw_http2 import Connection
from tests.servers import COMMAND, DEFAULT_FLAGS, FAULTY, Process, serving, wait_for

TRACE_PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
IDS = "ABCD"


def lines(process: Process, request_id: str | None = None) -> list[dict[str, Any]]:
    """Give the log lines about calls, or about one."""
    if request_id is None:
        time.sleep(0.3)  # a line may be late
    else:
        process.line('"event": "call"', f'"request_id": "{request_id}"')
    parsed = [json.loads(line) for line in process.log]
    return [
        line
        for line in parsed
        if line["event"] == "call" and request_id in {None, line["request_id"]}
    ]


def test_a_call_has_one_line_with_all_that_matters(server: Process) -> None:
    ask(server, "Evaluate", metadata=[("x-request-id", "one"), ("traceparent", TRACE_PARENT)])
    (line,) = lines(server, "one")
    assert re.fullmatch(r"ipv4:127\.0\.0\.1:\d+", line.pop("peer"))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", line.pop("timestamp"))
    assert 0 < line.pop("ms") < 1000
    assert line == {
        "event": "call",
        "level": "info",
        "method": questions.path("Evaluate"),
        "code": "OK",
        "request_id": "one",
        "traceparent": TRACE_PARENT,
    }


def test_what_clients_do_wrong_fills_the_log_with_few_lines_and_the_rest_are_counted() -> None:
    """The core has one for each header that it cannot read, and a client can send thousands."""
    with serving() as process, Connection(process.address) as connection:
        assert connection.call(questions.path("Evaluate"), questions.raw("Evaluate")) == 0
        begun = time.monotonic()
        header = "grpc-timeout", "1S"
        connection.open_with_copies(questions.path("Evaluate"), header, 900, other=b"x")
        ask(process, "Evaluate", metadata=[("x-request-id", "honest")])
        assert lines(process, "honest")
        assert process.text.count('"grpc core"') <= 50 * (time.monotonic() - begun + 2)
        # Some find no room on their way here: how many, nobody knows.
        assert total(series(process), "shisanzhi_log_lines_lost_total") > 100


def test_a_call_that_failed_has_the_same_line_and_a_reason(server: Process) -> None:
    ask(server, "Evaluate", metadata=[("x-request-id", "good"), ("traceparent", TRACE_PARENT)])
    ask(server, "Evaluate", b"", metadata=[("x-request-id", "bad"), ("traceparent", TRACE_PARENT)])
    (good,), (bad,) = lines(server, "good"), lines(server, "bad")
    assert (bad.pop("code"), bad.pop("reason")) == ("INVALID_ARGUMENT", "RULESET_REQUIRED")
    assert good.keys() - {"code"} == bad.keys()


def test_malformed_unknown_and_refused_calls_are_logged_too(server: Process) -> None:
    ask(server, "Evaluate", b"\xff", metadata=[("x-request-id", "malformed")])
    ask(server, "/no.Service/Method", b"", metadata=[("x-request-id", "unknown")])
    ask(server, "Evaluate", bytes(70_000), metadata=[("x-request-id", "large")])
    assert lines(server, "malformed")[0]["reason"] == "MALFORMED_REQUEST"
    unknown = lines(server, "unknown")[0]
    assert (unknown["code"], unknown["method"]) == ("UNIMPLEMENTED", "/unknown/unknown")
    assert lines(server, "large")[0]["reason"] == "MESSAGE_TOO_LARGE"


def test_what_a_client_does_wrong_in_http2_is_no_error_of_the_server(server: Process) -> None:
    before = len(server.log)
    for headers in ({"grpc-timeout": "abc"}, {"grpc-encoding": "gzip"}, {"x-bin": "!"}):
        with Connection(server.address) as connection:
            connection.raw_call(questions.path("Validate"), b"", headers)
    wait_for(lambda: any('"grpc core"' in line for line in server.log[before:]))
    parsed = [json.loads(line) for line in server.log[before:]]
    assert "grpc core" in {line["event"] for line in parsed}
    assert {line["level"] for line in parsed} == {"info"}


def test_the_words_of_a_client_pass_for_no_line_of_the_core_and_are_cut_short() -> None:
    forged = b"E1201 16:00:00.000000 77 posix_engine_listener.cc:90] Handshake failed\n"
    with serving() as process:
        with Connection(process.address) as connection:
            connection.go_away(forged * 200)
            wait_for(lambda: "posix_engine_listener" in process.text)
        assert ask(process, "Evaluate").code is grpc.StatusCode.OK
        (said,) = (line for line in process.log if "posix_engine_listener" in line)
        assert json.loads(said)["level"] == "info"
        assert json.loads(said)["place"].startswith("chttp2_transport.cc")
        assert len(said) < 2000
        assert total(series(process), "shisanzhi_tls_handshakes_failed_total") == 0


def test_health_and_reflection_are_not_logged(server: Process) -> None:
    before = len(lines(server))
    ask(server, "/grpc.health.v1.Health/Check", b"")
    ask(server, "/grpc.health.v1.Health/Check", b"\x0a\x01x")
    assert len(lines(server)) == before


@pytest.mark.parametrize(("every", "logged"), [("0", 0), ("1", 20), ("5", 4)])
def test_ok_calls_are_sampled_and_failures_never(every: str, logged: int) -> None:
    with (
        serving("--log-ok-every", every) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        for _ in range(20):
            ask(channel, "Evaluate")
            ask(channel, "Evaluate", b"")
        codes = [line["code"] for line in lines(process)]
        assert [codes.count("OK"), codes.count("INVALID_ARGUMENT")] == [logged, 20]


def test_a_terminal_gets_lines_for_people() -> None:
    main, terminal = pty.openpty()
    command = [str(COMMAND), "serve", *DEFAULT_FLAGS]
    popen = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, text=True)
    os.close(terminal)
    assert popen.stdout is not None
    with popen.stdout:
        address = [popen.stdout.readline() for _ in range(2)][-1].split()[-1]
        with grpc.insecure_channel(address) as channel:
            ask(channel, "Evaluate")
        popen.terminate()
        assert popen.wait(20) == 0
    text = os.read(main, 65536).decode()
    os.close(main)
    assert "Evaluate" in text
    assert '{"' not in text


def test_calls_are_answered_when_nobody_reads_the_log_any_more() -> None:
    command = [str(COMMAND), "serve", *DEFAULT_FLAGS]
    popen = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert popen.stdout is not None
    assert popen.stderr is not None
    with popen.stdout:
        address = [popen.stdout.readline() for _ in range(2)][-1].split()[-1]
        popen.stderr.close()
        with grpc.insecure_channel(address) as channel:
            for _ in range(3):
                assert ask(channel, "Evaluate").code is OK
                assert ask(channel, "Evaluate", b"").code is grpc.StatusCode.INVALID_ARGUMENT
        popen.terminate()
        assert popen.wait(20) == 0


def secrets() -> list[str]:
    """Give every way in which seeds, player seeds and cards could be written."""
    seeds = [questions.SEED, questions.PLAYER_SEED]
    written = [text for seed in seeds for text in (seed.hex(), repr(seed)[2:-1])]
    written += [base64.b64encode(seed).decode()[:20] for seed in seeds]
    written += [seed[:20].decode() for seed in seeds]
    written += Card.keys()
    written += [f"{card}" for card in CARDS.values()]
    return [text.lower() for text in written]


def holds_a_secret(text: str) -> list[str]:
    # Cards are two letters, so they are looked for as words.
    words = set(re.findall(r"\w+", text.lower()))
    return [
        secret for secret in secrets() if secret in words or (len(secret) > 2 and secret in text)
    ]


def test_no_seed_and_no_card_is_ever_logged() -> None:
    long = questions.request("DealRound").__class__()
    long.CopyFrom(questions.request("DealRound"))
    long.player_seeds.extend([questions.PLAYER_SEED * 5] * 9)
    fifth = questions.request("Evaluate").__class__()
    fifth.CopyFrom(questions.request("Evaluate"))
    fifth.rows[0].cards.extend([78, 78, 78])
    bad = [
        ("Evaluate", fifth),
        ("Score", questions.foul()),
        ("DealRound", long),
        ("DealRound", questions.raw("DealRound") + b"\xff"),
        ("Evaluate", questions.SEED),
    ]
    for command in ((COMMAND,), FAULTY):
        with serving("--log-level", "debug", command=command) as process:
            for method in questions.METHODS:
                ask(process, method)
                ask(process, method, b"")
                ask(process, method, questions.raw(method)[:-1])
            for method, request in bad:
                assert ask(process, method, request).code is not OK
        assert len(lines(process)) >= 30
        assert not holds_a_secret(process.text)


def test_the_search_for_secrets_finds_them() -> None:
    assert holds_a_secret("a line with As in it")
    assert holds_a_secret(f"seed={questions.SEED.hex()}")
    assert holds_a_secret(f"{questions.request('DealRound')!r}")
    assert not holds_a_secret("a line with nothing in it")
