"""The choice between a proof and a measurement, and the run of either."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from core.audit.all_pairs import Truth, count_shingles, look_ups
from core.audit.planted_copies import PLANTED, measure_recall, plant
from core.audit.proof import hold_forecast, prove
from core.audit.reworked_copies import measure_reworked_copies, plant_reworked
from core.audit.search import AuditSearch
from core.base.arrays import BoolArray
from core.base.parallel import worker_count
from core.base.progress import Cancelled, Progress, ignore, never
from core.errors import SettingsError
from core.scan.audit_results import AuditResult, BandEstimate, Method
from core.scan.planted_results import ReworkedPlanting
from core.settings import ScanSettings
from core.text.store import TextStore

# Look-ups of shingles. On two cores one took 6 to 16 ns (5,000 texts of 300 words: 4,900 million in
# 28 s; 157 long laws: 57 million in 0.9 s), so that a proof takes about a minute at most.
ALL_PAIRS_BUDGET = 5_000_000_000


def audit(
    texts: Sequence[str],
    settings: ScanSettings,
    *,
    method: Method | None = None,
    count: int = PLANTED,
    to_review: BoolArray | None = None,
    progress: Progress = ignore,
    cancelled: Cancelled = never,
) -> AuditResult:
    """Find out whether a scan with these settings lists what it should.

    Args:
        texts: The texts of all documents; nothing is written anywhere.
        settings: What to compare and how.
        method: Compare all pairs, or search for edited copies; by default all pairs where they
            take at most 5,000 million look-ups of shingles (see `AuditResult.work`).
        count: How many edited copies of each kind to plant at most.
        to_review: Which documents are to review, by default all: the others are not compared with
            each other.
        progress: Told the stage and how far it is.
        cancelled: Polled while threads work.

    Raises:
        SettingsError: `count` is not a positive number.
        TooManyCandidatesError: Bands and rows would compare more than 20 million pairs.
        ScanCancelledError: `cancelled` said so.
    """
    if count < 1:
        raise SettingsError(f"At least one copy of each kind has to be planted, not {count}.")
    store = _stored(texts)
    pool = ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-audit")
    try:
        work = look_ups(count_shingles(store, settings, pool, cancelled))
        own = np.ones(len(store), np.bool_) if to_review is None else to_review
        run = _AuditRun(work, own, pool, progress, cancelled)
        how = _prove if (method or usual_method(work)) is Method.ALL_PAIRS else _measure
        return how(store, settings, run, count)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def usual_method(work: int) -> Method:
    """How to audit where comparing all pairs takes so many look-ups of shingles."""
    return Method.ALL_PAIRS if work <= ALL_PAIRS_BUDGET else Method.EDITED_COPIES


class _AuditRun(NamedTuple):
    work: int
    to_review: BoolArray
    pool: ThreadPoolExecutor
    progress: Progress
    cancelled: Cancelled

    def search(self, texts: TextStore, settings: ScanSettings) -> AuditSearch:
        """The search among these texts; those that were planted are to review."""
        planted = np.ones(len(texts) - len(self.to_review), dtype=np.bool_)
        to_review = np.concatenate([self.to_review, planted])
        return AuditSearch(texts, settings, self.pool, self.progress, self.cancelled, to_review)


def _stored(texts: Sequence[str]) -> TextStore:
    """The texts with their lengths, lying where they lie."""
    store = TextStore()
    if isinstance(texts, TextStore):
        lengths = texts.lengths
    else:
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    store.adopt(texts, lengths)
    return store


def _prove(texts: TextStore, settings: ScanSettings, run: _AuditRun, count: int) -> AuditResult:
    truth = Truth(texts, settings, run.to_review)
    wanted = truth.all_wanted(run.pool, run.progress, run.cancelled)
    search = run.search(texts, settings)
    held = prove(search, wanted, truth)
    return AuditResult(
        documents=truth.texts,
        work=run.work,
        proof=held.proof,
        planting=None,
        estimate=hold_forecast(search, wanted),
        caps=tuple(search.caps),
        reworked=_measure_reworked(texts, search, run, count),
        ranges=held.ranges,
        remedies=held.remedies,
    )


def _measure(texts: TextStore, settings: ScanSettings, run: _AuditRun, count: int) -> AuditResult:
    planted = plant(texts, settings.seed, count=count, cancelled=run.cancelled)
    together = TextStore()
    together.adopt(texts, texts.lengths)
    together.extend(planted.texts)
    # The forecast is for the folder without the copies.
    alone = run.search(texts, settings)
    search = run.search(together, settings)
    measured = measure_recall(texts, planted, search, alone)
    return AuditResult(
        documents=search.documents(len(texts)),
        work=run.work,
        proof=None,
        planting=measured.planting,
        estimate=BandEstimate(alone.forecast()),
        caps=tuple(search.caps),
        reworked=_measure_reworked(texts, alone, run, count),
        ranges=measured.ranges,
        remedies=measured.remedies,
    )


def _measure_reworked(
    texts: TextStore, alone: AuditSearch, run: _AuditRun, count: int
) -> ReworkedPlanting | None:
    """Search for reworked passages among the texts; `alone` is the search without them."""
    promise = alone.promise(run.cancelled)
    if promise is None:
        return None
    planted = plant_reworked(texts, alone.settings.seed, count, run.cancelled)
    together = TextStore()
    together.adopt(texts, texts.lengths)
    together.extend([passage.text for passage in planted])
    search = run.search(together, alone.settings)
    return measure_reworked_copies(planted, alone, search, promise)
