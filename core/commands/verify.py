"""`neardup verify`: whether a report says what the files say."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.files import write_json
from core.base.messages import gettext
from core.base.wording import any_of
from core.commands.options import (
    IS_WRONG,
    NOT_ALL_COMPARED,
    add_flag,
    add_folders,
    add_json,
    add_passwords,
    passwords_in,
)
from core.commands.terminal import prepared_engine, shown_progress
from core.errors import SettingsError
from core.program.end_signals import until_interrupted

if TYPE_CHECKING:
    from core.verify.comparison import Verification

DIGITS = 64


def add_options(verify: argparse.ArgumentParser) -> None:
    """Describe `verify` and add its options."""
    verify.description = gettext(
        "Read the files that a report is about once more, recompute every number in it, and "
        "say what agrees, what changed and what is missing. Several folders stand in the "
        "order of the report. Nothing is changed."
    )
    verify.epilog = gettext(
        "Exit status: 0 the report agrees with the files, 1 it cannot be checked, 3 it does "
        "not agree, 4 what could be compared agrees, and some could not: the pages of a PDF, "
        "documents that it lists as gone."
    )
    verify.add_argument(
        "report", type=Path, metavar="REPORT", help=any_of((".html", ".pdf", ".json"))
    )
    add_folders(verify)
    verify.add_argument(
        "--seal",
        type=_seal,
        metavar="DIGITS",
        help=gettext("the seal that was noted when the report was written"),
    )
    verify.add_argument(
        "--review",
        type=Path,
        metavar="REVIEW.neardup",
        help=gettext("hold the log of verdicts against that of a review"),
    )
    verify.add_argument(
        "--key", type=Path, metavar="FILE", help=gettext("the key, where names are withheld")
    )
    add_passwords(verify)
    add_json(verify, gettext("write all findings, .json"))
    add_flag(verify, "--quiet", "print nothing but errors")


def run(options: argparse.Namespace) -> int:
    """Check a report; returns the exit status."""
    from core.reports.pseudonyms.key import open_key
    from core.verify import verify
    from core.verify.comparison import verification_in_words

    if options.key and not options.key.is_file():
        raise SettingsError("There is no key “{key}”.", key=options.key.name)
    with (
        until_interrupted(),
        prepared_engine(quiet=options.quiet),
        shown_progress(quiet=options.quiet) as progress,
    ):
        verification = verify(
            options.report,
            options.folders,
            seal=options.seal or "",
            review=options.review,
            key=open_key(options.key) if options.key else None,
            passwords=passwords_in(options.passwords),
            progress=progress,
        )
    if options.json:
        _write(options.json, verification)
    if not options.quiet:
        print(*verification_in_words(verification), sep="\n")
    if not verification.agrees:
        return IS_WRONG
    return 0 if verification.covers_pages else NOT_ALL_COMPARED


def _seal(text: str) -> str:
    """A seal as it was noted, with spaces or without."""
    digits = "".join(text.split()).lower()
    if len(digits) != DIGITS or set(digits) - set("0123456789abcdef"):
        raise argparse.ArgumentTypeError(
            gettext("a seal is {digits} digits of 0-9 and a-f", digits=DIGITS)
        )
    return digits


def _write(path: Path, verification: Verification) -> None:
    summary = {
        "agrees": verification.agrees,
        "covers_pages": verification.covers_pages,
        "kind": verification.kind,
        "seal": verification.seal,
        "checked": [count._asdict() for count in verification.counts],
        "findings": [finding._asdict() for finding in verification.findings],
        "not_checked": list(verification.not_checked),
    }
    write_json(path, summary, indent=1)
