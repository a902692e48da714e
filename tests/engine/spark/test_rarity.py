"""Signatures by tf-idf: those of one machine, however the documents are spread."""

import tracemalloc

import numpy as np
import pyarrow as pa

from core.settings import ScanSettings
from core.spark import rarity
from core.spark.rarity import CELLS_A_BLOCK, counted_in, counts_of, sums_of
from tests.engine.spark.tables import texts_with_copies

SETTINGS = ScanSettings(signature="simhash", weights="tf-idf")


def test_counts_of_parts_add_up():
    texts = texts_with_copies(40)
    rows = pa.table({"text": texts, "aside": pa.array([None] * 40, pa.list_(pa.null()))})
    parts = [
        pa.Table.from_batches(list(counts_of(iter(part), SETTINGS)))
        for part in (rows[:0].to_batches(), rows[:7].to_batches(3), rows[7:].to_batches())
    ]
    together = pa.concat_tables(parts).sort_by("block")

    added = pa.Table.from_batches(list(sums_of(iter(together.to_batches(max_chunksize=2)))))
    alone = pa.Table.from_batches(list(counts_of(iter(rows.to_batches()), SETTINGS)))

    assert added.num_rows == len(set(together.column("block").to_pylist()))
    wanted, found = counted_in(alone), counted_in(added)
    np.testing.assert_array_equal(found.cells, wanted.cells)
    assert found.documents == wanted.documents == 40


def test_a_block_of_many_tasks_is_added_up_row_by_row():
    tasks, largest = 200, 70_000
    rows = (rarity._row(block, np.full(CELLS_A_BLOCK, largest)) for block in [3] * tasks + [4])
    tracemalloc.start()
    found = list(sums_of(rows))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 20 * 4 * CELLS_A_BLOCK  # all of them have ten times as many bytes
    blocks = dict(map(rarity._counts_in, found))
    assert set(blocks) == {3, 4}
    assert set(blocks[3].tolist()) == {tasks * largest}


def test_counts_take_as_many_bytes_as_they_need():
    for largest, size in ((255, 1), (256, 2), (2**32 - 1, 4), (2**32, 8)):
        row = rarity._row(7, np.linspace(0, largest, CELLS_A_BLOCK).astype(np.uint64))
        assert len(row.column("counts")[0].as_py()) == size * CELLS_A_BLOCK
        assert int(rarity._counts_in(row)[1].max()) == largest


def test_texts_of_a_batch_are_cut_into_shingles_one_after_the_other():
    texts = ["one two three four five " * 30_000] * 3
    batch = pa.record_batch({"text": texts, "aside": pa.array([None] * 3, pa.list_(pa.null()))})

    parts = [len(one.offsets) - 1 for one in rarity._shingled(batch, SETTINGS)]

    assert parts == [1, 1, 1]
