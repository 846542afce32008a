"""What is drawn fits where it is drawn, and says all that there is to know."""

import json
import re
from pathlib import Path
from unicodedata import east_asian_width

import pytest

from tests.cli.running import CLASSIC, FOUL, ROUND_FILE, SEED, on_terminal, run, run_json
from tests.servers import COMMAND

HAND = "Ks 8s Qc Th Td 3s 8c Kd Kh As 6h Qd 4s 4c 5s 8d"
DRAGON = "2c 3d 4h 5s 6c 7d 8h 9s Tc Jd Qh Ks Ac"
ANSWERS = [
    ("deal", "--seed", SEED * 4),
    ("deal", *CLASSIC, "--seed", SEED),
    ("evaluate", "--cut", "7c", "7s 7h 7d", "7s 7s 7h Ks Kd", "10♠ J♠ Q♠ K♠ A♠"),
    ("validate", *CLASSIC, *FOUL[:2], "As Ah 3c 4c 3c"),
    ("score", str(ROUND_FILE)),
    ("arrange", "--cut", "Ts", "--top", "20", HAND),
    ("arrange", *CLASSIC, DRAGON),
    ("match", "--rounds", "3", "--seed", SEED),
    ("match", *CLASSIC, "--rounds", "16", "--seed", SEED),
    ("rules",),
    ("rules", *CLASSIC),
]


def width(line: str) -> int:
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in line)


def drawn(columns: int, *words: str) -> list[str]:
    """The lines of an answer on a terminal, without its colours."""
    text = on_terminal(COMMAND, *words, columns=columns)
    return re.sub(r"\x1b\[[\d;]*m", "", text).splitlines()


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("language", ["en", "zh-Hant"])
@pytest.mark.parametrize(
    "words", [words for words in ANSWERS if words[0] != "validate"], ids=" ".join
)
def test_fits_the_terminal_and_leaves_nothing_out(
    words: tuple[str, ...], language: str, columns: int
) -> None:
    lines = drawn(columns, *words, "--lang", language)
    assert [line for line in lines if width(line) > columns] == []
    assert "…" not in "".join(lines)
    whole = run(*words, "--lang", language).stdout
    left = "".join("".join(lines).split())
    words_left_out = [
        word for word in whole.split() if word not in left and not set(word) <= set("─")
    ]
    assert [word for word in words_left_out if len(word) < 40 and word.isascii()] == []


@pytest.mark.parametrize("columns", [60, 80])
def test_a_round_of_classic_fits(columns: int, tmp_path: Path) -> None:
    """It has the most columns: pairs won two to one, and points."""
    played = run_json("match", *CLASSIC, "--rounds", "1", "--seed", SEED)["rounds"][0]
    file = tmp_path / "round.json"
    file.write_text(json.dumps({"ruleset": "classic", "arrangements": played["arrangements"]}))
    lines = drawn(columns, "score", str(file))
    assert [line for line in lines if width(line) > columns] == []


def test_an_output_that_is_no_terminal_is_as_wide_as_it_likes() -> None:
    assert any(width(line) > 70 for line in run("score", str(ROUND_FILE)).stdout.splitlines())


def test_rows_that_do_not_fit_become_blocks() -> None:
    lines = drawn(60, "score", str(ROUND_FILE))
    start = lines.index("seat    0")
    assert lines[start + 1 : start + 3] == ["front   Q♦ 10♣ 4♣", "        high card Q 10 4"]


class TestRules:
    @pytest.mark.parametrize(
        ("words", "expected"),
        [
            ((), ["1 from the seat that is gunned", "2 more from each of the three others"]),
            ((), ["to whoever's row is strictly greater, from that opponent"]),
            ((), ["bonus cards", "the four of the cut card's rank; not wild"]),
            ((), ["units from each"]),
            (CLASSIC, ["6 from the seat that is gunned", "6 more from each", "13 from each"]),
            (CLASSIC, ["1 from the loser of the pair", "to the winner of the pair of seats"]),
            (("--lang", "zh"), ["被打槍者付 1", "該墩嚴格大於對方者", "彩金牌", "向每家收（道）"]),
            ((*CLASSIC, "--lang", "zh"), ["敗方付 1", "兩家互比的勝方", "向每家收（堵）"]),
        ],
        ids=str,
    )
    def test_say_who_pays_whom(self, words: tuple[str, ...], expected: list[str]) -> None:
        text = run("rules", *words).stdout
        assert [phrase for phrase in expected if phrase not in text] == []

    def test_have_no_bonus_cards_in_classic(self) -> None:
        assert "bonus" not in run("rules", *CLASSIC).stdout

    @pytest.mark.parametrize(("language", "name"), [("en", "dragon"), ("zh", "一條龍")])
    def test_set_the_dragon_on_top_of_the_ladder_of_classic(self, language: str, name: str) -> None:
        lines = run("rules", *CLASSIC, "--lang", language).stdout.splitlines()
        ladder = next(at for at, line in enumerate(lines) if line.startswith(" ──"))
        assert lines[ladder + 1].strip().startswith(name)

    def test_have_no_dragon_in_bonus(self) -> None:
        assert "dragon" not in run("rules").stdout
