"""The passages of a pair of documents of a scan: with what the words of the folder tell."""

from __future__ import annotations

from core.base.progress import Cancelled, never
from core.evidence import passages
from core.evidence.passage import SharedText
from core.scan.languages import language_of
from core.scan.scan import Scan
from core.settings import ScanSettings

__all__ = ["shared_text"]


def shared_text(
    scan: Scan, a: int, b: int, settings: ScanSettings, cancelled: Cancelled = never
) -> SharedText:
    """What two documents share, as a list of pairs under these settings measures it.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    judgements = scan.decided.judgements
    one, other = (language_of(scan.documents[n], judgements) or None for n in (a, b))
    return passages.find_shared_text(
        scan.texts[a],
        scan.texts[b],
        settings,
        cancelled,
        scan.aside(a, b),
        None if settings.reworked == "off" else scan.words(cancelled),
        (one, other),
    )
