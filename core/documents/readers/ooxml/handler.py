"""How the parts of an Office document are read, whatever is in them: by what each element means."""

from __future__ import annotations

from abc import ABC, abstractmethod

from core.documents.readers.ooxml.names import Ends, Starts


class OfficeHandler(ABC):
    """Does what is written down for the start and the end of an element, and skips others.

    Whoever derives from it sets `_starts` and `_ends`, with the three methods on alternatives for
    `mc:AlternateContent`, `mc:Choice` and `mc:Fallback`.
    """

    _starts: Starts
    _ends: Ends

    def __init__(self) -> None:
        self._skipped = 0  # elements open in one that is not read
        self._alternatives: list[int] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if self._skipped:
            self._skipped += 1
        elif action := self._starts.get(name):
            action(attributes)

    def end(self, name: str) -> None:
        """An element ends."""
        if self._skipped:
            self._skipped -= 1
        elif action := self._ends.get(name):
            action()

    @abstractmethod
    def _count_written(self) -> int:
        """How often text was written so far."""

    def _skip(self, _attributes: dict[str, str]) -> None:
        self._skipped = 1

    def _start_alternatives(self, _attributes: dict[str, str]) -> None:
        self._alternatives.append(self._count_written())

    def _start_alternative(self, attributes: dict[str, str]) -> None:
        """Of several ways to say a thing, the first with text is read."""
        if self._alternatives and self._count_written() > self._alternatives[-1]:
            self._skip(attributes)

    def _end_alternatives(self) -> None:
        if self._alternatives:
            self._alternatives.pop()
