"""Document frequencies against a count with a dictionary, in any order and from any thread."""

import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.signatures.methods import WEIGHT_OF_ONE, DocumentFrequencies, distinct, weigh
from core.text.shingling import Shingles

quick = settings(deadline=None, derandomize=True, max_examples=100)

HASHES = st.sampled_from([0, 1, 2, 2**63, 2**64 - 1, 77, 5 << 40, 12345678901234567, 1 << 16])
DOCUMENTS = st.lists(st.lists(HASHES, max_size=40), max_size=6)


def as_shingles(documents):
    """Shingles of documents given as sequences of 64-bit hashes."""
    offsets = np.cumsum([0, *map(len, documents)], dtype=np.int64)
    hashes = np.array([value for d in documents for value in d], dtype=np.uint64)
    return Shingles(hashes, offsets, np.diff(offsets), np.zeros((len(documents), 2), np.uint64))


def count_all(batches, cells):
    found = DocumentFrequencies(cells)
    for batch in batches:
        found.add(as_shingles(batch))
    return found


@quick
@given(DOCUMENTS)
def test_distinct_keeps_each_shingle_of_a_text_once(documents):
    shingles = as_shingles(documents)

    hashes, offsets = distinct(shingles.hashes, shingles.offsets)

    kept = [hashes[a:b].tolist() for a, b in pairwise(offsets)]
    assert kept == [list(dict.fromkeys(document)) for document in documents]


@quick
@given(DOCUMENTS, st.sampled_from([1, 2, 1 << 20]))
def test_cells_hold_the_sum_of_document_frequencies(documents, cells):
    rarity = count_all([documents], cells).rarity()

    expected = Counter()
    for document in documents:
        expected.update(value % cells for value in set(document))
    assert {cell: int(rarity.cells[cell]) for cell in expected} == dict(expected)
    assert rarity.cells.sum() == expected.total()


@quick
@given(DOCUMENTS, st.randoms(use_true_random=False))
def test_batches_may_come_in_any_order(documents, random):
    shuffled = list(documents)
    random.shuffle(shuffled)

    one = count_all([documents], 64)
    other = count_all([[document] for document in shuffled], 64)

    assert one.documents == other.documents == sum(map(bool, documents))
    for a, b in zip(one.rarity(), other.rarity(), strict=True):
        assert np.array_equal(a, b)


def test_threads_lose_nothing():
    rng = np.random.default_rng(2)
    batches = [as_shingles(rng.integers(0, 50, (200, 60))) for _ in range(32)]
    together, alone = DocumentFrequencies(64), DocumentFrequencies(64)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(together.add, batches))
    for batch in batches:
        alone.add(batch)

    assert together.documents == 6400
    assert np.array_equal(together.rarity().cells, alone.rarity().cells)


def test_nothing_is_counted_while_another_thread_counts():
    """Lost counts are too rare to wait for; what keeps them out is seen directly."""
    found = DocumentFrequencies(64)
    found.add(as_shingles([[1]]))
    with ThreadPoolExecutor(1) as pool:
        with found._lock:
            adding = pool.submit(found.add, as_shingles([[1], [2]]))
            assert not wait([adding], 0.2).done
            assert found._cells.sum() == found.documents == 1
        adding.result()

    assert found.rarity().cells[:3].tolist() == [0, 2, 1]


def test_weights_are_the_smooth_inverse_document_frequency():
    """As scikit-learn computes it: ln((1 + n) / (1 + df)) + 1."""
    documents = [[1, 2], [1, 3], [1, 3, 3], []]
    rarity = count_all([documents], 1 << 20).rarity()

    found = weigh(np.array([1, 2, 3, 4], dtype=np.uint64), rarity)

    expected = [math.log(4 / (1 + df)) + 1 for df in (3, 1, 2, 0)]
    np.testing.assert_allclose(found / WEIGHT_OF_ONE, expected, atol=1 / WEIGHT_OF_ONE)
    assert found.dtype == np.uint32


def test_full_cells_weigh_as_much_as_what_everyone_holds():
    rarity = count_all([[list(range(100)), list(range(100))]], 1).rarity()

    found = weigh(np.arange(3, dtype=np.uint64), rarity)

    assert rarity.cells.tolist() == [200]
    assert found.tolist() == [WEIGHT_OF_ONE] * 3


def test_what_is_added_later_does_not_change_a_rarity():
    found = count_all([[[1]]], 4)
    before = found.rarity()
    cells = before.cells.copy()
    found.add(as_shingles([[1], [2]]))

    assert np.array_equal(before.cells, cells)
    assert len(before.weights) == 2
    assert found.rarity().cells.tolist() == [0, 2, 1, 0]


@pytest.mark.parametrize("cells", [0, 3, 12])
def test_cells_are_a_power_of_two(cells):
    with pytest.raises(ValueError, match="power of two"):
        DocumentFrequencies(cells)


def test_companions_by_chance_are_as_many_as_expected():
    """10,000 documents with 5 shingles of their own in 2^12 cells: 12.2 beside each."""
    rng = np.random.default_rng(1)
    documents = rng.integers(0, 2**64, (10_000, 5), dtype=np.uint64)
    rarity = count_all([documents.tolist()], 1 << 12).rarity()

    counted = rarity.cells[documents.ravel() & np.uint64((1 << 12) - 1)]

    assert counted.min() >= 1
    assert counted.mean() == pytest.approx(1 + 50_000 / (1 << 12), rel=0.02)


def test_the_kernel_agrees_with_its_plain_form():
    shingles = as_shingles([[5, 5, 6, 22, 6, 5], [], [6, 38], [54, 38, 22, 6] * 9])
    plain = distinct.py_func(shingles.hashes, shingles.offsets)
    for one, other in zip(plain, distinct(shingles.hashes, shingles.offsets), strict=True):
        assert np.array_equal(one, other)
