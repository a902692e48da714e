"""All pairs of a corpus compared, where that costs no more than is allowed.

Documents to review come first in the numbering that is counted with: so a pair of references, of
which the first would be one, is never come to.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from core.base.arrays import Int64Array
from core.base.memory import require_memory
from core.base.progress import Cancelled, never
from core.candidates.all_pairs import AllPairs, AllPairsLimits, Cost, count_shared
from core.candidates.references import count_pairs
from core.evidence.numbers import resemblance_of
from core.evidence.pairs import pair_codes, split_codes
from core.scan.background import Background

if TYPE_CHECKING:
    from core.scan.corpus import Corpus

BYTES_PER_SHINGLE = 64  # while all pairs are compared


def compare_all(
    corpus: Corpus, limits: AllPairsLimits, pool: ThreadPoolExecutor, cancelled: Cancelled
) -> AllPairs | None:
    """All pairs of different documents compared; None where that costs more than allowed.

    Raises:
        ScanCancelledError: `cancelled` said so.
        StorageError: There is not enough memory.
    """
    rows, reviewed = corpus.distinct(), corpus.reviewed()
    rows = np.concatenate([rows[reviewed[rows]], rows[~reviewed[rows]]])
    count = _shingles(corpus, rows)
    # Half of them, because random pairs are a sample: where that is too much already, making
    # an index would only cost time.
    if not limits.allow(count, steps_of(corpus.background_pairs(cancelled)) // 2):
        return None
    require_memory(
        BYTES_PER_SHINGLE * count,
        f"Comparing all pairs of {len(rows):,} documents",
        "Compare only the pairs that meet in a band.",
    )
    shared = count_shared(
        corpus.evidence.shingles(rows, cancelled),
        bag=corpus.settings.bag,
        to_review=int(np.count_nonzero(reviewed[rows])),
        limits=limits,
        pool=pool,
        cancelled=cancelled,
    )
    if shared is None:
        return None
    x, y = (rows[places] for places in split_codes(shared.codes))
    resemblance = resemblance_of(shared.shared, corpus.evidence.sizes(), x, y)
    pairs = count_pairs(reviewed, rows)
    if reviewed[rows].all():
        return AllPairs(pairs, pair_codes(x, y), resemblance)
    codes = pair_codes(np.minimum(x, y), np.maximum(x, y))
    order = np.argsort(codes)
    return AllPairs(pairs, codes[order], resemblance[order])


def cost_of_all_pairs(corpus: Corpus, cancelled: Cancelled = never) -> Cost:
    """What comparing all pairs would cost, as random pairs tell it.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    background = corpus.background_pairs(cancelled)
    return Cost(_shingles(corpus, corpus.distinct()), steps_of(background))


def _shingles(corpus: Corpus, rows: Int64Array) -> int:
    return int(np.maximum(corpus.signed.units[rows] - corpus.settings.k + 1, 1).sum())


def steps_of(background: Background) -> int:
    """How many shingles all pairs share together, as random pairs tell it."""
    pairs = len(background.codes) / max(background.share, 1e-12)
    return int(background.shared.mean() * pairs) if len(background.codes) else 0
