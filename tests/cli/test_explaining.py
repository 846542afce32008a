"""Every unit of a seat is said, in both languages, and nothing else.

``python -m tests.cli.test_explaining`` writes the golden explanations again.
"""

import json
import re
from pathlib import Path

import pytest

from shisanzhi.cli.explaining import explain, sentences, wind
from shisanzhi.cli.view import View
from shisanzhi.engine.names import Language
from shisanzhi.engine.scoring.results import RoundResult
from shisanzhi.engine.scoring.round import score
from tests import oracle
from tests.cli.running import ROUND_FILE, run, run_json
from tests.random_rounds import Round, random_rounds
from tests.vectors import RULESETS_BY_KEY, Case, cases, cut_card_of, every_case, rows_of, ruleset_of

GOLDEN = Path(__file__).parents[1] / "explanations.jsonl"
"""The sentences for each case of ``pairs.jsonl`` and ``score.jsonl``; the page says the same."""
UNITS = re.compile(r"[+−]\d+")
SEATS = range(4)


def result_of(case: Case) -> RoundResult:
    arrangements = [rows_of(rows) for rows in case["arrangements"]]
    return score(ruleset_of(case), arrangements, cut_card_of(case), dealer=case["dealer"])


def said(case: Case, language: Language) -> list[list[str]]:
    view, result = View(ruleset_of(case), language), result_of(case)
    return [list(sentences(view, explain(view.ruleset, result, seat), wind)) for seat in SEATS]


def units(told: list[str]) -> int:
    return sum(int(each.replace("−", "-")) for each in UNITS.findall(" ".join(told)))


@pytest.mark.parametrize("language", Language)
@every_case("score")
def test_the_units_that_are_said_sum_to_the_total(case: Case, language: Language) -> None:
    assert [units(told) for told in said(case, language)] == case["total"]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("key", RULESETS_BY_KEY)
def test_the_units_that_are_said_sum_to_the_total_in_random_rounds(
    key: str, language: Language
) -> None:
    legal = [each for each in random_rounds(key, 400, seed=5) if is_legal(each)]
    assert len(legal) > 100
    for each in legal:
        case = {
            "ruleset": key,
            "cut": each.cut,
            "dealer": each.dealer,
            "arrangements": [
                dict(zip(("front", "middle", "back"), map(" ".join, rows), strict=True))
                for rows in each.arrangements
            ],
        }
        totals = [seat.total_units for seat in result_of(case).seats]
        assert [units(told) for told in said(case, language)] == totals


def is_legal(each: Round) -> bool:
    return all(oracle.legal(each.ruleset, each.cut, *rows) for rows in each.arrangements)


def test_every_sentence_is_said_by_some_case() -> None:
    kinds = {(key, kind) for key in RULESETS_BY_KEY for kind in templates(key)}
    for case in [*cases("score"), *cases("pairs")]:
        ruleset, result = ruleset_of(case), result_of(case)
        for seat in SEATS:
            kinds -= {(ruleset.key, cause.kind) for cause in explain(ruleset, result, seat)}
    assert kinds == set()


def templates(key: str) -> list[str]:
    text = (Path(explain.__code__.co_filename).parent / "explanation.json").read_text("utf-8")
    return list(json.loads(text)["sentences"][key.upper()])


def golden_lines() -> list[str]:
    return [
        json.dumps(
            {"kind": kind, "line": line}
            | {language.value: said(case, language) for language in Language},
            ensure_ascii=False,
        )
        for kind in ("pairs", "score")
        for line, case in enumerate(cases(kind), start=1)
    ]


def test_the_golden_explanations_are_what_is_said() -> None:
    assert GOLDEN.read_text(encoding="utf-8").splitlines() == golden_lines()


def test_explains_a_round_in_sentences() -> None:
    text = run("score", str(ROUND_FILE), "--explain").stdout
    assert [line for line in text.splitlines() if line.startswith("Seat")] == [
        "Seat 0: down 7",
        "Seat 1: up 18",
        "Seat 2: down 6",
        "Seat 3: down 5",
    ]


def test_explains_one_seat() -> None:
    assert run("score", str(ROUND_FILE), "--seat", "0").stdout == (
        "Seat 0: down 7\n"
        "  You are gunned, with every row lower: seat 1 −1, seat 3 −1.\n"
        "  Rows won and rows lost, so no gunshot: seat 2.\n"
        "  An opponent's home run, on top: seat 1 −2.\n"
        "  You pay for straight flush in the middle, the greater row: seat 1 −2.\n"
        "  You pay for straight flush in the back, the greater row: seat 1 −1.\n"
    )
    chinese = run("score", str(ROUND_FILE), "--seat", "0", "--lang", "zh-Hant").stdout
    assert chinese.startswith("座位 0：輸 7 道\n  你被打槍（三墩都輸）：座位 1 −1、座位 3 −1。\n")


def test_explains_to_a_program() -> None:
    document = run_json("score", str(ROUND_FILE), "--seat", "2")
    (explained,) = document["explanations"]
    assert document["result"]["seats"][2]["total_units"] == explained["total_units"] == -6
    assert units(explained["sentences"]) == -6


def test_refuses_a_seat_that_is_none() -> None:
    answer = run("score", str(ROUND_FILE), "--seat", "4")
    assert answer.exit_code == 2
    assert "4 is not in the range 0<=x<=3" in answer.stderr


if __name__ == "__main__":
    GOLDEN.write_text("".join(f"{line}\n" for line in golden_lines()), encoding="utf-8")
