"""`neardup spark forecast`: what a run would take, from a sample of its sources."""

from __future__ import annotations

import argparse

from core.base.messages import gettext
from core.base.tasks import stop_if_cancelled
from core.commands.options import (
    add_reading_options,
    add_setting_options,
    settings_from,
)
from core.commands.spark_session import (
    add_session_options,
    add_sources,
    asked_for,
    session_from,
    shown_stages,
)
from core.program.ending import until_interrupted


def add_options(forecast: argparse.ArgumentParser) -> None:
    """Describe `spark forecast` and add its options."""
    forecast.description = gettext(
        "Say before a run what it would compare, shuffle and take: read and sign 0.1 % of the "
        "documents, 2,000 at least, and compare these. Said are the candidates of the "
        "settings and of other bands and rows, with 95 % intervals. Time is that of one core "
        "of this computer; finding passages and reworked ones is not counted."
    )
    forecast.epilog = gettext("Example: neardup spark forecast --master local[*] texts.parquet")
    forecast.set_defaults(run=run)
    forecast.add_argument("sources", nargs="+", metavar="SOURCE")
    group = add_sources(forecast, "--reference")
    group.add_argument("--quiet", action="store_true", help=gettext("show no progress"))
    add_session_options(forecast)
    add_setting_options(forecast)
    add_reading_options(forecast)


def run(options: argparse.Namespace) -> int:
    """Forecast; returns the exit status.

    Raises:
        NeardupError: The sources cannot be read.
        AskedToEndError: Ctrl+C, while they were.
    """
    settings = settings_from(options)
    # Spark takes Ctrl+C for itself when it starts; so it starts first.
    with session_from(options) as session, until_interrupted():
        from core.spark.forecast import bill_of, gathered, sample_of, sentences
        from core.spark.reading import read_sample
        from core.spark.session import require_classic, set_for_a_run, spark_work

        require_classic(session)
        sources = [*options.sources, *options.reference]
        with (
            spark_work(session),
            set_for_a_run(session, 0),
            shown_stages(session, quiet=options.quiet),
        ):
            read = read_sample(session, sources, settings, asked_for(options))
            table = gathered(read.documents)
            stop_if_cancelled()
            sampled = sample_of(table, read.all, read.share, settings)
            bill = bill_of(sampled, read.all, settings, read.rows)
            stop_if_cancelled()
    print(*sentences(bill), sep="\n")
    return 0
