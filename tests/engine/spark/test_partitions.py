"""What belongs together stays together, wherever batches end."""

from itertools import pairwise

import pyarrow as pa
import pytest

from core.spark.partitions import mapped, side_by_side, whole_runs


def batches_of(keys, size):
    table = pa.table({"key": pa.array(keys, pa.int64()), "place": range(len(keys))})
    return iter(table.to_batches(max_chunksize=size))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("at_least", [1, 4, 1000])
def test_runs_are_whole_and_nothing_is_lost(size, at_least):
    keys = [1, 1, 1, 2, 3, 3, 3, 3, 3, 3, 3, 4, 5, 5]

    tables = list(whole_runs(batches_of(keys, size), ["key"], at_least))

    parts = [table.column("key").to_pylist() for table in tables]
    assert [key for part in parts for key in part] == keys
    assert all(one[-1] != other[0] for one, other in pairwise(parts))
    assert [one for table in tables for one in table.column("place").to_pylist()] == list(
        range(len(keys))
    )


def test_one_run_over_all_batches_is_one_table():
    assert [table.num_rows for table in whole_runs(batches_of([8] * 50, 3), ["key"], 5)] == [50]


def test_rows_with_equal_keys_meet_in_spark(spark):
    frame = spark.createDataFrame([(n % 5, n) for n in range(50)], "key LONG, place LONG")

    def count(batches):
        for table in whole_runs(batches, ["key"], 1):
            runs = table.group_by("key").aggregate([("place", "count")])
            yield from runs.select(["key", "place_count"]).to_batches()

    rows = mapped(side_by_side(frame, ["key"], ["place"]), count, "key LONG, place_count LONG")

    assert sorted(map(tuple, rows.collect())) == [(n, 10) for n in range(5)]
