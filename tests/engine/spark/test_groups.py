"""The groups on Spark are those of one machine."""

import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.evidence.pairs import Pairs
from core.scan.groups import Edges, Stars, group_pairs
from core.settings import ScanSettings
from core.spark import groups as wide_groups
from core.spark.file_system import Stages
from core.spark.groups import covered_in, groups, stars_of, wide_stars
from tests.engine.spark.tables import documents_table, number_of, row_of, texts_with_copies
from tests.engine.spark.test_evidence import OneMachine

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


@pytest.mark.parametrize("most", [None, 1])
def test_groups_of_documents_with_copies_are_those_of_one_machine(
    spark, tmp_path, monkeypatch, most
):
    if most is not None:  # of more pairs, no task has a part
        monkeypatch.setattr(wide_groups, "PAIRS_OF_A_TASK", most)
    options = ScanSettings(min_resemblance=0.4, list_passages=False)
    texts = [*texts_with_copies(50), *texts_with_copies(3, seed=9) * 40]
    one = OneMachine(texts, options, reference=[5, 6, 60])
    keys = keys_of(len(texts))
    table = documents_table(texts, options).drop(["document"])
    own = [json.dumps({"text_hash": keys[row_of(n)]}) for n in table["number"].to_pylist()]
    stages = Stages(spark, tmp_path.as_uri())
    frame = table.append_column("document", pa.array(own))
    frame = stages.table("documents", lambda: spark.createDataFrame(frame))
    listed = one.listed
    names = ("resemblance", "exact_duplicate", "reworked_share")
    columns = {name: number_of(getattr(listed, name).astype(np.int64)) for name in ("a", "b")}
    columns |= {name: getattr(listed, name) for name in names}
    pairs = spark.createDataFrame(pa.table(columns))
    listed = listed.take(listed.resemblance >= options.min_resemblance)

    found = groups(stages, pairs, frame, options).collect()

    wanted = {}
    for group in group_pairs(listed, keys):
        wanted[group.centre] = (group.centre, 1.0, None)
        wanted |= dict.fromkeys(group.copies, (group.centre, 1.0, group.centre))
        for member in group.members:
            wanted[member.document] = (group.centre, member.resemblance, None)
            of_copy = (group.centre, member.resemblance, member.document)
            wanted |= dict.fromkeys(member.copies, of_copy)
    rows = {
        row_of(row.member): (
            row_of(row.centre),
            row.resemblance,
            None if row.copy_of is None else row_of(row.copy_of),
        )
        for row in found
    }
    assert (tmp_path / "_group_stars_wide" / "_SUCCESS").exists() == (most is not None)
    assert len(found) == len(rows)
    assert rows == wanted
    assert len({centre for centre, _, _ in rows.values()}) > 3


@pytest.mark.parametrize("most", [4, 40])
def test_a_wide_part_has_the_stars_of_one_machine(spark, tmp_path, monkeypatch, most):
    """With pairs that weigh nothing, documents of the same weight, and a long chain."""
    monkeypatch.setattr(wide_groups, "PAIRS_OF_A_TASK", most)
    rng = np.random.default_rng(5)
    count = 60
    drawn = {tuple(sorted(pair)) for pair in rng.integers(0, 40, (90, 2)).tolist()}
    drawn |= {(one, one + 1) for one in range(40, count - 1)}
    a, b = np.array(sorted(pair for pair in drawn if len(set(pair)) == 2)).T
    resemblance = rng.choice([0.0, 1e-9, 0.25, 0.75, 0.9], len(a))
    resemblance[a >= 40] = np.linspace(0.2, 0.9, (a >= 40).sum())  # each waits for the next one
    copies = np.where(np.arange(count) % 7 == 0, np.arange(count) % 3, 0)
    rank = rng.permutation(count)
    members, centres, scores = Stars.of(Edges(a, b, resemblance), copies, rank).assigned()
    wanted = set(zip(centres.tolist(), members.tolist(), scores.tolist(), strict=True))
    used = np.unique(np.append(a, b))
    nodes = {
        "number": number_of(used),
        "copies": copies[used],
        "key": [f"{place // 2:03}" for place in rank[used].tolist()],
        "key_number": rank[used],
    }
    edges = {"x": number_of(a), "y": number_of(b), "resemblance": resemblance}
    frames = [spark.createDataFrame(pa.table(one)).repartition(3) for one in (edges, nodes)]

    found = wide_stars(Stages(spark, str(tmp_path)), *frames).collect()

    rows = [(row_of(row.centre), row_of(row.member), row.resemblance) for row in found]
    assert len(rows) == len(wanted)
    assert set(rows) == wanted
    assert list(tmp_path.glob("_wide_undecided_*"))


def test_who_is_near_a_centre_is_told_of_any_batches():
    low, high = [5, 1, 7, 1], [7, 5, 9, 9]
    table = pa.table({"low": low, "high": high})

    for size in (1, 2, 4):
        (found,) = covered_in(iter(table.to_batches(max_chunksize=size)))
        assert found.column("place").to_pylist() == [5, 9]
    assert not list(covered_in(iter([])))
