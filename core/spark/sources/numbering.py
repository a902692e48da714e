"""The rows of tables in the order of their ids, by code points: each with its number from 0 on.

Ids are sorted in ranges, one for each partition; written down, the partitions are counted, and a
row's number is its place in its partition after all rows of those before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa

from core.base.wording import counted, printable_name
from core.errors import ClusterError
from core.spark.partitions import mapped
from core.spark.stages import Stages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PLACED = "id STRING, part INT, place LONG, repeated BOOLEAN"
NAMED = 3  # ids in a sentence


def numbered(stages: Stages, ids: DataFrame) -> DataFrame:
    """Ids with their numbers: id STRING, place LONG.

    Args:
        stages: Of the run.
        ids: id STRING.

    Raises:
        ClusterError: A row has no id, or an id repeats; some are named.
    """
    from pyspark.sql import functions as F

    placed = stages.table("_ids", lambda: _placed(ids))
    _refuse(placed)
    rows = placed.groupBy("part").count().orderBy("part").collect()
    before, starts = 0, []
    for row in rows:
        starts.append((row["part"], before))
        before += row["count"]
    firsts = stages.session.createDataFrame(starts, "part INT, first LONG")
    return placed.join(F.broadcast(firsts), "part").select(
        "id", (F.col("first") + F.col("place")).alias("place")
    )


def _placed(ids: DataFrame) -> DataFrame:
    ordered = ids.repartitionByRange("id").sortWithinPartitions("id")
    return mapped(ordered, _places, PLACED)


def _places(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The places of the ids of a partition, which are in order; equal ones are in one partition."""
    from pyspark import TaskContext

    context = TaskContext.get()
    part = context.partitionId() if context else 0
    done, last = 0, pa.scalar(None, pa.string())
    for batch in batches:
        ids, count = batch.column("id"), batch.num_rows
        if not count:
            continue
        before = pa.concat_arrays([pa.array([last.as_py()], ids.type), ids.slice(0, count - 1)])
        repeated = pa.compute.fill_null(pa.compute.equal(ids, before), False)
        columns = {
            "id": ids,
            "part": pa.array([part] * count, pa.int32()),
            "place": pa.array(range(done, done + count), pa.int64()),
            "repeated": repeated,
        }
        yield pa.record_batch(columns)
        done, last = done + count, ids[count - 1]


def _refuse(placed: DataFrame) -> None:
    """Raise where ids do not tell rows apart."""
    from pyspark.sql import functions as F

    nameless = F.count_if(F.col("id").isNull())
    row = placed.agg(nameless.alias("nameless"), F.count_if("repeated").alias("repeated")).first()
    if row is None:
        return
    if row["nameless"]:
        rows = counted(row["nameless"], "row")
        raise ClusterError(f"{rows} of the tables to read have no id. Give each its own.")
    if row["repeated"]:
        some = placed.where("repeated").select("id").distinct().orderBy("id").limit(NAMED).collect()
        names = ", ".join(f"“{printable_name(one['id'])}”" for one in some)
        rows = counted(row["repeated"], "row")
        raise ClusterError(
            f"{rows} of the tables to read have an id that another row has: {names}"
            f"{' …' if row['repeated'] > len(some) else ''}. Give each row its own."
        )
