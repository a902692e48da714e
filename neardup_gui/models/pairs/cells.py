"""What the cells of the table of pairs say, by the row of the pair in the list."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import Qt

from core.base.wording import resemblance
from core.evidence.pairs import Pairs
from core.reports.pair_words import ListedFor, how_found, how_listed, listed_for
from core.settings import ScanSettings
from neardup_gui.models.pairs.columns import Column
from neardup_gui.models.pairs.thumbnails import Thumbnails
from neardup_gui.models.pairs.verdicts import PairVerdicts
from neardup_gui.models.scan_result import DocumentNames
from neardup_gui.models.table_model import ACCESSIBLE
from neardup_gui.models.words import numbers


class Role(IntEnum):
    """What delegates and views ask besides Qt's own roles."""

    VALUE = Qt.ItemDataRole.UserRole + 1  # the number of the cell, 0 to 1
    MARK = Qt.ItemDataRole.UserRole + 2  # what is to be said beside it; else empty


DOCUMENTS = (Column.DOCUMENT_A, Column.DOCUMENT_B)
# Built once: an enum made again is what costs most.
VALUE = int(Role.VALUE)
MARK = int(Role.MARK)


class PairCells:
    """The words of one list; `pairs` have A and B as the user exchanged them."""

    def __init__(
        self,
        pairs: Pairs,
        names: DocumentNames,
        settings: ScanSettings,
        verdicts: PairVerdicts,
        thumbnails: Thumbnails,
    ) -> None:
        self._pairs = pairs
        self._names = names
        self._settings = settings
        self._verdicts = verdicts
        self._thumbnails = thumbnails

    def meaning(self, column: Column) -> str:
        """What a column says."""
        words = column.words
        return words.explained(self._settings) if words.explained else words.meaning

    def text(self, column: Column, row: int) -> str:
        """What a cell shows."""
        if column is Column.VERDICT:
            return self._verdicts.text(row)
        if column is Column.RANK:  # where the verdict is seen in a narrow window too
            return f"{self._verdicts.mark(row)} {self._shown(column, row)}".lstrip()
        return self._shown(column, row)

    def _shown(self, column: Column, row: int) -> str:
        return column.words.shown(self._pairs, self._names, row)

    def of_document(self, role: int, column: Column, row: int) -> str | None:
        """What the cell that draws a name asks: whether the document is there."""
        mark = self._names.marks.get(self._document(column, row), "")
        if role == ACCESSIBLE and mark:
            return f"{self.text(column, row)}, {mark}"
        return mark if role == MARK else None

    def of_number(self, role: int, column: Column, row: int) -> object:
        """What the cells that draw the rank, the resemblance and the verdict ask."""
        if column is Column.RANK and role == VALUE:
            a, b = (self._document(name, row) for name in DOCUMENTS)
            return self._thumbnails.of(a, b)
        if role == ACCESSIBLE and column is Column.VERDICT:
            return self._verdicts.in_full(row)
        if role == ACCESSIBLE and column is Column.RANK:
            return f"{self._shown(column, row)}, {self._verdicts.verdict_of(row)}"
        return self._of_resemblance(role, row) if column is Column.RESEMBLANCE else None

    def _of_resemblance(self, role: int, row: int) -> object:
        if role == VALUE:
            return self._resemblance(row)
        mark = listed_for(self._reason(row))
        if role == MARK:
            return mark
        if role == ACCESSIBLE:
            return f"{self.text(Column.RESEMBLANCE, row)}{f', {mark}' if mark else ''}"
        return None

    def explanation(self, column: Column, row: int) -> str:
        """What the tool tip of a cell says."""
        if column in DOCUMENTS:
            number = self._document(column, row)
            lines = (
                numbers.full_name(self._names.paths[number]),
                self._names.marks.get(number, ""),
            )
            return "\n".join(filter(None, lines))
        if column is Column.RESEMBLANCE:
            exact, estimate = self._resemblance(row), self._pairs.estimate[row].item()
            return (
                f"Resemblance {resemblance(exact)}, exact.\n"
                f"The signatures alone say {resemblance(estimate)}.\n"
                f"{how_listed(self._reason(row), self._settings)}"
            )
        if column is Column.VERDICT:
            return self._verdicts.in_full(row)
        if column is Column.FOUND_BY:
            return how_found(self._pairs.found_by[row].item())
        if column is Column.REWORKED and self._pairs.reworked_words[row] < 0:
            return self._not_measured()
        return self.meaning(column)

    def _not_measured(self) -> str:
        """Why there is no number of reworked words."""
        if self._settings.reworked == "off":
            return "Reworked passages are not looked for: the setup says so."
        return (
            "Not measured yet, or left out: there are too many pairs, and this one is less alike."
        )

    def _document(self, column: Column, row: int) -> int:
        pairs = self._pairs
        return int((pairs.a if column is Column.DOCUMENT_A else pairs.b)[row])

    def _resemblance(self, row: int) -> float:
        return float(self._pairs.resemblance[row])

    def _reason(self, row: int) -> ListedFor:
        found_by = int(self._pairs.found_by[row])
        return ListedFor.of(self._resemblance(row), found_by, self._settings)
