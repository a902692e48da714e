"""The tree of files that gave no text, and why: groups by what happened, files below them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt

from core.base.messages import N_, as_shown, gettext, ngettext
from neardup_gui.models.table_model import (
    ACCESSIBLE,
    DISPLAY,
    FLAGS,
    NO_FLAGS,
    NO_PARENT,
    TOOL_TIP,
    Index,
)
from neardup_gui.models.words import numbers

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


GROUP_FLAGS = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
TOP = 0  # the internal id of groups; that of a file is the number of its group plus one


class ProblemColumn(IntEnum):
    """The columns, from left to right."""

    NAME = 0
    DETAIL = 1


COLUMNS = len(ProblemColumn)


class ProblemsModel(QAbstractItemModel):
    """Groups, and one row in them for each file.

    Attributes:
        groups: The groups, in their order.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.groups: Sequence[FileGroup] = ()
        self._remedies: dict[Remedy, Remedy] = {}

    @property
    def is_part_of_run(self) -> bool:
        """Whether the problems are documents of a run on a cluster."""
        return bool(self.groups) and self.groups[0].is_part_of_run

    def set_groups(self, groups: Sequence[FileGroup]) -> None:
        """Show other groups; the same groups change nothing."""
        if tuple(groups) == tuple(self.groups):
            return
        self.beginResetModel()
        self.groups = tuple(groups)
        self.endResetModel()

    def set_ocr(self, *, installed: bool, used: bool = False) -> None:
        """Set whether Tesseract can be used, and whether it read the listed scans in vain."""
        in_vain = {Remedy.OCR: Remedy.LANGUAGES} if used else {}
        self._remedies = in_vain if installed else {Remedy.OCR: Remedy.GET_OCR}

    def group_at(self, index: Index) -> FileGroup | None:
        """The group of a row, or of the file in a row."""
        if not index.isValid():
            return None
        number = index.internalId()
        return self.groups[index.row() if number == TOP else number - 1]

    def file_at(self, index: Index) -> FileRow | None:
        """The file of a row; None for a group."""
        group = self.group_at(index)
        return None if group is None or index.internalId() == TOP else group.rows[index.row()]

    def remedy_of(self, group: FileGroup) -> Remedy | None:
        """The remedy that the link of a group offers."""
        return self._remedies.get(group.remedy, group.remedy) if group.remedy else None

    def index_of(self, group_title: str, name: str = "") -> QModelIndex:
        """The index of a group, or of a file in it; invalid if it is gone."""
        for row, group in enumerate(self.groups):
            if group.title != group_title:
                continue
            if not name:
                return self.index(row, 0)
            for number, file in enumerate(group.rows):
                if file.name == name:
                    return self.index(number, 0, self.index(row, 0))
        return QModelIndex()

    # Qt's model interface

    def index(self, row: int, column: int, parent: Index = NO_PARENT) -> QModelIndex:
        """The index of a cell."""
        # Not by hasIndex(): Qt asks for every file of a group when it is opened.
        if not (0 <= row < self.rowCount(parent) and 0 <= column < COLUMNS):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else TOP)

    def parent(self, index: Index = NO_PARENT) -> QModelIndex:  # type: ignore[override]
        """The group of a file."""
        number = index.internalId() if index.isValid() else TOP
        return QModelIndex() if number == TOP else self.createIndex(number - 1, 0, TOP)

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """The number of groups, or of files in a group."""
        if not parent.isValid():
            return len(self.groups)
        if parent.internalId() != TOP or parent.column() > 0:
            return 0
        return len(self.groups[parent.row()].rows)

    def columnCount(self, _parent: Index = NO_PARENT) -> int:
        """The number of columns."""
        return COLUMNS

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Everything can be selected, nothing is edited."""
        if not index.isValid():
            return NO_FLAGS
        return GROUP_FLAGS if index.internalId() == TOP else FLAGS

    def data(self, index: Index, role: int = DISPLAY) -> object:
        """The content of a cell."""
        group = self.group_at(index)
        if group is None or role not in (DISPLAY, TOOL_TIP, ACCESSIBLE):
            return None
        file = self.file_at(index)
        if file is None:
            return _heading(group, index.column(), role)
        text = file.name if index.column() == ProblemColumn.NAME else file.text
        return numbers.tool_tip(text) if role == TOOL_TIP else text

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        """The names of the columns."""
        horizontal = orientation == Qt.Orientation.Horizontal
        if not horizontal or role != DISPLAY or not 0 <= section < COLUMNS:
            return None
        if section == ProblemColumn.DETAIL:
            return gettext("What happened")
        return gettext("Document") if self.is_part_of_run else gettext("File")


def _heading(group: FileGroup, column: int, role: int) -> str:
    """The text of a group's row: a title, and what can be done."""
    if role == DISPLAY:
        return group.title if column == ProblemColumn.NAME else group.advice
    words = f"{group.title}: {group.number}. {group.advice}"
    return numbers.tool_tip(words) if role == TOOL_TIP else words
