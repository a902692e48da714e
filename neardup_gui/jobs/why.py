"""Why a pair is listed: its signatures compared once more, its passages counted, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.evidence.pairs import PairFigures, Pairs
from core.settings import ScanSettings
from neardup_gui.jobs.job import Reports, Work
from neardup_gui.models.compare.why import SignatureGrid, Why
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.candidates.scurve import Meeting
    from core.evidence.passage import Passage


def why_of(result: ScanResult, pair: Pairs, figures: PairFigures) -> Why:
    """Why a pair of a list is in it.

    Args:
        result: The list.
        pair: One row of it.
        figures: Its exact numbers.
    """
    from core.reports.pair_words import chance_in, meeting_in, why_listed

    settings = result.settings
    meeting, chance = None, ""
    if result.complete:
        documents = int(pair.a[0]), int(pair.b[0])
        meeting = meeting_in(result.scan, documents, figures, settings)
        chance = chance_in(result.scan, settings, float(pair.reworked_bits[0]))
    all_compared = result.found.compared is not None
    sentences = why_listed(
        int(pair.found_by[0]), figures, meeting, settings, chance, all_compared=all_compared
    )
    return Why(sentences, _grid(meeting, settings) if meeting else None)


def _grid(meeting: Meeting, settings: ScanSettings) -> SignatureGrid:
    from core.reports.pair_words import grid_caption

    bands = tuple(tuple(band) for band in meeting.agree.tolist())
    return SignatureGrid(bands, frozenset(meeting.bands), grid_caption(meeting, settings))


def explain(result: ScanResult, pair: tuple[int, int], passages: Sequence[Passage]) -> Work:
    """Say how rare the passages of a pair are; all texts are read for it."""

    def work(reports: Reports) -> tuple[str, ...]:
        from core.reports.pair_words import rare_in_words
        from core.scan.passage_list import rare_passages

        found = rare_passages(result.scan, pair, passages, result.settings, reports.cancelled)
        return rare_in_words(found)

    return work
