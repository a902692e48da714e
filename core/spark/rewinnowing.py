"""Fingerprints for what stands beside common text, chosen by the documents of a partition.

Which grams are common in the end is the smallest set that is complete (see
`core.candidates.rewinnowing`), so that any part of it may be found first: what is common among some
documents is common among all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.base.arrays import BoolArray, Int64Array, UInt64Array
from core.base.parallel import batches as parts_of
from core.candidates.rewinnowing import ChosenGrams
from core.candidates.shared_fingerprints import keys_of
from core.candidates.sorted_keys import distinct, members
from core.settings import ScanSettings
from core.signatures.grams import find_grams
from core.spark.columns import int64s, packed, texts_of, unpacked
from core.spark.fingerprint_runs import KnownKeys
from core.text.fingerprints import Fingerprints

# What documents choose instead of common grams, and had not chosen before. Documents with the same
# words choose the same: there may be several rows of a digest.
CHOSEN = "digest BINARY, fingerprints BINARY"
READ = ("digest", "reviewed", "characters", "text", "aside", "fingerprints")

CHARACTERS_AT_ONCE = 1 << 24


@dataclass(frozen=True)
class Choose:
    """Rows with the columns READ to the rows CHOSEN, of those that hold common text.

    Attributes:
        settings: Decide over grams and windows.
        dropped: How many low bits of a hash are not compared.
        avoided: The keys of the grams that are not to be chosen.
    """

    settings: ScanSettings
    dropped: np.uint64
    avoided: KnownKeys

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Of a partition."""
        for table in documents_with(batches, self._hold_common):
            chosen = []
            for grams in grams_of(table, self.settings, self.dropped):
                near = distinct([grams.among(self.avoided.value)])
                chosen.append(grams.instead_of(near))
            more = self._unlike_first(table, Fingerprints.join(chosen))
            digests = table.column("digest").combine_chunks()
            yield pa.RecordBatch.from_pydict({"digest": digests, "fingerprints": packed(*more)})

    def _hold_common(self, batch: pa.RecordBatch) -> BoolArray:
        return _hold_some(batch, self.dropped, self.avoided.value)

    def _unlike_first(self, table: pa.Table, chosen: Fingerprints) -> Fingerprints:
        """The different ones among what was chosen, without what was chosen at first."""
        values, counts = unpacked(table.column("fingerprints"), "<u8")
        both = np.concatenate([values, chosen.values])
        keys = keys_of(both, self.dropped)
        rows = np.concatenate([np.repeat(np.arange(len(n)), n) for n in (counts, chosen.counts)])
        later = np.arange(len(both)) >= len(values)
        order = np.lexsort((later, keys, rows))
        keys, rows = keys[order], rows[order]
        fresh = np.ones(len(order), dtype=np.bool_)
        fresh[1:] = (keys[1:] != keys[:-1]) | (rows[1:] != rows[:-1])
        fresh &= later[order]
        kept = np.bincount(rows[fresh], minlength=len(counts)).astype(np.int64)
        return Fingerprints(both[order[fresh]], kept)


@dataclass(frozen=True)
class CountHolders:
    """Rows with number and fingerprints to how many hold common text, and the first of them.

    Attributes:
        dropped: How many low bits of a hash are not compared.
        avoided: The keys of common grams.
    """

    dropped: np.uint64
    avoided: KnownKeys

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Of a partition: a row for each batch with such documents."""
        for batch in batches:
            numbers = int64s(batch.column("number"))
            numbers = numbers[_hold_some(batch, self.dropped, self.avoided.value)]
            if len(numbers):
                counted = {"documents": [len(numbers)], "first": [int(numbers.min())]}
                yield pa.RecordBatch.from_pydict(counted)


def documents_with(
    batches: Iterable[pa.RecordBatch], wanted: Callable[[pa.RecordBatch], BoolArray]
) -> Iterator[pa.Table]:
    """Documents of which a function wants some, of those with the same words the first."""
    seen: set[bytes] = set()
    waiting: list[pa.RecordBatch] = []
    characters = 0
    for batch in batches:
        rows = wanted(batch)
        digests = batch.column("digest")
        for row in np.flatnonzero(rows).tolist():
            digest = digests[row].as_py()
            rows[row] = digest not in seen
            seen.add(digest)
        waiting.append(batch.filter(pa.array(rows)))
        characters += pc.sum(waiting[-1].column("characters")).as_py() or 0
        if characters >= CHARACTERS_AT_ONCE:
            yield pa.Table.from_batches(waiting)
            waiting, characters = [], 0
    if characters:
        yield pa.Table.from_batches(waiting)


def grams_of(table: pa.Table, settings: ScanSettings, dropped: np.uint64) -> Iterator[ChosenGrams]:
    """The grams of some documents, of some after the others."""
    texts = texts_of(table)
    for part in parts_of(texts.lengths.tolist()):
        shingles = texts.shingles(np.arange(part.start, part.stop), settings)
        yield ChosenGrams(find_grams(shingles, settings), dropped)


def own_keys(
    batch: pa.RecordBatch | pa.Table, dropped: np.uint64
) -> tuple[UInt64Array, Int64Array]:
    """The keys of the fingerprints of some documents, and the row of each."""
    values, counts = unpacked(batch.column("fingerprints"), "<u8")
    keys: UInt64Array = keys_of(values, dropped)
    return keys, np.repeat(np.arange(len(counts)), counts)


def _hold_some(batch: pa.RecordBatch, dropped: np.uint64, known: UInt64Array) -> BoolArray:
    """Which documents of a batch have a fingerprint with one of these ascending keys."""
    keys, rows = own_keys(batch, dropped)
    return np.bincount(rows[members(known, keys)], minlength=batch.num_rows) > 0
