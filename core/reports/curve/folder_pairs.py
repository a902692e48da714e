"""From a scan and its list to the pairs behind the curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.base.progress import Cancelled, never
from core.evidence.pairs import Pairs
from core.reports.curve.state import FolderPairs
from core.reports.list_words import reworked_in_words
from core.scan.pair_list import PairList, count_pairs
from core.settings import ScanSettings

if TYPE_CHECKING:
    from core.candidates.bit_forecast import KnownBits
    from core.scan.scan import Scan


def folder_pairs(
    scan: Scan,
    found: PairList,
    settings: ScanSettings,
    *,
    complete: bool = True,
    cancelled: Cancelled = never,
) -> FolderPairs:
    """The pairs of the documents that are there: bands know nothing of others.

    Args:
        scan: What was read.
        found: The whole list.
        settings: Those that it is listed under.
        complete: Whether the scan has ended; while it runs little is known.
        cancelled: Polled while more is measured.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    pairs = _of_present(found)
    counts = count_pairs(pairs, settings)
    return FolderPairs(
        found=pairs.resemblance[pairs.resemblance >= settings.min_resemblance],
        background=scan.background(cancelled) if complete else np.zeros(0),
        documents=scan.present,
        listed=len(pairs),
        bands=settings.bands,
        rows=settings.rows,
        min_resemblance=settings.min_resemblance,
        by_passage=counts.below,
        by_reworked=counts.by_reworked,
        distance=settings.distance,
        signature=settings.signature,
        compared=found.compared,
        reworked=reworked_in_words(settings, complete=found.reworked_complete),
        known=scan.known_pairs(settings, cancelled) if complete else None,
        bits=_known_bits(scan, settings, cancelled) if complete else None,
        missing=len(found.documents) - scan.present if complete else 0,
        is_part_of_run=scan.decided.part is not None,
    )


def _known_bits(scan: Scan, settings: ScanSettings, cancelled: Cancelled) -> KnownBits | None:
    """What is known of bits; None where signatures have bands."""
    from core.scan.measured_bits import known_bits  # noqa: PLC0415 - needs the compiler

    if settings.distance is None:
        return None
    return known_bits(scan.corpus_for(settings), settings, cancelled)


def _of_present(found: PairList) -> Pairs:
    """The listed pairs whose documents are both there."""
    missing = np.array([bool(one.absence) for one in found.documents], dtype=np.bool_)
    if not missing.any():
        return found.pairs
    return found.pairs.take(~(missing[found.pairs.a] | missing[found.pairs.b]))
