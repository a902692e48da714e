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
    from core.candidates.meeting import Meeting
    from core.evidence.passages import Passage

__all__ = ["explain", "why_of"]


def why_of(result: ScanResult, pair: Pairs, figures: PairFigures) -> Why:
    """Why a pair of a list is in it.

    Args:
        result: The list.
        pair: One row of it.
        figures: Its exact numbers.
    """
    from core.reports.why_words import why_listed

    settings = result.settings
    meeting = _meeting(result, pair, figures)
    chance = _chance(result, float(pair.reworked_bits[0]))
    sentences = why_listed(int(pair.found_by[0]), figures, meeting, settings, chance)
    return Why(sentences, _grid(meeting, settings) if meeting else None)


def _meeting(result: ScanResult, pair: Pairs, figures: PairFigures) -> Meeting | None:
    """None while the scan runs, and where signatures depend on documents that may be gone."""
    from core.candidates.meeting import meeting_of

    settings, state = result.settings, result.state
    if state is None or (settings.depends_on_all and result.missing):
        return None
    signatures = state.signed.signatures
    return meeting_of(signatures[pair.a[0]], signatures[pair.b[0]], figures, settings)


def _chance(result: ScanResult, bits: float) -> str:
    """In how many unrelated pairs a passage of these bits is met; empty where there is none."""
    asked = result.complete and result.settings.reworked != "off" and bits > 0
    words = result.scan.words() if asked else None
    return words.chance.words(bits) if words else ""


def _grid(meeting: Meeting, settings: ScanSettings) -> SignatureGrid:
    from core.reports.why_words import grid_caption

    bands = tuple(tuple(band) for band in meeting.agree.tolist())
    return SignatureGrid(bands, frozenset(meeting.bands), grid_caption(meeting, settings))


def explain(result: ScanResult, pair: tuple[int, int], passages: Sequence[Passage]) -> Work:
    """Say how rare the passages of a pair are; all texts are read for it."""

    def work(reports: Reports) -> tuple[str, ...]:
        from core.reports.why_words import rare_in_words
        from core.scan.rare_passages import rare_passages

        found = rare_passages(result.scan, pair, passages, result.settings, reports.cancelled)
        return rare_in_words(found)

    return work
