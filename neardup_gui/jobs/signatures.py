"""The signatures of two documents, compared for whoever looks at them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neardup_gui.jobs.job import Reports, Work
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.scan.pair_text import SignatureOfPair
    from core.scan.state import ScanState


def compare_signatures(result: ScanResult, state: ScanState, documents: tuple[int, int]) -> Work:
    """Compare the signatures of two documents of a complete list, whose state is given."""

    def work(reports: Reports) -> SignatureOfPair:
        from core.scan.pair_text import signature_of_pair

        missing = bool(result.missing)
        return signature_of_pair(result.scan, state, documents, reports.cancelled, missing=missing)

    return work
