"""The dot plot of a pair, drawn small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.errors import ScanCancelledError
from neardup_gui.jobs.job import Reports, Work
from neardup_gui.models.pairs.thumbnails import DocumentPair, Thumbnail
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.evidence.passage import Passage


class DrawnThumbnail(NamedTuple):
    """The picture of a pair, by the numbers of its documents."""

    pair: DocumentPair
    thumbnail: Thumbnail


def draw_thumbnail(result: ScanResult, pair: DocumentPair) -> Work:
    """Find the passages of a pair; the result is a `DrawnThumbnail`.

    It is empty where they cannot be found: why not is said when the pair is opened.
    """

    def work(reports: Reports) -> DrawnThumbnail:
        from core.scan.pair_text import shared_text

        try:
            a, b = (result.scan.texts[number] for number in pair)
            found = shared_text(result.scan, *pair, result.settings, reports.cancelled)
        except ScanCancelledError:
            raise
        except Exception:  # noqa: BLE001 - see above
            return DrawnThumbnail(pair, _lines((), 0, 0))
        return DrawnThumbnail(pair, _lines(found.passages, len(a), len(b)))

    return work


def _lines(passages: Sequence[Passage], length_a: int, length_b: int) -> Thumbnail:
    rows = [row for passage in passages for row in _lines_of(passage)]
    ends = np.array([length_a, length_b, length_a, length_b], dtype=np.float64)
    lines = np.array(rows, dtype=np.float64).reshape(-1, 4)
    return Thumbnail(lines / np.maximum(ends, 1))


def _lines_of(passage: Passage) -> Iterator[tuple[int, int, int, int]]:
    """One line, or several where text is moved within the passage."""
    for one in passage.runs if passage.moved_words else (passage,):
        yield one.a_start, one.b_start, one.a_end, one.b_end
