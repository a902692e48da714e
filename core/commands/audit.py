"""`neardup audit`: whether a scan with these settings lists what it should."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from core.base.files import write_json
from core.base.messages import N_, as_shown, gettext
from core.base.wording import printable_name
from core.commands import options as shared
from core.commands.terminal import say
from core.settings import ScanSettings

if TYPE_CHECKING:
    from core.scan.audit_results import AuditResult
    from core.scan.scan import Scan

METHODS = ("all-pairs", "edited-copies")
MISSED_PRINTED = 20


def add_options(audit: argparse.ArgumentParser) -> None:
    """Describe `audit` and add its options."""
    audit.description = gettext(
        "Check that a scan with these settings lists what it should. Where comparing all "
        "pairs takes about a minute at most, all are compared exactly and the list is held "
        "against them. In larger folders edited copies of the documents are planted in memory "
        "and searched for. Nothing is written to the folders."
    )
    audit.epilog = gettext(
        "The settings are those of neardup scan. Exit status: 0 the list is what it should "
        "be, 1 it could not be checked, 3 it holds what it should not, or lacks what nothing "
        "explains, which is a fault in Neardup."
    )
    shared.add_folders(audit)
    shared.add_roles(audit)
    shared.add_exclusion_options(audit)
    shared.add_setting_options(audit)
    shared.add_reading_options(audit)
    group = audit.add_argument_group(gettext("audit"))
    group.add_argument(
        "--method",
        choices=METHODS,
        help=gettext(
            "compare all pairs however long it takes, or plant edited copies (default: all pairs "
            "where they take about a minute at most)"
        ),
    )
    group.add_argument(
        "--copies",
        type=shared.whole_number(1),
        metavar="N",
        help=gettext("plant at most N edited copies of each kind (default: 400)"),
    )
    missed = N_("print the first N missed pairs (default: {default})")
    shared.add_show(group, MISSED_PRINTED, missed)
    shared.add_json(group, gettext("write all figures, .json"))
    shared.add_flag(group, "--quiet", "print nothing but errors")


def run(options: argparse.Namespace) -> int:
    """Audit; returns the exit status.

    Raises:
        NeardupError: The documents could not be read or searched, or the file not be written.
    """
    from core.reports.audit_words import figures, sentences

    settings = shared.settings_from(options)
    started = time.monotonic()
    read, result = _audited(options, settings)
    names = [document.name for document in read.documents]
    if not options.quiet:
        print(*sentences(result, settings, names, shown=options.show), sep="\n")
        for problem in read.problems:
            say("Not read: {name}: {problem}", name=problem.name, problem=as_shown(problem.detail))
        print(f"{time.monotonic() - started:.1f} s")
    if options.json:
        write_json(options.json, figures(result, settings, names))
        if not options.quiet:
            say("Written: {path}", path=printable_name(options.json.as_posix()))
    return shared.IS_WRONG if result.has_fault else 0


def _audited(options: argparse.Namespace, settings: ScanSettings) -> tuple[Scan, AuditResult]:
    """The folders as they were read, and the audit of their texts."""
    from core.audit.auditing import audit
    from core.audit.planted_copies import PLANTED
    from core.scan.audit_results import Method
    from core.scan.state import to_review

    with shared.read_folders(options, settings) as (folder_scan, progress, stack):
        read = shared.scan_beside(options, folder_scan, stack)
        result = audit(
            read.texts,
            settings,
            method=Method(options.method) if options.method else None,
            count=PLANTED if options.copies is None else options.copies,
            to_review=to_review(read.documents),
            progress=progress,
        )
    return read, result
