"""Pairs and the texts of both documents brought to one place, where they are compared.

A pair goes to its home: the first document that its first one is a candidate with. So documents
that are all alike have one home, and each of their texts is sent once. A home with too much text
is cut into a grid by the hashes of x and y, one with too much work into more parts by y: a document
that is a candidate with a million others is sent to each part of them, and no part takes long.
What is compared where changes nothing in the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.base.arrays import BoolArray, Int64Array
from core.spark.columns import int64s
from core.spark.partitions import side_by_side, whole_runs

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TOLD_TO_ALL = 1 << 20  # pairs: 100 MB at most in the memory of each machine
NAMED_TO_ALL = 1 << 22  # documents: 250 MB


class CellLimits(NamedTuple):
    """How much a cell holds, in characters.

    Attributes:
        text: Of the texts of a cell, unless those of a single pair are longer: with what is made
            of them about 600 MB of memory.
        work: Of both texts of all pairs. The longer one counts as the shorter one, unless
            `rereads`.
        rereads: Whether a long text is read again for each of its pairs.
    """

    text: int = 1 << 24
    work: int = 1 << 28
    rereads: bool = False


class Cell(NamedTuple):
    """The rows of one or more cells.

    Attributes:
        numbers: int64, ascending: the documents.
        texts: What is known of each, in this order.
        pairs: The pairs.
        x: int64, by pair: the place of its first document in `numbers`.
        y: Of its second one.
    """

    numbers: Int64Array
    texts: pa.Table
    pairs: pa.Table
    x: Int64Array
    y: Int64Array


def placed(pairs: DataFrame, lengths: DataFrame, limits: CellLimits) -> DataFrame:
    """Pairs with the cell that each goes to, `home` and `part`.

    Args:
        pairs: x, y, mostly x <= y, and what else is known of a pair; a table, as it is read again.
        lengths: `number` and `characters` of all documents of the pairs.
        limits: Of a cell.
    """
    from pyspark.sql import functions as F

    first = pairs.groupBy(F.col("y").alias("number")).agg(F.min("x").alias("home"))
    known = lengths.join(first, "number", "left").withColumn("home", F.coalesce("home", "number"))
    of_x = known.select(F.col("number").alias("x"), F.col("characters").alias("length_x"), "home")
    of_y = lengths.select(F.col("number").alias("y"), F.col("characters").alias("length_y"))
    rows = pairs.join(of_x, "x").join(of_y, "y")
    sums = _sums(rows, pairs.select("x").distinct().join(of_x, "x"), limits)
    sides = F.greatest(F.lit(1), F.ceil(2 * F.col("text") / limits.text))
    more = F.greatest(F.lit(1), F.ceil(F.col("work") / (limits.work * F.col("sides"))))
    cut = sums.select("home", sides.alias("sides"), "work").withColumn("more", more)
    # Few homes are cut, and all other pairs need nothing but their home.
    cut = cut.where("sides > 1 OR more > 1").drop("work")
    by_x = F.pmod(F.xxhash64("x"), "sides")
    by_y = F.pmod(F.xxhash64("y"), F.col("sides") * F.col("more"))
    part = by_x * F.col("sides") * F.col("more") + by_y
    return (
        rows.join(cut, "home", "left")
        .withColumn("part", F.coalesce(part, F.lit(0)))
        .select(*pairs.columns, "home", "part")
    )


def _sums(rows: DataFrame, firsts: DataFrame, limits: CellLimits) -> DataFrame:
    """The characters of each home: `text`, of its documents on either side once, and `work`.

    They are added up on the way, so that ten million pairs of one home are nowhere together.
    """
    from pyspark.sql import functions as F

    work = 2 * F.least("length_x", "length_y")
    if limits.rereads:
        work = F.col("length_x") + F.col("length_y")
    of_y = rows.groupBy("home", "y").agg(
        F.first("length_y").alias("text"), F.sum(work).alias("work")
    )
    of_x = firsts.select("home", F.col("length_x").alias("text"), F.lit(0).alias("work"))
    both = of_y.select("home", "text", "work").unionByName(of_x)
    return both.groupBy("home").agg(F.sum("text").alias("text"), F.sum("work").alias("work"))


def in_cells(placed: DataFrame, texts: DataFrame) -> DataFrame:
    """Pairs and the texts of their documents, side by side, to be read with `cells_in`.

    Of not too many pairs every task is told which documents go where: then only the texts of these
    are shuffled, and once. Of more they are shuffled to be met by who wants them, and then once for
    each cell; of not too many documents every task is told which are wanted.

    Args:
        placed: Pairs with their cells, from a table: they are counted, and read twice.
        texts: `number`, the text, what else is wanted; all documents of the pairs.
    """
    from pyspark.sql import functions as F

    wanted = placed.select("home", "part", F.explode(F.array("x", "y")).alias("number")).distinct()
    if placed.count() <= TOLD_TO_ALL:
        wanted = F.broadcast(wanted)
    else:
        numbers = wanted.select("number").distinct()
        if numbers.count() <= NAMED_TO_ALL:
            texts = texts.join(F.broadcast(numbers), "number", "left_semi")
    rows = placed.unionByName(wanted.join(texts, "number"), allowMissingColumns=True)
    return side_by_side(rows, ["home", "part"])


def cells_in(batches: Iterator[pa.RecordBatch]) -> Iterator[Cell]:
    """The cells of a partition of `in_cells`; as many at once as a batch has."""
    for table in whole_runs(batches, ["home", "part"], at_least=1):
        is_text = pc.is_valid(table.column("number"))
        texts, pairs = table.filter(is_text), table.filter(pc.invert(is_text))
        own = int64s(texts.column("number"))
        order = np.argsort(own, kind="stable")
        order = order[_fresh(own[order])]  # it may be in several cells
        numbers = own[order]
        x, y = (np.searchsorted(numbers, int64s(pairs.column(name))) for name in ("x", "y"))
        yield Cell(numbers, texts.take(pa.array(order)), pairs, x, y)


def _fresh(ordered: Int64Array) -> BoolArray:
    fresh = np.ones(len(ordered), dtype=np.bool_)
    fresh[1:] = ordered[1:] != ordered[:-1]
    return fresh
