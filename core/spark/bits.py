"""Candidates of a scan by bits: all pairs of documents whose fingerprints differ in at most d bits.

As on one machine (`core.candidates.hamming`): equal fingerprints are compared once. Up to
`EQUAL_LIMIT` documents with the same one give all their pairs; of more, everyone is paired with the
one that has the smallest digest, which alone meets those with another fingerprint.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from core.candidates.hamming import EQUAL_LIMIT
from core.scan.caps import Cap, CapKind
from core.settings import ScanSettings
from core.spark.columns import unpacked
from core.spark.near_fingerprints import cells_for, near_fingerprints, sample
from core.spark.partitions import mapped
from core.spark.stages import Stages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FINGERPRINTS = "number LONG, reviewed BOOLEAN, digest BINARY, fingerprint LONG"


class BitCandidates(NamedTuple):
    """What a search by bits finds.

    Attributes:
        pairs: `schemas.CANDIDATES`.
        crowds: leader LONG, members LONG (with the leader), fingerprint LONG: of the fingerprints
            of which too many documents have the same.
    """

    pairs: DataFrame
    crowds: DataFrame


def bit_candidates(stages: Stages, distinct: DataFrame, settings: ScanSettings) -> BitCandidates:
    """The pairs within `max_distance` bits, at least one of each to review.

    Args:
        stages: Keep the fingerprints of the run, and the pairs of them.
        distinct: `schemas.SIGNED`, with complete signatures.
        settings: Of a scan by bits.
    """
    from pyspark.sql import functions as F

    rows = stages.table("_fingerprints", lambda: _with_leaders(distinct))
    is_leader = F.col("number") == F.col("leader")
    # Of a crowd only its leader meets others.
    meeting = rows.where(is_leader | (F.col("members") <= EQUAL_LIMIT))
    meeting = meeting.select("fingerprint", "number", "reviewed", "members")
    alike = meeting.where(F.col("members").between(2, EQUAL_LIMIT))
    pairs = _pairs(alike, alike.withColumnRenamed("fingerprint", "other"), "fingerprint = other")
    led = rows.where(~is_leader & (F.col("members") > EQUAL_LIMIT))
    found = [pairs.where("x < y"), _with_leader(led)]
    if settings.max_distance:
        near = stages.table("_near", lambda: _near(rows.where(is_leader), settings.max_distance))
        ones = near.join(meeting.withColumnRenamed("fingerprint", "one"), "one")
        found.append(_pairs(ones, meeting, "other = fingerprint"))
    every = found[0]
    for more in found[1:]:
        every = every.unionAll(more)
    crowds = rows.where(is_leader & (F.col("members") > EQUAL_LIMIT))
    return BitCandidates(
        every.select(F.least("x", "y").alias("x"), F.greatest("x", "y").alias("y")),
        crowds.select("leader", "members", "fingerprint"),
    )


def leader_cap(crowds: DataFrame, settings: ScanSettings) -> Cap | None:
    """What is left out of the list for the crowds, as one machine says it."""
    from pyspark.sql import functions as F

    first = crowds.orderBy(F.desc("members"), "leader").first()
    if first is None:
        return None
    size = crowds.agg(F.sum("members")).first()
    return Cap(CapKind.ALIKE, int(size[0]) if size else 0, first["leader"], settings.method.name)


def fingerprint_of(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Rows with a signature of two halves to those with a fingerprint: `FINGERPRINTS`."""
    for batch in batches:
        values, _ = unpacked(batch.column("signature"), "<u8")
        kept = {name: batch.column(name) for name in ("number", "reviewed", "digest")}
        yield pa.record_batch({**kept, "fingerprint": pa.array(values.view(np.int64))})


def _with_leaders(distinct: DataFrame) -> DataFrame:
    """Each document with its fingerprint, who leads those that have the same, and their number."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    signed = distinct.select("number", "reviewed", "digest", "signature")
    same = Window.partitionBy("fingerprint")
    first = F.min(F.struct("digest", "number")).over(same)
    rows = mapped(signed, fingerprint_of, FINGERPRINTS).withColumn("first", first)
    rows = rows.withColumn("members", F.count(F.lit(1)).over(same))
    leads = F.col("first.number").alias("leader")
    led_by = F.max(F.when(F.col("number") == F.col("first.number"), F.col("reviewed"))).over(same)
    return rows.select(
        "fingerprint", "number", "reviewed", leads, "members", led_by.alias("leader_reviewed")
    )


def _near(leaders: DataFrame, distance: int) -> DataFrame:
    fingerprints = leaders.select("fingerprint")
    count = fingerprints.count()
    return near_fingerprints(fingerprints, cells_for(sample(fingerprints, count), count, distance))


def _pairs(ones: DataFrame, others: DataFrame, condition: str) -> DataFrame:
    """Both documents of pairs of fingerprints, where one is to review."""
    from pyspark.sql import functions as F

    left = ones.withColumnsRenamed({"number": "x", "reviewed": "x_reviewed"}).drop("members")
    right = others.withColumnsRenamed({"number": "y", "reviewed": "y_reviewed"}).drop("members")
    return left.join(right, F.expr(condition)).where("x_reviewed OR y_reviewed").select("x", "y")


def _with_leader(led: DataFrame) -> DataFrame:
    wanted = led.where("reviewed OR leader_reviewed")
    return wanted.selectExpr("number AS x", "leader AS y")
