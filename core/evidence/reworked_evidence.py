"""What was measured of the reworked passages of pairs, by one model of how rare words are."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from core.base.arrays import BoolArray, Float32Array, Int32Array, Int64Array, UInt64Array
from core.evidence.pairs import pair_codes, split_codes

Columns: TypeAlias = tuple[Int32Array, Float32Array, Float32Array]  # words, bits, share


class ReworkedEvidence(NamedTuple):
    """The reworked passages of pairs of documents, in numbers.

    Attributes:
        codes: uint64, ascending: pairs of documents x <= y as x << 32 | y.
        words: int32, as `Pairs.reworked_words`; 0 of a pair that has none.
        bits: float32, as `Pairs.reworked_bits`.
        share: float32, as `Pairs.reworked_share`.
        model: The bytes of the model that they were measured by; empty where there is none.
    """

    codes: UInt64Array
    words: Int32Array
    bits: Float32Array
    share: Float32Array
    model: bytes = b""

    @property
    def columns(self) -> Columns:
        """The numbers of the pairs."""
        return self.words, self.bits, self.share

    @staticmethod
    def none(model: bytes = b"") -> ReworkedEvidence:
        """Nothing is known by this model."""
        codes, words = np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int32)
        bits = np.empty(0, dtype=np.float32)
        return ReworkedEvidence(codes, words, bits, bits, model)

    def renumbered(self, places: Int64Array) -> ReworkedEvidence:
        """The same for documents that have other numbers now, -1 for those that are gone."""
        x, y = (places[one] for one in split_codes(self.codes))
        kept = np.flatnonzero((x >= 0) & (y >= 0))
        codes = pair_codes(np.minimum(x, y)[kept], np.maximum(x, y)[kept])
        order = np.argsort(codes, kind="stable")
        return self.take(kept[order])._replace(codes=codes[order])

    def take(self, rows: Int64Array | BoolArray) -> ReworkedEvidence:
        """Some of the pairs."""
        return self._replace(
            codes=self.codes[rows],
            words=self.words[rows],
            bits=self.bits[rows],
            share=self.share[rows],
        )

    def together(self, other: ReworkedEvidence) -> ReworkedEvidence:
        """What either knows of the same documents; of two models, by that of the other, if any."""
        if self.model != other.model:
            return other if other.model else self
        every = ReworkedEvidence(
            np.concatenate([self.codes, other.codes]),
            np.concatenate([self.words, other.words]),
            np.concatenate([self.bits, other.bits]),
            np.concatenate([self.share, other.share]),
            self.model,
        )
        order = np.argsort(every.codes, kind="stable")
        codes = every.codes[order]
        fresh = np.append(True, codes[1:] != codes[:-1])[: len(order)]
        return every.take(order[fresh])
