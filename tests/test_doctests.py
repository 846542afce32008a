"""The examples in the docstrings are run: what a docstring promises is so."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import shisanzhi

GENERATED = "shisanzhi.v1"
MODULES = [
    module.name
    for module in pkgutil.walk_packages(shisanzhi.__path__, "shisanzhi.")
    if not module.name.startswith(GENERATED)
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    failed, _ = doctest.testmod(import_module(name), optionflags=doctest.REPORT_NDIFF)
    assert failed == 0


def test_the_engine_has_examples_in_most_modules() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    engine = [name for name in MODULES if name.startswith("shisanzhi.engine.")]
    shown = [
        name for name in engine if any(test.examples for test in finder.find(import_module(name)))
    ]
    assert len(shown) > len(engine) / 2, shown
