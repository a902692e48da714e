"""Audits of the shown list, its buckets and its signatures."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.base.memory import collector_paused
from core.documents.reading_settings import ReadingSettings
from core.settings import ScanSettings
from neardup_gui.jobs.tasks import current_task
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.workbench.buckets import BucketNumbers, BucketRow, PassageLengths

if TYPE_CHECKING:
    from core.candidates.parameter_grid import ParameterGrid
    from core.reports.settings_file import SharedSettings
    from core.scan.audit_results import Method
    from core.scan.history import Command
    from core.scan.pair_details import SignatureOfPair
    from core.scan.state import ScanState

NAMES = 100  # of a bucket, of perhaps a million
TEXTS = 10  # buckets whose shared text is found from two documents


def look_at_buckets(result: ScanResult) -> BucketNumbers:
    """The buckets of a list, the fullest by name."""
    from core.scan.buckets import bucket_fill, text_of_bucket

    settings = result.settings
    corpus = result.scan.corpus_for(settings)
    present = np.flatnonzero([document.absence is None for document in result.documents])
    fill, rows = bucket_fill(corpus, settings), []
    for index, bucket in enumerate(fill.fullest):
        members = bucket.members
        names = tuple(result.names.shown[number] for number in present[members[:NAMES]])
        text = text_of_bucket(corpus, members, settings) if index < TEXTS else None
        rows.append(BucketRow(names, len(members), bucket.bands, bucket.pairs, *(text or ())))
    tried = corpus.tried.get(settings.banding) if settings.banding else None
    compared = tried.candidates if tried else None
    every = result.pair_list.compared is not None
    return BucketNumbers(settings, fill, tuple(rows), compared, every)


def look_at_passages(result: ScanResult) -> PassageLengths:
    """What the least length of a passage lists, and what other lengths would."""
    from core.scan.measured_pairs import below_by_passage, other_lengths

    settings, every = result.settings, result.pair_list.every
    corpus = result.scan.corpus_for(settings)
    lengths = other_lengths(corpus, every, settings)
    pairs = len(below_by_passage(every, settings))
    return PassageLengths(settings, pairs, tuple(lengths), result.folder.is_part_of_run)


def make_grid(result: ScanResult) -> ParameterGrid | None:
    """The forecast of every b × r, from the measurements for this list and those before it."""
    from core.scan.measured_pairs import measured_grid

    with collector_paused():  # it would be called for by what is imported, and hold the window up
        import_module("pyqtgraph")  # draws the map: half a second that nobody waits for here

    settings, folder = result.settings, result.folder
    corpus = result.scan.corpus_for(settings)
    weak = folder.counts.weak
    return measured_grid(corpus, settings, weak=weak, is_part_of_run=folder.is_part_of_run)


def compare_signatures(
    result: ScanResult, state: ScanState, documents: tuple[int, int]
) -> SignatureOfPair:
    """Compare the signatures of two documents of a complete list, whose state is given."""
    from core.scan.pair_details import signature_of_pair

    missing = bool(result.missing)
    return signature_of_pair(result.scan, state, documents, missing=missing)


def save_settings(
    path: Path, settings: ScanSettings, reading: ReadingSettings, folders: Sequence[Path]
) -> str:
    """Write settings to a file to share, over no document of the folders; gives a note or ""."""
    from core.reports.formats import spare_documents
    from core.reports.settings_file import write_settings_file

    note = spare_documents(path, folders, path.name)
    write_settings_file(path, settings, reading)
    return note


def load_settings(path: Path) -> tuple[Path, SharedSettings]:
    """Read a file of settings; the result is its path and its `SharedSettings`."""
    from core.reports.settings_file import read_settings_file

    return path, read_settings_file(path)


def audit_list(result: ScanResult, method: Method) -> Command:
    """Audit whether a list is complete; the result is the command that logs the audit."""
    from core.audit.auditing import audit
    from core.review.kept_audits import keep_audit
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
