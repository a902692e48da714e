"""Candidates to pairs with exact numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.base.arrays import BoolArray, IntegerArray, UInt64Array
from core.base.progress import Cancelled
from core.candidates.gathering import PAIRS_AT_ONCE, CollectedPairs
from core.candidates.search import CandidateSearch
from core.evidence.numbers import numbers_of
from core.evidence.pairs import FoundBy, Pairs, split_codes
from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.text.word_counts import are_passages


class Verifier:
    """Measures candidates.

    Attributes:
        search: What their signatures say.
        cancelled: Polled while threads work.
    """

    def __init__(
        self,
        corpus: Corpus,
        search: CandidateSearch,
        one_of: Sequence[BoolArray],
        cancelled: Cancelled,
    ) -> None:
        """Measure pairs of a corpus, of which one document is in each of some sets."""
        self.search = search
        self.cancelled = cancelled
        self._corpus = corpus
        self._one_of = one_of

    def pairs(
        self,
        x: IntegerArray,
        y: IntegerArray,
        min_resemblance: float = 0.0,
        passages: ScanSettings | None = None,
    ) -> Pairs:
        """The exact numbers of pairs of representatives that reach one of two thresholds.

        Args:
            x: First documents.
            y: Second documents, x < y.
            min_resemblance: Resemblance that is enough.
            passages: Tell how long a shared run is enough; None for none.

        Raises:
            ScanCancelledError: `cancelled` said so.
        """
        if self._one_of:
            wanted = are_wanted(self._one_of, x, y)
            x, y = x[wanted], y[wanted]
        corpus = self._corpus
        overlap = corpus.evidence.measured(x, y, self.cancelled)
        sizes, units = corpus.evidence.sizes(), corpus.signed.units
        numbers = numbers_of(overlap, sizes, units, x, y, corpus.settings.k)
        kept = numbers.resemblance >= min_resemblance
        if passages is not None:
            kept |= are_passages(numbers.run_words, passages)
        x, y = x[kept], y[kept]
        return Pairs(
            a=x.astype(np.int32),
            b=y.astype(np.int32),
            **numbers.take(kept)._asdict(),
            estimate=self.search.estimate(x, y),
            exact_duplicate=np.zeros(len(x), dtype=np.bool_),
            found_by=np.full(len(x), FoundBy.LSH, dtype=np.uint8),
        )

    def every(
        self,
        codes: UInt64Array,
        min_resemblance: float = 0.0,
        passages: ScanSettings | None = None,
    ) -> Pairs:
        """The same of very many pairs, part by part."""
        x, y = split_codes(codes)
        found = CollectedPairs()
        for start in range(0, len(codes), PAIRS_AT_ONCE):
            part = slice(start, start + PAIRS_AT_ONCE)
            found.add(self.pairs(x[part], y[part], min_resemblance, passages))
        return found.joined()


def are_wanted(one_of: Sequence[BoolArray], a: IntegerArray, b: IntegerArray) -> BoolArray:
    """Which pairs have a document in each of these sets."""
    wanted = np.ones(len(a), dtype=np.bool_)
    for some in one_of:
        wanted &= some[a] | some[b]
    return wanted
