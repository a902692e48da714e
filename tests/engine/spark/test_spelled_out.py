"""Pairs of copies: those that the lister of one machine spells out, and its notes."""

import re

import numpy as np
import pyarrow as pa

from core.scan.groups import expand_copies, group_copies, pairs_within
from core.spark.columns import COPIES, NUMBERS
from core.spark.copies import copies_left_out, spelled_out
from tests.engine.spark.tables import number_of, row_of

# Rules that leave nothing of a plan over tables without rows.
NOTHING_IS_EMPTY = ",".join(
    f"org.apache.spark.sql.catalyst.optimizer.{name}"
    for name in ("PropagateEmptyRelation", "ConvertToLocalRelation")
)
COLUMNS = [column.split()[0] for column in NUMBERS.split(", ")]


def representatives():
    """Groups of 1, 2, 3, 30, 31 and 40 documents, mixed, and the first of each document's."""
    rng = np.random.default_rng(6)
    group = rng.permutation(np.repeat(np.arange(8), [1, 2, 3, 30, 31, 40, 1, 1]))
    first = np.array([np.flatnonzero(group == one)[0] for one in group])
    return first, group


def test_copies_are_spelled_out_as_on_one_machine(spark):
    first, group = representatives()
    to_review = np.ones(len(first), dtype=np.bool_)
    # References: the first ones of a group, all of another, one that is alone.
    to_review[np.arange(len(first)) % 3 == 0] = False
    to_review[(group == 2) | (group == 6)] = False
    heads = np.array(sorted(set(first.tolist())))
    x, y = (heads[side] for side in np.triu_indices(len(heads), 1))
    reviewed = np.bincount(first[to_review], minlength=len(first)) > 0
    wanted = reviewed[x] | reviewed[y]
    x, y = x[wanted], y[wanted]

    both = np.append(x, heads), np.append(y, heads)
    own = {name: np.zeros(len(both[0])) for name in COLUMNS}
    own |= {"a": number_of(both[0]), "b": number_of(both[1])}
    own |= {"containment_a": both[0] / 1000, "containment_b": both[1] / 1000}
    own |= {"longest_run": both[0] * 1000 + both[1], "exact_duplicate": both[0] == both[1]}
    listed = spark.createDataFrame(pa.table(own)).select(COLUMNS).repartition(3)
    copies = spark.createDataFrame(
        [
            (number_of(row), number_of(int(of)), bool(to_review[row]))
            for row, of in enumerate(first)
        ],
        COPIES,
    )
    found = spelled_out(listed, copies.repartition(3)).toArrow().to_pylist()
    caps = copies_left_out(copies).orderBy("document").collect()

    groups = group_copies(first, to_review)
    full = expand_copies(groups, x, y)
    rows = {}
    for a, b, source, swapped in zip(*full, strict=True):
        own = x[source], y[source]
        in_a, in_b = reversed(own) if swapped else own
        rows[a, b] = (in_a / 1000, in_b / 1000, own[0] * 1000 + own[1], False)
    for a, b in zip(*pairs_within(groups), strict=True):
        rows[a, b] = (first[a] / 1000, first[a] / 1000, first[a] * 1001, True)
    rows = {pair: row for pair, row in rows.items() if to_review[list(pair)].any()}
    of_spark = {
        (row_of(row["a"]), row_of(row["b"])): (
            row["containment_a"],
            row["containment_b"],
            row["longest_run"],
            bool(row["exact_duplicate"]),
        )
        for row in found
    }
    assert len(found) == len(of_spark)
    assert of_spark == rows
    large = [int(one) for one in groups.oversized() if to_review[one]]
    assert [tuple(cap) for cap in caps] == [
        (int(groups.sizes[one]), number_of(one)) for one in large
    ]
    assert caps


def test_copies_are_never_the_side_that_is_held_in_memory(spark):
    listed = spark.createDataFrame([], NUMBERS)
    copies = spark.createDataFrame([], COPIES)
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    spark.conf.set("spark.sql.optimizer.excludedRules", NOTHING_IS_EMPTY)
    try:
        plan = spelled_out(listed, copies)._jdf.queryExecution().executedPlan().toString()
    finally:
        spark.conf.unset("spark.sql.autoBroadcastJoinThreshold")
        spark.conf.unset("spark.sql.optimizer.excludedRules")

    merged = re.findall(r"SortMergeJoin \[(\w+)#\d+L\], \[(\w+)#\d+L\], Inner", plan)
    assert merged.count(("representative", "a")) == 2
    assert ("a", "representative") not in merged
