"""All pairs compared on a cluster, where that costs no more than one machine allows: in one task.

texts ─▶ their shingles, on all executors ─▶ one task, which counts what they share as one machine
does
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from core.base.tasks import WorkerPool
from core.base.tasks import batches as parts_of
from core.candidates.all_pairs import AllPairsLimits, count_shared
from core.evidence.overlap import resemblance_of, sizes_of
from core.evidence.pairs import split_codes
from core.scan.measured_pairs import affordable
from core.settings import ScanSettings
from core.spark.columns import Batches, bools, int64s, packed, texts_of, unpacked
from core.spark.file_system import Stages
from core.spark.partitions import mapped
from core.text.shingling import Fingerprints

MOST_SHINGLES = 1 << 28  # that one task takes: some 10 GB with what is made of them

SHINGLED = "other BOOLEAN, number LONG, size LONG, shingles BINARY"

# x < y; a row without them says that comparing all costs more than is allowed.
SHARING = "x LONG, y LONG, resemblance DOUBLE"


class ComparedPairs(NamedTuple):
    """Every two documents of a run compared.

    Attributes:
        sharing: `SHARING`, the pairs that share a shingle, perhaps by chance.
    """

    sharing: DataFrame

    def reaching(self, min_resemblance: float) -> DataFrame:
        """CANDIDATES: the pairs from a resemblance on."""
        return self.sharing.where(F.col("resemblance") >= min_resemblance).select("x", "y")

    def reach(self, min_resemblance: float) -> int:
        """How many there are."""
        return self.reaching(min_resemblance).count()


def affordable_pairs(
    stages: Stages, distinct: DataFrame, documents: DataFrame, settings: ScanSettings
) -> ComparedPairs | None:
    """All pairs, where that costs no more than one machine allows, else None.

    One machine also compares all where the candidates of the bands would cost more, which it tells
    by pairs drawn at random; here only counts decide.

    Args:
        stages: Where the tables of the work are kept.
        distinct: SIGNED, of documents with words, of equal ones of the first.
        documents: DOCUMENTS, all of them.
        settings: Of the scan.

    Raises:
        TooManyCandidatesError: All pairs were asked for, and they are too many.
    """
    if settings.compare == "bands":
        return None
    (shingles,) = distinct.selectExpr(
        f"coalesce(sum(greatest(units - {settings.k} + 1, 1)), 0)"
    ).collect()[0]
    own = distinct.select("number", "reviewed")
    texts = documents.select("number", "text", "aside").join(own, "number")

    def within(limits: AllPairsLimits) -> ComparedPairs | None:
        if shingles > MOST_SHINGLES or not limits.allow(shingles):
            return None

        def sharing() -> DataFrame:
            # Those to review come first, as on one machine.
            together = mapped(texts, partial(shingled, settings), SHINGLED).repartition(1)
            ordered = together.sortWithinPartitions("other", "number")
            return mapped(ordered, partial(shared_by_all, settings.bag, limits), SHARING)

        frame = stages.table(f"_all_pairs_{limits.pairs}", sharing)
        is_too_much = bool(frame.where("x is null").count())
        return None if is_too_much else ComparedPairs(frame)

    return affordable(settings, within, lambda: False)


def shingled(settings: ScanSettings, batches: Batches) -> Batches:
    """Documents with number, reviewed, text and aside to the rows `SHINGLED`."""
    for batch in batches:
        texts = texts_of(batch)
        for part in parts_of(texts.lengths.tolist()):
            rows = batch.slice(part.start, part.stop - part.start)
            shingles = texts.shingles(np.arange(part.start, part.stop), settings)
            counting = shingles.counting()
            columns = {
                "other": pc.invert(rows.column("reviewed")),
                "number": rows.column("number"),
                "size": pa.array(sizes_of(shingles, bag=settings.bag)),
                "shingles": packed(counting.hashes, np.diff(counting.offsets)),
            }
            yield pa.record_batch(columns)


def shared_by_all(
    bag: bool,  # noqa: FBT001 - of a partial
    limits: AllPairsLimits,
    batches: Batches,
) -> Batches:
    """All rows `SHINGLED`, those to review first, to the rows `SHARING`."""
    rows = list(batches)
    if not rows:
        return
    table = pa.Table.from_batches(rows)
    shingles = Fingerprints(*unpacked(table.column("shingles"), "<u8"))
    to_review = int(np.count_nonzero(~bools(table.column("other"))))
    with WorkerPool() as pool:
        ends = np.cumsum(shingles.counts)
        shared = count_shared(
            shingles.values,
            ends - shingles.counts,
            ends,
            bag=bag,
            to_review=to_review,
            limits=limits,
            pool=pool,
        )
    if shared is None:
        nothing = pa.nulls(1, pa.int64())
        columns = {"x": nothing, "y": nothing, "resemblance": pa.nulls(1, pa.float64())}
    else:
        numbers, sizes = int64s(table.column("number")), int64s(table.column("size"))
        x, y = split_codes(shared.codes)
        columns = {
            "x": np.minimum(numbers[x], numbers[y]),
            "y": np.maximum(numbers[x], numbers[y]),
            "resemblance": resemblance_of(shared.shared, sizes, x, y),
        }
    yield from pa.table(columns).to_batches()
