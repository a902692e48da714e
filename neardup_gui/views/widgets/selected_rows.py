"""The rows that are selected, whatever their number: Qt keeps them as ranges."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel

__all__ = ["rows_of"]


def rows_of(model: QItemSelectionModel) -> list[int]:
    """The rows of a selection, from top to bottom."""
    selection = model.selection()
    ranges = (selection.at(place) for place in range(selection.size()))
    return sorted({row for one in ranges for row in range(one.top(), one.bottom() + 1)})
