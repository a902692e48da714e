"""Documents with the same words: one stands for all of them until pairs are listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.spark.schemas import SIGNED

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SIGNED_COLUMNS = [column.split()[0] for column in SIGNED.split(", ")]


def copies(documents: DataFrame) -> DataFrame:
    """The documents with words, each with the first one that has the same: `schemas.COPIES`."""
    from pyspark.sql import functions as F

    with_words = documents.where("units > 0").select("number", "digest", "reviewed")
    first = with_words.groupBy("digest").agg(F.min("number").alias("representative"))
    return with_words.join(first, "digest").select("number", "representative", "reviewed")


def distinct(documents: DataFrame, copies: DataFrame, more: Sequence[str] = ()) -> DataFrame:
    """What is kept of the documents with words, of equal ones of the first: `schemas.SIGNED`.

    `reviewed` says whether it or one of its copies is to review, as in `Corpus.reviewed`. With
    `more` of their columns.
    """
    from pyspark.sql import functions as F

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
