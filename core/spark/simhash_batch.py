"""A table of fingerprints and a batch of queries: all within d bits of each other.

Manku, Jain, Das Sarma (WWW 2007), section 4.2: the fingerprints stay where they are, in parts; the
queries, which are few, go to every part, block by block, and are looked up there in permuted sorted
tables (`core.candidates.hamming_queries`). Nothing else is shuffled but what is found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from core.base.arrays import UInt64Array
from core.candidates.hamming_queries import QueryTables
from core.spark.columns import int64s
from core.spark.partitions import mapped

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame

# Different queries that are held at once: 16 MB, and ten times as much in tables for d = 3.
QUERIES_AT_ONCE = 1 << 21
LOOKED_UP_AT_ONCE = 1 << 18
FOUND = "id {id}, near LONG, distance INT"


def fingerprints_near(fingerprints: DataFrame, queries: DataFrame, distance: int) -> DataFrame:
    """All fingerprints that differ from queries in few bits.

    Args:
        fingerprints: id of any type, fingerprint LONG.
        queries: query of any type, fingerprint LONG.
        distance: d, 0 to 8: how many bits may differ.

    Returns:
        query, id, distance INT: each fingerprint with each query that it is near.
    """
    from pyspark.sql import functions as F

    asked = queries.select("fingerprint").distinct()
    rounds = max(1, -(-asked.count() // QUERIES_AT_ONCE))
    number = F.pmod(F.xxhash64("fingerprint"), F.lit(rounds))
    parts = (asked.where(number == one) for one in range(rounds))
    found = reduce(
        lambda one, other: one.unionAll(other),
        (_near(fingerprints, part, distance) for part in parts),
    )
    by_value = queries.select("query", F.col("fingerprint").alias("near"))
    return found.join(by_value, "near").select("query", "id", "distance")


def _near(fingerprints: DataFrame, asked: DataFrame, distance: int) -> DataFrame:
    """Fingerprints with the queries of one round near them: `FOUND`."""
    values = np.sort(int64s(asked.toArrow().column(0)).view(np.uint64))
    sent: Broadcast[UInt64Array] = asked.sparkSession.sparkContext.broadcast(values)
    schema = FOUND.format(id=fingerprints.schema["id"].dataType.simpleString())
    return mapped(fingerprints.select("id", "fingerprint"), _LookUp(sent, distance), schema)


@dataclass(frozen=True)
class _LookUp:
    """Fingerprints with their ids to those near a query."""

    queries: Broadcast[UInt64Array]
    distance: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        tables: QueryTables | None = None
        for table in _joined(batches):
            tables = tables or QueryTables(self.queries.value, self.distance)
            own = int64s(table.column("fingerprint")).view(np.uint64)
            rows, near = tables.near(own)
            apart = np.bitwise_count(own[rows] ^ near).astype(np.int32)
            found = pa.table(
                {
                    "id": table.column("id").take(pa.array(rows)),
                    "near": near.view(np.int64),
                    "distance": apart,
                }
            )
            yield from found.to_batches()


def _joined(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    """The rows of a partition in larger parts: what is looked up together is found sooner."""
    waiting: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= LOOKED_UP_AT_ONCE:
            yield pa.Table.from_batches(waiting)
            waiting, rows = [], 0
    if rows:
        yield pa.Table.from_batches(waiting)
