"""`neardup spark forecast`: what a run would take, from a sample of its sources."""

from __future__ import annotations

import argparse

from core.commands.options import (
    add_reading_options,
    add_setting_options,
    reading_from,
    settings_from,
)
from core.commands.spark_session import add_session_options, session_from, shown_stages
from core.documents.roles import Role
from core.program.ending import until_interrupted

__all__ = ["add_options", "run"]


def add_options(forecast: argparse.ArgumentParser) -> None:
    """Describe `spark forecast` and add its options."""
    forecast.description = (
        "Say before a run what it would compare, shuffle and take: read and sign 0.1 % of the "
        "documents, 2,000 at least, and compare these. Said are the candidates of the settings and "
        "of other bands and rows, with 95 % intervals. Time is that of one core of this computer; "
        "finding passages and reworked ones is not counted."
    )
    forecast.epilog = "Example: neardup spark forecast --master local[*] texts.parquet"
    forecast.set_defaults(run=run)
    forecast.add_argument("sources", nargs="+", metavar="SOURCE")
    group = forecast.add_argument_group("sources")
    group.add_argument(
        "--reference",
        action="append",
        default=[],
        metavar="SOURCE",
        help="documents that are compared with those of SOURCE, never with each other; may be "
        "given several times",
    )
    for name, words in (("text", "holds the texts"), ("id", "tells the rows apart")):
        group.add_argument(
            f"--{name}-column",
            default=name,
            metavar="NAME",
            help=f"the column of a table that {words} (default: {name})",
        )
    group.add_argument("--quiet", action="store_true", help="show no progress")
    add_session_options(forecast)
    add_setting_options(forecast)
    add_reading_options(forecast)


def run(options: argparse.Namespace) -> int:
    """Forecast; returns the exit status.

    Raises:
        NeardupError: The sources cannot be read.
    """
    settings = settings_from(options)
    with session_from(options) as session, until_interrupted():
        from core.spark.bill import bill_of, sample_of
        from core.spark.bill_words import sentences
        from core.spark.options import RunOptions
        from core.spark.sources.sampling import read_sample

        roles = [Role.REVIEW] * len(options.sources) + [Role.REFERENCE] * len(options.reference)
        asked = RunOptions(
            reading_from(options),
            roles=tuple(roles),
            text_column=options.text_column,
            id_column=options.id_column,
        )
        with shown_stages(session, quiet=options.quiet):
            read = read_sample(session, [*options.sources, *options.reference], settings, asked)
            sampled = sample_of(read.documents.toArrow(), read.all, read.share, settings)
            bill = bill_of(sampled, read.all, settings)
    print(*sentences(bill), sep="\n")
    return 0
