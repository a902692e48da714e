"""The rows that are selected, whatever their number: Qt keeps them as ranges."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QItemSelectionModel

__all__ = ["rows_of"]


def rows_of(model: QItemSelectionModel) -> npt.NDArray[np.int64]:
    """int64, the rows of a selection, from top to bottom, each once."""
    selection = model.selection()
    ranges = (selection.at(place) for place in range(selection.size()))
    rows = [np.arange(one.top(), one.bottom() + 1, dtype=np.int64) for one in ranges]
    if len(rows) == 1:
        return rows[0]
    return np.array(sorted({int(row) for some in rows for row in some}), dtype=np.int64)
