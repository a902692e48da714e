"""The pairs a scan lists, as columns."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import IntFlag
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["FoundBy", "Pairs"]


class FoundBy(IntFlag):
    """The ways in which a pair was found; a pair can have several."""

    EXACT = 1
    LSH = 2
    PASSAGE = 4

    @property
    def label(self) -> str:
        """The value of the column found_by: exact, lsh, passage or lsh+passage."""
        if self & FoundBy.EXACT:
            return "exact"
        names = (way.name.lower() for way in FoundBy if way in self and way.name)
        return "+".join(names)


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Verified pairs of documents, one row each; a < b are indices of documents.

    All columns have the same length. Resemblance and containment are exact; `estimate` is what
    the signatures tell: the share of equal values, with SimHash by the distance.
    """

    a: npt.NDArray[np.int32]
    b: npt.NDArray[np.int32]
    resemblance: npt.NDArray[np.float64]
    containment_a: npt.NDArray[np.float64]
    containment_b: npt.NDArray[np.float64]
    estimate: npt.NDArray[np.float32]
    shared_shingles: npt.NDArray[np.int32]
    longest_run: npt.NDArray[np.int32]
    exact_duplicate: npt.NDArray[np.bool_]
    found_by: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.a)

    def take(self, rows: npt.NDArray[np.integer] | npt.NDArray[np.bool_]) -> Pairs:
        """The rows with these indices, in this order, or those where a mask is true."""
        return Pairs(**{field.name: getattr(self, field.name)[rows] for field in fields(self)})

    def with_columns(self, **columns: npt.NDArray[Any]) -> Pairs:
        """The same rows with some columns replaced."""
        return replace(self, **columns)

    def ranked(self) -> Pairs:
        """Most similar first: by resemblance, longest run, then a and b."""
        order = np.lexsort((self.b, self.a, -self.longest_run, -self.resemblance))
        return self.take(order)

    @staticmethod
    def empty() -> Pairs:
        """No pairs."""
        types = {
            "a": np.int32,
            "b": np.int32,
            "resemblance": np.float64,
            "containment_a": np.float64,
            "containment_b": np.float64,
            "estimate": np.float32,
            "shared_shingles": np.int32,
            "longest_run": np.int32,
            "exact_duplicate": np.bool_,
            "found_by": np.uint8,
        }
        return Pairs(**{name: np.zeros(0, dtype=dtype) for name, dtype in types.items()})

    @staticmethod
    def concatenate(parts: list[Pairs]) -> Pairs:
        """All rows of several tables, in their order."""
        if not parts:
            return Pairs.empty()
        names = [field.name for field in fields(Pairs)]
        return Pairs(
            **{name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        )
