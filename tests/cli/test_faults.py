"""Faults say what to write instead, in the language and the form that were asked for."""

import json

import pytest

from shisanzhi.engine.errors import Reason
from tests.cli.running import CLASSIC, ROUND_FILE, SEED, faults, run

PYTHON = (
    "True",
    "False",
    "None",
    "Expecting",
    "codec",
    "recursion",
    "sys.",
    "str",
    "dict",
    "(char",
)
"""Words of Python, which nobody needs to know."""


def told(*words: str, stdin: str | bytes | None = None) -> str:
    result = run(*words, stdin=stdin)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    return result.stderr


@pytest.mark.parametrize(
    ("value", "got"),
    [
        ("true", "true"),
        ("false", "false"),
        ("1.5", "1.5"),
        ("[true, null]", "a list"),
        ('{"a": true}', "an object"),
        ("NaN", "NaN"),
        ("1e999", "Infinity"),
        ("-1", "-1"),
        ('"x"', "'x'"),
    ],
)
def test_values_are_told_in_the_words_of_json(value: str, got: str) -> None:
    text = told("score", "-", stdin=f'{{"dealer": {value}}}')
    assert f"dealer: expected a whole number from 0 to 4294967295, got {got} (" in text


@pytest.mark.parametrize("field", ["ruleset", "cut_card", "arrangements", "hands"])
@pytest.mark.parametrize("value", ["true", "3"])
def test_no_field_is_told_in_words_of_python(field: str, value: str) -> None:
    assert f"got {value} (" in told("score", "-", stdin=f'{{"{field}": {value}}}')


@pytest.mark.parametrize(
    ("document", "got"),
    [
        (b"", "none"),
        (b" \n", "none"),
        (b"[", "its end at line 1, column 2"),
        (b'{"dealer": True}', "'T' at line 1, column 12"),
        (b"{'dealer': 1}", '"\'" at line 1, column 2'),
        (b'{"dealer": 1,}', "'}' at line 1, column 14"),
        (b'{"dealer": 1} x', "'x' at line 1, column 15"),
        (b'{"dealer" 1}', "'1' at line 1, column 11"),
        (b'{\n"dealer": "x', "'\"' at line 2, column 11"),
        (b'{"dealer": 1, "dealer": 2}', "the field 'dealer' twice in one object"),
        (b'{"dealer": "\xff"}', "bytes that are no UTF-8"),
        (b"[" * 100_000, "too many levels"),
        (b'{"dealer": ' + b"9" * 5000 + b"}", "a number that is too long"),
    ],
)
def test_a_document_that_is_no_json_is_told_in_plain_words(document: bytes, got: str) -> None:
    text = told("score", "-", stdin=document)
    assert f"request: expected JSON, got {got} (MALFORMED_REQUEST)" in text
    assert not [word for word in PYTHON if word in text]


def test_a_folder_is_no_file() -> None:
    assert "[Errno" not in told("score", ".")


@pytest.mark.parametrize(
    ("word", "instead"),
    [
        ("AsAhKd", "As Ah Kd"),
        ("As,Ah,Kd", "As Ah Kd"),
        ("as;10h;kd", "As Th Kd"),
        ("A♠K♦", "As Kd"),
        ("♠A♦10", "As Td"),
        ("黑桃A，紅心10、梅花2", "As Th 2c"),
    ],
)
def test_cards_without_blanks_between_are_given_a_hint(word: str, instead: str) -> None:
    text = told("evaluate", *CLASSIC, word)
    assert f"expected cards with blanks between, such as '{instead}', got '{word}'" in text


@pytest.mark.parametrize("word", ["AsXx", "As,", "x", "As-"])
def test_what_is_no_row_of_cards_is_given_none(word: str) -> None:
    text = told("evaluate", *CLASSIC, word)
    assert ("with blanks between" in text) == word.startswith(("As,", "As-"))


@pytest.mark.parametrize(
    "words",
    [
        ("deal", "--foo"),
        ("deal", "--dealer", "x"),
        ("deal", "--dealer"),
        ("deal", "--ruleset", "house"),
        ("evaluate",),
        ("deal", "more"),
        ("score", "nowhere.json"),
        ("rules", "--target", "127.0.0.1:70000"),
        ("rules", "--tls-ca", "x"),
        ("nothing",),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("language", ["en", "zh-Hant"])
def test_a_wrong_command_line_is_told_in_json_too(words: tuple[str, ...], language: str) -> None:
    document = json.loads(told(*words, "--json", "--lang", language))
    assert set(document) == {"error", "faults", "more"}
    assert (document["faults"], document["more"]) == ([], 0)
    assert document["error"]


def test_a_seed_that_was_folded_on_a_narrow_terminal_is_read() -> None:
    folded = f"{SEED[:12]}\n      {SEED[12:]}"
    assert run("deal", "--seed", folded).stdout == run("deal", "--seed", SEED).stdout


class TestChinese:
    @pytest.mark.parametrize("tag", ["zh-Hant", "zh", "zh_TW", "zh-hant", "zh-TW", "zh_TW.UTF-8"])
    def test_is_asked_for_by_any_of_its_tags(self, tag: str) -> None:
        assert "打槍" in run("rules", "--lang", tag).stdout
        assert told("evaluate", "Xx", "--lang", tag).startswith("錯誤：")

    @pytest.mark.parametrize("tag", ["en", "en_US", "en-GB", "EN", "en_US.UTF-8"])
    def test_is_not_english(self, tag: str) -> None:
        assert "gunshot" in run("rules", "--lang", tag).stdout

    @pytest.mark.parametrize("tag", ["zh-Hans", "zh_CN", "fr", "", "x"])
    def test_is_not_what_is_not_spoken(self, tag: str) -> None:
        assert f"expected zh-Hant or en, got '{tag}'" in told("rules", "--lang", tag)

    def test_tells_faults_with_path_value_and_reason(self) -> None:
        words = ("deal", "--seed", "00", "--dealer", "4", "--lang", "zh")
        assert told(*words) == (
            "錯誤：請求有 2 處錯誤\n"
            "  seed：種子須為 16 到 64 位元組，收到 1（SEED_SIZE）\n"
            "  dealer：座位須為 0 到 3，收到 4（SEAT_UNKNOWN）\n"
        )

    def test_tells_what_cannot_be_read(self) -> None:
        text = told("evaluate", "As Xx", "AsAh9d", "--lang", "zh", "--cut", "2c")
        assert "  rows[0].cards[1]：應為牌，如 As、Td、10d、♠A，收到 'Xx'（CARD_UNKNOWN）" in text
        assert "應為以空白分開的牌，如 'As Ah 9d'，收到 'AsAh9d'" in text

    def test_tells_them_in_json_too(self) -> None:
        text = told("deal", "--dealer", "4", "--lang", "zh", "--json")
        assert json.loads(text)["faults"] == [
            {"path": "dealer", "reason": "SEAT_UNKNOWN", "description": "座位須為 0 到 3，收到 4"}
        ]

    @pytest.mark.parametrize(
        ("words", "expected"),
        [
            (("deal", "--dealer", "x"), "錯誤：'--dealer' 的值不正確：收到 'x'"),
            (("deal", "--foo"), "錯誤：沒有選項 '--foo'"),
            (("evaluate",), "錯誤：缺少 'ROW...'"),
            (("deal", "--ruleset", "x"), "應為 'bonus', 'classic' 之一，收到 'x'"),
            (("nothing",), "錯誤：沒有指令 'nothing'"),
        ],
        ids=str,
    )
    def test_tells_of_a_wrong_command_line(self, words: tuple[str, ...], expected: str) -> None:
        assert expected in told(*words, "--lang", "zh")

    def test_tells_of_a_server_that_does_not_answer(self) -> None:
        result = run("rules", "--target", "127.0.0.1:1", "--lang", "zh")
        assert result.exit_code == 3
        assert result.stderr.startswith("錯誤：127.0.0.1:1 沒有回覆，收到 UNAVAILABLE")

    @pytest.mark.parametrize(
        "changes",
        [
            {"dealer": True},
            {"dealer": 9},
            {"cut_card": None},
            {"ruleset": "house"},
            {"arrangements": []},
            {"hands": ["As"]},
            {"x": 1},
            {"cut_card": "7s"},
        ],
        ids=str,
    )
    def test_says_nothing_in_english(self, changes: dict[str, object]) -> None:
        document = json.dumps(json.loads(ROUND_FILE.read_text()) | changes)
        text = told("score", "-", "--lang", "zh", stdin=document)
        assert "expected" not in text
        assert " got " not in text


def test_every_reason_of_the_engine_is_told_by_its_name() -> None:
    result = run("evaluate", *CLASSIC, "Xx", "--json")
    assert faults(result) == [("rows[0].cards[0]", Reason.CARD_UNKNOWN.name)]
