"""What was measured of reworked passages comes back as it was written, and not otherwise."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.tasks import never
from core.evidence.pairs import ReworkedEvidence
from core.review import schema
from core.review.rows import load_reworked, save_reworked, verify_model

DOCUMENTS = 12
LENGTHS = np.full(DOCUMENTS, 500, dtype=np.int64)
IDS = np.arange(DOCUMENTS, 0, -1, dtype=np.int64)  # ids need not ascend with the places
MODEL = b"how rare words are" * 9

places = st.integers(0, DOCUMENTS - 1)
numbers = st.tuples(st.integers(1, 90), st.floats(1, 90, width=32), st.floats(0, 1, width=32))
pairs = st.dictionaries(
    st.tuples(places, places).map(lambda two: tuple(sorted(two))),
    numbers | st.just((0, 0.0, 0.0)),
    max_size=30,
)


def evidence(rows, model=MODEL):
    """The evidence of pairs (x, y) with words, bits and share."""
    ordered = sorted(rows.items())
    codes = np.array([x << 32 | y for (x, y), _ in ordered], dtype=np.uint64)
    words, bits, share = np.array([own for _, own in ordered]).reshape(-1, 3).T
    return ReworkedEvidence(codes, words.astype(np.int32), *np.float32([bits, share]), model)


def assert_same(one, other):
    assert one.model == other.model
    for left, right in zip((one.codes, *one.columns), (other.codes, *other.columns), strict=True):
        assert left.dtype == right.dtype
        np.testing.assert_array_equal(left, right)


def connected():
    connection = sqlite3.connect(":memory:", isolation_level=None)
    schema.create(connection)
    return closing(connection)


def saved(connection, what):
    with ThreadPoolExecutor(1) as pool:
        models = save_reworked(connection, what, IDS, pool, never)
    return SimpleNamespace(reworked=len(what.codes), models=models, run=None)


@settings(deadline=None, derandomize=True, max_examples=50)
@given(pairs, pairs, st.booleans())
def test_any_numbers_come_back(first, second, same_model):
    with connected() as connection:
        saved(connection, evidence(first))
        wanted = evidence(second, MODEL if same_model else b"another")
        facts = saved(connection, wanted)

        assert_same(load_reworked(connection, facts, IDS, LENGTHS), wanted)
        verify_model(connection)


def test_without_a_model_nothing_is_left_of_an_earlier_one():
    with connected() as connection:
        saved(connection, evidence({(1, 2): (40, 80, 0.5)}))
        facts = saved(connection, ReworkedEvidence.none())

        assert_same(load_reworked(connection, facts, IDS, LENGTHS), ReworkedEvidence.none())
        assert facts.models == 0
        assert connection.execute("SELECT count(*) FROM word_model").fetchone() == (0,)


BAD = {
    "of another size": "UPDATE word_model SET size = size + 1",
    "of no size": "UPDATE word_model SET size = 0",
    "of a size that is none": "UPDATE word_model SET size = 'x'",
    "that swells": "UPDATE word_model SET size = 1000000000",
    "of another checksum": "UPDATE word_model SET checksum = checksum + 1",
    "that is gone": "DELETE FROM word_model",
}


@pytest.mark.parametrize("change", BAD.values(), ids=BAD)
def test_a_model_that_cannot_be_so_is_refused(change):
    with connected() as connection:
        facts = saved(connection, evidence({(1, 2): (40, 80, 0.5)}))
        connection.execute(change)

        with pytest.raises(ValueError, match=r"model|compressed value"):
            load_reworked(connection, facts, IDS, LENGTHS)


def test_pairs_follow_their_documents():
    known = evidence({(0, 1): (9, 20, 0.1), (0, 2): (8, 30, 0.2), (1, 2): (7, 40, 0.3)})

    moved = known.renumbered(np.array([2, -1, 0]))

    assert_same(moved, evidence({(0, 2): (8, 30, 0.2)}))


def test_two_that_know_something_know_both_by_one_model():
    one, other = evidence({(0, 1): (9, 20, 0.1)}), evidence({(0, 2): (8, 30, 0.2)})
    both = evidence({(0, 1): (9, 20, 0.1), (0, 2): (8, 30, 0.2)})

    assert_same(one.together(other), both)
    assert_same(other.together(one), both)
    assert_same(one.together(both), both)
    newer = other._replace(model=b"newer")
    assert_same(one.together(newer), newer)
    assert_same(ReworkedEvidence.none().together(ReworkedEvidence.none()), ReworkedEvidence.none())
