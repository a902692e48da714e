"""The tables of a test of the list: what was promised and found, what is missing by name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from neardup_gui.models.table_model import (
    ALIGNMENT,
    DISPLAY,
    LEFT,
    RIGHT,
    TOOL_TIP,
    Columns,
    Index,
    TableColumn,
    TableModel,
)
from neardup_gui.models.words import numbers
from neardup_gui.models.workbench.audit_shown import AuditRow, AuditTableKind

INTERVAL = "The share, and the 95 % interval of such a share, after Wilson."
NAME = "M" * 12
SHARE = "100.0% (100.0% to 100.0%)"


class _Range(Columns):
    RANGE = TableColumn(title="Resemblance", meaning="Exact resemblance of the pairs.")
    PAIRS = TableColumn(
        title="Pairs",
        meaning="How many should be listed; those with the same words are left out.",
        sample="1,000,000",
        alignment=RIGHT,
    )
    PROMISED = TableColumn(
        title="Promised", meaning="What the S-curve says.", sample="100.0%", alignment=RIGHT
    )
    FOUND = TableColumn(
        title="Found by signatures", meaning=INTERVAL, sample=SHARE, alignment=RIGHT
    )


class _Pair(Columns):
    RESEMBLANCE = TableColumn(title="Resemblance", sample="0.000", alignment=RIGHT)
    A = TableColumn(title="Document A")
    B = TableColumn(title="Document B", sample=NAME)
    CHANCE = TableColumn(
        title="Chance",
        meaning="With which probability the S-curve finds such a pair.",
        sample="100%",
        alignment=RIGHT,
    )
    REASON = TableColumn(
        title="Because of", meaning="The words beside the table say more.", sample="common text"
    )


class _Copy(Columns):
    RESEMBLANCE = TableColumn(title="Resemblance", sample="0.000", alignment=RIGHT)
    SOURCE = TableColumn(title="Copy of")
    EDIT = TableColumn(title="Edit", sample="one page pasted, changed")


class _Edit(Columns):
    EDIT = TableColumn(title="Edit")
    PLANTED = TableColumn(title="Copies", sample="4,000", alignment=RIGHT)
    WANTED = TableColumn(
        title="To be listed",
        meaning="How many are so like their source, or share so long a passage, that they "
        "should be listed.",
        sample="4,000",
        alignment=RIGHT,
    )
    LISTED = TableColumn(title="Of these listed", meaning=INTERVAL, sample=SHARE, alignment=RIGHT)
    EXPECTED = TableColumn(
        title="Bands on average",
        meaning="How many of these bands find by the S-curve.",
        sample="4,000.0",
        alignment=RIGHT,
    )
    BANDS = TableColumn(title="By bands", sample="4,000", alignment=RIGHT)
    PASSAGES = TableColumn(title="By passages", sample="4,000", alignment=RIGHT)


class _Reworked(Columns):
    KIND = TableColumn(title="Passages")
    PLANTED = TableColumn(title="Planted", sample="4,000", alignment=RIGHT)
    PROMISED = TableColumn(
        title="Promised", meaning="What is promised here.", sample="100%", alignment=RIGHT
    )
    LISTED = TableColumn(title="Listed", meaning=INTERVAL, sample=SHARE, alignment=RIGHT)


class _Passage(Columns):
    SOURCE = TableColumn(title="Passage of")
    WORDS = TableColumn(title="Words", sample="100,000 to 100,000", alignment=RIGHT)
    CHANGED = TableColumn(title="Changed", sample="100%", alignment=RIGHT)


COLUMNS: dict[AuditTableKind, tuple[tuple[Columns, ...], int]] = {
    AuditTableKind.RANGES: (tuple(_Range), _Range.RANGE),
    AuditTableKind.PAIRS: (tuple(_Pair), _Pair.A),
    AuditTableKind.COPIES: (tuple(_Copy), _Copy.SOURCE),
    AuditTableKind.EDITS: (tuple(_Edit), _Edit.EDIT),
    AuditTableKind.REWORKED: (tuple(_Reworked), _Reworked.KIND),
    AuditTableKind.PASSAGES: (tuple(_Passage), _Passage.SOURCE),
}


class AuditTable(TableModel[None]):
    """One of the tables.

    Attributes:
        kind: Which.
        wide: The column that has the room that is left.
    """

    _rows: Sequence[AuditRow]

    def __init__(self, kind: AuditTableKind, parent: QObject | None = None) -> None:
        columns, self.wide = COLUMNS[kind]
        super().__init__(columns, parent)
        self.kind = kind
        self._rows = ()

    def set_rows(self, rows: Sequence[AuditRow]) -> None:
        """Show other rows."""
        if rows != self._rows:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    def row_at(self, row: int) -> AuditRow:
        """What stands in a row."""
        return self._rows[row]

    def data(self, index: Index, role: int = DISPLAY) -> object:
        """What a cell shows."""
        if not index.isValid():
            return None
        if role == ALIGNMENT:
            return self.columns[index.column()].words.alignment
        text = self._rows[index.row()].cells[index.column()]
        if role == DISPLAY:
            return text
        is_text = self.columns[index.column()].words.alignment == LEFT
        return numbers.tool_tip(text) if role == TOOL_TIP and is_text else None
