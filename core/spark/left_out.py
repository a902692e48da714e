"""What a list leaves out, and what is said above it: the sentences of one machine.

There may be very many: texts of which there are too many copies. So they stay a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from core.scan.caps import Cap, CapKind
from core.scan.pair_list import notes_on_short_texts
from core.spark.partitions import mapped

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from core.settings import ScanSettings

# One machine's notes are in the order of `place` and then of `document`.
CAPS = "place INT, kind STRING, size LONG, document LONG, method STRING"
LEFT_OUT = "place INT, kind STRING, size LONG, document LONG, id STRING, sentence STRING"
ORDER = (CapKind.COMMON, CapKind.WORDING, CapKind.COPIES, CapKind.CROWD, CapKind.ALIKE)


def caps_table(session: SparkSession, caps: Sequence[Cap], copies: DataFrame) -> DataFrame:
    """What is left out for all reasons: `CAPS`.

    Args:
        session: Where it is made.
        caps: For other reasons than copies.
        copies: For those, size LONG, document LONG.
    """
    from pyspark.sql import functions as F

    rows = [(*_place(cap.kind), cap.size, cap.document, cap.method) for cap in caps]
    place, kind = map(F.lit, _place(CapKind.COPIES))
    of_copies = copies.select(
        place.alias("place"), kind.alias("kind"), "size", "document", F.lit("").alias("method")
    )
    return session.createDataFrame(rows, CAPS).unionByName(of_copies)


def _place(kind: CapKind) -> tuple[int, str]:
    return ORDER.index(kind), kind.name.lower()


def left_out(documents: DataFrame, caps: DataFrame) -> DataFrame:
    """What is left out in words: `LEFT_OUT`.

    Args:
        documents: `schemas.DOCUMENTS`.
        caps: `CAPS`.
    """
    from pyspark.sql import functions as F

    names = documents.select(F.col("number").alias("document"), "id")
    named = caps.join(names, "document").select("place", "kind", "size", "document", "id", "method")
    return mapped(named, in_words, LEFT_OUT)


def in_words(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """`CAPS` with the ids of their documents to `LEFT_OUT`."""
    for batch in batches:
        sentences = [
            Cap(CapKind[kind.upper()], size, document, method).sentence(name)
            for _, kind, size, document, name, method in zip(
                *batch.to_pydict().values(), strict=True
            )
        ]
        told = pa.array(sentences, pa.string())
        yield batch.drop_columns(["method"]).append_column("sentence", told)


def sentences_of(left_out: DataFrame) -> list[str]:
    """The notes of one machine on what is left out, of `LEFT_OUT`."""
    told = left_out.orderBy("place", "document").select("sentence").toArrow()
    sentences: list[str] = told.column("sentence").to_pylist()
    return sentences


def sentences_on_length(documents: DataFrame, settings: ScanSettings) -> list[str]:
    """What cannot be found because there is too little text."""
    from pyspark.sql import functions as F

    is_short = (F.col("units") > 0) & (F.col("units") < settings.k)
    row = documents.select(
        F.count("number").alias("count"), F.count_if(is_short).alias("short")
    ).first()
    return notes_on_short_texts(row["count"], row["short"], settings) if row else []
