"""The list of files that gave no text, and why: groups by what happened, files below them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

from core.base.messages import N_, as_shown, gettext, ngettext
from core.base.wording import comma_list
from neardup_gui.models.table_model import ACCESSIBLE, Columns, FoldedModel, TableColumn

if TYPE_CHECKING:
    from core.documents.model import Document, Problem

LOCKED = "locked"
REMARKS = "remarks"


class Remedy(StrEnum):
    """What the user can do about a group; the value is the text of the link, a message."""

    UNLOCK = N_("Enter password…")
    OCR = N_("Read scans with Tesseract")
    GET_OCR = N_("How to read scans")
    LANGUAGES = N_("Try other languages…")
    LIMITS = N_("Try again with other limits…")
    ARCHIVES = N_("Open archives")


# By the names of `core.documents.problems.GroupKind`, which comes with all readers.
REMEDIES = {
    LOCKED: Remedy.UNLOCK,
    "scans": Remedy.OCR,
    "pictures": Remedy.OCR,
    "archives": Remedy.ARCHIVES,
}


class FileRow(NamedTuple):
    """A file, what happened to it, and the field of `ReadingLimits` that it met, if any."""

    name: str
    text: str
    limit: str = ""


class FileGroup(NamedTuple):
    """Files with the same problem, by name.

    `remedy` is what can be done about all of them here; those of a run on a cluster are documents.
    A calm group is no reason to worry: such files lie in any folder, or were read.
    """

    key: str
    title: str
    advice: str
    rows: tuple[FileRow, ...]
    remedy: Remedy | None = None
    is_calm: bool = False
    is_part_of_run: bool = False

    @property
    def number(self) -> str:
        """The number of files in words: "3 files"."""
        if self.is_part_of_run:
            return ngettext("{n} document", "{n} documents", len(self.rows))
        return ngettext("{n} file", "{n} files", len(self.rows))

    def limit_met(self, file: FileRow | None = None) -> str:
        """The field of `ReadingLimits` that a file, or else the first file, met; or empty."""
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

    groups = [
        FileGroup(
            key=str(kind),
            title=kind.heading,
            advice=kind.advice,
            rows=tuple(
                sorted(FileRow(file.name, as_shown(file.detail), file.limit) for file in files)
            ),
            remedy=None if is_part_of_run else _remedy(str(kind), files),
            is_calm=kind.is_calm,
            is_part_of_run=is_part_of_run,
        )
        for kind, files in group_problems(problems)
    ]
    rows = tuple(
        FileRow(document.name, " ".join(map(as_shown, document.remarks)))
        for document in documents
        if document.remarks
    )
    if rows:
        advice = gettext("These files are compared, but something was left out or is uncertain.")
        groups.append(
            FileGroup(
                REMARKS,
                gettext("Read, with remarks"),
                advice,
                rows,
                is_calm=True,
                is_part_of_run=is_part_of_run,
            )
        )
    return tuple(groups)


def _remedy(kind: str, files: Iterable[Problem]) -> Remedy | None:
    return Remedy.LIMITS if any(file.limit for file in files) else REMEDIES.get(kind)


MANY = 12  # files above which a group is closed at first
MEANING = N_("Files that could not be read in full, and why.")


class ProblemRow(NamedTuple):
    """The heading of a group, or a file of it."""

    group: FileGroup
    file: FileRow | None = None

    @property
    def key(self) -> tuple[str, str]:
        """The title of the group, and the name of the file if it is one."""
        return self.group.title, self.file.name if self.file else ""


def _heading(group: FileGroup, number: str) -> str:
    return f"{group.title}: {number}. {group.advice}"


class ProblemColumn(Columns):
    """The columns, from left to right."""

    NAME = TableColumn(
        title=N_("File"),
        meaning=MEANING,
        shown=lambda row: row.file.name if row.file else row.group.title,
    )
    DETAIL = TableColumn(
        title=N_("What happened"),
        meaning=MEANING,
        shown=lambda row: row.file.text if row.file else row.group.advice,
    )


class ProblemsModel(FoldedModel[ProblemColumn, tuple[str, str]]):
    """Groups, and below each of them, while it is open, a row for each file.

    Attributes:
        groups: The groups, in their order.
    """

    columns = tuple(ProblemColumn)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.groups: Sequence[FileGroup] = ()
        self._rows: list[ProblemRow] = []
        self._opened: dict[str, bool] = {}  # groups that the user opened or closed
        self._remedies: dict[Remedy, Remedy] = {}

    @property
    def is_part_of_run(self) -> bool:
        """Whether the problems are documents of a run on a cluster."""
        return bool(self.groups) and self.groups[0].is_part_of_run

    def set_groups(self, groups: Sequence[FileGroup]) -> None:
        """Show other groups; the same groups change nothing."""
        if tuple(groups) != tuple(self.groups):
            with self.resetting():
                self.groups = tuple(groups)
                self._rows = [row for group in groups for row in self._rows_of(group)]

    def set_ocr(self, *, installed: bool, used: bool = False) -> None:
        """Set whether Tesseract can be used, and whether it read the listed scans in vain."""
        in_vain = {Remedy.OCR: Remedy.LANGUAGES} if used else {}
        self._remedies = in_vain if installed else {Remedy.OCR: Remedy.GET_OCR}

    def link_of(self, group: FileGroup) -> str:
        """The words of the link of a group; empty when there is nothing to do."""
        remedy = self.remedy_of(group)
        return gettext(remedy) if remedy else ""

    def remedy_of(self, group: FileGroup) -> Remedy | None:
        """The remedy that the link of a group offers."""
        return self._remedies.get(group.remedy, group.remedy) if group.remedy else None

    def forget(self) -> None:
        """Forget which groups the user opened or closed: another folder is shown."""
        self._opened.clear()

    def row_at(self, row: int) -> ProblemRow:
        """What a row is about."""
        return self._rows[row]

    def key_at(self, row: int) -> tuple[str, str]:
        """The title of a group, and the name of a file in it."""
        return self._rows[row].key

    def row_of(self, key: tuple[str, str]) -> int | None:
        """The row of a file or a group, or of the group in which the file is hidden."""
        keys = [row.key for row in self._rows]
        return next((keys.index(known) for known in (key, (key[0], "")) if known in keys), None)

    def is_heading(self, row: int) -> bool:
        """Whether a row stands for a whole group."""
        return self._rows[row].file is None

    can_open = is_heading

    def is_open(self, row: int) -> bool:
        """Whether the files of a group are shown."""
        return self._is_open(self._rows[row].group)

    def _is_open(self, group: FileGroup) -> bool:
        return self._opened.get(group.key, not group.is_calm and len(group.rows) <= MANY)

    def _rows_of(self, group: FileGroup) -> list[ProblemRow]:
        files = group.rows if self._is_open(group) else ()
        return [ProblemRow(group), *(ProblemRow(group, file) for file in files)]

    def _turned(self, row: int) -> list[ProblemRow]:
        group = self._rows[row].group
        self._opened[group.key] = not self._is_open(group)
        return self._rows_of(group)

    # Qt's model interface

    def _subject(self, row: int) -> tuple[ProblemRow]:
        return (self._rows[row],)

    def _explanation(self, row: int, column: ProblemColumn) -> str:
        group, file = self._rows[row]
        return self._text(row, column) if file else _heading(group, group.number)

    def _besides(self, role: int, row: int, column: ProblemColumn) -> object:
        if role != ACCESSIBLE:
            return None
        group, file = self._rows[row]
        state = gettext("open") if self.is_open(row) else gettext("closed")
        heading = _heading(group, comma_list((group.number, state)))
        return self._text(row, column) if file else heading

    def _title(self, section: int) -> str:
        is_document = section == ProblemColumn.NAME and self.is_part_of_run
        return gettext("Document") if is_document else super()._title(section)
