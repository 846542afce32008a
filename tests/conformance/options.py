"""Which languages a command is to run."""

import argparse
import os
import sys
from collections.abc import Sequence

from tests.conformance.languages import LANGUAGES, Language


def languages(description: str | None, among: Sequence[Language] = LANGUAGES) -> list[Language]:
    """Give the languages that the command line names, or all, as far as their tools are here.

    In CI all must be.
    """
    # Clients that leave make grpc's core talk, in a log that nobody asked for.
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    options = argparse.ArgumentParser(description=description)
    options.add_argument("languages", nargs="*", help="all, if none is named")
    return _present(_chosen(options.parse_args().languages, among))


def _chosen(names: Sequence[str], among: Sequence[Language]) -> list[Language]:
    by_name = {language.name: language for language in among}
    if strangers := set(names) - set(by_name):
        sys.exit(f"expected some of {', '.join(by_name)}, got {', '.join(sorted(strangers))}")
    return [by_name[name] for name in names] or list(among)


def _present(languages: Sequence[Language]) -> list[Language]:
    for language in languages:
        if language.missing:
            print(f"{language.name} is left out: there is no {', '.join(language.missing)}")
    left = [language for language in languages if not language.missing]
    if len(left) < len(languages) and os.environ.get("CI"):
        sys.exit("expected every language's tools in CI; `make clients-setup` installs them")
    return left
