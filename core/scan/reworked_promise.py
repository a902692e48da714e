"""How likely reworked passages are found in a folder, by what its words and skip-grams are like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.base.arrays import Float32Array, Int64Array
from core.base.progress import Cancelled, never
from core.candidates.counting_skip_grams import PASSAGE, kept_by_others, measure_kept
from core.candidates.reworked_curve import Information, ReworkedCurve
from core.settings.reworked_search import ONE_IN

if TYPE_CHECKING:
    from core.scan.corpus import Corpus

SAMPLE = 300  # documents whose words are looked at


def promise_of(corpus: Corpus, cancelled: Cancelled = never) -> ReworkedCurve | None:
    """The curve of a folder; None where nothing reworked is looked for.

    A folder with no passage of 30 words has the curve of most folders.

    Raises:
        ScanCancelledError: `cancelled` said so.
        StorageError: There is no room for the words.
    """
    level = corpus.settings.reworked
    if level == "off":
        return None
    one_in, measures_all = ONE_IN[level], corpus.reworked.measures_all()
    kept = measure_kept(corpus.signed.skip_grams, corpus.taking_part(), one_in, cancelled)
    if kept is None:
        return ReworkedCurve.usual(level)
    model = corpus.reworked.words(cancelled)
    rows = corpus.distinct()
    rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), SAMPLE)).astype(np.int64)]
    words = corpus.evidence.reworked.beginnings(rows, cancelled)
    means = _by_passage(model.information(words.values, words.offsets).here, words.offsets)
    if not len(means):
        return ReworkedCurve.usual(level)
    mean, spread = float(means.mean()), float(means.std())
    bits = Information(mean, spread, corpus.reworked.threshold(level, cancelled))
    kept_in_both = None if measures_all else kept.of_these(kept_by_others(words))
    return ReworkedCurve(level, kept_in_both, bits)


def _by_passage(bits: Float32Array, offsets: Int64Array) -> Float32Array:
    """The mean of each passage."""
    starts = [
        np.arange(start, end - PASSAGE + 1, PASSAGE)
        for start, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    ]
    places = np.concatenate([np.empty(0, dtype=np.int64), *starts])
    means: Float32Array = bits[places[:, None] + np.arange(PASSAGE)].mean(axis=1)
    return means
