"""What was computed last, so that moving something else does not compute it again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Keeps one result and what it was computed from; unlike a cache it may be cancelled."""

    def __init__(self) -> None:
        self._kept: tuple[Hashable, T] | None = None

    def get(self, key: Hashable, compute: Callable[[], T]) -> T:
        """The result for a key: the kept one, or a new one, which is kept in its place."""
        if self._kept is None or self._kept[0] != key:
            self._kept = key, compute()
        return self._kept[1]
