"""The pairs a scan lists, as columns."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import IntFlag
from functools import cache
from typing import NamedTuple, TypeAlias, get_args, get_type_hints

import numpy as np

from core.base.arrays import (
    AnyArray,
    BoolArray,
    Float32Array,
    Float64Array,
    Int32Array,
    Int64Array,
    IntegerArray,
    UInt8Array,
    UInt64Array,
)

NOT_MEASURED = -1  # the numbers of reworked passages that were not sought
_LEFT_OUT: AnyArray = np.empty(0, dtype=np.int32)  # a column that nobody gave


class FoundBy(IntFlag):
    """The ways in which a pair was found; a pair can have several."""

    EXACT = 1
    LSH = 2
    PASSAGE = 4
    ALL = 8  # nothing but the comparison of all pairs
    FINGERPRINT = 16  # a run that is shorter than a passage; without a band it is chance
    REWORKED = 32  # a passage that was reworded

    @property
    def label(self) -> str:
        """The value of the column found_by: exact; or all ways, with + between."""
        if self & FoundBy.EXACT:
            return "exact"
        names = (way.name.lower() for way in FoundBy if way in self and way.name)
        return "+".join(names)


def pair_codes(x: IntegerArray, y: IntegerArray) -> UInt64Array:
    """Pairs as one number each: x << 32 | y."""
    return (x.astype(np.uint64) << np.uint64(32)) | y.astype(np.uint64)


def split_codes(codes: UInt64Array) -> tuple[Int64Array, Int64Array]:
    """Both documents of pairs that are one number each."""
    low = np.uint64(0xFFFFFFFF)
    return (codes >> np.uint64(32)).astype(np.int64), (codes & low).astype(np.int64)


def ways_of_shared(long_enough: BoolArray, met: BoolArray) -> UInt8Array:
    """The ways in which pairs were found that share a fingerprint, as `FoundBy`.

    Args:
        long_enough: Whether they share a run as long as a passage must be.
        met: Whether their signatures agree.
    """
    ways = np.where(met, FoundBy.LSH, 0) | np.where(long_enough, FoundBy.PASSAGE, 0)
    return np.where(ways, ways, FoundBy.FINGERPRINT).astype(np.uint8)


def least_ways(found_by: UInt8Array) -> UInt8Array:
    """The ways without the comparison of all pairs, where something else met a pair too."""
    others = found_by & np.uint8(~FoundBy.ALL & 0xFF)
    return np.where(others, others, found_by).astype(np.uint8)


class PairFigures(NamedTuple):
    """The numbers of one pair."""

    resemblance: float
    containment_a: float
    containment_b: float
    longest_run: int
    shared_shingles: int
    run_words: int
    reworked_words: int = NOT_MEASURED


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Verified pairs of documents, one row each; a < b are indices of documents.

    All columns have the same length. Resemblance and containment are exact; `estimate` is what
    the signatures tell: the share of equal values, of bits by the distance. The longest run is
    the one of most words: `longest_run` counts its units, `run_words` its whole words, which are
    fewer where letters are units (see `core.text.word_counts`); as many where it is left out.
    `reworked_words` are the words of the passages that tell more than chance would, the same or
    reworded, of each in the text where these are fewer (see `Passage.reworked_words`), and
    `reworked_bits` what the strongest of them says (see `core.evidence.reworked`).
    `reworked_share` is the mean of both texts' shares of information that stand in these passages.
    They are 0 where there is none, and -1 where they were not sought.
    """

    a: Int32Array
    b: Int32Array
    resemblance: Float64Array
    containment_a: Float64Array
    containment_b: Float64Array
    estimate: Float32Array
    shared_shingles: Int32Array
    longest_run: Int32Array
    exact_duplicate: BoolArray
    found_by: UInt8Array
    run_words: Int32Array = field(default_factory=lambda: _LEFT_OUT)
    reworked_words: Int32Array = field(default_factory=lambda: _LEFT_OUT)
    reworked_bits: Float32Array = field(default_factory=lambda: _LEFT_OUT)
    reworked_share: Float32Array = field(default_factory=lambda: _LEFT_OUT)

    def __post_init__(self) -> None:
        if self.run_words is _LEFT_OUT:
            object.__setattr__(self, "run_words", self.longest_run)
        for name, dtype in column_types().items():
            if getattr(self, name) is _LEFT_OUT:
                object.__setattr__(self, name, np.zeros(len(self.a), dtype=dtype))

    def __len__(self) -> int:
        return len(self.a)

    def figures(self, row: int) -> PairFigures:
        """The numbers of one row."""
        return PairFigures(*(getattr(self, name)[row].item() for name in PairFigures._fields))

    def take(self, rows: IntegerArray | BoolArray) -> Pairs:
        """The rows with these indices, in this order, or those where a mask is true."""
        return Pairs(**{one.name: getattr(self, one.name)[rows] for one in fields(self)})

    def with_columns(self, **columns: AnyArray) -> Pairs:
        """The same rows with some columns replaced."""
        return replace(self, **columns)

    @property
    def rank_score(self) -> Float64Array:
        """What the list is sorted by, float64: (resemblance + 2 * reworked_share) / 3.

        Resemblance tells copies from each other, and says next to nothing of text in other words;
        the share tells these apart, and formulas weigh little in it. Where the share was not
        measured, this is the resemblance.
        """
        measured = self.reworked_share >= 0
        return np.where(
            measured,
            (self.resemblance + 2 * self.reworked_share.astype(np.float64)) / 3,
            self.resemblance,
        )

    def worst_first(self) -> Pairs:
        """What a person wants to see first: by the rank score, the longest run, then a and b.

        Area under the ROC curve, what is not listed last: answers that were copied, lightly or
        heavily reworded against answers that were not, .94, without reworked passages .77
        (`python tests/bench/reworked.py`); all of these pairs measured, .97 and more. Bills that
        people judged alike to a degree of 1, 2 or 3 at least: .992, .996 and .988, as by
        resemblance alone.
        """
        return self.take(np.lexsort((self.b, self.a, -self.longest_run, -self.rank_score)))

    def without_reworked(self) -> Pairs:
        """The same rows, their reworked passages not measured."""
        words = np.full(len(self), NOT_MEASURED, dtype=np.int32)
        others = words.astype(np.float32)
        return self.with_columns(reworked_words=words, reworked_bits=others, reworked_share=others)

    def ranked(self) -> Pairs:
        """Most similar first: by resemblance, longest run, then a and b."""
        order = np.lexsort((self.b, self.a, -self.longest_run, -self.resemblance))
        return self.take(order)

    @staticmethod
    def empty() -> Pairs:
        """No pairs."""
        columns = column_types().items()
        return Pairs(**{name: np.zeros(0, dtype=dtype) for name, dtype in columns})

    @staticmethod
    def concatenate(parts: list[Pairs]) -> Pairs:
        """All rows of several tables, in their order."""
        if not parts:
            return Pairs.empty()
        names = [one.name for one in fields(Pairs)]
        return Pairs(
            **{name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        )


@cache
def column_types() -> dict[str, type[np.generic]]:
    """The columns of `Pairs` in their order, each with the type of its values."""
    types = get_type_hints(Pairs)
    return {name: get_args(get_args(types[name])[1])[0] for name in types}


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
