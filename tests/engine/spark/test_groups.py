"""The groups on Spark are those of one machine."""

import json

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from core.evidence.pairs import Pairs
from core.scan.groups import group_pairs
from core.settings import ScanSettings
from core.spark.groups import groups, stars_of
from core.spark.stages import Stages
from tests.engine.spark.tables import documents_table, number_of, row_of, texts_with_copies
from tests.engine.spark.test_numbers import OneMachine

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


def test_groups_of_documents_with_copies_are_those_of_one_machine(spark, tmp_path):
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
    names = ("resemblance", "exact_duplicate")
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
    assert len(found) == len(rows)
    assert rows == wanted
    assert len({centre for centre, _, _ in rows.values()}) > 3
