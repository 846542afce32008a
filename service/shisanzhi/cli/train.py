"""``shisanzhi train``."""

from pathlib import Path

import click

from shisanzhi import train as training
from shisanzhi.cli.reading import Reader
from shisanzhi.engine.rulesets import RULESETS


@click.command()
@click.option(
    "--ruleset",
    "keys",
    type=click.Choice([ruleset.key for ruleset in RULESETS.values()]),
    multiple=True,
    help="The rules to train for; without it, all.",
)
@click.option("--seed", metavar="HEX", help="What the deals come from; without it, as shipped.")
@click.option(
    "--generations",
    type=click.IntRange(1),
    default=training.GENERATIONS,
    show_default=True,
    help="How often the field is made anew.",
)
@click.option(
    "--deals",
    type=click.IntRange(1),
    default=training.DEALS,
    show_default=True,
    help="Deals in a generation, of four hands each.",
)
@click.argument("folder", type=click.Path(file_okay=False, exists=True, path_type=Path))
def train(
    *, keys: tuple[str, ...], seed: str | None, generations: int, deals: int, folder: Path
) -> None:
    """Remake by self-play what the solver knows of its opponents.

    Writes a file for each ruleset to FOLDER. With the defaults it makes the files that are shipped,
    byte for byte, and takes some minutes.
    """
    reader = Reader()
    raw = training.SEED if seed is None else reader.seed("seed", seed)
    reader.finish()
    rulesets = [ruleset for ruleset in RULESETS.values() if not keys or ruleset.key in keys]
    training.remake(rulesets, folder, raw, generations, deals)
