"""What a list leaves out, and what is said above it: the sentences of one machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.scan.caps import Cap
from core.scan.pair_list import notes_on_short_texts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from core.settings import ScanSettings

__all__ = ["left_out", "sentences_on_length"]

LEFT_OUT = "place LONG, kind STRING, size LONG, document LONG, id STRING, sentence STRING"


def left_out(session: SparkSession, documents: DataFrame, caps: Sequence[Cap]) -> DataFrame:
    """A table of what is left out, in the order of one machine's notes (`LEFT_OUT`)."""
    from pyspark.sql import functions as F

    wanted = sorted({cap.document for cap in caps})
    rows = documents.where(F.col("number").isin(wanted)).select("number", "id").collect()
    names = {row.number: row.id for row in rows}
    return session.createDataFrame(
        [
            (
                place,
                cap.kind.name.lower(),
                cap.size,
                cap.document,
                names[cap.document],
                cap.sentence(names[cap.document]),
            )
            for place, cap in enumerate(caps)
        ],
        LEFT_OUT,
    )


def sentences_on_length(documents: DataFrame, settings: ScanSettings) -> list[str]:
    """What cannot be found because there is too little text."""
    from pyspark.sql import functions as F

    is_short = (F.col("units") > 0) & (F.col("units") < settings.k)
    row = documents.select(
        F.count("number").alias("count"), F.count_if(is_short).alias("short")
    ).first()
    return notes_on_short_texts(row["count"], row["short"], settings) if row else []
