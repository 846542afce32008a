"""A round of each ruleset, dealt, arranged and scored by a real server, drawn for a person.

What it shows is the same every time: both rounds are dealt from one seed.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from shisanzhi.cli import streams
from shisanzhi.cli.deal import draw_deal
from shisanzhi.cli.round_view import draw_round
from shisanzhi.cli.view import View, render
from shisanzhi.engine.names import Language
from shisanzhi.engine.questions import (
    ArrangeQuestion,
    DealRoundQuestion,
    RawArrangement,
    ScoreQuestion,
)
from shisanzhi.engine.rulesets import RULESETS, Ruleset
from shisanzhi.rpc.client.game_client import Client

SEED = b"shisanzhi demo 051"
SHISANZHI = Path(sys.executable).with_name("shisanzhi")
ANNOUNCEMENT = "serving on "


def main() -> None:
    """Play, and leave no server behind."""
    streams.prepare()
    with serving() as address, Client(address) as client:
        print(f"A server answers on {address}.")
        for ruleset in RULESETS.values():
            play(client, ruleset)
    print("\nThe server has stopped.")


@contextmanager
def serving() -> Iterator[str]:
    """Run a server on a free port for the length of a block; give its address."""
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(  # noqa: S603 - our own command
            [SHISANZHI, "serve", "--host", "127.0.0.1", "--port", "0", "--drain-delay", "0"],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            yield announced_address(process, log)
        finally:
            process.terminate()
            process.wait(timeout=60)


def announced_address(process: "subprocess.Popen[str]", log: TextIO) -> str:
    """Wait for the line in which a server says where it listens."""
    for line in process.stdout or ():
        if line.startswith(ANNOUNCEMENT):
            return line.removeprefix(ANNOUNCEMENT).strip()
    code = process.wait()
    log.seek(0)
    sys.exit(f"expected a server that starts, got exit code {code}:\n{log.read()}")


def play(client: Client, ruleset: Ruleset) -> None:
    """Deal a round, arrange the four hands, score them, and draw it all."""
    view = View(ruleset, Language.EN)
    deal = client.deal_round(DealRoundQuestion(ruleset.number, SEED))
    print(f"\n\n{ruleset.name.en} ({ruleset.name.zh_hant})\n")
    print(render(draw_deal(view, deal)))
    cut_card = deal.cut_card or 0
    arrangements = [
        RawArrangement(*client.arrange(asked).suggestions[0].arrangement)
        for asked in (ArrangeQuestion(ruleset.number, cut_card, hand) for hand in deal.hands)
    ]
    question = ScoreQuestion(ruleset.number, cut_card, arrangements, deal.dealer, deal.hands)
    print("\n" + render(draw_round(view, question, client.score(question))))


if __name__ == "__main__":
    main()
