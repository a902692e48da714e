"""The pairs a scan lists, as columns."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import IntFlag
from functools import cache
from typing import Any, NamedTuple, get_args, get_type_hints

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
    starts_of_runs,
)

# Columns of A and their counterparts of B.
OF_SIDES = (("containment_a", "containment_b"), ("overlap_a", "overlap_b"))
# Columns that are measured from passages.
OF_PASSAGES = ("reworked_bits", "overlap", "overlap_a", "overlap_b", "shared_words")
NOT_MEASURED = -1  # the numbers of passages that were not sought
# A weak trace: fewer words, or fewer bits: the bits of 25 words of which a third was exchanged.
WEAK_WORDS, WEAK_BITS = 25, 100.0
WEAK_OVERLAP = 0.2  # with more than that, a short text is no trace
_LEFT_OUT: AnyArray = np.empty(0, dtype=np.int32)  # a column that was not given


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
    """A number for each pair: x << 32 | y."""
    return (x.astype(np.uint64) << np.uint64(32)) | y.astype(np.uint64)


def split_codes(codes: UInt64Array) -> tuple[Int64Array, Int64Array]:
    """Both documents of the pairs of `pair_codes`."""
    low = np.uint64(0xFFFFFFFF)
    return (codes >> np.uint64(32)).astype(np.int64), (codes & low).astype(np.int64)


def renumbered_codes(codes: UInt64Array, new_numbers: Int64Array) -> tuple[UInt64Array, Int64Array]:
    """Codes of documents with new numbers, ascending, and the row that each had.

    Args:
        codes: Of `pair_codes`.
        new_numbers: By old number; -1 for removed ones, whose pairs are left out.
    """
    x, y = (new_numbers[code] for code in split_codes(codes))
    rows = np.flatnonzero((x >= 0) & (y >= 0))
    renumbered = pair_codes(np.minimum(x, y)[rows], np.maximum(x, y)[rows])
    order = np.argsort(renumbered, kind="stable")
    return renumbered[order], rows[order]


def ways_of_shared(long_enough: BoolArray, collided: BoolArray) -> UInt8Array:
    """The ways in which pairs with a shared fingerprint were found, as `FoundBy`.

    Args:
        long_enough: Whether they share a run as long as a passage must be.
        collided: Whether their signatures agree.
    """
    ways = np.where(collided, FoundBy.LSH, 0) | np.where(long_enough, FoundBy.PASSAGE, 0)
    return np.where(ways, ways, FoundBy.FINGERPRINT).astype(np.uint8)


def least_ways(found_by: UInt8Array) -> UInt8Array:
    """The ways without the comparison of all pairs, if a pair was found in another way too."""
    other_ways = found_by & np.uint8(~FoundBy.ALL & 0xFF)
    return np.where(other_ways, other_ways, found_by).astype(np.uint8)


class PairFigures(NamedTuple):
    """The numbers of a pair."""

    resemblance: float
    containment_a: float
    containment_b: float
    longest_run: int
    shared_shingles: int
    run_words: int
    overlap: float = NOT_MEASURED
    overlap_a: float = NOT_MEASURED
    overlap_b: float = NOT_MEASURED
    shared_words: int = NOT_MEASURED

    def turned(self) -> PairFigures:
        """These pairs with A and B exchanged."""
        return self._replace(
            containment_a=self.containment_b,
            containment_b=self.containment_a,
            overlap_a=self.overlap_b,
            overlap_b=self.overlap_a,
        )


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Verified pairs of documents, one row each; a < b are indices of documents.

    All columns have the same length. Resemblance and containment are exact; `estimate` is made from
    the signatures: the share of equal values, for bits from the distance. The longest run is the
    one with the most words: `longest_run` counts its units, `run_words` its whole words, which are
    fewer where letters are units (see `core.text.word_counts`); as many when left out. `overlap_a`
    and `overlap_b` are the shares of the words of A and of B that are in passages which both share,
    `shared_words` these words in the text with fewer of them, and `overlap` the mean of both shares
    without words that differ (see `core.evidence.shared_words`). `reworked_bits` is the information
    of the strongest reworked passage (see `core.evidence.reworked_store`). They are 0 if there is
    no passage, and -1 if none was sought.
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
    overlap: Float64Array = field(default_factory=lambda: _LEFT_OUT)
    overlap_a: Float64Array = field(default_factory=lambda: _LEFT_OUT)
    overlap_b: Float64Array = field(default_factory=lambda: _LEFT_OUT)
    shared_words: Int32Array = field(default_factory=lambda: _LEFT_OUT)
    reworked_bits: Float32Array = field(default_factory=lambda: _LEFT_OUT)

    def __post_init__(self) -> None:
        if self.run_words is _LEFT_OUT:
            object.__setattr__(self, "run_words", self.longest_run)
        types = column_types()
        for name in OF_PASSAGES:
            if getattr(self, name) is _LEFT_OUT:
                column = np.full(len(self.a), NOT_MEASURED, dtype=types[name])
                object.__setattr__(self, name, column)

    def __len__(self) -> int:
        return len(self.a)

    def figures(self, row: int) -> PairFigures:
        """The numbers of a row."""
        return PairFigures(*(getattr(self, name)[row].item() for name in PairFigures._fields))

    def take(self, rows: IntegerArray | BoolArray) -> Pairs:
        """The rows with these indices, in this order, or those where a mask is true."""
        return Pairs(**{column.name: getattr(self, column.name)[rows] for column in fields(self)})

    def with_columns(self, **columns: AnyArray) -> Pairs:
        """These rows with some columns replaced."""
        return replace(self, **columns)

    def turned(self, where: BoolArray) -> Pairs:
        """The numbers of A and of B exchanged where a mask is true; the documents stay."""
        columns: dict[str, AnyArray] = {}
        for a, b in OF_SIDES:
            in_a, in_b = getattr(self, a), getattr(self, b)
            columns |= {a: np.where(where, in_b, in_a), b: np.where(where, in_a, in_b)}
        return self.with_columns(**columns)

    @property
    def rank_score(self) -> Float64Array:
        """The sort key of the list, float64: the overlap, or the resemblance if it is not known.

        The overlap is not known of pairs that were too many to be measured.
        """
        return np.where(self.overlap >= 0, self.overlap, self.resemblance)

    @property
    def weak_trace(self) -> BoolArray:
        """Which pairs share little more than a phrase, bool.

        A weak trace is a pair with reworked passages alone, which hold fewer than 25 words or of
        which the strongest has less than 100 bits, and with an overlap below 20 %.
        """
        ways = self.found_by & np.uint8(FoundBy.REWORKED | FoundBy.PASSAGE | FoundBy.EXACT)
        small = (self.shared_words < WEAK_WORDS) | (self.reworked_bits < WEAK_BITS)
        # The bits of a pair that was measured after the list was made are not known.
        is_low = (self.reworked_bits >= 0) & (self.overlap >= 0) & (self.overlap < WEAK_OVERLAP)
        return np.asarray((ways == FoundBy.REWORKED) & is_low & small)

    def worst_first(self) -> Pairs:
        """In the order of the list: by overlap, longest run, resemblance, then a and b."""
        keys = (self.b, self.a, -self.resemblance, -self.longest_run, -self.rank_score)
        return self.take(np.lexsort(keys))

    def without_passages(self) -> Pairs:
        """These rows, their passages not measured."""
        return self.with_columns(**_not_measured(len(self)))

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
        names = [column.name for column in fields(Pairs)]
        return Pairs(
            **{name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        )


@cache
def column_types() -> dict[str, type[np.generic]]:
    """The columns of `Pairs` in their order, each with the type of its values."""
    columns = {}
    for name, array in get_type_hints(Pairs).items():
        kind = get_args(array)[-1]  # the type of a value, before NumPy 2.5 within `np.dtype`
        columns[name] = (get_args(kind) or (kind,))[0]
    return columns


def _not_measured(pairs: int) -> dict[str, Any]:
    """The columns of passages, of so many pairs whose passages were not measured."""
    types = column_types()
    return {name: np.full(pairs, NOT_MEASURED, dtype=types[name]) for name in OF_PASSAGES}


class PassageEvidence(NamedTuple):
    """The passages of pairs of documents, in numbers.

    Attributes:
        codes: uint64, ascending: pairs of documents x <= y as x << 32 | y.
        reworked_bits: float32, as `Pairs.reworked_bits`.
        overlap: float64, as `Pairs.overlap`; -1 where only the bits are known.
        overlap_a: float64, as `Pairs.overlap_a`, of x.
        overlap_b: float64, of y.
        shared_words: int32, as `Pairs.shared_words`.
        model: The bytes of the model that they were measured with; empty if there is none.
    """

    codes: UInt64Array
    reworked_bits: Float32Array
    overlap: Float64Array
    overlap_a: Float64Array
    overlap_b: Float64Array
    shared_words: Int32Array
    model: bytes = b""

    @property
    def columns(self) -> tuple[AnyArray, ...]:
        """The numbers of the pairs."""
        return tuple(getattr(self, name) for name in OF_PASSAGES)

    @staticmethod
    def none(model: bytes = b"") -> PassageEvidence:
        """No pairs, for this model."""
        return PassageEvidence(np.empty(0, dtype=np.uint64), **_not_measured(0), model=model)

    def renumbered(self, new_numbers: Int64Array) -> PassageEvidence:
        """These rows for documents with new numbers, by old number; -1 for removed ones."""
        x, y = (new_numbers[code] for code in split_codes(self.codes))
        turned = self._replace(
            overlap_a=np.where(x > y, self.overlap_b, self.overlap_a),
            overlap_b=np.where(x > y, self.overlap_a, self.overlap_b),
        )
        codes, rows = renumbered_codes(self.codes, new_numbers)
        return turned.take(rows)._replace(codes=codes)

    def take(self, rows: Int64Array | BoolArray) -> PassageEvidence:
        """Some of the pairs."""
        return self._replace(
            **{name: getattr(self, name)[rows] for name in ("codes", *OF_PASSAGES)}
        )

    def together(self, other: PassageEvidence) -> PassageEvidence:
        """Join the evidence of the same documents.

        If the models differ, that of `other` is returned, or this one if `other` has no model. For
        a pair that both have, every number that either has is kept.
        """
        if self.model != other.model:
            return other if other.model else self
        columns: dict[str, Any] = {
            name: np.concatenate([getattr(self, name), getattr(other, name)])
            for name in ("codes", *OF_PASSAGES)
        }
        every = self._replace(**columns)
        order = np.lexsort((-every.overlap, every.codes))
        codes = every.codes[order]
        first = starts_of_runs(codes)
        bits = every.reworked_bits[order]
        bits = np.maximum.reduceat(bits, first) if len(first) else bits
        return every.take(order[first])._replace(reworked_bits=bits)
