"""One text against a scanned folder: with which documents it shares a passage in other words.

The words of the folder decide what a passage says, as in its list, so that a text changes nothing
by being asked about.
"""

from __future__ import annotations

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.base.progress import Cancelled, never
from core.candidates.reworked import pair_by_skip_grams
from core.candidates.shared_fingerprints import document_bits
from core.candidates.sorted_keys import holders
from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.skip_grams import PLACE_BITS
from core.text.fingerprints import Fingerprints
from core.text.word_beginnings import word_beginnings

FEWEST_GRAMS = 3  # that a candidate shares with the text


class ReworkedIndex:
    """The skip-grams of a corpus, ready to be asked: 8 bytes for each."""

    def __init__(
        self, corpus: Corpus, settings: ScanSettings, cancelled: Cancelled = never
    ) -> None:
        """Index a corpus whose settings look for reworked passages.

        Raises:
            ScanCancelledError: `cancelled` said so.
        """
        self._corpus = corpus
        self._settings = settings
        self._least = corpus.reworked.threshold(settings.reworked, cancelled, more=1)
        self._limit = corpus.reworked.candidates(cancelled).limit
        self._taking_part = corpus.taking_part()
        self._grams = corpus.signed.skip_grams
        self._bits = document_bits(len(corpus))
        owners = np.repeat(np.arange(len(corpus), dtype=np.uint64), self._grams.counts)
        self._keys = self._hashes(self._grams.values) | owners
        self._keys.sort()

    def sharing(self, text: str, own: Fingerprints, cancelled: Cancelled = never) -> Int64Array:
        """The documents that share a passage with a text, of identical ones the first.

        Args:
            text: The text.
            own: Its skip-grams.
            cancelled: Polled meanwhile.

        Raises:
            ScanCancelledError: `cancelled` said so.
        """
        reworked = self._corpus.reworked
        all_of_them = reworked.measures_all(len(text))
        documents = self._corpus.distinct() if all_of_them else self._candidates(own, cancelled)
        words = word_beginnings([text], self._settings)
        numbers = reworked.measured_with(words, documents, cancelled)
        return documents[numbers.bits >= self._least]

    def _candidates(self, own: Fingerprints, cancelled: Cancelled) -> Int64Array:
        """The documents of which skip-grams agree with those of the text close together."""
        asked = np.unique(self._hashes(own.values))
        low, high = (
            np.searchsorted(self._keys, asked + np.uint64(more))
            for more in (0, 1 << int(self._bits))
        )
        count = (high - low).astype(np.int64)
        rare = count * (count + 1) // 2 <= max(self._limit, len(self._taking_part))
        shared = holders(self._keys, asked[rare], self._bits)
        enough = np.bincount(shared, minlength=len(self._taking_part)) >= FEWEST_GRAMS
        enough &= self._taking_part
        grams = Fingerprints(
            np.concatenate([self._grams.take(enough).values, own.values]),
            np.append(np.where(enough, self._grams.counts, 0), own.counts),
        )
        only_text = np.zeros(len(enough) + 1, dtype=np.bool_)
        only_text[-1] = True
        taking_part = np.append(self._taking_part, True)
        codes = pair_by_skip_grams(grams, taking_part, only_text, cancelled).codes
        return (codes >> np.uint64(32)).astype(np.int64)

    def _hashes(self, values: UInt64Array) -> UInt64Array:
        """The hashes of grams as keys without a document."""
        return (values >> PLACE_BITS) << self._bits
