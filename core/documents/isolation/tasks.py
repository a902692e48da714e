"""What a reader process is told to do, as it goes over the pipe, before the bytes of the file."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, NamedTuple

from core.documents.reading_settings import ReadingLimits, ReadingSettings

__all__ = ["SCANS", "Task"]

# Said to the program of a process that may start Tesseract; said by any other of a file for that.
SCANS = "scans"


class Task(NamedTuple):
    """A file to read. Where it is the process is not told: it never opens a file of the user's.

    Attributes:
        number: At random; answers repeat it. A process that was taken over by a file cannot answer
            for another one before that is there.
        suffix: Lower-case suffix of its name; bytes that are no UTF-8 are surrogates, which JSON
            can carry.
        settings: How to read it.
    """

    number: str
    suffix: str
    settings: ReadingSettings

    def values(self) -> dict[str, Any]:
        """The task as JSON values."""
        return {**self._asdict(), "settings": asdict(self.settings)}

    @staticmethod
    def from_values(values: dict[str, Any]) -> Task:
        """The task again."""
        settings = dict(values["settings"])
        settings["limits"] = ReadingLimits(**settings["limits"])
        settings["passwords"] = tuple(settings["passwords"])
        return Task(**{**values, "settings": ReadingSettings(**settings)})
