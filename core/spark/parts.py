"""The connected parts of a graph of documents, by stars.

Edges are turned towards the smallest number of a part, round after round, until every document has
one edge, to that (Kiveris, Lattanzi, Mirrokni, Rastogi, Vassilvitskii, SoCC 2014: large-star and
small-star). Rounds grow with the logarithm of the longest path, not with its length.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from core.spark.stages import Stages


def connected_parts(stages: Stages, name: str, edges: DataFrame) -> DataFrame:
    """The documents of some edges, each with the smallest number of its part.

    Args:
        stages: Keep the edges of each round, as tables of this name.
        name: Begins with "_".
        edges: x LONG, y LONG in any order, perhaps several times.

    Returns:
        number LONG, part LONG.
    """
    from pyspark.sql import functions as F

    seen, rounds = None, 0
    stars = edges.select(F.greatest("x", "y").alias("from"), F.least("x", "y").alias("to"))
    stars = stars.where("from != to")
    while True:
        stars = stages.table(f"{name}_{rounds}", partial(_round, stars))
        found = stars.agg(F.count(F.lit(1)), F.bit_xor(F.xxhash64("from", "to"))).first()
        if found == seen:
            break
        seen, rounds = found, rounds + 1
    centres = stars.selectExpr("to AS number", "to AS part").distinct()
    return stars.selectExpr("from AS number", "to AS part").unionAll(centres)


def _round(edges: DataFrame) -> DataFrame:
    return _small_stars(_large_stars(edges)).distinct()


def _large_stars(edges: DataFrame) -> DataFrame:
    """Of each document the larger neighbours lead to the smallest one, or to itself."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    both = edges.unionAll(edges.selectExpr("to AS from", "from AS to"))
    smallest = F.least("from", F.min("to").over(Window.partitionBy("from")))
    turned = both.withColumn("smallest", smallest).where("to > from")
    return turned.selectExpr("to AS from", "smallest AS to")


def _small_stars(edges: DataFrame) -> DataFrame:
    """Of each document it and its smaller neighbours lead to the smallest of them."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    smallest = F.min("to").over(Window.partitionBy("from"))
    turned = edges.withColumn("smallest", smallest)
    own = turned.selectExpr("from", "smallest AS to")
    return own.unionAll(turned.where("to != smallest").selectExpr("to AS from", "smallest AS to"))
