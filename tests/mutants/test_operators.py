"""What a mutant is: one change to what the code does, and a name that outlives other changes."""

import ast

import pytest

from tests.mutants.__main__ import PACKAGE, ROOMS, ROOT, Verdict, lived, mirrors_of, modules, report
from tests.mutants.operators import Mutant, mutants


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("a < b", ["(a <= b)"]),
        ("a == b != c", ["(a != b != c)", "(a == b == c)"]),
        ("a + b", ["(a - b)"]),
        ("a and not b", ["(a or not b)", "a and (b)"]),
        ("min(a, b)", ["pass", "(max(a, b))"]),
        ("x = 2**32 - 2", ["(2 ** 32 + 2)", "(2 * 32)", "(33)", "(31)", "(3)", "(1)"]),
        ("self.x = True", ["pass", "self.x = (False)"]),
        ("x = f'{a} of {b}'", ["of ?{b}"]),
        ("raise KeyError", ["pass"]),
    ],
)
def test_each_part_of_a_line_is_changed_by_itself(line: str, changed: list[str]) -> None:
    made = list(mutants(f"{line}\n"))
    assert len({mutant.source for mutant in made}) == len(made)
    for part in changed:
        assert any(part in mutant.source or part in ascii(mutant.source) for mutant in made), part


def test_what_does_nothing_is_left_alone() -> None:
    source = (
        '"""A module."""\nfrom typing import Literal, TypeVar\nT = TypeVar("T")\n'
        '__all__ = ["A"]\n'
        'class A:\n    """A class."""\n    __slots__ = ("a",)\n    a: Literal["b"]\n'
        "assert a is not None and b < 1\nfor _ in zip(a, b, strict=True):\n    pass\n"
    )
    assert list(mutants(source)) == []


def test_a_description_may_change_and_any_other_text_may_not() -> None:
    assert list(mutants('text = f"expected {a} cards, got {b}"\nother = "expected a card"\n')) == []
    assert len(list(mutants('text = f"{a} cards"\nother = "a card"\n'))) == 2


def test_a_mutant_is_named_by_where_it_is_and_what_it_does() -> None:
    first, *_ = mutants("class A:\n    def f(self):\n        return a < b\n")
    assert first.key == "A.f: return a < b → return"
    moved, *_ = mutants("import b\n\nclass A:\n    def f(self):\n        return a < b\n")
    assert first.key == moved.key


def test_mutants_that_read_alike_are_numbered() -> None:
    keys = [mutant.key for mutant in mutants("g(0)\ng(0)\n")]
    assert len(set(keys)) == len(keys) == 6


@pytest.mark.parametrize("module", ["engine/match.py", "rpc/messages/status.py"])
def test_every_mutant_of_ours_is_a_program(module: str) -> None:
    for mutant in mutants((PACKAGE / module).read_text(encoding="utf-8")):
        ast.parse(mutant.source)


def test_every_module_is_mirrored_by_tests_that_there_are() -> None:
    for module in modules(ROOMS):
        tests = mirrors_of(module)
        assert tests
        assert all((ROOT / test).is_file() for test in tests)


def test_a_report_tells_what_is_to_be_tried_again(capsys: pytest.CaptureFixture[str]) -> None:
    tried = [Verdict(Mutant("f", "a: lives: b", "c", ""), lives) for lives in (True, False)]
    tried[1] = tried[1]._replace(mutant=Mutant("g", "a", "b", ""))
    assert report("a.py", {}, tried) == 1
    assert lived(capsys.readouterr().out) == {"a.py": {"f: a: lives: b → c"}}
