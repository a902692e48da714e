"""The groups of the page of problems: files that gave no text, and documents with remarks."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from core.documents.model import Document, Problem

__all__ = ["LOCKED", "FileRow", "Group", "Remedy", "grouped"]

LOCKED = "locked"
REMARKS = "remarks"
REMARKS_TITLE = "Read, with remarks"
REMARKS_ADVICE = "They are compared; something was left out or not sure."


class Remedy(StrEnum):
    """What the user can do about a whole group; the value is what the link says."""

    UNLOCK = "Enter password…"
    OCR = "Read scans with Tesseract"
    GET_OCR = "How to read scans"
    LANGUAGES = "Try other languages…"
    LIMITS = "Try again with other limits…"
    ARCHIVES = "Open archives"


# By the values of `core.documents.problem_groups.GroupKind`, which comes with all readers.
REMEDIES = {
    LOCKED: Remedy.UNLOCK,
    "scans": Remedy.OCR,
    "pictures": Remedy.OCR,
    "archives": Remedy.ARCHIVES,
}
LIMITS = {  # the field of `ReadingLimits` that the files of a group met
    "slow": "seconds",
    "big": "file_bytes",
    "unpacked": "unpacked_bytes",
    "parts": "members",
    "deep": "nesting",
    "memory": "memory_bytes",
}
HINTS = {  # what a sentence says when the limit was another one than is usual for its group
    "got nowhere": "stall_seconds",
    "as large as it is packed": "ratio",
    "A part of": "part_bytes",
    "This text has": "characters",
    "This text is longer": "words",
}


class FileRow(NamedTuple):
    """A file and what happened to it."""

    name: str
    text: str


class Group(NamedTuple):
    """Files to which the same happened, by name.

    `remedy` is what can be done about all of them here, `limit` the field of `ReadingLimits` that
    most of them met.
    A calm group is no reason to worry: such files lie in any folder, or were read.
    """

    key: str
    title: str
    advice: str
    rows: tuple[FileRow, ...]
    remedy: Remedy | None = None
    limit: str = ""
    is_calm: bool = False

    def limit_met(self, file: FileRow | None = None) -> str:
        """The field of `ReadingLimits` that a file met, or the first one; "" when there is none."""
        text = (file or self.rows[0]).text
        found = (limit for words, limit in HINTS.items() if words in text)
        return next(found, self.limit) if self.limit else ""


def grouped(problems: Iterable[Problem], documents: Iterable[Document]) -> tuple[Group, ...]:
    """The groups that have files, the most urgent first; last, documents with remarks.

    Takes its time with ten thousands of files: not to be done where the window waits.
    """
    from core.documents.problem_groups import group_problems  # noqa: PLC0415 - slow to import

    groups = [
        Group(
            key=str(kind),
            title=kind.heading,
            advice=kind.advice,
            rows=tuple(sorted(FileRow(problem.name, problem.detail) for problem in files)),
            remedy=Remedy.LIMITS if kind in LIMITS else REMEDIES.get(kind),
            limit=LIMITS.get(kind, ""),
            is_calm=kind.is_calm,
        )
        for kind, files in group_problems(problems)
    ]
    rows = tuple(
        FileRow(document.name, " ".join(document.remarks))
        for document in documents
        if document.remarks
    )
    if rows:
        groups.append(Group(REMARKS, REMARKS_TITLE, REMARKS_ADVICE, rows, is_calm=True))
    return tuple(groups)
