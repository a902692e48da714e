"""Why a pair of a list is in it: its signatures compared once more, its passages counted."""

from __future__ import annotations

from collections.abc import Sequence

from core.base.progress import Cancelled, never
from core.candidates.meeting import Meeting, meeting_of
from core.evidence.pairs import PairFigures, Pairs
from core.evidence.passage import Passage
from core.reports.why_words import rare_in_words, why_listed
from core.scan.pair_list import PairList
from core.scan.rare_passages import rare_passages
from core.scan.scan import Scan
from core.settings import ScanSettings


def pair_reasons(
    scan: Scan,
    found: PairList,
    cancelled: Cancelled,
    pairs: Pairs,
    row: int,
    counted: Sequence[Passage] = (),
) -> tuple[str, ...]:
    """Why a pair is listed, in sentences that hold no name and no text.

    Args:
        scan: A complete scan.
        found: Its list.
        cancelled: Polled while all texts are read, where passages are counted.
        pairs: Pairs of the list.
        row: That of the pair.
        counted: Passages of the pair, to say in how many documents each stands; all texts are read
            for it.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    figures, settings = pairs.figures(row), found.settings
    a, b = int(pairs.a[row]), int(pairs.b[row])
    meeting = meeting_in(scan, (a, b), figures, settings)
    chance = chance_in(scan, settings, float(pairs.reworked_bits[row]), cancelled)
    said = why_listed(
        int(pairs.found_by[row]),
        figures,
        meeting,
        settings,
        chance,
        all_compared=found.compared is not None,
    )
    if not counted:
        return said
    return (*said, *rare_in_words(rare_passages(scan, (a, b), counted, settings, cancelled)))


def meeting_in(
    scan: Scan, pair: tuple[int, int], figures: PairFigures, settings: ScanSettings
) -> Meeting | None:
    """How the signatures of two documents agree; None where those hang on documents now gone."""
    if settings.depends_on_all and scan.present < len(scan.documents):
        return None
    signatures = scan.whole.signed.signatures
    return meeting_of(signatures[pair[0]], signatures[pair[1]], figures, settings)


def chance_in(scan: Scan, settings: ScanSettings, bits: float, cancelled: Cancelled = never) -> str:
    """How many pairs of the folder have a passage of these bits; "" where none was measured."""
    asked = settings.reworked != "off" and bits > 0
    words = scan.words(cancelled) if asked else None
    return words.pairs.words(bits) if words else ""
