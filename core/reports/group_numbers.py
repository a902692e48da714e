"""The numbers of the groups of a report: how many pairs, and what was judged of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.reports.model import Report
from core.scan.judgements import VERDICTS


class GroupNumbers(NamedTuple):
    """The numbers of a group.

    Attributes:
        pairs: How many pairs of the report are between its documents.
        verdicts: How many of them have each of `VERDICTS`.
    """

    pairs: int
    verdicts: tuple[int, ...]


def group_numbers(report: Report) -> Sequence[GroupNumbers]:
    """The numbers of each group of a report, in their order."""
    group_of = np.full(len(report.documents), -1, dtype=np.int64)
    for place, group in enumerate(report.groups):
        group_of[list(group.documents)] = place
    a, b = group_of[report.pairs.a], group_of[report.pairs.b]
    within = (a == b) & (a >= 0)
    cells = a[within] * len(VERDICTS) + report.verdicts[within]
    shape = len(report.groups), len(VERDICTS)
    counts = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
    return [GroupNumbers(sum(row), tuple(row)) for row in counts.tolist()]
