"""``shisanzhi train``."""

from pathlib import Path

import click

from shisanzhi.cli.reading import Reader
from shisanzhi.engine.rulesets import RULESETS, Ruleset
from shisanzhi.engine.solver import training
from shisanzhi.engine.solver.row_counts import file_name, pack
from shisanzhi.progress import progress


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
    for ruleset in rulesets:
        _remake(ruleset, folder / file_name(ruleset), raw, generations, deals)


def _remake(ruleset: Ruleset, file: Path, seed: bytes, generations: int, deals: int) -> None:
    with progress(ruleset.key, generations * deals) as advance:
        trained = training.train(ruleset, seed, generations, deals, lambda: advance(1))
    file.write_bytes(pack(ruleset, trained))
