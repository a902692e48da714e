"""The groups of the documents of a run: those of `core.scan.groups`, part by part.

Documents with the same words count as one from the start, as there. The connected parts of the rest
are independent of each other: each is a task's, with about 300 bytes of memory for a pair in it.

A part with more pairs than one task should hold is decided by tables. A document that weighs
more than all its neighbours is a centre, all such documents at once; the neighbours go to the most
similar of these; the undecided ones are a smaller graph with the same question (Blelloch,
Fineman, Shun, SPAA 2012: the greedy independent set in parallel), and the rest after a few
rounds is small enough for one task. In tables, a document whose neighbours are all around centres
that it is not like is in no group; on one machine one of them joins it.

Also documents with the same words: compared once, and listed as pairs of all copies.

The rule is that of `core.scan.copies`: up to 30 copies, every pair; of more, each with the
first of them only, and others with that first one only.

The connected parts of a graph of documents, by stars.

Edges are turned towards the smallest number of a part, round after round, until every document has
one edge, to that (Kiveris, Lattanzi, Mirrokni, Rastogi, Vassilvitskii, SoCC 2014: large-star and
small-star). Rounds grow with the logarithm of the longest path, not with its length.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from core.evidence.pairs import OF_SIDES
from core.scan.copies import COPIES_SPELLED_OUT
from core.scan.groups import FINE, LEAST_RANK_SCORE, Edges, StarNeighbours
from core.settings import ScanSettings
from core.spark.columns import SIGNED, Batches, int64s
from core.spark.file_system import Stages
from core.spark.partitions import mapped, side_by_side, union, whole_runs

SIGNED_COLUMNS = [column.split()[0] for column in SIGNED.split(", ")]


def copies(documents: DataFrame) -> DataFrame:
    """The documents with words, each with the first that has the same words: `columns.COPIES`."""
    with_words = documents.where("units > 0").select("number", "digest", "reviewed")
    first = with_words.groupBy("digest").agg(F.min("number").alias("representative"))
    return with_words.join(first, "digest").select("number", "representative", "reviewed")


def distinct(documents: DataFrame, copies: DataFrame, more: Sequence[str] = ()) -> DataFrame:
    """The signed columns of documents with words, of equal ones the first: `columns.SIGNED`.

    `reviewed` says whether it or one of its copies is to review, as in `Corpus.reviewed`. With
    `more` of their columns.
    """
    # Only changed rows: mostly few, which Spark then sends to all signatures.
    later_copies = copies.where("number != representative")
    dropped = later_copies.select("number")
    reviewed = (
        later_copies.where("reviewed").select(F.col("representative").alias("number")).distinct()
    )
    return (
        documents.where("units > 0")
        .select(*SIGNED_COLUMNS, *more)
        .join(dropped, "number", "left_anti")
        .join(reviewed.withColumn("by_copy", F.lit(True)), "number", "left")
        .withColumn("reviewed", F.col("reviewed") | F.col("by_copy").isNotNull())
        .select(*SIGNED_COLUMNS, *more)
    )


def spelled_out(listed: DataFrame, copies: DataFrame) -> DataFrame:
    """The pairs of all copies, a < b, of which one at least is to review: `columns.NUMBERS`.

    Args:
        listed: `columns.NUMBERS` of documents that stand for their copies, a < b; and of each that
            has copies the numbers of two of these, with a = b.
        copies: `columns.COPIES`.
    """
    sizes = _sizes(copies)
    # A missing one is known to be alone and to review.
    groups = copies.join(sizes.where("size > 1 OR first.reference"), "representative")
    spread = (
        groups.where(f"size <= {COPIES_SPELLED_OUT} OR number = first.number")
        .groupBy("representative")
        .agg(F.collect_list(F.struct("number", "reviewed")).alias("members"))
    )
    star = groups.where(f"size > {COPIES_SPELLED_OUT} AND number != first.number")
    same = listed.where("a = b").drop("b")
    # Of two sides that are merged, Java holds the rows of a key of the right one: ten million
    # copies stand on the left.
    identical = [
        pairs.join(same, pairs["representative"] == same["a"])
        for pairs in (_pairs_within(spread), _pairs_with_first(star))
    ]
    frames = [_of_members(listed.where("a != b"), spread), *identical]
    return union(_ordered(pairs, listed.columns) for pairs in frames)


def copies_left_out(copies: DataFrame) -> DataFrame:
    """Documents with the same words of which not all pairs are listed: size, document LONG.

    `document` is the first of them, with which each of the rest is listed.
    """
    large = _sizes(copies).where(f"size > {COPIES_SPELLED_OUT} AND NOT first.reference")
    return large.selectExpr("size", "first.number AS document")


def _sizes(copies: DataFrame) -> DataFrame:
    """How many documents have the same words, and the first; those to review come first."""
    column = F.struct((~F.col("reviewed")).alias("reference"), "number")
    return copies.groupBy("representative").agg(
        F.count(F.lit(1)).alias("size"), F.min(column).alias("first")
    )


def _of_members(pairs: DataFrame, spread: DataFrame) -> DataFrame:
    """Pairs with a member of each group as `one` and `other`."""
    for side, member in (("a", "one"), ("b", "other")):
        members = spread.select(F.col("representative").alias(side), "members")
        alone = F.array(F.struct(F.col(side).alias("number"), F.lit(True).alias("reviewed")))
        pairs = (
            pairs.join(members, side, "left")
            .withColumn(member, F.explode(F.coalesce("members", alone)))
            .drop("members")
        )
    return pairs


def _pairs_within(spread: DataFrame) -> DataFrame:
    frame = spread.withColumn("one", F.explode("members"))
    both = frame.withColumn("other", F.explode("members"))
    return both.where("one.number < other.number").drop("members")


def _pairs_with_first(star: DataFrame) -> DataFrame:
    first = F.struct("first.number", (~F.col("first.reference")).alias("reviewed"))
    column = F.struct("number", "reviewed")
    return star.select("representative", first.alias("one"), column.alias("other"))


def _ordered(pairs: DataFrame, columns: list[str]) -> DataFrame:
    """The wanted pairs of `one` and `other`, the smaller number first."""
    wanted = pairs.where("one.reviewed OR other.reviewed")
    swapped = F.col("one.number") > F.col("other.number")

    def either(name: str, opposite: str) -> Column:
        return F.when(swapped, F.col(opposite)).otherwise(F.col(name))

    turned = {
        "a": either("one.number", "other.number"),
        "b": either("other.number", "one.number"),
        **{name: either(name, opposite) for name, opposite in OF_SIDES},
        **{opposite: either(opposite, name) for name, opposite in OF_SIDES},
    }
    return wanted.select(*(turned.get(name, F.col(name)).alias(name) for name in columns))


def connected_parts(stages: Stages, name: str, edges: DataFrame) -> DataFrame:
    """The documents of edges, each with the smallest number of its part.

    Args:
        stages: Keep the edges of each round, as tables of this name.
        name: Begins with "_".
        edges: x LONG, y LONG in any order, perhaps several times.

    Returns:
        number LONG, part LONG.
    """
    seen, rounds = None, 0
    stars = edges.select(F.greatest("x", "y").alias("from"), F.least("x", "y").alias("to"))
    stars = stars.where("from != to")
    while True:
        stars = stages.table(f"{name}_{rounds}", partial(_turned, stars))
        row = stars.agg(F.count(F.lit(1)), F.bit_xor(F.xxhash64("from", "to"))).first()
        if row == seen:
            break
        seen, rounds = row, rounds + 1
    centres = stars.selectExpr("to AS number", "to AS part").distinct()
    return stars.selectExpr("from AS number", "to AS part").unionAll(centres)


def _turned(edges: DataFrame) -> DataFrame:
    """The edges after a round."""
    # From each larger neighbour of a document to its smallest neighbour, or to itself.
    both = edges.unionAll(edges.selectExpr("to AS from", "from AS to"))
    smallest = F.least("from", F.min("to").over(Window.partitionBy("from")))
    turned = both.withColumn("smallest", smallest).where("to > from")
    edges = turned.selectExpr("to AS from", "smallest AS to")
    # Of each document it and its smaller neighbours lead to the smallest of them.
    turned = edges.withColumn("smallest", F.min("to").over(Window.partitionBy("from")))
    frame = turned.selectExpr("from", "smallest AS to")
    others = turned.where("to != smallest").selectExpr("to AS from", "smallest AS to")
    return frame.unionAll(others).distinct()


PAIRS_OF_A_TASK = 1 << 21  # 300 bytes of memory each
MEMBERS = "centre LONG, member LONG, score DOUBLE"


def groups(
    stages: Stages, pairs: DataFrame, documents: DataFrame, settings: ScanSettings
) -> DataFrame:
    """The groups, a row for each document that is in one: `columns.GROUPS`.

    Args:
        stages: Keep intermediate tables.
        pairs: `columns.NUMBERS`, of all copies that are listed.
        documents: `columns.DOCUMENTS`.
        settings: They decide which pairs are in the list.
    """
    if not settings.list_passages:
        pairs = pairs.where(F.col("resemblance") >= settings.min_resemblance)
    copies = stages.table("_group_copies", partial(_copies, pairs, documents))
    edges = stages.table("_group_edges", partial(_edges, pairs, copies))
    parts = connected_parts(stages, "_group_parts", edges.select("x", "y"))

    of_x = edges.join(parts.select(F.col("number").alias("x"), "part"), "x")
    nodes = parts.join(_nodes(parts, copies, documents), "number")
    if edges.count() <= PAIRS_OF_A_TASK:
        return _spelled_out(_stars(stages, "_group_stars", of_x, nodes), copies)
    sizes = of_x.groupBy("part").agg(F.count("x").alias("pairs"))
    is_wide = F.broadcast(sizes.where(F.col("pairs") > PAIRS_OF_A_TASK).select("part"))
    few, few_nodes = (frame.join(is_wide, "part", "left_anti") for frame in (of_x, nodes))
    many, many_nodes = (frame.join(is_wide, "part", "left_semi") for frame in (of_x, nodes))
    members = _stars(stages, "_group_stars", few, few_nodes)
    return _spelled_out(members.unionByName(wide_stars(stages, many, many_nodes)), copies)


def _stars(stages: Stages, name: str, edges: DataFrame, nodes: DataFrame) -> DataFrame:
    """The members around each centre, part by part, as a table of this name: `MEMBERS`."""
    rows = nodes.unionByName(edges, allowMissingColumns=True)
    return stages.table(name, lambda: mapped(side_by_side(rows, ["part"]), stars_of, MEMBERS))


def wide_stars(stages: Stages, edges: DataFrame, nodes: DataFrame) -> DataFrame:
    """The same for parts with more pairs than a task should hold."""
    pairs = edges.select("x", "y", "score")
    ends = pairs.toDF("number", "other", "score").unionAll(pairs.select("y", "x", "score"))
    weight = F.sum(F.rint(F.lit(float(FINE)) * F.col("score")).cast("long"))
    frame = ends.groupBy("number").agg(weight.alias("weight"))
    # A mixed hash breaks ties: a chain of equal weights would be decided one by one.
    rank = F.struct("weight", F.xxhash64("number").alias("mixed"), "number").alias("rank")
    ranks = frame.select("number", rank)
    left = stages.table(
        "_wide_0",
        lambda: ends.join(ranks, "number").join(ranks.toDF("other", "other_rank"), "other"),
    )
    stars: list[DataFrame] = []
    while left.count() > 2 * PAIRS_OF_A_TASK:
        stars.append(stages.table(f"_wide_stars_{len(stars)}", partial(_around_heaviest, left)))
        decided = stars[-1].selectExpr("explode(array(centre, member)) AS number").distinct()
        left = stages.table(f"_wide_{len(stars)}", partial(_left_of, left, decided))
    # As one part: together they are no more than one task holds.
    last = left.where("number < other").selectExpr(
        "0L AS part", "number AS x", "other AS y", "score"
    )
    used = left.select("number").distinct()
    of_last = nodes.join(used, "number", "left_semi").withColumn("part", F.lit(0).cast("long"))
    members = _stars(stages, "_wide_stars", last, of_last)
    return union([members, *stars])


def _left_of(ends: DataFrame, decided: DataFrame) -> DataFrame:
    left = ends.join(decided, "number", "left_anti")
    return left.join(decided.toDF("other"), "other", "left_anti")


def _around_heaviest(ends: DataFrame) -> DataFrame:
    """The neighbours of documents that rank before all their neighbours: `MEMBERS`."""
    ranks = F.max("rank").alias("rank"), F.max("other_rank").alias("best")
    heads = ends.groupBy("number").agg(*ranks).where("rank > best").selectExpr("number AS other")
    nearest = F.max(F.struct("score", "other_rank")).alias("nearest")
    around = ends.join(heads, "other").groupBy("number").agg(nearest)
    return around.selectExpr(
        "nearest.other_rank.number AS centre", "number AS member", "nearest.score AS score"
    )


def stars_of(batches: Batches) -> Batches:
    """The members around each centre: `MEMBERS`.

    Args:
        batches: Sorted by `part`. Documents have number, copies (how many others it stands for),
            and key and key_number, which say who comes first; edges x, y and score.
    """
    for table in whole_runs(batches, ["part"]):  # several parts are as one
        is_node = pc.is_valid(table.column("number"))
        nodes = table.filter(is_node).sort_by("number")
        numbers, copies = int64s(nodes.column("number")), int64s(nodes.column("copies"))
        rank = np.empty(len(numbers), dtype=np.int64)
        keys = [("key", "ascending"), ("key_number", "ascending")]
        rank[pc.sort_indices(nodes, sort_keys=keys).to_numpy()] = np.arange(len(numbers))
        edges = table.select(["x", "y", "score"]).filter(pc.invert(is_node))
        del table, nodes, is_node  # before the work: edges are most of it
        x, y = (np.searchsorted(numbers, int64s(edges.column(name))) for name in ("x", "y"))
        pairs = Edges(x, y, edges.column("score").to_numpy())
        del edges, x, y
        members, centres, scores = StarNeighbours.of(pairs, copies, rank).assigned()
        columns = {"centre": numbers[centres], "member": numbers[members], "score": scores}
        yield from pa.table(columns).to_batches()


def _copies(pairs: DataFrame, documents: DataFrame) -> DataFrame:
    """The documents in pairs of identical ones: number, and the first with the same words."""
    same = pairs.where("exact_duplicate").select(F.explode(F.array("a", "b")).alias("number"))
    digests = documents.select("number", "digest").join(same.distinct(), "number")
    first = F.min("number").over(Window.partitionBy("digest"))
    return digests.select("number", first.alias("first"))


def _edges(pairs: DataFrame, copies: DataFrame) -> DataFrame:
    """Pairs that make groups, each once: x < y, the first with their words, and the score."""
    later_copies = copies.where("number != first")
    # As `Pairs.rank_score`.
    score = F.when(F.col("overlap") < 0, F.col("resemblance")).otherwise(F.col("overlap"))
    rows = (
        pairs.where(~F.col("exact_duplicate") & (score >= LEAST_RANK_SCORE))
        .select("a", "b", score.alias("score"))
        .join(later_copies.toDF("a", "first_a"), "a", "left")
        .join(later_copies.toDF("b", "first_b"), "b", "left")
        .withColumns({"a": F.coalesce("first_a", "a"), "b": F.coalesce("first_b", "b")})
        .where("a != b")
    )
    both = rows.select(F.least("a", "b").alias("x"), F.greatest("a", "b").alias("y"), "score")
    return both.groupBy("x", "y").agg(F.max("score").alias("score"))


def _nodes(parts: DataFrame, copies: DataFrame, documents: DataFrame) -> DataFrame:
    """The columns that decide about documents of edges: number, copies, key and key_number."""
    frame = parts.select("number", F.col("number").alias("first"))
    later_copies = copies.where("number != first").join(frame.select("first"), "first")
    every = frame.unionByName(later_copies)
    key = F.get_json_object("document", "$.text_hash")
    keyed = documents.select("number", key.alias("key")).join(every, "number")
    least = F.min(F.struct("key", "number")).alias("least")
    nodes = keyed.groupBy(F.col("first").alias("number")).agg(least, F.count("key").alias("of"))
    return nodes.selectExpr(
        "number", "of - 1 AS copies", "least.key AS key", "least.number AS key_number"
    )


def _spelled_out(members: DataFrame, copies: DataFrame) -> DataFrame:
    """Groups with the centres themselves and with all copies."""
    centred = copies.select("first").distinct().toDF("member").join(members, "member", "left_anti")
    centres = members.select(F.col("centre").alias("member")).unionAll(centred).distinct()
    firsts = members.unionByName(
        centres.select(F.col("member").alias("centre"), "member", F.lit(1.0).alias("score"))
    )
    later_copies = copies.where("number != first").select(
        F.col("number").alias("copy"), F.col("first").alias("member")
    )
    of_copies = later_copies.join(firsts, "member").select(
        "centre", F.col("copy").alias("member"), "score", F.col("member").alias("copy_of")
    )
    return firsts.withColumn("copy_of", F.lit(None).cast("long")).unionByName(of_copies)
