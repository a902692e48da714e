"""Intervals of sums of rare events: one at a time and many at once say the same."""

import numpy as np
import pytest

from core.candidates.forecast import interval_of_rare
from core.candidates.plane_values import intervals_of_rare


@pytest.mark.parametrize("mean", [0.0, 5e-324, 1e-200, 1e-170, 1e-100, 1e-9, 0.3, 40.0])
def test_one_and_many_say_the_same_also_where_next_to_nothing_is_expected(mean):
    hardest = 0.2
    one = interval_of_rare(mean, mean * 2, hardest)
    many = intervals_of_rare(
        np.array([mean]), np.array([mean * 2]), np.array([(1 - hardest) / hardest])
    )

    assert [float(column[0]) for column in many] == pytest.approx(list(one), rel=1e-12)
    assert one.low <= one.expected <= one.high
    assert one.high > 0.1  # one that was not seen may be there
