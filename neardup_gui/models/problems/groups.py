"""The groups of the page of problems: files that gave no text, and documents with remarks."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from core.reports.list_words import unread

if TYPE_CHECKING:
    from core.documents.model import Document, Problem

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


# By the values of `core.documents.problems.GroupKind`, which comes with all readers.
REMEDIES = {
    LOCKED: Remedy.UNLOCK,
    "scans": Remedy.OCR,
    "pictures": Remedy.OCR,
    "archives": Remedy.ARCHIVES,
}


class FileRow(NamedTuple):
    """A file, what happened to it, and the field of `ReadingLimits` that it met, if it was one."""

    name: str
    text: str
    limit: str = ""


class FileGroup(NamedTuple):
    """Files to which the same happened, by name.

    `remedy` is what can be done about all of them here; `noun` is what each is called.
    A calm group is no reason to worry: such files lie in any folder, or were read.
    """

    key: str
    title: str
    advice: str
    rows: tuple[FileRow, ...]
    remedy: Remedy | None = None
    is_calm: bool = False
    noun: str = "file"

    def limit_met(self, file: FileRow | None = None) -> str:
        """The field of `ReadingLimits` that a file, or else the first of all, met; or nothing."""
        rows = (file, *self.rows) if file else self.rows
        return next((row.limit for row in rows if row.limit), "")


def grouped(
    problems: Iterable[Problem], documents: Iterable[Document], *, is_part_of_run: bool = False
) -> tuple[FileGroup, ...]:
    """The groups that have files, the most urgent first; last, documents with remarks.

    Nothing can be done here about those of a run on a cluster: it would take another run.
    Takes its time with ten thousands of files: not to be done where the window waits.
    """
    from core.documents.problems import group_problems  # noqa: PLC0415 - slow to import

    noun = unread(is_part_of_run=is_part_of_run)
    groups = [
        FileGroup(
            key=str(kind),
            title=kind.heading,
            advice=kind.advice,
            rows=tuple(sorted(FileRow(one.name, one.detail, one.limit) for one in files)),
            remedy=None if is_part_of_run else _remedy(kind, files),
            is_calm=kind.is_calm,
            noun=noun,
        )
        for kind, files in group_problems(problems)
    ]
    rows = tuple(
        FileRow(document.name, " ".join(document.remarks))
        for document in documents
        if document.remarks
    )
    if rows:
        words = (REMARKS, REMARKS_TITLE, REMARKS_ADVICE)
        groups.append(FileGroup(*words, rows, is_calm=True, noun=noun))
    return tuple(groups)


def _remedy(kind: str, files: Iterable[Problem]) -> Remedy | None:
    return Remedy.LIMITS if any(one.limit for one in files) else REMEDIES.get(kind)
