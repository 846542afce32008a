"""A round of each ruleset, dealt and scored by a real server, drawn for a person.

What it shows is the same every time: both rounds are dealt from one seed.
"""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

from shisanzhi.cli.deal import draw_deal
from shisanzhi.cli.round_view import draw_round
from shisanzhi.cli.view import View, render
from shisanzhi.engine.arrangement import Arrangement, bonus_rank_of, judge
from shisanzhi.engine.cards import Card
from shisanzhi.engine.evaluator import FRONT_SIZE, ROW_SIZE, Evaluator
from shisanzhi.engine.names import Language
from shisanzhi.engine.questions import DealRoundQuestion, RawArrangement, ScoreQuestion
from shisanzhi.engine.rulesets import RULESETS, Ruleset
from shisanzhi.rpc.client import Client

SEED = b"shisanzhi demo 051"
SHISANZHI = Path(sys.executable).with_name("shisanzhi")
ANNOUNCEMENT = "serving on "


def main() -> None:
    """Play, and leave no server behind."""
    with serving() as address, Client(address) as client:
        print(f"A server answers on {address}.")
        for ruleset in RULESETS.values():
            play(client, ruleset)
    print("\nThe server has stopped.")


@contextmanager
def serving() -> Iterator[str]:
    """Run a server on a free port for the length of a block; give its address."""
    process = subprocess.Popen(  # noqa: S603 - our own command
        [SHISANZHI, "serve", "--host", "127.0.0.1", "--port", "0", "--drain-delay", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield announced_address(process)
    finally:
        process.terminate()
        process.wait(timeout=60)


def announced_address(process: "subprocess.Popen[str]") -> str:
    """Wait for the line in which a server says where it listens."""
    for line in process.stdout or ():
        if line.startswith(ANNOUNCEMENT):
            return line.removeprefix(ANNOUNCEMENT).strip()
    message = f"expected a server that says where it listens, got exit code {process.wait()}"
    raise RuntimeError(message)


def play(client: Client, ruleset: Ruleset) -> None:
    """Deal a round, arrange the four hands, score them, and draw it all."""
    view = View(ruleset, Language.EN)
    deal = client.deal_round(DealRoundQuestion(ruleset.number, SEED))
    print(f"\n\n{ruleset.name.en} ({ruleset.name.zh_hant})\n")
    print(render(draw_deal(view, deal)))
    arrangements = [RawArrangement(*arrange(ruleset, deal.cut_card, hand)) for hand in deal.hands]
    question = ScoreQuestion(
        ruleset.number, deal.cut_card or 0, arrangements, deal.dealer, deal.hands
    )
    print("\n" + render(draw_round(view, question, client.score(question))))


def arrange(ruleset: Ruleset, cut_card: Card | None, hand: Sequence[Card]) -> Arrangement:
    """Take the strongest back, then the strongest middle, then the strongest front; no foul."""
    evaluator = ruleset.evaluator(bonus_rank_of(cut_card))
    splits = (
        Arrangement(front, middle, back)
        for back, after_back in strongest_first(evaluator, hand, ROW_SIZE)
        for middle, after_middle in strongest_first(evaluator, after_back, ROW_SIZE)
        for front, _ in strongest_first(evaluator, after_middle, FRONT_SIZE)
    )
    return next(split for split in splits if judge(ruleset, split, cut_card, hand).legal)


def strongest_first(
    evaluator: Evaluator, cards: Sequence[Card], size: int
) -> list[tuple[tuple[Card, ...], list[Card]]]:
    """Give every row of a size that the cards hold, each with the cards left over."""
    rows = sorted(
        combinations(cards, size), key=lambda row: evaluator.value(row).strength, reverse=True
    )
    return [(row, without(cards, row)) for row in rows]


def without(cards: Sequence[Card], taken: Sequence[Card]) -> list[Card]:
    """Take cards out, each once."""
    left = list(cards)
    for card in taken:
        left.remove(card)
    return left


if __name__ == "__main__":
    main()
