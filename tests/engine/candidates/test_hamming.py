"""The search by permuted sorted tables against brute force: every pair, and each of them once."""

from contextlib import contextmanager
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.tasks import cancelled_by
from core.candidates import hamming
from core.candidates.hamming import (
    EQUAL_LIMIT,
    STRETCH,
    HammingSearch,
    affordable_distance,
    make_plan,
)
from core.errors import ScanCancelledError
from tests.pairs import listed

quick = settings(derandomize=True, max_examples=150)


@contextmanager
def cut_into(blocks):
    """Tables of this many blocks, or of as many as cost least."""
    with pytest.MonkeyPatch.context() as patch:
        if blocks is not None:
            patch.setattr(hamming, "cheapest_plan", lambda v, d: make_plan(v, d, blocks))
        yield


DISTANCES = range(9)


def halves(fingerprints):
    """64-bit fingerprints as rows of two 32-bit values."""
    values = np.array([int(f) for f in fingerprints], dtype=np.uint64)
    return np.stack([values & np.uint64(2**32 - 1), values >> np.uint64(32)], axis=1).astype("u4")


def brute_force(fingerprints, use, distance):
    pairs = combinations(use, 2)
    return {
        (x, y)
        for x, y in pairs
        if (int(fingerprints[x]) ^ int(fingerprints[y])).bit_count() <= distance
    }


def search(fingerprints, distance, **options):
    return search_among(fingerprints, np.arange(len(fingerprints)), distance, **options)


def search_among(fingerprints, rows, distance, *, blocks=None, **options):
    """A search in which digests ascend with the rows."""
    with cut_into(blocks):
        return HammingSearch(
            halves(fingerprints), digests(len(fingerprints)), rows, distance, **options
        )


def digests(count):
    return np.stack([np.zeros(count), np.arange(count)], 1).astype("u8")


@st.composite
def near_fingerprints(draw):
    """Some centres and fingerprints that differ from them in few bits, also at the edges."""
    centres = draw(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=3))
    bits = st.lists(st.integers(0, 63), max_size=9)
    values = []
    for _ in range(draw(st.integers(0, 20))):
        value = draw(st.sampled_from(centres))
        for bit in draw(bits):
            value ^= 1 << bit
        values.append(value)
    return values


@quick
@given(near_fingerprints(), st.integers(0, 8), st.integers(0, 6), st.data())
def test_every_near_pair_is_found_once(fingerprints, distance, more, data):
    use = [index for index in range(len(fingerprints)) if data.draw(st.integers(0, 4))]
    rows = np.array(use, dtype=np.int64)

    for blocks in (None, distance + more):
        result = search_among(fingerprints, rows, distance, blocks=blocks)
        chunks = list(result.pairs())
        pairs = listed(chunks)

        assert len(pairs) == len(set(pairs))
        assert set(pairs) == brute_force(fingerprints, use, distance)
        assert result.count(10**9) == len(pairs)
        assert all(chunk.leader == -1 and not len(chunk.followers) for chunk in chunks)
        assert all(0 <= chunk.band < result.plan.tables for chunk in chunks)


def all_distances(fingerprints):
    x, y = np.triu_indices(len(fingerprints), 1)
    return x, y, np.bitwise_count(fingerprints[x] ^ fingerprints[y])


@pytest.mark.parametrize("blocks", [64, 40])
def test_blocks_may_be_single_bits(blocks):
    fingerprints = [0, 1, 1 << 63, 3, 2**64 - 1]

    assert set(listed(search(fingerprints, 1, blocks=blocks).pairs())) == brute_force(
        fingerprints, range(5), 1
    )


def test_a_full_buffer_goes_on_in_the_next_chunk(monkeypatch):
    """More pairs than the buffer holds, in the middle of a run."""
    monkeypatch.setattr(hamming, "CHUNK_PAIRS", STRETCH)
    rng = np.random.default_rng(4)
    fingerprints = rng.choice(2**14, 3000, replace=False).astype(np.uint64)
    x, y, apart = all_distances(fingerprints)
    near = apart <= 3

    chunks = list(search(fingerprints, 3, blocks=3).pairs())

    assert len(chunks) > 100
    assert max(len(chunk.x) for chunk in chunks) <= STRETCH
    assert sorted(listed(chunks)) == sorted(zip(x[near].tolist(), y[near].tolist(), strict=True))


def test_groups_of_equal_fingerprints_meet_in_full(monkeypatch):
    """Pairs of groups are cut into chunks too: 30 × 30 pairs for each two groups."""
    monkeypatch.setattr(hamming, "CHUNK_PAIRS", STRETCH)
    fingerprints = [value for value in (0, 1, 3, 2**40) for _ in range(30)]

    result = search(fingerprints, 1, blocks=2)

    assert sorted(listed(result.pairs())) == sorted(brute_force(fingerprints, range(120), 1))
    assert result.count(10**9) == len(brute_force(fingerprints, range(120), 1))


def test_a_crowd_follows_its_leader(monkeypatch):
    monkeypatch.setattr(hamming, "EQUAL_LIMIT", 5)
    fingerprints = [9, 7, 7, 7, 7, 7, 7, 6, 6, 7 << 20]

    result = search(fingerprints, 1)
    chunks = list(result.pairs())

    leader_chunks = [chunk for chunk in chunks if len(chunk.followers)]
    assert [(chunk.leader, chunk.followers.tolist()) for chunk in leader_chunks] == [
        (1, [2, 3, 4, 5, 6])
    ]
    within = {(1, row) for row in range(2, 7)}
    assert sorted(listed(chunks)) == sorted(within | {(1, 7), (1, 8), (7, 8)})
    assert result.count(100) == 8


def test_equal_fingerprints_give_all_pairs_up_to_the_limit():
    at_limit = search([5] * EQUAL_LIMIT, 3)
    beyond = search([5] * (EQUAL_LIMIT + 1), 3)

    assert sum(len(c.x) for c in at_limit.pairs()) == EQUAL_LIMIT * (EQUAL_LIMIT - 1) // 2
    assert len(set(listed(at_limit.pairs()))) == EQUAL_LIMIT * (EQUAL_LIMIT - 1) // 2
    assert listed(beyond.pairs()) == [(0, y) for y in range(1, EQUAL_LIMIT + 1)]


def test_counting_stops_above_the_limit():
    """20,000 form letters whose fingerprints differ in a few bits: 200 million pairs."""
    rng = np.random.default_rng(6)
    flips = np.uint64(1) << rng.integers(0, 64, (3, 20_000)).astype(np.uint64)
    fingerprints = np.bitwise_xor.reduce(flips)

    assert 1_000_000 < search(fingerprints, 8).count(1_000_000) < 10_000_000


def test_the_largest_distance_that_can_be_afforded():
    """Pairs at 1 bit, 3 bits and 2 bits of each other."""
    fingerprints = [0, 1, 0b1111, 1 << 40 | 1 << 50 | 1 << 60]

    assert affordable(fingerprints, 8, 0) == 0
    assert affordable(fingerprints, 8, 1) == 2
    assert affordable(fingerprints, 8, 3) == 3
    assert affordable(fingerprints, 8, 5) == 6
    assert affordable(fingerprints, 8, 6) == 7
    assert affordable(fingerprints, 0, 6) is None
    assert affordable([7, 7], 4, 0) is None


def affordable(fingerprints, below, limit):
    count = len(fingerprints)
    return affordable_distance(halves(fingerprints), digests(count), np.arange(count), below, limit)


def test_a_plan_counts_tables_and_comparisons():
    rng = np.random.default_rng(7)
    fingerprints = rng.integers(0, 2**64, 20_000, dtype=np.uint64)

    everybody = search(fingerprints, 3, blocks=3).plan
    cut = search(fingerprints, 3, blocks=5).plan
    best = search(fingerprints, 3).plan

    assert everybody[:3] == (3, 1, 20_000 * 19_999 / 2)
    assert cut[:2] == (5, 10)
    assert 0 < cut.comparisons < 100
    assert best.seconds <= min(cut.seconds, everybody.seconds)
    assert best.blocks == 4


def test_clustered_fingerprints_are_cut_into_more_blocks():
    """Where runs are longer than by chance, more agreeing bits are worth more tables."""
    rng = np.random.default_rng(8)
    bits = rng.random((50_000, 64)) < 0.1
    alike = (bits << np.arange(64, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
    unlike = rng.integers(0, 2**64, 50_000, dtype=np.uint64)

    assert search(alike, 3).plan.blocks > search(unlike, 3).plan.blocks


def test_a_search_can_be_cancelled():
    looks = iter(range(1000))
    fingerprints = np.random.default_rng(1).integers(0, 2**64, 5000, dtype=np.uint64)
    with cancelled_by(lambda: next(looks) > 20):
        result = search(fingerprints, 8, blocks=10)
        with pytest.raises(ScanCancelledError):
            list(result.pairs())
    with pytest.raises(ScanCancelledError), cancelled_by(lambda: True):
        search(fingerprints, 3)


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_to_compare(count):
    for distance in DISTANCES:
        result = search([3] * count, distance)
        assert not list(result.pairs())
        assert result.count(0) == 0
        assert affordable([3] * count, 4, 0) == 3
