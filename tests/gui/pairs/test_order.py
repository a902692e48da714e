"""The order of the rows of a table."""

from __future__ import annotations

import numpy as np
import pytest

from core.evidence.pairs import Pairs
from neardup_gui.models.pairs.columns import ranked

ROWS = 5_000


def _pairs(count: int) -> Pairs:
    zeros = {name: np.zeros(count, one.dtype) for name, one in vars(Pairs.empty()).items()}
    return Pairs(**zeros)


def _keys() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    shares = rng.random(ROWS)
    few = shares.round(2)
    few[::7] = -0.0
    few[1::7] = 0.0
    return {
        "shares": shares,
        "few shares": few,
        "single": rng.random(ROWS).astype(np.float32),
        "large": np.concatenate([shares[1:] * 1e300, [np.inf]]),
        "documents": rng.integers(0, 200_000, ROWS).astype(np.int32),
        "below zero": rng.integers(-3, 3, ROWS).astype(np.int32),
        "long": rng.integers(0, 1 << 60, ROWS),
        "bytes": rng.integers(0, 9, ROWS).astype(np.uint8),
        "one": np.full(ROWS, 0.5),
    }


@pytest.mark.parametrize("name", _keys())
@pytest.mark.parametrize("ascending", [True, False])
def test_equal_rows_keep_the_order_of_their_rank(name, ascending):
    keys = _keys()[name]
    signed = keys if ascending else -keys.astype(np.longdouble)
    expected = sorted(range(ROWS), key=lambda row: signed[row])
    assert ranked(_pairs(ROWS), keys, ascending=ascending).tolist() == expected


@pytest.mark.parametrize("count", [0, 1])
def test_next_to_no_rows_are_ordered(count):
    keys = np.zeros(count)
    assert ranked(_pairs(count), keys, ascending=False).tolist() == list(range(count))
