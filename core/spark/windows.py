"""What is common in the windows around common grams, found where their documents meet.

Windows whose fingerprint is common choose again, again and again until no choice is common: as many
rounds as a window has grams. Some hundred of the documents that hold a gram show most of what the
others choose instead. So the windows around each gram of some documents are sent to one place,
where all rounds are made at once. What is common there is common among all documents (see
`core.spark.rewinnowing`); what is not seen there is found by the next round over all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from core.base.arrays import BoolArray, Int64Array, UInt64Array
from core.candidates.rewinnowing import ChosenGrams
from core.candidates.shared_fingerprints import common_among, keys_of
from core.candidates.sorted_keys import distinct, members
from core.settings import ScanSettings
from core.signatures.grams import Grams
from core.signatures.winnowing import blank, choose
from core.spark.columns import bools, digests_of, int64s, packed, unpacked
from core.spark.fingerprint_runs import KnownKeys, holders
from core.spark.partitions import first_of_runs, mapped, side_by_side, starts_of_runs
from core.spark.rewinnowing import documents_with, grams_of, own_keys

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# The windows around one gram of a document: the hashes of their grams, and for each where the
# window ends that begins with it. `other` orders references last.
AROUND = "key LONG, document LONG, other BOOLEAN, hashes BINARY, stops BINARY"

# Of the documents with a gram so many are looked at, in each task and in all: more than make it
# common where none are references.
ENOUGH = 256
WINDOWS_AT_ONCE = 1 << 16


def common_in_windows(documents: DataFrame, around: Around) -> DataFrame:
    """Keys that are common in windows around others: key LONG.

    Args:
        documents: With the columns `core.spark.rewinnowing.READ`.
        around: Which windows.
    """
    windows = side_by_side(mapped(documents, around, AROUND), ["key"], ["other"])
    work = CommonInWindows(around.dropped, around.avoided)
    return mapped(windows, work, "key LONG").distinct()


@dataclass(frozen=True)
class Around:
    """Documents to the rows `AROUND`.

    Attributes:
        settings: Decide over grams and windows.
        dropped: How many low bits of a hash are not compared.
        avoided: The keys of all grams that are known to be common.
        fresh: Those of them around which nobody has looked.
    """

    settings: ScanSettings
    dropped: np.uint64
    avoided: KnownKeys
    fresh: KnownKeys

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Of a partition."""
        seen_enough = np.empty(0, dtype=np.uint64)

        def wanted(batch: pa.RecordBatch) -> BoolArray:
            keys, rows = own_keys(batch, self.dropped)
            wanted = members(self.avoided.value, keys) & ~members(seen_enough, keys)
            return np.bincount(rows[wanted], minlength=batch.num_rows) > 0

        for table in documents_with(batches, wanted):
            keys, rows = own_keys(table, self.dropped)
            keys = np.sort(holders(keys, rows)[0])
            starts = starts_of_runs(keys.view(np.int64))
            sizes = np.diff(np.append(starts, len(keys)))
            seen_enough = distinct([seen_enough, keys[starts[sizes >= ENOUGH]]])
            first = 0
            for grams in grams_of(table, self.settings, self.dropped):
                part = table.slice(first, grams.texts)
                first += grams.texts
                yield self._windows(part, grams)

    def _windows(self, table: pa.Table, grams: ChosenGrams) -> pa.RecordBatch:
        keys, rows, stretches = grams.around(self.fresh.value)
        counts = np.diff(stretches.offsets)
        begins = np.repeat(stretches.offsets[:-1], counts)
        stops = stretches.ends_of_windows(np.arange(len(stretches.hashes))) - begins
        documents = digests_of(table.column("digest"))[:, 0].view(np.int64)
        windows = pa.RecordBatch.from_pydict(
            {
                "key": keys.view(np.int64),
                "document": documents[rows],
                "other": ~bools(table.column("reviewed"))[rows],
                "hashes": packed(stretches.hashes, counts),
                "stops": packed(stops.astype(np.uint32), counts),
            }
        )
        order = np.lexsort((~bools(table.column("reviewed"))[rows], keys))
        starts = starts_of_runs(keys[order].view(np.int64))
        sizes = np.diff(np.append(starts, len(order)))
        place = np.arange(len(order)) - np.repeat(starts, sizes)
        return windows.take(pa.array(order[place < ENOUGH]))


@dataclass(frozen=True)
class CommonInWindows:
    """Rows `AROUND`, sorted by key, to the keys of what is common among them.

    Attributes:
        dropped: How many low bits of a hash are not compared.
        avoided: The keys of all grams that are known to be common.
    """

    dropped: np.uint64
    avoided: KnownKeys

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Of a partition."""
        for table in first_of_runs(batches, "key", ENOUGH, WINDOWS_AT_ONCE):
            keys = self._common(table.sort_by("document"))
            yield pa.RecordBatch.from_arrays([pa.array(keys.view(np.int64))], ["key"])

    def _common(self, table: pa.Table) -> UInt64Array:
        """All rounds of choosing without what is common among the documents of these rows."""
        windows = _grams_of_rows(table)
        documents = int64s(table.column("document"))
        starts = starts_of_runs(documents)
        ranks = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(documents))))
        reviewed = np.bincount(ranks[~bools(table.column("other"))], minlength=len(starts)) > 0
        keys: UInt64Array = keys_of(windows.hashes, self.dropped)
        fresh = distinct([keys[members(self.avoided.value, keys)]])
        found = [np.empty(0, dtype=np.uint64)]
        while len(fresh):
            blank(windows, fresh, self.dropped)
            chosen = choose(windows)
            rows = np.repeat(ranks, chosen.counts)
            fresh = common_among(*holders(keys_of(chosen.values, self.dropped), rows), reviewed)
            found.append(fresh)
        return distinct(found)


def _grams_of_rows(table: pa.Table) -> Grams:
    hashes, counts = unpacked(table.column("hashes"), "<u8")
    offsets: Int64Array = np.append(0, np.cumsum(counts))
    stops, _ = unpacked(table.column("stops"), "<u4")
    behind = np.repeat(offsets[1:] + 1, counts)
    ends = np.minimum(stops.astype(np.int64) + np.repeat(offsets[:-1], counts), behind)
    return Grams(hashes.copy(), offsets, 0, ends)
