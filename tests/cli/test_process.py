"""The command as a process: its exit codes, its streams, what it loads."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from shisanzhi.cli.asking import Asking
from tests.cli.running import CLASSIC, FOUL, LEGAL, ROOT, ROUND_FILE, in_shell, on_terminal, run
from tests.servers import COMMAND

ANSWERS = [
    *("deal", "rules", "match --rounds 1", "config", "--help", "deal --help", "--version"),
    "evaluate --ruleset classic 'As Kd Qc'",
    f"validate --ruleset classic {' '.join(map(repr, LEGAL))}",
    f"validate --ruleset classic {' '.join(map(repr, FOUL))}",
    "score demo/round.json",
    "arrange --ruleset classic '2c 3d 4h 5s 6c 7d 8h 9s Tc Jd Qh Ks Ac'",
    "rules --json",
]
"""A line for each way in which something is answered."""
FULL = b"expected an output that can be written, got: No space left on device"
CLOSED = b"expected an output that can be written, got: it is closed"
ENCODINGS = ("cp950", "big5", "latin-1", "ascii")


def interrupted(words: tuple[str, ...], seconds: float) -> tuple[int, bytes]:
    """The exit code of a command that is interrupted after a while, and what it says."""
    with subprocess.Popen(
        [COMMAND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        return process.wait(20), process.communicate()[1]


class TestProcess:
    def test_passes_exit_codes_and_streams_on(self) -> None:
        done = subprocess.run(
            [COMMAND, "validate", *CLASSIC, *FOUL], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (1, "")
        assert "not legal" in done.stdout

    def test_draws_without_colours_where_there_is_no_terminal(self) -> None:
        done = subprocess.run([COMMAND, "deal"], capture_output=True, text=True, check=True)
        assert "\x1b" not in done.stdout
        assert not [line for line in done.stdout.splitlines() if line != line.rstrip()]

    def test_draws_red_suits_red_on_a_terminal(self) -> None:
        text = on_terminal(COMMAND, "evaluate", *CLASSIC, "As Kd 9c")
        assert "\x1b[31mK♦\x1b[0m" in text
        assert "A♠ \x1b[31m" in text

    @pytest.mark.parametrize("words", [("deal",), ("score", str(ROUND_FILE)), ("deal", "--help")])
    def test_embedded_engine_needs_no_grpc(self, words: tuple[str, ...]) -> None:
        code = (
            "import sys; from shisanzhi.cli import main\n"
            "main(sys.argv[1:], standalone_mode=False)\n"
            "assert not {'grpc', 'google.protobuf'} & set(sys.modules)"
        )
        subprocess.run([sys.executable, "-c", code, *words], capture_output=True, check=True)

    def test_lists_its_commands(self) -> None:
        done = subprocess.run([COMMAND, "--help"], capture_output=True, text=True, check=True)
        for name in ("deal", "evaluate", "validate", "score", "serve"):
            assert re.search(rf"^  {name} ", done.stdout, re.MULTILINE)

    def test_refuses_a_command_that_it_does_not_have(self) -> None:
        assert run("shuffle").exit_code == 2

    def test_demo_plays_both_rulesets_and_leaves_nothing_running(self) -> None:
        done = subprocess.run(
            [sys.executable, ROOT / "demo" / "play.py"],
            capture_output=True,
            text=True,
            check=True,
            timeout=110,
        )
        assert done.stdout.count("Totals") == 2
        assert "The server has stopped." in done.stdout


class TestExitCode:
    @pytest.mark.parametrize("words", ANSWERS)
    def test_of_a_full_disk_is_4_with_one_line(self, words: str) -> None:
        done = in_shell(f"shisanzhi {words} >/dev/full")
        assert done.returncode == 4
        assert FULL in done.stderr
        assert done.stderr.count(b"\n") == 1

    @pytest.mark.parametrize("words", ANSWERS)
    def test_of_a_closed_output_is_4_with_one_line(self, words: str) -> None:
        done = in_shell(f"shisanzhi {words} >&-")
        assert done.returncode == 4
        assert CLOSED in done.stderr
        assert done.stderr.count(b"\n") == 1

    @pytest.mark.parametrize("words", ANSWERS)
    def test_of_an_output_that_nobody_reads_is_that_of_a_broken_pipe_without_a_word(
        self, words: str
    ) -> None:
        done = in_shell(f"shisanzhi {words} | true; echo ${{PIPESTATUS[0]}}")
        assert (done.stdout, done.stderr) == (b"141\n", b"")

    def test_of_a_server_that_cannot_start_is_3(self) -> None:
        done = in_shell("shisanzhi serve --tls-certificate x --tls-key x --port 0")
        assert done.returncode == 3
        assert done.stderr.startswith(b"error: expected a readable file, got x")

    def test_of_a_server_that_is_configured_wrong_is_2(self) -> None:
        done = in_shell("shisanzhi serve --port x")
        assert done.returncode == 2
        assert done.stderr.startswith(b"error: flag --port: expected")

    @pytest.mark.parametrize("stderr", ["&-", "/dev/full"])
    def test_stays_where_the_fault_cannot_be_told(self, stderr: str) -> None:
        done = in_shell(f"shisanzhi evaluate 'As Xx' 2>{stderr}")
        assert (done.returncode, done.stdout) == (2, b"")

    def test_of_no_input_is_that_of_an_empty_one(self) -> None:
        done = in_shell("shisanzhi score - <&-")
        assert done.returncode == 2
        assert b"expected JSON, got none" in done.stderr

    @pytest.mark.parametrize(
        "words",
        [("match", "--rounds", "10000"), ("train", "."), ("score", "-"), ("score", "-", "--json")],
    )
    def test_of_an_interrupt_is_130(self, words: tuple[str, ...]) -> None:
        """Before it has loaded at all, Python itself dies of the signal."""
        ended = (interrupted(words, seconds) for seconds in (1.5, 4, 12))
        assert next(end for end in ended if end[0] != -signal.SIGINT) == (130, b"\n")

    def test_of_a_fault_of_its_own_is_5_and_never_a_no(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(_self: object) -> Iterator[object]:
            raise ZeroDivisionError

        monkeypatch.setattr(Asking, "game_logic", fail)
        result = run("evaluate", *CLASSIC, "As Kd Qc")
        assert result.exit_code == 5
        assert "ZeroDivisionError" in result.stderr


class TestEncoding:
    @pytest.mark.parametrize("encoding", ENCODINGS)
    @pytest.mark.parametrize("words", ANSWERS)
    def test_no_output_fails(self, words: str, encoding: str) -> None:
        done = in_shell(f"shisanzhi {words}", PYTHONIOENCODING=encoding)
        assert done.returncode in {0, 1}
        assert done.stderr == b""
        ascii_help = encoding == "ascii" and "--help" in words  # which click writes in UTF-8
        assert done.stdout.decode("utf-8" if ascii_help else encoding)

    @pytest.mark.parametrize("encoding", ENCODINGS)
    @pytest.mark.parametrize(
        "words", ["rules", "score demo/round.json", "evaluate 'As Xx'", "deal --dealer x"]
    )
    def test_no_output_in_chinese_fails(self, words: str, encoding: str) -> None:
        done = in_shell(f"shisanzhi {words} --lang zh", PYTHONIOENCODING=encoding)
        assert done.returncode in {0, 1, 2}
        assert b"Traceback" not in done.stderr

    @pytest.mark.parametrize("words", ["deal", "score demo/round.json", "rules --lang zh"])
    def test_no_output_fails_in_a_locale_of_ascii(self, words: str) -> None:
        ascii_locale = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        done = in_shell(f"shisanzhi {words}", **ascii_locale)
        assert (done.returncode, done.stderr) == (0, b"")

    @pytest.mark.parametrize("encoding", ["cp950", "latin-1"])
    def test_no_demo_fails(self, encoding: str) -> None:
        done = in_shell("python demo/play.py", PYTHONIOENCODING=encoding)
        assert (done.returncode, done.stderr) == (0, b"")

    @pytest.mark.parametrize("encoding", ["cp950", "big5", "latin-1", "ascii"])
    def test_tables_line_up_as_in_utf_8(self, encoding: str) -> None:
        """What replaces a character is as wide as it is."""
        line = "shisanzhi score demo/round.json"
        whole = in_shell(line).stdout.decode().splitlines()
        replaced = in_shell(line, PYTHONIOENCODING=encoding).stdout.decode(encoding).splitlines()
        assert list(map(len, whole)) == list(map(len, replaced))

    @pytest.mark.parametrize("encoding", ["cp950", "latin-1"])
    def test_cards_can_still_be_read(self, encoding: str) -> None:
        done = in_shell(
            "shisanzhi evaluate --ruleset classic 'As Kd Qc'", PYTHONIOENCODING=encoding
        )
        assert b"As Kd Qc" in done.stdout

    @pytest.mark.parametrize("encoding", ["cp950", "latin-1", "ascii"])
    def test_json_loses_nothing(self, encoding: str) -> None:
        whole = json.loads(in_shell("shisanzhi rules --json").stdout)
        done = in_shell("shisanzhi rules --json", PYTHONIOENCODING=encoding)
        assert json.loads(done.stdout.decode(encoding)) == whole
