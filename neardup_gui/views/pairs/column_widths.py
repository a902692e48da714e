"""How wide the columns of the table of pairs are, and which of them give way to the others."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSignalBlocker
from PySide6.QtWidgets import QTableView

from neardup_gui.models.pairs.columns import COLUMNS, MARK, NAME_LETTERS, Column
from neardup_gui.views.pairs.delegates import BAR_GAP, PADDING
from neardup_gui.views.widgets.letter_width import letter_width

SLACK = 2  # widths of letters are rounded
BAR_WIDTH = 84  # the bar and the gap before its number
NAMES = (Column.DOCUMENT_A, Column.DOCUMENT_B)
# The numbers of the pair that is read stand above its texts too.
GIVING_WAY = [column for column in reversed(COLUMNS) if column.words.gives_way]


class ColumnWidths(QObject):
    """Gives the numbers the width of their text and the names the rest.

    Where the names would have less than they need, columns are left out, so that the verdict stays
    in sight; never the one that the table is ordered by.
    """

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self._share = 0.5  # of the room for names that A has
        table.horizontalHeader().sortIndicatorChanged.connect(self.fit)

    def measure(self, picture_room: int) -> None:
        """Follow the size of the text; `fit` comes next.

        Args:
            picture_room: Pixels that the picture beside the rank needs.
        """
        metrics = self._table.fontMetrics()
        header = self._table.horizontalHeader()
        with QSignalBlocker(header):
            for column in COLUMNS:
                if column in NAMES:
                    continue
                sample = metrics.horizontalAdvance(column.words.sample)
                if column is Column.RESEMBLANCE:
                    sample += max(BAR_WIDTH, metrics.horizontalAdvance(MARK) + BAR_GAP)
                if column is Column.RANK:
                    sample += picture_room
                width = max(metrics.horizontalAdvance(f"{column.words.title} ▾"), sample)
                header.setSectionHidden(column, False)  # a hidden one keeps its old width
                header.resizeSection(column, width + SLACK + 2 * PADDING)

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
        for column in GIVING_WAY:
            if self._room_left() < 2 * self._name_width(column.words.gives_way):
                header.setSectionHidden(column, column != header.sortIndicatorSection())

    def follow(self, section: int, after: int) -> None:
        """A column was given another width."""
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
