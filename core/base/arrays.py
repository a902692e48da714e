"""The names of arrays, by the type of their values; a docstring says shapes and units.

Arrays that grow at their end: in memory while they are small, then in a temporary file.

Kernels have `grown` for arrays of their own.

The file is mapped into memory, so that what is not in use may leave it: a scan needs no more
memory than there is.

Intervals and bounds of what was counted on a part: one function for each kind of question.

A share of cases that were tried has the score interval (`wilson`); where nothing may be promised
too much, the exact bound (`highest_share`), and what follows from it for a number of cases to come
(`most_drawn`). A part that was drawn at random from a whole bounds the rest (`most_of_rest`). A sum
of many numbers has the normal interval (`around`).
"""

from __future__ import annotations

import math
import mmap
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.base.compiling import njit
from core.base.files import TemporaryFile

AnyArray = npt.NDArray[Any]
BoolArray = npt.NDArray[np.bool_]
Float32Array = npt.NDArray[np.float32]
Float64Array = npt.NDArray[np.float64]
Int16Array = npt.NDArray[np.int16]
Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]
IntegerArray = npt.NDArray[np.integer]
UInt8Array = npt.NDArray[np.uint8]
UInt16Array = npt.NDArray[np.uint16]
UInt32Array = npt.NDArray[np.uint32]
UInt64Array = npt.NDArray[np.uint64]


def begins_run(*columns: AnyArray) -> BoolArray:
    """Which rows differ from the one before in some column; the first one does."""
    begins = np.zeros(len(columns[0]), dtype=np.bool_)
    begins[:1] = True
    for column in columns:
        begins[1:] |= column[1:] != column[:-1]
    return begins


def starts_of_runs(*columns: AnyArray) -> Int64Array:
    """Where runs of rows that are equal in all columns begin."""
    return np.flatnonzero(begins_run(*columns))


def equal_parts(work: Int64Array, at_once: int) -> Iterator[slice]:
    """Cut rows into slices of about so much work; a row of more ends one."""
    filled = np.cumsum(work) // at_once
    cuts = [0, *(np.flatnonzero(np.diff(filled)) + 1).tolist(), len(work)]
    yield from (slice(start, end) for start, end in pairwise(cuts) if start < end)


def indices_from(starts: Int64Array | int, counts: Int64Array) -> Int64Array:
    """The ranges of consecutive indices from each start, concatenated."""
    ends = np.cumsum(counts, dtype=np.int64)
    indices: Int64Array = np.repeat(starts - (ends - counts), counts)
    indices += np.arange(len(indices))
    return indices


def rows_equal(ordered: AnyArray, values: AnyArray) -> tuple[Int64Array, Int64Array]:
    """The indices of values among ordered ones, one after the other, and how many each has."""
    starts = np.searchsorted(ordered, values)
    counts = np.searchsorted(ordered, values, side="right") - starts
    return indices_from(starts, counts), counts


def joined_stretches(rows: AnyArray, starts: Int64Array, ends: Int64Array) -> AnyArray:
    """Stretches of an array; neighbouring ones are taken together, or not copied."""
    first = np.ones(len(starts), dtype=np.bool_)
    first[1:] = starts[1:] != ends[:-1]
    both = zip(starts[first].tolist(), ends[np.roll(first, -1)].tolist(), strict=True)
    parts = [rows[start:end] for start, end in both]
    return parts[0] if len(parts) == 1 else np.concatenate([rows[:0], *parts])


NORMAL_95 = 1.96


class Share(NamedTuple):
    """A share of a number of cases with its 95 % interval, all 0 to 1."""

    value: float
    low: float
    high: float


class Estimate(NamedTuple):
    """An estimated number of pairs with its 95 % interval."""

    expected: float
    low: float
    high: float


def wilson(hits: int, cases: int) -> Share:
    """The share of hits with its score interval (Wilson 1927), which holds also near 0 and 1.

    Raises:
        ValueError: There are no cases, or more hits than cases.
    """
    if not 0 <= hits <= cases or cases == 0:
        raise ValueError(f"{hits} of {cases} is not a share.")
    share = hits / cases
    square = NORMAL_95**2 / cases
    center = (share + square / 2) / (1 + square)
    spread = math.sqrt(square * share * (1 - share) + square**2 / 4) / (1 + square)
    return Share(
        share,
        0.0 if hits == 0 else max(0.0, center - spread),
        1.0 if hits == cases else min(1.0, center + spread),
    )


def around(expected: float, spread: float) -> Estimate:
    """The normal interval of a number that is not below zero, by its standard deviation."""
    return Estimate(
        expected, max(0.0, expected - NORMAL_95 * spread), expected + NORMAL_95 * spread
    )


def highest_share(hits: int, cases: int, error: float) -> float:
    """The upper bound of a share that is too low with at most this probability.

    Clopper and Pearson (1934): the largest share with which so few hits are not rarer.
    """
    if hits == cases:
        return 1.0
    return _crossing(lambda share: float(_binomial_sums(cases, share, hits)[-1]) > error)


def most_drawn(cases: int, share: float, error: float) -> int:
    """The number of hits among cases that is exceeded with at most this probability."""
    if share >= 1:
        return cases
    return int(np.searchsorted(_binomial_sums(cases, share, cases)[:-1], 1 - error))


def most_of_rest(drawn: int, hits: int, rest: int, error: float) -> int:
    """How many hits the rest of a whole holds at most, of which a part was drawn at random.

    Exact (hypergeometric): the largest number with which so few hits are not rarer.

    Args:
        drawn: How many were drawn.
        hits: How many of them were hits.
        rest: How many were not drawn.
        error: Probability that there are more.
    """

    def is_rarer(more: int) -> bool:
        return _chance_of_few(drawn, hits, more + hits, drawn + rest) <= error

    return bisect_left(range(1, rest + 1), True, key=is_rarer)


def _chance_of_few(drawn: int, most: int, special: int, total: int) -> float:
    """Hypergeometric: at most so many special ones among those drawn.

    From the fewest that there can be, by the ratio of each chance to the one before: differences of
    logarithms of factorials would lose all digits where the whole is large.
    """
    ordinary = total - special
    fewest = max(0, drawn - ordinary)
    if fewest:
        steps = np.arange(ordinary)
        first = np.log((drawn - steps) / (total - steps)).sum()  # all ordinary ones are drawn
    else:
        first = np.log1p(-special / (total - np.arange(drawn))).sum()  # no special one is
    hits = np.arange(fewest, min(most, special, drawn))
    rises = np.log((special - hits) / (hits + 1)) + np.log(drawn - hits)
    logs = np.cumsum(np.r_[first, rises - np.log(ordinary - drawn + hits + 1)])
    return float(min(np.exp(logs).sum(), 1.0))


def _binomial_sums(cases: int, share: float, most: int) -> Float64Array:
    """The probability of at most 0, 1, ... `most` hits, float64; of a share of 0 to below 1."""
    if share <= 0:
        return np.ones(most + 1)
    hits = np.arange(most + 1)
    steps = np.log(cases - hits[:-1]) - np.log(hits[1:])
    choose = np.concatenate([[0.0], np.cumsum(steps)])
    logs = choose + hits * math.log(share) + (cases - hits) * math.log1p(-share)
    return np.asarray(np.minimum(np.cumsum(np.exp(logs)), 1.0))


def _crossing(holds: Callable[[float], bool]) -> float:
    """The largest share, 0 to 1, for which a condition holds that fails for all larger ones."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return high


FIRST_BYTES = 1 << 16
MEMORY_BYTES = 1 << 24


class GrowingArray:
    """Rows of one type and width, appended in blocks.

    Args:
        dtype: Type of the values.
        width: Values in a row; 0 for a plain array.
        memory: Bytes from which on the rows are kept in a file; 16 MB when left out.

    Raises:
        StorageError: From `append`: there is no room for the file.
    """

    def __init__(self, dtype: type[np.generic], width: int = 0, memory: int | None = None) -> None:
        self._dtype = np.dtype(dtype)
        self._shape = (width,) if width else ()
        self._row_bytes = self._dtype.itemsize * max(1, width)
        self._memory = MEMORY_BYTES if memory is None else memory
        self._buffer = np.empty((0, *self._shape), dtype=dtype)
        self._file: TemporaryFile | None = None
        self._mapped: AnyArray | None = None
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def in_file(self) -> bool:
        """Whether the rows have left the memory."""
        return self._file is not None

    def append(self, rows: AnyArray) -> None:
        """Add rows at the end."""
        rows = np.ascontiguousarray(rows, dtype=self._dtype)
        if self._file is None and (self._count + len(rows)) * self._row_bytes > self._memory:
            kept = self.rows
            self._file = TemporaryFile()
            self._write(kept)
            self._buffer = np.empty((0, *self._shape), dtype=self._dtype)
        if self._file is not None:
            self._write(rows)
        else:
            self._make_room(self._count + len(rows))
            self._buffer[self._count : self._count + len(rows)] = rows
        self._count += len(rows)

    @property
    def rows(self) -> AnyArray:
        """All rows; an array that stays as it is when others are added. Not to be written to."""
        if self._file is None:
            return self._buffer[: self._count]
        if self._mapped is None or len(self._mapped) != self._count:
            # A private mapping gives a writable array: the kernels are compiled for these only.
            pages = mmap.mmap(
                self._file.descriptor, self._count * self._row_bytes, access=mmap.ACCESS_COPY
            )
            self._mapped = np.frombuffer(pages, dtype=self._dtype).reshape(-1, *self._shape)
        return self._mapped

    def _write(self, rows: AnyArray) -> None:
        if len(rows) and self._file is not None:
            self._file.append(rows.data)

    def _make_room(self, count: int) -> None:
        """Four times the memory while it is small; then take at once all there may be."""
        if count <= len(self._buffer):
            return
        size = max(FIRST_BYTES, 4 * count * self._row_bytes)
        if size > self._memory // 4:
            size = max(self._memory, count * self._row_bytes)  # not in use until it is written to
        grown = np.empty((size // self._row_bytes, *self._shape), dtype=self._dtype)
        grown[: self._count] = self._buffer[: self._count]
        self._buffer = grown


class DocumentRows:
    """Rows of documents, which come in any order, those of a document together.

    Attributes:
        starts: int64, by document: where its rows begin; -1 for one that has not come.
        ends: int64, where they end.
    """

    def __init__(self, dtype: type[np.generic]) -> None:
        self._values = GrowingArray(dtype)
        self.starts = self.ends = np.empty(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def rows(self) -> AnyArray:
        """All rows, as `GrowingArray.rows`."""
        return self._values.rows

    def make_room(self, documents: int) -> None:
        """Know at least so many documents."""
        more = documents - len(self.starts)
        if more > 0:
            more = max(more, len(self.starts))
            self.starts = np.pad(self.starts, (0, more), constant_values=-1)
            self.ends = np.pad(self.ends, (0, more), constant_values=-1)

    def first_rows(self, documents: Int64Array) -> Int64Array:
        """Where the rows of each of these documents begin; -1 for one that has not come."""
        first = np.full(len(documents), -1)
        known = documents < len(self.starts)
        first[known] = self.starts[documents[known]]
        return first

    def lacks(self, documents: Int64Array) -> BoolArray:
        """Which of these documents have not come."""
        return np.asarray(self.first_rows(documents) < 0)

    def add(self, documents: Int64Array, values: AnyArray, counts: Int64Array) -> None:
        """Add the rows of documents, so many of each."""
        self.make_room(int(documents.max(initial=-1)) + 1)
        ends = len(self) + np.cumsum(counts)
        self._values.append(values)
        self.starts[documents], self.ends[documents] = ends - counts, ends

    def counts(self, documents: Int64Array) -> Int64Array:
        """How many rows each of these documents has, all of which have come."""
        return self.ends[documents] - self.starts[documents]

    def gathered(self, documents: Int64Array) -> AnyArray:
        """The rows of these documents one after the other."""
        return joined_stretches(self.rows, self.starts[documents], self.ends[documents])


def leave_memory(rows: AnyArray) -> None:
    """Let rows of a `GrowingArray` leave the memory until they are read again, by any thread.

    Does nothing where they are not in a file. They must not have been written to.
    """
    mapped: object = rows
    while isinstance(mapped, np.ndarray | memoryview):
        mapped = mapped.base if isinstance(mapped, np.ndarray) else mapped.obj
    if len(rows) and isinstance(mapped, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        first = rows.ctypes.data - np.frombuffer(mapped, dtype=np.uint8).ctypes.data
        page = first % mmap.PAGESIZE
        mapped.madvise(mmap.MADV_DONTNEED, first - page, page + rows.nbytes)


@njit(nogil=True, cache=True)
def grown(values: Any, used: Any, size: Any) -> Any:  # noqa: ANN401
    """An array of so many rows, or values, that begins with the used ones of another.

    In kernels a slice that is assigned to a slice takes a second to compile.
    """
    larger = np.empty((size, *values.shape[1:]), dtype=values.dtype)
    for index in np.ndindex((used, *values.shape[1:])):
        larger[index] = values[index]
    return larger
