"""How full the buckets of a search are, which are the fullest, and what they cost.

Documents that agree in a whole band are in one bucket, and every two of them are compared
(`core.candidates.lsh`); of bits they are those that agree in the blocks of one table
(`core.candidates.hamming_tables`), where comparing costs a few instructions.

The same documents meet in one band after another. A bucket is told once: it belongs to an earlier
one where four in five of its documents were in that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int32Array, Int64Array
from core.base.progress import Cancelled, stop_if
from core.candidates.bands import Buckets
from core.candidates.references import pairs_of, reviewed_in_runs

CLASSES = 31  # of sizes: 2, 3 to 4, 5 to 8, ... documents
FULLEST_OF_A_BAND = 30
TOLD = 20  # buckets by name
BELONGS = 0.8  # of its documents


class FullBucket(NamedTuple):
    """Documents that are together in one band or more.

    Attributes:
        members: int32, rows of the signatures, of the band in which they are most.
        pairs: How many pairs they make in all of their bands.
        bands: In how many bands they are together, all but a few.
    """

    members: Int32Array
    pairs: int
    bands: int


class BucketFill(NamedTuple):
    """The buckets of a search.

    Attributes:
        bands: How many bands, or tables of bits.
        documents: How many documents were searched.
        buckets: int64 (31,), how many there are by classes of size, in all bands.
        pairs: int64 (31,), how many pairs they hold; one that meets in two bands counts twice.
        largest: How many documents the fullest holds; 0 where no two are together.
        fullest: The fullest ones, fullest first.
    """

    bands: int
    documents: int
    buckets: Int64Array
    pairs: Int64Array
    largest: int
    fullest: tuple[FullBucket, ...]


def least_of_class(place: int) -> int:
    """The fewest documents that a bucket of a class holds."""
    return (1 << place) + 1 if place else 2


def fill_of(
    by_band: Iterable[Buckets], to_review: BoolArray, documents: int, cancelled: Cancelled
) -> BucketFill:
    """Look at the buckets of each band.

    Args:
        by_band: Those of two documents and more.
        to_review: By row of the signatures; two others are no pair.
        documents: How many are searched.
        cancelled: Polled between bands.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    number, pairs = np.zeros(CLASSES, dtype=np.int64), np.zeros(CLASSES, dtype=np.int64)
    fullest = _Fullest(np.full(len(to_review), -1, dtype=np.int32))
    bands = largest = 0
    for buckets in by_band:
        stop_if(cancelled)
        own = reviewed_in_runs(to_review, buckets.members, buckets.starts[:-1])
        wanted = buckets.take(own > 0)
        sizes = wanted.sizes
        compared = pairs_of(own[own > 0], sizes)
        place = np.ceil(np.log2(np.maximum(sizes, 2))).astype(np.int64) - 1
        number += np.bincount(place, minlength=CLASSES)
        np.add.at(pairs, place, compared)
        largest = max(largest, int(sizes.max(initial=0)))
        fullest.add(wanted, sizes, compared)
        bands += 1
    return BucketFill(bands, documents, number, pairs, largest, fullest.told())


@dataclass
class _Fullest:
    """The fullest buckets of the bands so far.

    Attributes:
        owner: int32, by row of the signatures: the last bucket told of that holds it, or -1.
        found: Those told of.
    """

    owner: Int32Array
    found: list[FullBucket] = field(default_factory=list)

    def add(self, buckets: Buckets, sizes: Int64Array, pairs: Int64Array) -> None:
        """Look at the fullest of a band, each document of which is in one bucket only."""
        seen: set[int] = set()
        largest_first = np.argsort(-sizes, kind="stable")[:FULLEST_OF_A_BAND]
        for place in largest_first.tolist():
            members = buckets.members[buckets.starts[place] : buckets.starts[place + 1]]
            earlier = self._earlier(members)
            if earlier is None:
                earlier = len(self.found)
                self.found.append(FullBucket(members, 0, 0))
            one = self.found[earlier]
            most = max(one.members, members, key=len)
            bands = one.bands + (earlier not in seen)
            self.found[earlier] = FullBucket(most, one.pairs + int(pairs[place]), bands)
            seen.add(earlier)
            self.owner[members] = earlier

    def _earlier(self, members: Int32Array) -> int | None:
        owners = np.bincount(self.owner[members] + 1)
        owners[0] = 0
        most = int(owners.argmax())
        return most - 1 if owners[most] >= BELONGS * len(members) else None

    def told(self) -> tuple[FullBucket, ...]:
        """So many of them as a person reads."""
        ordered = sorted(self.found, key=lambda one: (-len(one.members), -one.bands))
        return tuple(ordered[:TOLD])
