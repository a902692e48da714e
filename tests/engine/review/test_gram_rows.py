"""Skip-grams come back from a review as they were, in fewer bytes."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.review.packing import pack_grams, unpack_grams
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.text.shingling import Fingerprints

LAST = 2**24 - 1
documents = st.lists(
    st.lists(st.tuples(st.integers(0, 2**40 - 1), st.integers(0, 300) | st.integers(0, LAST))),
    max_size=6,
)


def grams_of(texts):
    """The grams of documents: of each, hash and place, in the order of their places."""
    values = [
        [own << 24 | place for own, place in sorted(one, key=lambda two: two[1])] for one in texts
    ]
    counts = np.array([len(one) for one in values], dtype=np.int64)
    return Fingerprints(np.array([*chain(*values)], dtype=np.uint64), counts)


@settings(deadline=None, derandomize=True)
@given(documents)
def test_any_grams_come_back(texts):
    grams = grams_of(texts)

    columns = pack_grams(grams)
    back = unpack_grams(columns)

    assert [bool(one) for one in columns] == [bool(one) for one in texts]
    np.testing.assert_array_equal(back.values, grams.values)
    np.testing.assert_array_equal(back.counts, grams.counts)
    assert back.values.dtype == np.uint64


def test_grams_of_a_text_take_six_bytes_each():
    text = " ".join(f"word{number * 7919 % 1000}" for number in range(2000))
    grams = sign_texts([text], ScanSettings(reworked="careful")).skip_grams

    (column,) = pack_grams(grams)

    assert grams.counts[0] > 300
    assert len(column) == 1 + 6 * grams.counts[0]


WRONG = {
    "of another size": b"\1" + b"x" * 7,
    "of no grams": b"\1",
    "of another width": b"\2" + b"x" * 7,
    "of no width": b"\0" + b"x" * 5,
    "behind the end of any text": b"\3" + b"\xff" * 16,
}


@pytest.mark.parametrize("column", WRONG.values(), ids=WRONG)
def test_columns_that_are_none_are_refused(column):
    unpack_grams([b"", b"\1" + b"x" * 6])

    with pytest.raises(ValueError, match="skip-gram"):
        unpack_grams([b"\1" + b"x" * 6, column])
