"""The stars of parts with more pairs than one task should hold: by tables, whatever their number.

The rule is that of `core.scan.stars`. Whoever stands before all neighbours is a centre, at once
with all others of whom that is true, and whoever is a neighbour of a centre is none. What is
undecided then is a smaller graph with the same question (Blelloch, Fineman, Shun, SPAA 2012: the
greedy independent set in parallel); what is left after some rounds is few enough for one task.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from core.scan.stars import FINE, with_everyone
from core.spark.columns import int64s
from core.spark.partitions import mapped

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from core.spark.stages import Stages

PAIRS_OF_A_TASK = 1 << 21  # 300 bytes of memory each
COVERED = "place LONG"
CHANGED = "at LONG, centred LONG, resemblance DOUBLE"


def wide_parts(stages: Stages, edges: DataFrame, parts: DataFrame) -> DataFrame | None:
    """The parts with too many pairs for a task: part LONG; None where there is none.

    Args:
        stages: Keep them.
        edges: x LONG, y LONG.
        parts: Of the documents: number LONG, part LONG.
    """
    from pyspark.sql import functions as F

    if edges.count() <= PAIRS_OF_A_TASK:
        return None

    def make() -> DataFrame:
        own = edges.join(parts.withColumnRenamed("number", "x"), "x")
        sizes = own.groupBy("part").agg(F.count("x").alias("pairs"))
        return sizes.where(F.col("pairs") > PAIRS_OF_A_TASK).select("part")

    wide = stages.table("_group_wide", make)
    return None if wide.isEmpty() else wide


def wide_stars(stages: Stages, edges: DataFrame, nodes: DataFrame) -> DataFrame:
    """The members around each centre: centre LONG, member LONG, resemblance DOUBLE.

    Args:
        stages: Keep what is made on the way.
        edges: Pairs of different documents, each once: x LONG, y LONG, resemblance DOUBLE.
        nodes: The documents of these: number, copies (how many others it stands for), and key and
            key_number, which say who comes first.
    """
    places = stages.table("_wide_places", partial(_placed, edges, nodes))
    placed = stages.table("_wide_edges", partial(_between_places, edges, places))
    covered = _covered(stages, placed.select("low", "high"))
    assigned = stages.table("_wide_assigned", partial(_assigned, placed, covered))
    left_out = partial(_of_left_out, placed, covered, assigned)
    around = stages.table("_wide_left_out", left_out)
    changed = mapped(around.repartition(1), changed_in, CHANGED)
    kept = assigned.join(changed.select("at"), "at", "left_anti")
    found = kept.unionByName(changed.where("centred IS NOT NULL"))
    names = places.select("place", "number")
    return (
        found.join(names.toDF("at", "member"), "at")
        .join(names.toDF("centred", "centre"), "centred")
        .select("centre", "member", "resemblance")
    )


def _placed(edges: DataFrame, nodes: DataFrame) -> DataFrame:
    """The documents in the order in which they may be centres: number, has_weight, place."""
    from pyspark.sql import functions as F

    ends = edges.select("x", "y", "resemblance")
    both = ends.toDF("number", "other", "resemblance").unionAll(
        ends.select("y", "x", "resemblance")
    )
    others = nodes.select(F.col("number").alias("other"), (F.col("copies") + 1).alias("of"))
    worth = F.rint(F.lit(float(FINE)) * F.col("resemblance")).cast("long") * F.col("of")
    around = both.join(others, "other").groupBy("number").agg(F.sum(worth).alias("around"))
    weight = F.col("around") + F.lit(FINE) * F.col("copies")
    weighed = nodes.join(around, "number").withColumn("weight", weight)
    order = [F.col("weight").desc(), F.col("key"), F.col("key_number")]
    ordered = weighed.repartitionByRange(*order).sortWithinPartitions(*order)
    # Ascends over the partitions and in each of them, with gaps.
    return ordered.select("number", F.expr("weight > 0 AS has_weight")).withColumn(
        "place", F.monotonically_increasing_id()
    )


def _between_places(edges: DataFrame, places: DataFrame) -> DataFrame:
    """Edges from who comes first, `low`, to `high`, with whether that could be a centre."""
    from pyspark.sql import functions as F

    of_x, of_y = (places.toDF(end, f"may_{end}", f"at_{end}") for end in ("x", "y"))
    rows = edges.join(of_x, "x").join(of_y, "y")
    swapped = F.col("at_x") > F.col("at_y")
    # Without any weight at the first one, neither is a centre.
    return rows.where("may_x OR may_y").select(
        F.least("at_x", "at_y").alias("low"),
        F.greatest("at_x", "at_y").alias("high"),
        F.when(swapped, F.col("may_x")).otherwise(F.col("may_y")).alias("may_lead"),
        "resemblance",
    )


def _covered(stages: Stages, undecided: DataFrame) -> DataFrame:
    """Who is a neighbour of a centre: `COVERED`, each once."""
    found: DataFrame | None = None
    rounds = 0
    while undecided.count() > PAIRS_OF_A_TASK:
        covered = stages.table(f"_wide_covered_{rounds}", partial(_around_first, undecided))
        found = covered if found is None else found.unionAll(covered)
        rounds += 1
        left = partial(_left_over, undecided, covered)
        undecided = stages.table(f"_wide_undecided_{rounds}", left)
    rest = partial(mapped, undecided.repartition(1), covered_in, COVERED)
    last = stages.table(f"_wide_covered_{rounds}", rest)
    return last if found is None else found.unionAll(last)


def _around_first(undecided: DataFrame) -> DataFrame:
    """The neighbours of those who stand before all their neighbours."""
    seconds = undecided.selectExpr("high AS low").distinct()
    own = undecided.join(seconds, "low", "left_anti")
    return own.selectExpr("high AS place").distinct()


def _left_over(undecided: DataFrame, covered: DataFrame) -> DataFrame:
    for end in ("low", "high"):
        undecided = undecided.join(covered.withColumnRenamed("place", end), end, "left_anti")
    return undecided.select("low", "high")


def covered_in(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """All edges that are left, low and high, to `COVERED`."""
    edges = [(int64s(one.column("low")), int64s(one.column("high"))) for one in batches]
    if not edges:
        return
    low, high = (np.concatenate(ends) for ends in zip(*edges, strict=True))
    order = np.argsort(low, kind="stable")
    low, high = low[order], high[order]
    places = np.sort(np.concatenate([low, high]))
    places = places[np.append(True, places[1:] != places[:-1])[: len(places)]]
    starts = np.searchsorted(low, places).tolist()
    ends = np.searchsorted(low, places, side="right").tolist()
    high = np.searchsorted(places, high)
    covered = np.zeros(len(places), dtype=np.bool_)
    for place, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if not covered[place]:
            covered[high[start:end]] = True
    yield pa.record_batch({"place": places[covered]})


def _assigned(edges: DataFrame, covered: DataFrame) -> DataFrame:
    """Who is around whom, `CHANGED`: the most similar centre, of several the first one."""
    from pyspark.sql import functions as F

    low, high = (
        covered.select(F.col("place").alias(end), F.lit(True).alias(f"{end}_covered"))
        for end in ("low", "high")
    )
    rows = edges.join(low, "low", "left").join(high, "high", "left")
    by_low = rows.where("low_covered IS NULL").selectExpr(
        "high AS at", "struct(resemblance, -low AS first) AS centre"
    )
    by_high = rows.where("low_covered AND high_covered IS NULL AND may_lead").selectExpr(
        "low AS at", "struct(resemblance, -high AS first) AS centre"
    )
    best = by_low.unionAll(by_high).groupBy("at").agg(F.max("centre").alias("best"))
    return best.selectExpr("at", "-best.first AS centred", "best.resemblance AS resemblance")


def _of_left_out(edges: DataFrame, covered: DataFrame, assigned: DataFrame) -> DataFrame:
    """The neighbours of centres with nobody around them, with the stars that these are in."""
    from pyspark.sql import functions as F

    in_no_star = (
        edges.selectExpr("low AS place")
        .unionAll(edges.where("may_lead").selectExpr("high AS place"))
        .distinct()
        .join(covered, "place", "left_anti")
        .join(assigned.selectExpr("centred AS place"), "place", "left_anti")
    )
    ends = edges.selectExpr("low AS place", "high AS at", "resemblance AS likeness").unionAll(
        edges.selectExpr("high AS place", "low AS at", "resemblance AS likeness")
    )
    sizes = assigned.groupBy("centred").agg(F.count("at").alias("members"))
    return ends.join(in_no_star, "place").join(assigned, "at").join(sizes, "centred")


def changed_in(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Who goes elsewhere so that everyone is in a star, `CHANGED`: see `with_everyone`."""
    around: dict[int, list[tuple[int, float]]] = {}
    stars: dict[int, tuple[int, float]] = {}
    sizes: dict[int, int] = {}
    for row in (row for batch in batches for row in batch.to_pylist()):
        around.setdefault(row["place"], []).append((row["at"], row["likeness"]))
        stars[row["at"]] = row["centred"], row["resemblance"]
        sizes[row["centred"]] = row["members"]
    for neighbours in around.values():
        neighbours.sort(key=lambda neighbour: (-neighbour[1], neighbour[0]))
    changed = with_everyone(sorted(around), around.__getitem__, stars, sizes)
    stars_of = [star or (None, None) for star in changed.values()]
    columns = zip(*stars_of, strict=True) if stars_of else ([], [])
    centred, resemblance = (list(column) for column in columns)
    yield pa.record_batch(
        [
            pa.array(list(changed), pa.int64()),
            pa.array(centred, pa.int64()),
            pa.array(resemblance, pa.float64()),
        ],
        names=["at", "centred", "resemblance"],
    )
