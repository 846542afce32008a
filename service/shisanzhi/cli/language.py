"""The language that a command speaks."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from shisanzhi.engine.names import Language

OPTION: Final = "--lang"
_NOT_TRADITIONAL: Final = {"hans", "cn", "sg"}


def parse(tag: str) -> Language | None:
    """Read a language, written as a tag or as a locale; give None for one that is not spoken.

    >>> [parse(tag) for tag in ("zh_TW.UTF-8", "en-US", "zh-Hans")]
    [<Language.ZH_HANT: 'zh-Hant'>, <Language.EN: 'en'>, None]
    """
    language, *parts = tag.partition(".")[0].replace("_", "-").lower().split("-")
    if language == "en":
        return Language.EN
    if language == "zh" and not _NOT_TRADITIONAL & set(parts):
        return Language.ZH_HANT
    return None


def language_of(words: Sequence[str]) -> Language:
    """Find the language that a command line asks for, as far as it can be read."""
    line = [part for word in words for part in word.split("=", 1)]
    with suppress(ValueError, IndexError):
        return parse(line[line.index(OPTION) + 1]) or Language.EN
    return Language.EN


class LanguageType(click.ParamType[Language]):
    """A language by its tag."""

    name = "language"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Show what is to be written."""
        del param, ctx
        return f"[{'|'.join(language.value for language in Language)}]"

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's own
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Language:
        """Read a tag."""
        if isinstance(value, Language):
            return value
        language = parse(value)
        if language is None:
            expected = " or ".join(language.value for language in Language)
            self.fail(f"expected {expected}, got {value!r}", param, ctx)
        return language

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Offer the languages."""
        del ctx, param
        tags = [language.value for language in Language]
        return [CompletionItem(tag) for tag in tags if tag.startswith(incomplete)]
