"""Audits of the shown list, its buckets and its signatures."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.base.messages import gettext, ngettext
from core.documents.reading_settings import ReadingSettings
from core.settings import ScanSettings
from neardup_gui.jobs.tasks import current_task
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.workbench.buckets import BucketNumbers, BucketRow, Fill, PassageLengths

if TYPE_CHECKING:
    from core.base.arrays import Int64Array
    from core.candidates.bands import BucketFill, FullBucket
    from core.candidates.parameter_grid import ParameterGrid
    from core.reports.settings_file import SharedSettings
    from core.scan.audit_results import Method
    from core.scan.corpus import Corpus
    from core.scan.history import Command
    from core.scan.pair_text import SignatureOfPair
    from core.scan.state import ScanState

NAMES = 100  # of a bucket, of perhaps a million
TEXTS = 10  # buckets whose shared text is found from two documents


def look_at_buckets(result: ScanResult) -> BucketNumbers:
    """The buckets of a list, the fullest by name."""
    from core.scan.buckets import bucket_fill

    settings = result.settings
    corpus = result.scan.corpus_for(settings)
    present = np.flatnonzero([document.absence is None for document in result.documents])
    fill = bucket_fill(corpus, settings)
    rows = tuple(
        _row(result, corpus, bucket, present, with_text=index < TEXTS)
        for index, bucket in enumerate(fill.fullest)
    )
    return BucketNumbers(
        search=_search(settings, fill.bands),
        is_bits=settings.distance is not None,
        documents=fill.documents,
        fills=_fills(fill),
        largest=fill.largest,
        compared=_compared(corpus, settings),
        every=result.pair_list.compared is not None,
        rows=rows,
    )


def _row(
    result: ScanResult,
    corpus: Corpus,
    bucket: FullBucket,
    present: Int64Array,
    *,
    with_text: bool,
) -> BucketRow:
    from core.scan.buckets import text_of_bucket

    text = None
    if with_text:
        text = text_of_bucket(corpus, bucket.members, result.settings)
    return BucketRow(
        names=tuple(result.names.shown[number] for number in present[bucket.members[:NAMES]]),
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
            least_of_class(number),
            least_of_class(number + 1) - 1,
            int(fill.buckets[number]),
            int(fill.pairs[number]),
        )
        for number in classes
    )


def _search(settings: ScanSettings, tables: int) -> str:
    if settings.distance is None:
        rows = ngettext("{n} row", "{n} rows", settings.rows)
        return ngettext("{n} band of {rows}", "{n} bands of {rows}", settings.bands, rows=rows)
    return gettext(
        "{method}, at most {bits} apart: {tables}",
        method=gettext(settings.method.name),
        bits=ngettext("{n} bit", "{n} bits", settings.max_distance),
        tables=ngettext("{n} table", "{n} tables", tables),
    )


def _compared(corpus: Corpus, settings: ScanSettings) -> int | None:
    tried = corpus.tried.get(settings.choice) if settings.choice else None
    return tried.candidates if tried else None


def look_at_passages(result: ScanResult) -> PassageLengths:
    """What the least length of a passage lists, and what other lengths would."""
    from core.scan.buckets import below_by_passage, other_lengths

    settings, every = result.settings, result.pair_list.every
    corpus = result.scan.corpus_for(settings)
    lengths = other_lengths(corpus, every, settings)
    return PassageLengths(
        least=settings.passage_length,
        floor=settings.min_resemblance,
        pairs=len(below_by_passage(every, settings)),
        are_listed=settings.list_passages,
        others=tuple(lengths),
        is_part_of_run=result.folder.is_part_of_run,
    )


def make_grid(result: ScanResult) -> ParameterGrid | None:
    """The forecast of every b × r, from the measurements for this list and those before it."""
    from core.scan.measured_pairs import measured_grid

    import_module("pyqtgraph")  # draws the map: half a second that nobody waits for on this thread

    settings, folder = result.settings, result.folder
    corpus = result.scan.corpus_for(settings)
    weak = folder.counts.weak
    return measured_grid(corpus, settings, weak=weak, is_part_of_run=folder.is_part_of_run)


def compare_signatures(
    result: ScanResult, state: ScanState, documents: tuple[int, int]
) -> SignatureOfPair:
    """Compare the signatures of two documents of a complete list, whose state is given."""
    from core.scan.pair_text import signature_of_pair

    missing = bool(result.missing)
    return signature_of_pair(result.scan, state, documents, missing=missing)


def save_settings(path: Path, settings: ScanSettings, reading: ReadingSettings) -> Path:
    """Write settings to a file to share; the result is its path."""
    from core.reports.settings_file import write_settings_file

    write_settings_file(path, settings, reading)
    return path


def load_settings(path: Path) -> tuple[Path, SharedSettings]:
    """Read a file of settings; the result is its path and its `SharedSettings`."""
    from core.reports.settings_file import read_settings_file

    return path, read_settings_file(path)


def audit_list(result: ScanResult, method: Method) -> Command:
    """Audit whether a list is complete; the result is the command that logs the audit."""
    from core.audit.auditing import audit
    from core.review.audits import keep_audit
    from core.scan.scan import audited_texts

    texts = audited_texts(result.scan)
    outcome = audit(
        texts.texts,
        result.settings,
        method=method,
        to_review=texts.to_review,
        progress=current_task().progress,
    )
    documents = [result.documents[number] for number in texts.numbers.tolist()]
    return keep_audit(outcome, result.settings, documents, texts.fingerprint)
