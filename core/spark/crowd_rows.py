"""The documents of crowds read into arrays: each row is kept once, whatever their number.

Of a part it is known beforehand how many documents it has. So memory is asked for before it is
taken, and what is read goes straight to its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.base.arrays import AnyArray, BoolArray, Int64Array, UInt32Array, UInt64Array
from core.spark.columns import bools, digests_of, int64s, unpacked

AT_LEAST = 1 << 14  # documents: small parts are taken together


class CrowdRows(NamedTuple):
    """The documents of one or more whole parts.

    Attributes:
        numbers: int64 (n).
        reviewed: bool (n).
        digests: uint64 (n, 2).
        signatures: uint32 (n, K).
        keys: uint64, ascending: the keys of their buckets.
    """

    numbers: Int64Array
    reviewed: BoolArray
    digests: UInt64Array
    signatures: UInt32Array
    keys: UInt64Array


def crowd_rows(
    batches: Iterator[pa.RecordBatch], require: Callable[[int, int], None]
) -> Iterator[CrowdRows]:
    """The parts of a partition.

    Args:
        batches: Sorted by `part`: number, reviewed, digest, signature, `documents`, how many its
            part has, and `keys`, a list that may be null; each key is in one of them.
        require: Raises where there is no memory for so many documents with signatures so wide.
    """
    filling: _Filling | None = None
    for batch in batches:
        sizes, row = int64s(batch.column("documents")), 0
        signatures, _ = unpacked(batch.column("signature"), "<u4")
        signatures = signatures.reshape(len(sizes), -1) if len(sizes) else signatures
        while row < len(sizes):
            if filling is None or not filling.missing:
                if filling is not None and filling.filled >= AT_LEAST:
                    yield filling.rows()
                    filling = None
                filling = filling or _Filling(signatures.shape[1])
                require(filling.filled + int(sizes[row]), signatures.shape[1])
                filling.begin(int(sizes[row]))
            count = min(filling.missing, len(sizes) - row)
            filling.add(batch.slice(row, count), signatures[row : row + count])
            row += count
    if filling is not None:
        yield filling.rows()


class _Filling:
    """Arrays with room for the parts that were begun.

    Attributes:
        filled: How many documents there are.
        missing: How many of the last part are not there yet.
    """

    def __init__(self, width: int) -> None:
        self.filled = self.missing = 0
        self._keys = list[Int64Array]()
        self._columns = _columns(0, width)

    def begin(self, more: int) -> None:
        """Make room for a part of so many documents."""
        self.missing = more
        if self.filled + more > len(self._columns["numbers"]):
            width = self._columns["signatures"].shape[1]
            wider = _columns(max(self.filled + more, 2 * AT_LEAST), width)
            for name, own in wider.items():
                own[: self.filled] = self._columns[name][: self.filled]
            self._columns = wider

    def add(self, batch: pa.RecordBatch, signatures: UInt32Array) -> None:
        """Some rows of the last part."""
        read = {
            "numbers": int64s(batch.column("number")),
            "reviewed": bools(batch.column("reviewed")),
            "digests": digests_of(batch.column("digest")),
            "signatures": signatures,
        }
        for name, own in read.items():
            self._columns[name][self.filled : self.filled + batch.num_rows] = own
        self._keys.append(int64s(pc.list_flatten(batch.column("keys"))))
        self.filled += batch.num_rows
        self.missing -= batch.num_rows

    def rows(self) -> CrowdRows:
        """All that was read."""
        keys = np.sort(np.concatenate(self._keys).view(np.uint64))
        return CrowdRows(
            **{name: own[: self.filled] for name, own in self._columns.items()}, keys=keys
        )


def _columns(room: int, width: int) -> dict[str, AnyArray]:
    """Such that take memory only where they are written."""
    return {
        "numbers": np.empty(room, dtype=np.int64),
        "reviewed": np.empty(room, dtype=np.bool_),
        "digests": np.empty((room, 2), dtype=np.uint64),
        "signatures": np.empty((room, width), dtype=np.uint32),
    }
