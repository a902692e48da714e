"""What can go wrong in the engine, as one tree.

    NeardupError
    ├── SettingsError      settings that contradict themselves (also a ValueError)
    ├── TooManyCandidatesError  bands and rows that would compare too many pairs; others are named
    ├── FolderError        the folder to scan cannot be used at all
    ├── ReviewError        a review file that cannot be opened or saved
    │   └── ReviewChangedError  another program has saved it since it was opened
    ├── StorageError       not enough memory, disk or threads for what was asked
    ├── LongTextError      a text that takes more memory to compare than one may
    ├── PreparationError   the kernels of the engine could not be compiled ahead
    ├── ScanCancelledError the user asked to stop; no result
    ├── ExportError        a report could not be written
    ├── ClusterError       Spark, its sources or the folder of a run cannot be used
    └── ReportError        a file that is no report, or one that cannot be checked
        ├── KeyNeededError its names are withheld, and their key was not given
        └── FoldersNeededError  fewer folders were given than it is about

A single file that cannot be read is no exception: it becomes a `core.documents.model.Problem`, and
the scan goes on. The text of every exception is a sentence that can be shown to the user as it is:
it is raised with a message and what stands in it, and translates that.

    raise ReviewError("{name} is a folder, not a review of Neardup.", name=shown(path))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar


def _in_english(message: str, **values: object) -> str:
    return message.format(**values) if values else message


class NeardupError(Exception):
    """Base of everything the engine raises on purpose.

    Attributes:
        translate: Says a message in the reader's language; set by `core.base.messages`.
    """

    translate: ClassVar[Callable[..., str]] = staticmethod(_in_english)

    def __init__(self, message: str = "", **values: object) -> None:
        super().__init__(NeardupError.translate(message, **values))


class SettingsError(NeardupError, ValueError):
    """Settings that contradict themselves; the sentence names the value."""


class TooManyCandidatesError(NeardupError):
    """Bands and rows that would compare more pairs than can be waited for."""


class FolderError(NeardupError):
    """A folder that does not exist, is not a folder or may not be read."""


class ReviewError(NeardupError):
    """A review file that cannot be opened or saved; the sentence says which and why."""


class ReviewChangedError(ReviewError):
    """A review file whose content has changed since it was opened: it must be opened again."""


class StorageError(NeardupError):
    """Not enough memory, disk or threads for what was asked; the sentence says what is missing."""


class LongTextError(NeardupError):
    """A text that takes more memory to compare than one may, when it has too many words.

    With a sentence where that is not the reason.
    """


class PreparationError(NeardupError):
    """The kernels of the engine could not be compiled ahead; they are when they are called."""


class ScanCancelledError(NeardupError):
    """The scan was asked to stop."""


class ExportError(NeardupError):
    """A report could not be written; the sentence says where and why."""


class ClusterError(NeardupError):
    """Spark cannot be used, or a source or target of a run; the sentence says what and why."""


class ReportError(NeardupError):
    """A file that is no report, or one that cannot be checked; the sentence says why."""


class KeyNeededError(ReportError):
    """A report whose names are withheld, to be checked without their key."""


class FoldersNeededError(ReportError):
    """A report to be checked with fewer folders than it is about.

    Attributes:
        folders: The names of those that it is about.
    """

    folders: tuple[str, ...] = ()
