"""How wide the columns of the table of pairs are, and which of them give way to the others."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSignalBlocker
from PySide6.QtWidgets import QTableView

from neardup_gui.models.pairs.columns import COLUMNS, MARK, Column
from neardup_gui.views.pairs.delegates import BAR_GAP, PADDING
from neardup_gui.views.widgets.letter_width import letter_width

__all__ = ["ColumnWidths"]

NAME_LETTERS = 16  # of a name that are seen at least
EASY_LETTERS = 22  # of a name that are read with ease
SLACK = 2  # widths of letters are rounded
BAR_WIDTH = 84  # the bar and the gap before its number
NAMES = (Column.DOCUMENT_A, Column.DOCUMENT_B)
# First those that are asked for least. The numbers of the pair that is read stand above its texts.
GIVING_WAY = {
    Column.FOUND_BY: EASY_LETTERS,
    Column.SHARED: EASY_LETTERS,
    Column.LONGEST_RUN: NAME_LETTERS,
    Column.CONTAINMENT_B: NAME_LETTERS,
    Column.CONTAINMENT_A: NAME_LETTERS,
}


class ColumnWidths(QObject):
    """Gives the numbers the width of their text and the names the rest.

    Where the names would have less than they need, columns are left out, so that the verdict stays
    in sight; never the one that the table is ordered by.
    """

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self._share = 0.5  # of the room for names that A has
        header = table.horizontalHeader()
        header.sectionResized.connect(self._on_section_resized)
        header.sortIndicatorChanged.connect(self.fit)

    def measure(self, picture_room: int) -> None:
        """Follow the size of the text.

        Args:
            picture_room: Pixels that the picture beside the rank needs.
        """
        metrics = self._table.fontMetrics()
        header = self._table.horizontalHeader()
        with QSignalBlocker(header):
            for number, column in enumerate(COLUMNS):
                if number in NAMES:
                    continue
                sample = metrics.horizontalAdvance(column.sample)
                if number == Column.RESEMBLANCE:
                    sample += max(BAR_WIDTH, metrics.horizontalAdvance(MARK) + BAR_GAP)
                if number == Column.RANK:
                    sample += picture_room
                width = max(metrics.horizontalAdvance(f"{column.title} ▾"), sample)
                header.setSectionHidden(number, False)  # a hidden one keeps its old width
                header.resizeSection(number, width + SLACK + 2 * PADDING)
        self.fit()

    def fit(self) -> None:
        """Leave out what there is no room for; share what is left between the two names."""
        header = self._table.horizontalHeader()
        with QSignalBlocker(header):
            self._leave_out()
            room, least = self._room_for_names(), self._name_width(NAME_LETTERS)
            first = min(max(round(room * self._share), least), room - least)
            header.resizeSection(Column.DOCUMENT_A, first)
            header.resizeSection(Column.DOCUMENT_B, room - first)
        self._table.updateGeometries()
        self._table.viewport().update()

    def _leave_out(self) -> None:
        header = self._table.horizontalHeader()
        for column in GIVING_WAY:
            header.setSectionHidden(column, False)
        for column, letters in GIVING_WAY.items():
            if self._room_left() < 2 * self._name_width(letters):
                header.setSectionHidden(column, column != header.sortIndicatorSection())

    def _on_section_resized(self, section: int, _before: int, after: int) -> None:
        if section in NAMES:
            share = after / self._room_for_names()
            self._share = share if section == Column.DOCUMENT_A else 1 - share
        self.fit()

    def _room_left(self) -> int:
        header = self._table.horizontalHeader()
        others = (header.sectionSize(n) for n in range(len(COLUMNS)) if n not in NAMES)
        return self._table.viewport().width() - sum(others)

    def _room_for_names(self) -> int:
        return max(self._room_left(), 2 * self._name_width(NAME_LETTERS))

    def _name_width(self, letters: int) -> int:
        """The width of a name of so many letters, in the size of the text."""
        return letters * letter_width(self._table.fontMetrics()) + 2 * PADDING
