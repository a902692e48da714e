"""The passages of a pair of documents of a scan: with what the words of the folder tell."""

from __future__ import annotations

from core.base.progress import Cancelled, never
from core.evidence import passages
from core.evidence.passage import SharedText
from core.scan.judgements import Judgements
from core.scan.languages import languages_of_pair
from core.scan.scan import Scan
from core.settings import ScanSettings


def shared_text(
    scan: Scan,
    a: int,
    b: int,
    settings: ScanSettings,
    cancelled: Cancelled = never,
    judgements: Judgements | None = None,
) -> SharedText:
    """What two documents share, as a list of pairs under these settings measures it.

    `judgements` say in which language texts are; by default those of when the scan was made.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    said = judgements or scan.decided.judgements
    languages = languages_of_pair(scan.documents, said, a, b)
    return passages.find_shared_text(
        scan.texts[a],
        scan.texts[b],
        settings,
        cancelled,
        scan.aside(a, b),
        None if settings.reworked == "off" else scan.words(cancelled),
        languages,
    )
