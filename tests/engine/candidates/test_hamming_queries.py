"""Fingerprints looked up among queries: all within d bits, each once, whatever the blocks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.candidates import hamming
from core.candidates.hamming import QueryTables

quick = settings(deadline=None, derandomize=True, max_examples=150)


def brute_force(fingerprints, queries, distance):
    return sorted(
        (row, int(query))
        for row, one in enumerate(fingerprints)
        for query in queries
        if (int(one) ^ int(query)).bit_count() <= distance
    )


def found(fingerprints, queries, distance, blocks=None):
    near = QueryTables(queries, distance, blocks).near(fingerprints)
    return sorted(zip(near.rows.tolist(), near.queries.tolist(), strict=True))


def planted(count, asked, seed):
    """Fingerprints, some of which repeat, and queries 0 to 10 bits from some of them."""
    rng = np.random.default_rng(seed)
    fingerprints = rng.integers(0, 2**64, count, dtype=np.uint64)
    fingerprints[: count // 10] = fingerprints[-(count // 10) :]
    queries = rng.integers(0, 2**64, asked, dtype=np.uint64)
    for row in range(asked // 2):
        queries[row] = fingerprints[rng.integers(0, count)]
        for bit in rng.choice(64, rng.integers(0, 11), replace=False):
            queries[row] ^= np.uint64(1 << int(bit))
    return fingerprints, np.unique(queries)


@pytest.mark.parametrize("distance", range(9))
@pytest.mark.parametrize("more", [0, 1, 2, None])
def test_all_that_is_near_is_found(distance, more, monkeypatch):
    monkeypatch.setattr(hamming, "AT_ONCE", 70)
    fingerprints, queries = planted(500, 150, distance)
    blocks = None if more is None else max(1, distance + more)

    expected = brute_force(fingerprints, queries, distance)

    assert found(fingerprints, queries, distance, blocks) == expected
    assert len(expected) > 5


@quick
@given(
    st.lists(st.integers(0, 2**64 - 1), max_size=12),
    st.sets(st.integers(0, 2**64 - 1), max_size=8),
    st.lists(st.integers(0, 63), max_size=9),
    st.integers(0, 8),
)
def test_any_fingerprints_and_queries(some, asked, bits, distance):
    """Also at the edges of blocks, without queries and without fingerprints."""
    near = [one ^ sum(1 << bit for bit in set(bits)) for one in some]
    fingerprints = np.array(some, dtype=np.uint64)
    queries = np.array(sorted(asked | set(near)), dtype=np.uint64)

    for blocks in (None, distance + 3, 64):
        if blocks != 64 or distance < 3:
            expected = brute_force(fingerprints, queries, distance)
            assert found(fingerprints, queries, distance, blocks) == expected


def test_queries_of_one_family_meet_all_of_it():
    """Long runs: bits that mostly agree, and more matches than the first buffer holds."""
    rng = np.random.default_rng(3)
    bits = rng.random((700, 64)) < 0.03
    family = (bits << np.arange(64, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
    queries = np.unique(family)

    expected = brute_force(family, queries, 3)

    assert found(family, queries, 3) == expected
    assert len(expected) > 20_000
