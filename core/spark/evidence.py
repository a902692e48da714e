"""The exact evidence of candidates: which pairs are listed, and their numbers.

1. Every candidate is measured where the texts of both documents are (`core.spark.cells`).
2. The reworked passages of all listed pairs would take longer than all else: as on one machine
   those of the most alike are measured, as many as `core.scan.reworked.MEASURED_WORDS` allows. This
   is the same work whatever the number of pairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.evidence.pairs import NOT_MEASURED
from core.scan.reworked import MEASURED_WORDS
from core.settings import ScanSettings
from core.spark.cells import CellLimits, in_cells, placed
from core.spark.numbers import Measuring, ReworkedRule, Weighing
from core.spark.partitions import mapped
from core.spark.schemas import NUMBERS
from core.spark.stages import Stages

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

# `weighed`: the reworked passages are measured already. `work`: characters of both texts.
MEASURED = f"{NUMBERS}, weighed BOOLEAN, work LONG, home LONG, part LONG"
WEIGHED = "a LONG, b LONG, words INT, bits FLOAT, share FLOAT"
LIMITS = CellLimits()
BINS = 1 << 16  # of resemblances


def listed(
    stages: Stages,
    candidates: DataFrame,
    documents: DataFrame,
    distinct: DataFrame,
    settings: ScanSettings,
    reworked: ReworkedRule | None,
) -> DataFrame:
    """The pairs of different documents that are listed, with their numbers: `schemas.NUMBERS`.

    Args:
        stages: Keep what was measured.
        candidates: `schemas.CANDIDATES`, and in_all, in_bands, in_shared, in_skip_grams, which
            say what led to each pair. Of a row with y = x the numbers of copies of x are told.
        documents: `schemas.DOCUMENTS`.
        distinct: `schemas.SIGNED`, with complete signatures.
        settings: Of the scan.
        reworked: When a pair is listed for its reworked passages; None where these are not sought.
    """
    texts = documents.select("number", "text", "aside", "units", "signature")
    if settings.depends_on_all:  # the signatures of documents are not complete
        complete = distinct.select("number", "signature")
        texts = texts.drop("signature").join(complete, "number")
    lengths = distinct.select("number", "characters")
    cells = stages.table("_cells", lambda: placed(candidates, lengths, LIMITS))
    measuring = Measuring(settings, reworked)
    measured = stages.table(
        "_measured", lambda: mapped(in_cells(cells, texts), measuring, MEASURED)
    )
    if reworked is None:
        return measured.drop("weighed", "work", "home", "part")
    return _with_reworked_numbers(measured, texts, Weighing(settings, reworked.model))


def _with_reworked_numbers(measured: DataFrame, texts: DataFrame, weighing: Weighing) -> DataFrame:
    """Pairs with the numbers of their reworked passages, -1 from where there are too many on."""
    from pyspark.sql import functions as F

    chosen = _among_the_first(measured.where("a < b"), MEASURED_WORDS)
    missing = measured.where(chosen & (F.col("a") < F.col("b")) & ~F.col("weighed"))
    pairs = missing.select(F.col("a").alias("x"), F.col("b").alias("y"), "home", "part")
    numbers = mapped(in_cells(pairs, texts), weighing, WEIGHED)
    known = (chosen & F.col("weighed")) | (F.col("a") == F.col("b"))
    columns = {
        f"reworked_{name}": F.when(known, F.col(f"reworked_{name}")).otherwise(
            F.coalesce(name, F.lit(NOT_MEASURED).cast(measured.schema[f"reworked_{name}"].dataType))
        )
        for name in ("words", "bits", "share")
    }
    every = measured.join(numbers, ["a", "b"], "left").withColumns(columns)
    return every.select(*(column.split()[0] for column in NUMBERS.split(", ")))


def _among_the_first(pairs: DataFrame, most_work: int) -> Column:
    """Whether a pair is one of the first by falling resemblance, a and b.

    These are as many as make so much `work` together. Pairs of about the resemblance where they end
    are put in order by one task, all others are not.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    bin_of = F.floor(F.col("resemblance") * BINS)
    by_bin = pairs.groupBy(bin_of.alias("bin")).agg(F.sum("work").alias("work"))
    left = most_work
    for row in sorted(by_bin.collect(), reverse=True):
        if row["work"] > left:
            break
        left -= row["work"]
    else:
        return F.lit(True)
    in_order = Window.orderBy(F.desc("resemblance"), "a", "b")
    until = F.sum("work").over(in_order.rowsBetween(Window.unboundedPreceding, 0))
    there = pairs.where(bin_of == row["bin"]).select("resemblance", "a", "b", until.alias("until"))
    end = there.where(F.col("until") <= left).orderBy(F.desc("until")).first()
    above: Column = bin_of > row["bin"]
    if end is None:
        return above
    resemblance, a, b = F.col("resemblance"), F.col("a"), F.col("b")
    before = (a < end["a"]) | ((a == end["a"]) & (b <= end["b"]))
    alike = (resemblance > end["resemblance"]) | ((resemblance == end["resemblance"]) & before)
    among: Column = above | ((bin_of == row["bin"]) & alike)
    return among
