"""Pairs whose sides the user exchanged: A and B change places in their row and in their texts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.base.arrays import Int64Array
from core.documents.keys import Documents
from core.evidence.pairs import Pairs
from neardup_gui.models.scan_result import DocumentNames, ListedPair


class Swaps:
    """Knows the exchanged pairs as they are seen, to stay so in another list of the folder."""

    def __init__(self) -> None:
        self._keys: set[ListedPair] = set()

    def __contains__(self, key: ListedPair) -> bool:
        return key.turned in self._keys

    def toggle(self, key: ListedPair) -> None:
        """Exchange the sides of a pair, or put them back."""
        self._keys.discard(key)  # other names have turned the pair in its list
        self._keys ^= {key.turned}

    def follow(self, names: DocumentNames, before: Documents) -> None:
        """Know the pairs in another list by what their documents are there."""
        self._keys = {names.followed(key, before) for key in self._keys}

    def clear(self) -> None:
        """Forget all of them, for another folder."""
        self._keys.clear()

    def applied(self, pairs: Pairs, names: DocumentNames) -> Pairs:
        """The same rows, as they are seen: with A and B exchanged where the user did so."""
        found = (row_of_pair(pairs, names, key.turned) for key in self._keys)
        rows = np.array([row for row in found if row is not None], dtype=np.int64)
        if not len(rows):
            return pairs
        return pairs.with_columns(
            a=_with(pairs.a, pairs.b, rows),
            b=_with(pairs.b, pairs.a, rows),
            containment_a=_with(pairs.containment_a, pairs.containment_b, rows),
            containment_b=_with(pairs.containment_b, pairs.containment_a, rows),
        )


def row_of_pair(pairs: Pairs, names: DocumentNames, key: ListedPair) -> int | None:
    """The row of a pair of this list; None when it is not listed, or B comes before A."""
    a, b = (names.index(name) for name in key.names)
    if a is None or b is None:
        return None
    found = np.flatnonzero((pairs.a == a) & (pairs.b == b))
    return int(found[0]) if len(found) else None


def _with(
    column: npt.NDArray[np.generic], other: npt.NDArray[np.generic], rows: Int64Array
) -> npt.NDArray[np.generic]:
    """A column that has in some rows what the other one has there."""
    exchanged = column.copy()
    exchanged[rows] = other[rows]
    return exchanged
