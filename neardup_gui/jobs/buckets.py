"""How full the buckets of a list are, counted away from the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.base.wording import counted
from neardup_gui.jobs.job import Reports, Work
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.workbench.buckets import BucketNumbers, BucketRow, Fill
from neardup_gui.models.workbench.passage_lengths import Length, PassageLengths

if TYPE_CHECKING:
    from core.base.arrays import Int64Array
    from core.candidates.bands import BucketFill, FullBucket
    from core.scan.corpus import Corpus
    from core.settings import ScanSettings

NAMES = 100  # of a bucket, of perhaps a million
TEXTS = 10  # buckets of which two documents are compared for what they share


def look_at_buckets(result: ScanResult) -> Work:
    """The buckets of a list, the fullest by name."""

    def work(reports: Reports) -> BucketNumbers:
        from core.scan.buckets import bucket_fill

        settings = result.settings
        corpus = result.scan.corpus_for(settings)
        there = np.flatnonzero([one.absence is None for one in result.documents])
        fill = bucket_fill(corpus, settings, reports.cancelled)
        rows = tuple(
            _row(result, corpus, one, there, reports, with_text=place < TEXTS)
            for place, one in enumerate(fill.fullest)
        )
        return BucketNumbers(
            search=_search(settings, fill.bands),
            is_bits=settings.distance is not None,
            bands=fill.bands,
            documents=fill.documents,
            fills=_fills(fill),
            largest=fill.largest,
            compared=_compared(corpus, settings),
            every=result.found.compared is not None,
            rows=rows,
        )

    return work


def _row(
    result: ScanResult,
    corpus: Corpus,
    bucket: FullBucket,
    there: Int64Array,
    reports: Reports,
    *,
    with_text: bool,
) -> BucketRow:
    from core.scan.buckets import text_of_bucket

    text = None
    if with_text:
        text = text_of_bucket(corpus, bucket.members, result.settings, reports.cancelled)
    return BucketRow(
        names=tuple(result.names.shown[number] for number in there[bucket.members[:NAMES]]),
        documents=len(bucket.members),
        bands=bucket.bands,
        pairs=bucket.pairs,
        text=text.text if text else "",
        words=text.words if text else 0,
    )


def _fills(fill: BucketFill) -> tuple[Fill, ...]:
    """The classes up to the fullest bucket."""
    from core.candidates.bands import least_of_class

    used = np.flatnonzero(fill.buckets)
    classes = range(int(used[-1]) + 1 if len(used) else 0)
    return tuple(
        Fill(
            least_of_class(place),
            least_of_class(place + 1) - 1,
            int(fill.buckets[place]),
            int(fill.pairs[place]),
        )
        for place in classes
    )


def _search(settings: ScanSettings, tables: int) -> str:
    if settings.distance is None:
        bands = counted(settings.bands, "band")
        return f"{bands} of {counted(settings.rows, 'row')}"
    name, bits = settings.method.name, counted(settings.max_distance, "bit")
    return f"{name}, at most {bits} apart: {counted(tables, 'table')}"


def _compared(corpus: Corpus, settings: ScanSettings) -> int | None:
    tried = corpus.tried.get(settings.choice) if settings.choice else None
    return tried.candidates if tried else None


def look_at_passages(result: ScanResult) -> Work:
    """What the least length of a passage lists, and what another one would."""

    def work(reports: Reports) -> PassageLengths:
        from core.scan.buckets import below_by_passage, other_lengths

        settings, every = result.settings, result.found.every
        corpus = result.scan.corpus_for(settings)
        others = other_lengths(corpus, every, settings, reports.cancelled)
        return PassageLengths(
            least=settings.passage_length,
            floor=settings.min_resemblance,
            pairs=len(below_by_passage(every, settings)),
            are_listed=settings.list_passages,
            others=tuple(Length(*one) for one in others),
            is_part_of_run=result.folder.is_part_of_run,
        )

    return work
