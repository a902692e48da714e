"""The dot plots of pairs as small pictures: kept for those that were on the screen."""

from __future__ import annotations

from dataclasses import dataclass

from core.base.arrays import Float64Array

DocumentPair = tuple[int, int]
MOST = 4_096  # pictures that are kept; the oldest go first


@dataclass(frozen=True, slots=True, eq=False)  # Qt would make a list of a tuple
class Thumbnail:
    """A line for every passage: float64 (n, 4), from A and B to A and B as shares of the texts."""

    lines: Float64Array

    @property
    def turned(self) -> Thumbnail:
        """With A and B exchanged."""
        return Thumbnail(self.lines[:, [1, 0, 3, 2]])


class Thumbnails:
    """What is known of the pairs of a list, by the numbers of their documents."""

    def __init__(self) -> None:
        self._known: dict[DocumentPair, Thumbnail] = {}

    def __contains__(self, pair: DocumentPair) -> bool:
        return pair in self._known

    def of(self, a: int, b: int) -> Thumbnail | None:
        """The picture of a pair in either order; None where it is not known yet."""
        found = self._known.get((a, b))
        if found is None and (b, a) in self._known:
            return self._known[b, a].turned
        return found

    def add(self, pair: DocumentPair, thumbnail: Thumbnail) -> None:
        """Keep the picture of a pair."""
        self._known[pair] = thumbnail
        if len(self._known) > MOST:
            del self._known[next(iter(self._known))]

    def clear(self) -> None:
        """Forget all, for another list."""
        self._known.clear()
