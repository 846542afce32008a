"""What the commands that ask the game logic share: whom they ask, and how they answer."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import click
from rich.console import RenderableType

from shisanzhi.cli import streams, target
from shisanzhi.cli.answering import Answering
from shisanzhi.cli.documents import Document
from shisanzhi.cli.language import OPTION, LanguageType
from shisanzhi.cli.view import render
from shisanzhi.engine import game_logic
from shisanzhi.engine.names import Language
from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.rpc.client.target import Target

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Asking:
    """How a command was told to ask and to answer."""

    target: Target | None
    as_json: bool
    language: Language

    @contextmanager
    def game_logic(self) -> Iterator[Answering]:
        """Give whom to ask: the server that was named, else the embedded engine."""
        if self.target is None:
            yield game_logic
            return
        # gRPC takes longer to import than the engine takes to answer.
        from shisanzhi.rpc.client.game_client import Client  # noqa: PLC0415

        with Client(self.target.address, tls=self.target.tls) as client:
            yield client

    def answer(self, document: Document, drawn: Iterable[RenderableType]) -> None:
        """Print the answer: the document for a program, else what was drawn for a person."""
        streams.write(streams.to_json(document) if self.as_json else render(drawn))


class AskingCommand(click.Command):
    """A command with the options of :class:`Asking`, which it passes on as ``asking``."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - click's own
        """Add the options."""
        super().__init__(*args, **kwargs)
        self.params += [
            *target.options(),
            click.Option(["--json", "as_json"], is_flag=True, help="Answer in JSON."),
            click.Option(
                [OPTION],
                type=LanguageType(),
                default=Language.EN.value,
                show_default=True,
                help="The language of names and faults.",
            ),
        ]

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own
        """Run the command."""
        options = ctx.params
        options["asking"] = Asking(
            target.take(options), options.pop("as_json"), options.pop("lang")
        )
        return super().invoke(ctx)


def ruleset_option(command: _Function) -> _Function:
    """Add ``--ruleset``."""
    return click.option(
        "--ruleset",
        type=click.Choice([ruleset.key for ruleset in RULESETS.values()]),
        default="bonus",
        show_default=True,
        help="The rules to play by.",
    )(command)


def cut_card_option(command: _Function) -> _Function:
    """Add ``--cut``."""
    return click.option("--cut", metavar="CARD", help="The card cut out of the round (bonus).")(
        command
    )
