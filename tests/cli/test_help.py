"""Help is true, completion can be had, and what takes long says how far it is."""

import re
import sys
from pathlib import Path

import pytest

from tests.cli.running import ROOT, in_shell, on_terminal, run
from tests.servers import COMMAND

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMPLETION = re.findall(r"`(eval \"\$\((_SHISANZHI_COMPLETE=\w+ shisanzhi)\)\")`", README)


@pytest.mark.parametrize(
    ("command", "option", "shown"),
    [
        ("deal", "--dealer", "0<=x<=3"),
        ("deal", "--cut-deck", "1<=x<=51"),
        ("deal", "--round", "1<=x<=4294967295"),
        ("arrange", "--top", "1<=x<=20"),
        ("match", "--rounds", "1<=x<=10000"),
    ],
)
def test_ranges_are_those_of_the_rules(command: str, option: str, shown: str) -> None:
    text = " ".join(run(command, "--help").stdout.split())
    assert re.search(rf"{option} \w+ [^[]*\[[^]]*{shown}\]", text)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("deal", "--dealer", "4"), "SEAT_UNKNOWN"),
        (("deal", "--ruleset", "classic", "--cut-deck", "52"), "CUT_OUT_OF_RANGE"),
        (("arrange", "--top", "21", "As"), "SUGGESTION_COUNT"),
    ],
)
def test_ranges_are_kept_by_whoever_answers(words: tuple[str, ...], reason: str) -> None:
    assert f"({reason})" in run(*words).stderr


@pytest.mark.parametrize("words", ["--top 0", "--top 4294967296", "--top -1", "--top x"])
def test_a_number_that_cannot_be_asked_is_refused(words: str) -> None:
    assert run("arrange", *words.split(), "As").exit_code == 2


def test_completion_is_documented_for_the_usual_shells() -> None:
    shells = [re.sub(r".*=(\w+)_source.*", r"\1", line) for _, line in COMPLETION]
    assert shells == ["bash", "zsh"]


@pytest.mark.parametrize(("whole", "line"), COMPLETION)
def test_the_documented_line_prints_a_script(whole: str, line: str) -> None:
    assert line in whole
    done = in_shell(line)
    assert done.returncode == 0
    assert b"shisanzhi_completion" in done.stdout


def test_bash_completes_with_it() -> None:
    whole, _ = COMPLETION[0]
    words = "COMP_WORDS=(shisanzhi ev); COMP_CWORD=1; _shisanzhi_completion shisanzhi ev shisanzhi"
    done = in_shell(f"{whole}; {words}; echo ${{COMPREPLY[@]}}")
    assert done.stdout == b"evaluate\n", done.stderr


def test_a_language_is_completed() -> None:
    environment = {"_SHISANZHI_COMPLETE": "bash_complete", "COMP_CWORD": "3"}
    done = in_shell("shisanzhi", COMP_WORDS="shisanzhi deal --lang z", **environment)
    assert done.stdout == b"plain,zh-Hant\n"


class TestProgress:
    def test_of_a_match_is_seen_on_a_terminal(self, tmp_path: Path) -> None:
        answer = tmp_path / "answer"
        shown = on_terminal("bash", "-c", f"{COMMAND} match --json 2>&1 >{answer}", columns=80)
        assert "playing" in shown
        assert answer.read_bytes().startswith(b'{"seed"')

    def test_is_not_written_where_there_is_no_terminal(self) -> None:
        done = in_shell("shisanzhi match --rounds 1")
        assert (done.returncode, done.stderr) == (0, b"")

    def test_is_written_to_stderr_and_is_gone_in_the_end(self) -> None:
        code = (
            "import os, sys\n"
            "from shisanzhi.progress import track\n"
            "os.dup2(1, 2)\n"
            "print(sum(track('adding', range(5), 5)), file=sys.stdout)"
        )
        shown = on_terminal(sys.executable, "-c", code, columns=80)
        assert "adding" in shown
        assert shown.endswith("10\r\n")


def test_what_needs_no_terminal_does_not_need_stderr() -> None:
    assert in_shell("shisanzhi match --rounds 1 2>&-").returncode == 0


@pytest.mark.parametrize(
    "module",
    [
        *("server/fuzz", "server/soak", "server/overload", "deploy/rolling"),
        *("bench/server", "bench/arrange"),
    ],
)
def test_long_targets_of_make_tell_how_far_they_are(module: str) -> None:
    source = (ROOT / "tests" / f"{module}.py").read_text(encoding="utf-8")
    assert "in track(" in source or "= track(" in source
