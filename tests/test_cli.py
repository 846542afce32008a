"""The command answers a person and a program, from the engine or from a server."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shisanzhi.cli import _COMMANDS as COMMANDS
from shisanzhi.cli import main
from shisanzhi.engine import game_logic
from shisanzhi.engine.cards import format_cards
from shisanzhi.engine.questions import DealRoundQuestion
from tests.servers import COMMAND, serving

ROOT = Path(__file__).parent.parent
ROUND_FILE = ROOT / "demo" / "round.json"
SEED = bytes(range(16)).hex()
NOWHERE = "127.0.0.1:1"
CLASSIC = ("--ruleset", "classic")
LEGAL = ("2c 3d 4h", "5s 6c 7d 8h 9s", "Tc Jd Qh Ks Ac")
FOUL = ("9c 9d Kh", "9s 9h 5d 4h 3s", "As Ah 3c 4c 6c")

QUESTIONS = [
    ("deal", "--seed", SEED, "--player-seed", "00ff", "--round", "7"),
    ("deal", "--seed", SEED, *CLASSIC, "--dealer", "3", "--cut-deck", "10", "--cut-deck", "51"),
    ("evaluate", "--cut", "7c", "7s 7h 7d", "7s 7s Kd Ks Kh"),
    ("validate", *CLASSIC, *LEGAL),
    ("validate", *CLASSIC, *FOUL),
    ("score", str(ROUND_FILE)),
]
REFUSED = [
    ("deal", "--seed", "00", "--dealer", "4", "--cut-deck", "3"),
    ("evaluate", "As Ad", "As Kd Qc"),
    ("validate", *CLASSIC, *LEGAL, "--hand", "As As"),
]


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with serving() as process:
        yield process.address


def run(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, words, input=stdin)


def run_json(*words: str, stdin: str | None = None) -> Any:
    return json.loads(run(*words, "--json", stdin=stdin).stdout)


def faults(result: Result) -> list[tuple[str, str]]:
    """The path and reason of each fault reported in JSON."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    return [(each["path"], each["reason"]) for each in json.loads(result.stderr)["faults"]]


def spoilt_round(**changes: object) -> str:
    return json.dumps(json.loads(ROUND_FILE.read_text()) | changes)


class TestDeal:
    def test_repeats_a_deal_from_its_seed(self) -> None:
        expected = game_logic.deal_round(DealRoundQuestion(1, bytes(range(16))))
        answer = run_json("deal", "--seed", SEED)
        assert answer["hands"] == [format_cards(hand) for hand in expected.hands]
        assert answer["commitment"] == expected.commitment.hex()

    def test_draws_a_seed_and_prints_it_so_that_the_deal_can_be_repeated(self) -> None:
        first, second = run_json("deal"), run_json("deal")
        assert first["seed"] != second["seed"]
        assert len(bytes.fromhex(first["seed"])) == 48
        assert run_json("deal", "--seed", first["seed"]) == first

    def test_prints_the_longest_seed_whole(self) -> None:
        seed = "5a" * 64
        assert seed in run("deal", "--seed", seed).stdout

    def test_shows_the_cut_card_in_bonus_and_the_turned_up_card_in_classic(self) -> None:
        assert "cut card        9♦" in run("deal", "--seed", SEED).stdout
        assert "turned up       7♦" in run("deal", "--seed", SEED, *CLASSIC).stdout

    def test_points_at_a_seed_that_is_not_hexadecimal(self) -> None:
        result = run("deal", "--seed", SEED + "0", "--player-seed", "aa", "--player-seed", "ag")
        assert result.exit_code == 2
        assert result.stderr == (
            "error: 2 faults in the request\n"
            "  seed: expected two hexadecimal digits for each byte, got 33 in all"
            " (MALFORMED_REQUEST)\n"
            "  player_seeds[1]: expected hexadecimal digits, got 'g' among them"
            " (MALFORMED_REQUEST)\n"
        )


class TestEvaluate:
    def test_says_what_each_row_is_worth(self) -> None:
        values = run_json("evaluate", "--cut", "7c", "7s 7h 7d", "♠A 10s a♥ Td 9c")["values"]
        assert [(value["category"], value["ranks"]) for value in values] == [
            ("BONUS_TRIPS", [7]),
            ("TWO_PAIR", [14, 10, 9]),
        ]

    def test_draws_rows_with_what_makes_their_category_first(self) -> None:
        result = run("evaluate", *CLASSIC, "9c As Td 9d Ah")
        assert "A♠ A♥ 9♦ 9♣ 10♦   two pair A 9 10" in result.stdout

    def test_names_things_in_chinese(self) -> None:
        assert (
            "彩金三條 7" in run("evaluate", "--cut", "7c", "7s 7h 7d", "--lang", "zh-Hant").stdout
        )
        assert "鐵枝 9 A" in run("evaluate", *CLASSIC, "9c 9d 9h 9s As", "--lang", "zh-Hant").stdout

    def test_points_at_every_word_that_is_no_card(self) -> None:
        result = run("evaluate", "--cut", "7", "As 1s Kd", "As Xx", "--json")
        assert faults(result) == [
            ("cut_card", "CARD_UNKNOWN"),
            ("rows[0].cards[1]", "CARD_UNKNOWN"),
            ("rows[1].cards[1]", "CARD_UNKNOWN"),
        ]
        assert "got '1s'" in result.stderr


class TestValidate:
    def test_exits_with_0_for_a_legal_arrangement(self) -> None:
        result = run("validate", *CLASSIC, *LEGAL)
        assert result.exit_code == 0
        assert result.stdout.splitlines()[-2:] == ["dragon", "legal"]

    def test_exits_with_1_and_every_reason_for_one_that_is_not(self) -> None:
        result = run("validate", *CLASSIC, "9c 9d Kh", "9s 9h 5d 4h 3s", "As Ah 3c 6c 6c 2d")
        assert result.exit_code == 1
        assert result.stdout.splitlines()[-4:] == [
            "not legal",
            "back   wrong number of cards",
            "back   card repeated 6♣",
            "front  foul, not below the middle",
        ]

    def test_names_reasons_in_chinese(self) -> None:
        result = run("validate", *CLASSIC, *FOUL, "--lang", "zh-Hant")
        assert "頭墩  相公，未小於中墩" in result.stdout

    def test_gives_the_discards_of_a_hand(self) -> None:
        hand = "3c 2s 2c 9s 5s 5c 4d 9d 8h 6h As Ks Js Ts 7s 8c"
        rows = ("2s 2c 9s", "5s 5c 9d 8h 6h", "As Ks Js Ts 7s")
        answer = run_json("validate", "--cut", "6d", "--hand", hand, *rows)
        assert answer["legal"] is True
        assert answer["discards"] == "3c 4d 8c"


def laid_round(fields: dict[str, Any], *seats: str) -> str:
    """Write a round file: its fields, and each seat's rows divided by bars."""
    rows = ("front", "middle", "back")
    arrangements = [dict(zip(rows, seat.split(" | "), strict=True)) for seat in seats]
    return json.dumps({**fields, "arrangements": arrangements})


class TestScore:
    def test_shows_why_a_round_paid_what_it_did(self) -> None:
        lines = run("score", str(ROUND_FILE)).stdout.splitlines()
        assert (
            "  0–1    lost    lost     lost        −1         −2          −3              −6"
            in lines
        )
        assert "  1          0      straight flush in the middle       2" in lines
        assert "  4       0           −2         −2          −3              −7" in lines

    def test_reads_standard_input(self) -> None:
        result = run_json("score", "-", stdin=ROUND_FILE.read_text())["result"]
        assert [seat["total_units"] for seat in result["seats"]] == [-7, 18, -6, -5]
        assert [pair["total_units"] for pair in result["pairs"]] == [-6, 0, -1, 6, 6, 0]
        assert result["pairs"][0]["royalties"][0] == {
            "payee": 1,
            "payer": 0,
            "row": "MIDDLE",
            "category": "STRAIGHT_FLUSH",
            "units": 2,
        }

    def test_counts_points_and_pairs_won_two_to_one_in_classic_only(self) -> None:
        seats = [
            {"front": "2c 3d 4h", "middle": "5s 6c 7d 8h 9s", "back": "Tc Jd Qh Ks Ac"},
            {"front": "8s 9d 5d", "middle": "5c Kd 8c 7c Kc", "back": "As 3c Ad 5h Qs"},
            {"front": "3h 6h 7s", "middle": "2s 6d 7h 9h Qc", "back": "Td Th 9c 4c Jh"},
            {"front": "2d Jc 6s", "middle": "4d 3s 4s 2h 8d", "back": "Ts Ah Js Qd Kh"},
        ]
        classic = run("score", "-", stdin=json.dumps({"ruleset": "classic", "arrangements": seats}))
        assert "+1500" in classic.stdout
        assert "2 to 1" in classic.stdout
        assert "–      –      –" in re.sub(" +", "      ", classic.stdout)
        bonus = run("score", str(ROUND_FILE)).stdout
        assert "points" not in bonus
        assert "2 to 1" not in bonus

    def test_shows_that_two_equal_hands_gun_each_other(self) -> None:
        equals = laid_round(
            {"ruleset": "bonus", "cut_card": "5c"},
            "Qd Qs 9c | Tc 9s 8h 7d 6c | Jd Td 6d 5d 3d",
            "Qh Qs 9d | Ts 9h 8s 7h 6s | Js Ts 6s 5s 3s",
            "7c 4d 3h | Qc Jh 8c 5h 2c | Ah As Ks 8d 4c",
            "Jc 6h 2s | Ad Ks Js 9s 3s | Kd 4h 4s 2d 2s",
        )
        lines = run("score", "-", stdin=equals).stdout.splitlines()
        assert "  0          1      gunshot       1" in lines
        assert "  1          0      gunshot       1" in lines
        pair = run_json("score", "-", stdin=equals)["result"]["pairs"][0]
        assert (pair["guns"], pair["gunned"]) == (True, True)

    def test_calls_a_run_over_by_its_name_in_classic(self) -> None:
        seats = (
            "Jc 7s 3c | Qc Th 7d 4s 2c | Ac Ad As Kd Kh",
            "9s 8h 7h | Qd Tc 7c 4h 2h | Kc Jd 9d 9h 5c",
            "8s 6h 3h | Qh 9c 8d 6d 4d | Ah Td 6c 5d 2s",
            "Qs 3d 2d | Ks Ts 5s 4c 3s | Jh Js 8c 6s 5h",
        )
        run_over = laid_round({"ruleset": "classic"}, *seats)
        lines = run("score", "-", stdin=run_over).stdout.splitlines()
        assert "  0          1      run-over       6" in lines
        assert "  0          2      gunshot        6" in lines
        chinese = run("score", "-", "--lang", "zh-Hant", stdin=run_over).stdout
        assert re.search(r"^ +0 +1 +輾過 +6$", chinese, re.MULTILINE)
        assert re.search(r"^ +0 +2 +打槍 +6$", chinese, re.MULTILINE)

    def test_shows_no_gunshots_where_there_are_none(self) -> None:
        dragons = laid_round(
            {"ruleset": "classic"},
            "Jc 9c 6c | Tc 8c 5c 3c 2c | Ac Kc Qc 7c 4c",
            "Ks Qs Ts | Js 9s 7s 6s 3s | As 8s 5s 4s 2s",
            "Kh 9h 2h | Ah Qh Jh 7h 6h | Th 8h 5h 4h 3h",
            "Td 5d 2d | Ad Kd Jd 9d 6d | Qd 8d 7d 4d 3d",
        )
        assert "Gunshots" not in run("score", "-", stdin=dragons).stdout

    def test_takes_seat_0_for_the_dealer_where_the_file_names_none(self) -> None:
        rounds = json.loads(ROUND_FILE.read_text())
        del rounds["dealer"]
        result = run_json("score", "-", stdin=json.dumps(rounds))["result"]
        assert result["showing_order"] == [0, 1, 2, 3]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("[", [("", "MALFORMED_REQUEST")]),
            ("[]", [("", "MALFORMED_REQUEST")]),
            ("{}", [("ruleset", "RULESET_REQUIRED"), ("arrangements", "ARRANGEMENT_COUNT")]),
            (spoilt_round(cut="6d"), [("cut", "MALFORMED_REQUEST")]),
            (spoilt_round(ruleset="house"), [("ruleset", "RULESET_UNKNOWN")]),
            (spoilt_round(dealer=-1), [("dealer", "MALFORMED_REQUEST")]),
            (spoilt_round(dealer=True), [("dealer", "MALFORMED_REQUEST")]),
            (spoilt_round(dealer=4), [("dealer", "SEAT_UNKNOWN")]),
            (spoilt_round(cut_card=None), [("cut_card", "CUT_CARD_REQUIRED")]),
            (spoilt_round(hands="As"), [("hands", "MALFORMED_REQUEST")]),
            (
                spoilt_round(arrangements=[{"front": "Zz", "top": ""}, {"back": 3}, 4]),
                [
                    ("arrangements[0].top", "MALFORMED_REQUEST"),
                    ("arrangements[0].front[0]", "CARD_UNKNOWN"),
                    ("arrangements[1].back", "MALFORMED_REQUEST"),
                    ("arrangements[2]", "MALFORMED_REQUEST"),
                ],
            ),
        ],
    )
    def test_points_at_what_is_wrong_in_the_file(
        self, text: str, expected: list[tuple[str, str]]
    ) -> None:
        assert faults(run("score", "-", "--json", stdin=text)) == expected

    def test_scores_no_foul(self) -> None:
        rounds = json.loads(ROUND_FILE.read_text())
        rounds["arrangements"][3]["front"] = "5h 5d 9s"
        rounds["arrangements"][0]["back"] = "2d 3d"
        result = run("score", "-", "--json", stdin=json.dumps(rounds))
        assert ("arrangements[0].back", "ROW_SIZE") in faults(result)

    def test_names_a_file_that_is_not_there(self) -> None:
        result = run("score", "nowhere.json")
        assert result.exit_code == 2
        assert "'nowhere.json': No such file or directory" in result.stderr


class TestTarget:
    @pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
    @pytest.mark.parametrize("form", [(), ("--json",), ("--lang", "zh-Hant")], ids=" ".join)
    def test_gives_the_same_answer_as_the_engine(
        self, words: tuple[str, ...], form: tuple[str, ...], target: str
    ) -> None:
        embedded, served = run(*words, *form), run(*words, *form, "--target", target)
        assert embedded.stdout
        assert (served.exit_code, served.stdout) == (embedded.exit_code, embedded.stdout)

    @pytest.mark.parametrize("words", REFUSED, ids=" ".join)
    @pytest.mark.parametrize("form", [(), ("--json",)], ids=" ".join)
    def test_refuses_with_the_same_faults_as_the_engine(
        self, words: tuple[str, ...], form: tuple[str, ...], target: str
    ) -> None:
        embedded, served = run(*words, *form), run(*words, *form, "--target", target)
        assert served.exit_code == 2
        assert served.stderr == embedded.stderr

    def test_exits_with_3_and_one_line_where_no_server_answers(self) -> None:
        result = run("deal", "--target", NOWHERE)
        assert result.exit_code == 3
        assert result.stdout == ""
        assert result.stderr.startswith(
            f"error: expected an answer from {NOWHERE}, got UNAVAILABLE"
        )
        assert len(result.stderr.splitlines()) == 1

    def test_says_so_in_json(self) -> None:
        result = run("deal", "--target", NOWHERE, "--json")
        assert result.exit_code == 3
        assert json.loads(result.stderr)["faults"] == []


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
        assert done.stdout.endswith("The server has stopped.\n")


def on_terminal(*command: str | Path) -> str:
    """What a command prints where its output is a terminal."""
    screen, terminal = os.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    try:
        subprocess.run(command, stdout=terminal, env=environment | {"TERM": "xterm"}, check=True)
        return os.read(screen, 65536).decode()
    finally:
        os.close(terminal)
        os.close(screen)


def test_a_file_that_says_something_twice_is_refused() -> None:
    answer = CliRunner().invoke(main, ["score", "-"], input='{"dealer": 0, "dealer": 3}')
    assert answer.exit_code == 2
    assert "the field 'dealer' stands twice in one object" in answer.stderr


@pytest.mark.parametrize("document", [b"\xff\xfe\x00junk", b"[" * 100_000, b'{"dealer": NaN}'])
def test_a_file_that_is_no_round_is_refused(document: bytes) -> None:
    answer = CliRunner().invoke(main, ["score", "-"], input=document)
    assert answer.exit_code == 2
    assert "MALFORMED_REQUEST" in answer.stderr


def test_an_empty_seed_is_no_seed_at_all() -> None:
    answer = CliRunner().invoke(main, ["deal", "--seed", ""])
    assert answer.exit_code == 2
    assert "seed: expected hexadecimal digits, got none" in answer.stderr


def test_a_value_that_was_not_expected_is_quoted_in_short() -> None:
    document = json.dumps({"dealer": "x" * 100_000})
    answer = CliRunner().invoke(main, ["score", "-"], input=document)
    assert answer.exit_code == 2
    assert len(answer.stderr) < 500


@pytest.mark.parametrize("ruleset", ["bonus", "classic"])
def test_training_writes_a_field_that_the_same_seed_makes_again(
    ruleset: str, tmp_path: Path
) -> None:
    options = ["--ruleset", ruleset, "--seed", "00" * 16, "--generations", "2", "--deals", "3"]
    made = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        answer = CliRunner().invoke(main, ["train", *options, str(folder)])
        assert answer.exit_code == 0, answer.output
        made.append({file.name: file.read_bytes() for file in folder.iterdir()})
    assert list(made[0]) == [f"{ruleset}.bin"]
    assert made[0] == made[1]


def test_training_refuses_a_seed_that_cannot_be_read(tmp_path: Path) -> None:
    answer = CliRunner().invoke(main, ["train", "--seed", "xyz", str(tmp_path)])
    assert answer.exit_code == 2
    assert "seed: expected hexadecimal digits" in answer.stderr


def test_arrange_suggests_the_best_arrangements_first() -> None:
    hand = "Ks 8s Qc Th Td 3s 8c Kd Kh As 6h Qd 4s 4c 5s 8d"
    command = ["arrange", hand, "--cut", "Ts", "--top", "5", "--json"]
    answer = CliRunner().invoke(main, command)
    suggestions = json.loads(answer.stdout)["suggestions"]
    expected = [suggestion["expected_units"] for suggestion in suggestions]
    assert len(suggestions) == 5
    assert expected == sorted(expected, reverse=True)
    assert all(len(suggestion["discards"].split()) == 3 for suggestion in suggestions)


def test_arrange_names_a_dragon() -> None:
    hand = "2c 3d 4h 5s 6c 7d 8h 9s Tc Jd Qh Ks Ac"
    answer = CliRunner().invoke(main, ["arrange", hand, "--ruleset", "classic"])
    assert answer.exit_code == 0
    assert "dragon" in answer.stdout


def test_arrange_refuses_too_many_suggestions() -> None:
    hand = "2c 3d 4h 5s 6c 7d 8h 9s Tc Jd Qh Ks Ac"
    answer = CliRunner().invoke(main, ["arrange", hand, "--ruleset", "classic", "--top", "21"])
    assert answer.exit_code == 2
    assert "max_suggestions: expected at most 20 suggestions, got 21" in answer.stderr


@pytest.mark.parametrize(("language", "word"), [("en", "home run"), ("zh-Hant", "紅不讓")])
def test_rules_are_shown_in_both_languages(language: str, word: str) -> None:
    answer = CliRunner().invoke(main, ["rules", "--ruleset", "classic", "--lang", language])
    assert answer.exit_code == 0
    assert word in answer.stdout


def test_a_match_is_played_to_its_standings() -> None:
    command = ["match", "--ruleset", "classic", "--seed", "00" * 16]
    answer = CliRunner().invoke(main, command)
    assert answer.exit_code == 0
    assert "All rounds are played." in answer.stdout


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_no_help_shows_what_only_folds_it(command: list[str]) -> None:
    answer = CliRunner().invoke(main, [*command, "--help"])
    assert answer.exit_code == 0
    assert "\\b" not in answer.stdout
