"""The candidates of a scan by bits are those of one machine, crowds and references included."""

from operator import not_

import numpy as np
import pyarrow as pa
import pytest

from core.base.tasks import never
from core.candidates.search import gathered, search_for
from core.scan.audit_results import Cap, CapKind
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts
from core.spark.bits import bit_candidates, leader_cap
from core.spark.columns import digest_column, int64s, packed
from core.spark.file_system import Stages
from core.text.shingling import Fingerprints
from tests.engine.spark.tables import number_of, row_of

COUNT, CROWD = 4000, 1200


@pytest.fixture(scope="module")
def signed():
    """Near and equal fingerprints, and 1,200 and 1,100 that are the same."""
    rng = np.random.default_rng(5)
    values = rng.integers(0, 2**64, COUNT, dtype=np.uint64)
    for row in range(200, COUNT):
        values[row] = values[rng.integers(0, row)]
        for bit in rng.choice(64, rng.integers(0, 9), replace=False):
            values[row] ^= np.uint64(1 << int(bit))
    mixed = rng.permutation(COUNT)
    values[mixed[:CROWD]] = values[mixed[0]]
    values[mixed[CROWD : 2 * CROWD - 100]] = values[mixed[CROWD]]
    halves = np.stack([values & np.uint64(2**32 - 1), values >> np.uint64(32)], axis=1)
    nothing = Fingerprints(np.empty(0, dtype=np.uint64), np.zeros(COUNT, dtype=np.int64))
    digests = rng.integers(0, 2**64, (COUNT, 2), dtype=np.uint64)
    units = np.ones(COUNT, dtype=np.int64)
    return SignedTexts(units, digests, halves.astype(np.uint32), nothing, nothing)


def table_of(spark, signed, reviewed):
    widths = np.full(COUNT, 2, dtype=np.int64)
    table = pa.table(
        {
            "number": [number_of(row) for row in range(COUNT)],
            "reviewed": reviewed,
            "digest": digest_column(signed.digests),
            "signature": packed(signed.signatures.reshape(-1), widths),
        }
    )
    order = np.random.default_rng(6).permutation(COUNT)
    return spark.createDataFrame(table.take(pa.array(order))).repartition(3)


def on_one_machine(signed, reviewed, settings):
    search = search_for(signed, np.arange(COUNT), reviewed, settings, not_, never)
    codes, crowds = [], []
    for chunk in gathered(search.chunks()):
        codes += zip(chunk.x.tolist(), chunk.y.tolist(), strict=True)
        crowds += chunk.crowds
    return sorted(codes), crowds


@pytest.mark.parametrize(("distance", "references"), [(0, False), (3, True), (6, False)])
def test_the_pairs_are_those_of_one_machine(spark, signed, tmp_path, distance, references):
    settings = ScanSettings(signature="simhash", max_distance=distance)
    reviewed = np.ones(COUNT, dtype=np.bool_)
    reviewed[np.random.default_rng(9).random(COUNT) < 0.6 * references] = False
    expected, crowds = on_one_machine(signed, reviewed, settings)
    assert len(crowds) == 2

    stages = Stages(spark, str(tmp_path))
    found = bit_candidates(stages, table_of(spark, signed, reviewed), settings)

    pairs = found.pairs.toArrow()
    x, y = (row_of(int64s(pairs.column(name))).tolist() for name in ("x", "y"))
    assert sorted(zip(x, y, strict=True)) == expected
    leader, members = max(crowds, key=lambda crowd: len(crowd[1]))
    size = sum(1 + len(own) for _, own in crowds)
    cap = leader_cap(found.crowds, settings)
    assert cap == Cap(CapKind.ALIKE, size, number_of(leader), "SimHash")
    assert len(members) > 1000


def test_without_a_crowd_nothing_is_left_out(spark, tmp_path):
    empty = spark.createDataFrame([], "leader LONG, members LONG, fingerprint LONG")

    assert leader_cap(empty, ScanSettings(signature="simhash")) is None
