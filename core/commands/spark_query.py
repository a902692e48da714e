"""`neardup spark query`: which documents of a finished run some files are like."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from core.base.files import write_json
from core.base.messages import gettext, ngettext
from core.base.wording import count
from core.commands.options import add_reading_options, reading_from
from core.commands.query import add_result_options, print_matches, rows_of, text_of
from core.commands.spark_session import add_session_options, session_from, shown_stages
from core.program.ending import until_interrupted


def add_options(query: argparse.ArgumentParser) -> None:
    """Describe `spark query` and add its options."""
    query.description = gettext(
        "Find the documents of a finished run that some files are like: what a run with them "
        "among its documents would list. The run is not repeated."
    )
    query.epilog = gettext("Example: neardup spark query results new/*.docx --json answers.json")
    query.set_defaults(run=run)
    query.add_argument("target", metavar="TARGET", help=gettext("the folder of the run"))
    query.add_argument("files", nargs="+", type=Path, metavar="FILE")
    add_session_options(query)
    add_reading_options(query)
    add_result_options(query)


def run(options: argparse.Namespace) -> int:
    """Ask for all files; returns the exit status.

    Raises:
        NeardupError: A file gives no text, or the run cannot be read.
    """
    from core.spark.query import COPIES_TOLD, query
    from core.spark.run import finished_run
    from core.spark.session import set_for_a_run, spark_work

    results: list[dict[str, Any]] = []
    with until_interrupted():
        reading = reading_from(options)
        read = [text_of(file, reading) for file in options.files]
        with session_from(options) as session:
            settings = finished_run(session, options.target).settings
            with spark_work(session), set_for_a_run(session, 0):
                texts = [text for _, text in read]
                with shown_stages(session, quiet=options.quiet):
                    copies = max(COPIES_TOLD, options.show)
                    answers = list(query(session, options.target, texts, settings, copies))
        for file, (name, _), answer in zip(options.files, read, answers, strict=True):
            if not options.quiet:
                print_matches(name, answer.documents, answer.matches, settings, options.show)
                if answer.copies_left_out:
                    print(
                        ngettext(
                            "{n} more document with the same words as one of these; {copies} are "
                            "told.",
                            "{n} more documents with the same words as one of these; {copies} are "
                            "told.",
                            answer.copies_left_out,
                            copies=count(copies),
                        )
                    )
            matches = rows_of(answer.documents, answer.matches)
            for row, own_id in zip(matches, answer.ids, strict=True):
                row["id"] = own_id
            left_out = answer.copies_left_out
            results.append({"file": str(file), "matches": matches, "copies_left_out": left_out})
    if options.json:
        write_json(options.json, results)
    return 0
