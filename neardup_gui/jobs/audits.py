"""The list that is shown, audited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neardup_gui.jobs.job import Reports, Work
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.scan.audit_results import Method
    from core.scan.state import Command


def audit_list(result: ScanResult, method: Method) -> Work:
    """Find out whether a list is complete; the result is the command that keeps what was found.

    Args:
        result: The list, of a scan that is at its end.
        method: Compare all pairs, or search for edited copies.
    """

    def work(reports: Reports) -> Command:
        from core.audit import audit
        from core.review.audits import keep_audit
        from core.scan.audit_results import audited_texts

        texts = audited_texts(result.scan)
        found = audit(
            texts.texts,
            result.settings,
            method=method,
            to_review=texts.to_review,
            progress=reports.progress,
            cancelled=reports.cancelled,
        )
        documents = [result.documents[number] for number in texts.numbers.tolist()]
        return keep_audit(found, result.settings, documents, texts.fingerprint)

    return work
