"""The groups of the documents of a run: those of `core.scan.groups`, part by part.

Documents with the same words are one from the start, as there. The connected parts of what is left
are independent of each other: each is a task's, with about 300 bytes of memory for a pair in it,
unless it has too many pairs for that: see `core.spark.groups`.

The stars of parts with more pairs than one task should hold: by tables, whatever their number.

The rule is that of `core.scan.groups`. Whoever stands before all neighbours is a centre, at once
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
import pyarrow.compute as pc

from core.scan.groups import FINE, LEAST_RANK_SCORE, Edges, Stars, with_everyone
from core.settings import ScanSettings
from core.spark.columns import int64s
from core.spark.file_system import Stages
from core.spark.partitions import connected_parts, mapped, side_by_side, whole_runs

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from core.spark.file_system import Stages

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


MEMBERS = "centre LONG, member LONG, resemblance DOUBLE"


def groups(
    stages: Stages, pairs: DataFrame, documents: DataFrame, settings: ScanSettings
) -> DataFrame:
    """Who is in which group, a row for each document that is in one: `schemas.GROUPS`.

    Args:
        stages: Keep what is made on the way.
        pairs: `schemas.NUMBERS`, of all copies that are listed.
        documents: `schemas.DOCUMENTS`.
        settings: Say which of the pairs are in the list.
    """
    from pyspark.sql import functions as F

    if not settings.list_passages:
        pairs = pairs.where(F.col("resemblance") >= settings.min_resemblance)
    copies = stages.table("_group_copies", partial(_copies, pairs, documents))
    edges = stages.table("_group_edges", partial(_edges, pairs, copies))
    parts = connected_parts(stages, "_group_parts", edges.select("x", "y"))

    wide = wide_parts(stages, edges, parts)

    def starred(parts: DataFrame) -> DataFrame:
        around = parts.join(_nodes(parts, copies, documents), "number")
        own = edges.join(parts.select(F.col("number").alias("x"), "part"), "x")
        rows = around.unionByName(own, allowMissingColumns=True)
        return mapped(side_by_side(rows, ["part"]), stars_of, MEMBERS)

    def starred_wide(parts: DataFrame) -> DataFrame:
        own = edges.join(parts.select(F.col("number").alias("x")), "x")
        nodes = stages.table("_wide_nodes", partial(_nodes, parts, copies, documents))
        return wide_stars(stages, own, nodes)

    few = parts if wide is None else parts.join(F.broadcast(wide), "part", "left_anti")
    members = stages.table("_group_stars", partial(starred, few))
    if wide is not None:
        many = parts.join(F.broadcast(wide), "part", "left_semi")
        of_wide = stages.table("_group_stars_wide", partial(starred_wide, many))
        members = members.unionByName(of_wide)
    return _spelled_out(members, copies)


def stars_of(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The members around each centre: `MEMBERS`.

    Args:
        batches: Sorted by `part`. Documents have number, copies (how many others it stands for),
            and key and key_number, which say who comes first; edges x, y and resemblance.
    """
    for table in whole_runs(batches, ["part"]):  # several parts are as one
        is_node = pc.is_valid(table.column("number"))
        nodes = table.filter(is_node).sort_by("number")
        numbers, copies = int64s(nodes.column("number")), int64s(nodes.column("copies"))
        rank = np.empty(len(numbers), dtype=np.int64)
        keys = [("key", "ascending"), ("key_number", "ascending")]
        rank[pc.sort_indices(nodes, sort_keys=keys).to_numpy()] = np.arange(len(numbers))
        edges = table.select(["x", "y", "resemblance"]).filter(pc.invert(is_node))
        del table, nodes, is_node  # before the work: edges are most of it
        x, y = (np.searchsorted(numbers, int64s(edges.column(name))) for name in ("x", "y"))
        pairs = Edges(x, y, edges.column("resemblance").to_numpy())
        del edges, x, y
        members, centres, scores = Stars.of(pairs, copies, rank).assigned()
        columns = {"centre": numbers[centres], "member": numbers[members], "resemblance": scores}
        yield from pa.table(columns).to_batches()


def _copies(pairs: DataFrame, documents: DataFrame) -> DataFrame:
    """The documents in pairs of identical ones: number, and the first with the same words."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    same = pairs.where("exact_duplicate").select(F.explode(F.array("a", "b")).alias("number"))
    digests = documents.select("number", "digest").join(same.distinct(), "number")
    first = F.min("number").over(Window.partitionBy("digest"))
    return digests.select("number", first.alias("first"))


def _edges(pairs: DataFrame, copies: DataFrame) -> DataFrame:
    """Pairs that make groups, each once: x < y, first ones with their words, resemblance."""
    from pyspark.sql import functions as F

    others = copies.where("number != first")
    # In the order of `Pairs.rank_score`, so that the sum is the same to the last bit.
    share = F.col("reworked_share").cast("double")
    score = F.when(share < 0, F.col("resemblance")).otherwise(
        (F.col("resemblance") + 2 * share) / 3
    )
    rows = (
        pairs.where(~F.col("exact_duplicate") & (score >= LEAST_RANK_SCORE))
        .select("a", "b", "resemblance")
        .join(others.toDF("a", "first_a"), "a", "left")
        .join(others.toDF("b", "first_b"), "b", "left")
        .withColumns({"a": F.coalesce("first_a", "a"), "b": F.coalesce("first_b", "b")})
        .where("a != b")
    )
    both = rows.select(F.least("a", "b").alias("x"), F.greatest("a", "b").alias("y"), "resemblance")
    return both.groupBy("x", "y").agg(F.max("resemblance").alias("resemblance"))


def _nodes(parts: DataFrame, copies: DataFrame, documents: DataFrame) -> DataFrame:
    """What decides about the documents of edges: number, copies, key and key_number."""
    from pyspark.sql import functions as F

    own = parts.select("number", F.col("number").alias("first"))
    others = copies.where("number != first").join(own.select("first"), "first")
    every = own.unionByName(others)
    # As core.documents.model.text_key has it.
    text, file = (F.get_json_object("document", f"$.{name}_hash") for name in ("text", "file"))
    key = F.coalesce(
        F.nullif(text, F.lit("")), F.concat(F.lit("file:"), F.coalesce(file, F.lit("")))
    )
    keyed = documents.select("number", key.alias("key")).join(every, "number")
    least = F.min(F.struct("key", "number")).alias("least")
    nodes = keyed.groupBy(F.col("first").alias("number")).agg(least, F.count("key").alias("of"))
    return nodes.selectExpr(
        "number", "of - 1 AS copies", "least.key AS key", "least.number AS key_number"
    )


def _spelled_out(members: DataFrame, copies: DataFrame) -> DataFrame:
    """Groups with the centres themselves and with all copies."""
    from pyspark.sql import functions as F

    centred = copies.select("first").distinct().toDF("member").join(members, "member", "left_anti")
    centres = members.select(F.col("centre").alias("member")).unionAll(centred).distinct()
    firsts = members.unionByName(
        centres.select(F.col("member").alias("centre"), "member", F.lit(1.0).alias("resemblance"))
    )
    others = copies.where("number != first").select(
        F.col("number").alias("copy"), F.col("first").alias("member")
    )
    of_copies = others.join(firsts, "member").select(
        "centre", F.col("copy").alias("member"), "resemblance", F.col("member").alias("copy_of")
    )
    return firsts.withColumn("copy_of", F.lit(None).cast("long")).unionByName(of_copies)
