"""`neardup spark`: the same engine on a cluster; its commands, each a module."""

from __future__ import annotations

import argparse
from importlib import import_module

from core.base.messages import N_, gettext

COMMANDS = {
    "scan": N_("scan folders and tables into a folder of Parquet"),
    "query": N_("compare single files with a finished run"),
    "forecast": N_("what a run would compare, shuffle and take, from a sample"),
}


def add_options(spark: argparse.ArgumentParser) -> None:
    """Describe `spark` and add its commands."""
    spark.description = gettext(
        "Find near-duplicates in more documents than one machine holds, on Apache Spark. The "
        "numbers of all pairs are those of neardup scan. Spark 4 needs Java 17 or newer."
    )
    commands = spark.add_subparsers(title=gettext("commands"), metavar="COMMAND", required=True)
    for name, words in COMMANDS.items():
        parser = commands.add_parser(name, help=gettext(words))
        import_module(f"core.commands.spark_{name}").add_options(parser)
