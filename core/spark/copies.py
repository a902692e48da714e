"""Documents with the same words: compared once, and listed as pairs of all copies.

The rule is that of `core.scan.groups`: up to 30 copies, every pair; of more, each with the
first of them only, and others with that first one only.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from core.evidence.pairs import OF_SIDES
from core.scan.groups import COPIES_SPELLED_OUT
from core.spark.columns import SIGNED
from core.spark.partitions import union

SIGNED_COLUMNS = [column.split()[0] for column in SIGNED.split(", ")]


def copies(documents: DataFrame) -> DataFrame:
    """The documents with words, each with the first one that has the same: `columns.COPIES`."""
    with_words = documents.where("units > 0").select("number", "digest", "reviewed")
    first = with_words.groupBy("digest").agg(F.min("number").alias("representative"))
    return with_words.join(first, "digest").select("number", "representative", "reviewed")


def distinct(documents: DataFrame, copies: DataFrame, more: Sequence[str] = ()) -> DataFrame:
    """What is kept of the documents with words, of equal ones of the first: `columns.SIGNED`.

    `reviewed` says whether it or one of its copies is to review, as in `Corpus.reviewed`. With
    `more` of their columns.
    """
    # Only where something changes: few rows mostly, which Spark then sends to all signatures.
    others = copies.where("number != representative")
    dropped = others.select("number")
    reviewed = others.where("reviewed").select(F.col("representative").alias("number")).distinct()
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
    # Of one that is not there it is known that it is alone and to review.
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
    """Of how many documents with the same words not all pairs are listed: size, document LONG.

    `document` is the first of them, with which each of the others is listed.
    """
    large = _sizes(copies).where(f"size > {COPIES_SPELLED_OUT} AND NOT first.reference")
    return large.selectExpr("size", "first.number AS document")


def _sizes(copies: DataFrame) -> DataFrame:
    """How many have the same words, and the first of them; one to review comes first."""
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
    """The pairs of `one` and `other` that are wanted, the smaller one first."""
    wanted = pairs.where("one.reviewed OR other.reviewed")
    swapped = F.col("one.number") > F.col("other.number")

    def either(name: str, other: str) -> Column:
        return F.when(swapped, F.col(other)).otherwise(F.col(name))

    turned = {
        "a": either("one.number", "other.number"),
        "b": either("other.number", "one.number"),
        **{name: either(name, other) for name, other in OF_SIDES},
        **{other: either(other, name) for name, other in OF_SIDES},
    }
    return wanted.select(*(turned.get(name, F.col(name)).alias(name) for name in columns))
