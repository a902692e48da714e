"""Checking a report against the files it is of."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from neardup_gui.jobs.job import Reports, Work
from neardup_gui.models.reports.checked import CheckedReport


def check_report(
    path: Path, folders: Sequence[Path], review: Path | None, key: Path | None
) -> Work:
    """Compute everything again that a report says; the result is a `CheckedReport`.

    Args:
        path: The report.
        folders: Where its files are.
        review: Whose log that of the report is held against; None for none.
        key: The key to withheld names; None where names are told.
    """

    def work(reports: Reports) -> CheckedReport:
        from core.reports.withheld.key import open_key
        from core.verify import verify
        from core.verify.findings import verification_in_words

        found = verify(
            path,
            folders,
            review=review,
            key=open_key(key) if key else None,
            progress=reports.progress,
            cancelled=reports.cancelled,
        )
        sentence, *lines = verification_in_words(found)
        text = "\n".join(map(str.strip, lines))
        return CheckedReport(sentence, found.agrees, text, found.seal)

    return work
