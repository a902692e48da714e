"""A sample of documents where the driver runs: what is counted of all of it, and some of its texts.

Of long documents, fingerprints and texts of a sample are more than a driver takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.base.arrays import BoolArray
from core.settings import ScanSettings
from core.spark.columns import bools, digests_of, int64s, unpacked
from core.spark.forecast import Sample

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

CHARACTERS = 1 << 24  # of texts: as many are measured


class SampledTexts(NamedTuple):
    """A sample with its sizes. All but `written` is of those with the same words one.

    Attributes:
        sample: Its signatures.
        grams: Fingerprints of passages.
        skip_grams: Those of reworked ones.
        characters: Of the texts.
        size: Their bytes.
        written: The same of all documents.
        texts: Some of the texts.
    """

    sample: Sample
    grams: int
    skip_grams: int
    characters: int
    size: int
    written: int
    texts: list[str]


def gathered(documents: DataFrame) -> pa.Table:
    """What `sample_of` asks of `schemas.DOCUMENTS`: in `text` null but for some."""
    from pyspark.sql import functions as F

    kept = documents.where("units > 0").persist()
    try:
        row = kept.agg(F.sum("characters").alias("all"), F.min("digest").alias("first")).first()
        of_all, first = (row["all"], row["first"]) if row else (None, None)
        share = min(1.0, CHARACTERS / max(of_all or 0, 1))
        bound = min(int(share * 2**128), 2**128 - 1).to_bytes(16, "big")
        wanted = F.col("digest") <= F.lit(bytearray(max(bound, bytes(first or b""))))
        return kept.select(
            "reviewed",
            "characters",
            "digest",
            "signature",
            F.octet_length("text").cast("long").alias("size"),
            F.expr("octet_length(fingerprints) div 8 AS grams"),
            F.expr("octet_length(skip_grams) div 8 AS skip_grams"),
            F.when(wanted, F.col("text")).alias("text"),
        ).toArrow()
    finally:
        kept.unpersist()


def sample_of(
    table: pa.Table, documents: int, share: float, settings: ScanSettings
) -> SampledTexts:
    """The documents of a sample with words, of those with the same words one.

    Args:
        table: What was `gathered`.
        documents: How many all sources have.
        share: With which probability each is in the sample.
        settings: That they were signed with.
    """
    digests = digests_of(table.column("digest"))
    order = np.lexsort((digests[:, 1], digests[:, 0]))
    order = order[_are_first(digests[order])]
    signatures = unpacked(table.column("signature"), "<u4")[0].reshape(-1, settings.signature_width)
    different = round(documents * len(order) / max(len(digests), 1)) if share < 1 else len(order)
    reviewed = bools(table.column("reviewed"))[order]
    sums = {
        name: int(int64s(table.column(name))[order].sum())
        for name in ("grams", "skip_grams", "characters", "size")
    }
    texts = table.select(["text"]).take(pa.array(order)).column("text").drop_null()
    return SampledTexts(
        Sample(different, share, signatures[order], digests[order], reviewed),
        written=pc.sum(table.column("size")).as_py() or 0,
        texts=texts.to_pylist(),
        **sums,
    )


def _are_first(digests: np.ndarray) -> BoolArray:
    fresh = np.ones(len(digests), dtype=np.bool_)
    fresh[1:] = (digests[1:] != digests[:-1]).any(axis=1)
    return fresh
