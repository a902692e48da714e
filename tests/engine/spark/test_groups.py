"""The groups on Spark are those of one machine."""

import json

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from core.evidence.pairs import Pairs
from core.scan.groups import group_pairs
from core.settings import ScanSettings
from core.spark import groups as wide_groups
from core.spark.file_system import Stages
from core.spark.groups import groups, stars_of
from tests.engine.spark.tables import number_of, row_of

DOCUMENTS = 14
numbers = st.integers(0, DOCUMENTS - 1)
places = st.tuples(numbers, numbers).filter(lambda pair: pair[0] < pair[1])
edges = st.dictionaries(places, st.sampled_from([0.1, 0.5, 0.75, 0.9]), min_size=1, max_size=30)


def keys_of(documents):
    """What documents are known by; in another order than their numbers."""
    return [f"{(7 * number) % 101:03}" for number in range(documents)]


def part_of(rows):
    """For each document the first one of its part."""
    part = list(range(DOCUMENTS))
    for _ in rows:
        for a, b in rows:
            part[a] = part[b] = min(part[a], part[b])
    return part


@settings(deadline=None, derandomize=True, max_examples=60)
@given(edges, st.sampled_from([1, 3, 100]))
def test_parts_have_the_groups_of_the_whole(rows, size):
    keys, part = keys_of(DOCUMENTS), part_of(rows)
    a, b = np.array(list(rows)).T
    pairs = Pairs.empty().take(np.zeros(0, dtype=np.int64))
    count = len(rows)
    columns = {name: np.zeros(count, column.dtype) for name, column in vars(pairs).items()}
    resemblance = np.array(list(rows.values()))
    columns |= {"a": a.astype(np.int32), "b": b.astype(np.int32), "resemblance": resemblance}
    columns |= {"reworked_share": np.full(count, -1, dtype=np.float32)}
    used = sorted({one for pair in rows for one in pair})
    nodes = {
        "part": [part[one] for one in used],
        "number": [number_of(one) for one in used],
        "copies": [0] * len(used),
        "key": [keys[one] for one in used],
        "key_number": used,
    }
    of_edges = {
        "part": [part[one] for one in a.tolist()],
        "x": number_of(a),
        "y": number_of(b),
        "resemblance": resemblance,
    }
    table = pa.concat_tables([pa.table(nodes), pa.table(of_edges)], promote_options="default")
    batches = table.sort_by("part").to_batches(max_chunksize=size)

    found = pa.Table.from_batches(stars_of(iter(batches))).to_pylist()

    wanted = {
        (one.centre, member.document, member.resemblance)
        for one in group_pairs(Pairs(**columns), keys)
        for member in one.members
    }
    assert {(row_of(r["centre"]), row_of(r["member"]), r["resemblance"]) for r in found} == wanted


def test_a_part_with_too_many_pairs_for_a_task_makes_stars_too(spark, tmp_path, monkeypatch):
    """With documents of the same weight, and a long chain of them; and a part that is small."""
    monkeypatch.setattr(wide_groups, "PAIRS_OF_A_TASK", 20)
    rng = np.random.default_rng(5)
    pairs = {tuple(sorted(pair)) for pair in rng.integers(0, 40, (90, 2)).tolist()}
    pairs |= {(0, 40), *((one, one + 1) for one in range(40, 70)), (80, 81), (80, 82)}
    a, b = np.array(sorted(pair for pair in pairs if len(set(pair)) == 2)).T
    resemblance = rng.choice([0.25, 0.75, 0.9], len(a))
    own = {"a": number_of(a), "b": number_of(b), "resemblance": resemblance}
    own |= {"exact_duplicate": a < 0, "reworked_share": np.full(len(a), -1, dtype=np.float32)}
    numbers = number_of(np.arange(90))
    known = {"number": numbers, "digest": [b"%03d" % one for one in range(90)]}
    known |= {"document": [json.dumps({"text_hash": key}) for key in keys_of(90)]}
    frames = [spark.createDataFrame(pa.table(one)) for one in (own, known)]

    found = groups(Stages(spark, str(tmp_path)), *frames, ScanSettings()).collect()

    alike = {frozenset(pair): score for *pair, score in zip(a, b, resemblance, strict=True)}
    centre = {row_of(row.member): row_of(row.centre) for row in found}
    assert len(found) == len(centre)
    for row in found:
        member, own = row_of(row.member), row_of(row.centre)
        assert centre[own] == own
        assert row.resemblance == (1.0 if member == own else alike[frozenset((member, own))])
    assert {one: centre[one] for one in (80, 81, 82)} == dict.fromkeys((80, 81, 82), 80)
    assert len(centre) > 0.8 * len(set(a.tolist()) | set(b.tolist()))
    assert (tmp_path / "_wide_1" / "_SUCCESS").exists()
