"""Pairs drawn at random on a cluster: the same as on one machine, and measured the same way."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from core.base.parallel import worker_count
from core.base.progress import never
from core.evidence.store import EvidenceStore
from core.scan.background import Background, DrawnPairs, draw_pairs, measured
from core.settings import ScanSettings
from core.spark.columns import bools, int64s, texts_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def background(distinct: DataFrame, documents: DataFrame, settings: ScanSettings) -> Background:
    """What `Corpus.background_pairs` says; its codes are of ranks among these documents.

    The numbers of all documents come to the driver, 17 bytes each: to be asked for up to some
    million of them. Of their texts come those of the pairs, 32 million characters or 64 texts.

    Args:
        distinct: SIGNED, of documents with words, of equal ones of the first.
        documents: DOCUMENTS, all of them.
        settings: Of the scan.
    """
    from pyspark.sql import functions as F

    # As the engine sorts digests: by their second half first.
    halves = F.substring("digest", 9, 8), F.substring("digest", 1, 8)
    listed = distinct.sort(*halves).select("number", "reviewed", "characters").toArrow()
    numbers = int64s(listed.column("number"))
    order = np.argsort(numbers)
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    reviewed = bools(listed.column("reviewed"))[order]
    lengths = int64s(listed.column("characters"))[order]
    drawn = draw_pairs(ranks, reviewed, lengths, settings.seed)
    taken = np.zeros(len(order), dtype=np.bool_)
    taken[drawn.x] = taken[drawn.y] = True
    wanted = np.sort(numbers)[taken]
    asked = distinct.sparkSession.createDataFrame(pa.table({"number": wanted}))
    texts = documents.select("number", "text", "aside").join(F.broadcast(asked), "number")
    found = texts.toArrow().sort_by("number")
    places = np.cumsum(taken) - 1
    local = DrawnPairs(places[drawn.x], places[drawn.y], drawn.share)
    with ThreadPoolExecutor(worker_count()) as pool:
        return measured(local, EvidenceStore(settings, texts_of(found), pool), never)
