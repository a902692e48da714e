"""The documents of a list and what is said of each: made on a worker thread, then only read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array
from core.documents.model import Document
from core.documents.roles import Role
from core.settings import ScanSettings
from neardup_gui.models.scan_result import DocumentNames

if TYPE_CHECKING:
    from core.scan.document_columns import DocumentColumns
    from neardup_gui.models.scan_result import ScanResult

__all__ = ["DocumentList", "document_list"]

NO_NAMES = DocumentNames(())
USUAL = ScanSettings()


@dataclass(frozen=True, eq=False)
class DocumentList:
    """Documents, and columns of the same length.

    Attributes:
        documents: In the order of their names.
        names: Theirs.
        settings: What the pairs are listed under.
        numbers: Of each document by the name of its column: roles as their places in `ROLES`.
    """

    documents: Sequence[Document] = ()
    names: DocumentNames = NO_NAMES
    settings: ScanSettings = USUAL
    numbers: dict[str, Int64Array | Float64Array] | None = None

    def column(self, name: str) -> Int64Array | Float64Array:
        """A column by its name; zeros before it is known."""
        if self.numbers is None:
            return np.zeros(len(self.documents), dtype=np.int64)
        return self.numbers[name]

    def has_any(self, name: str) -> bool:
        """Whether a column says something of a document."""
        return bool(self.column(name).any())

    def containing(self, text: str) -> BoolArray:
        """Which names contain a text."""
        return self.names.containing(text)


def document_list(result: ScanResult, columns: DocumentColumns) -> DocumentList:
    """The documents of a list with the numbers that were counted."""
    roles = list(Role)
    return DocumentList(
        result.documents,
        result.names,
        result.settings,
        {
            "role": np.array([roles.index(one.role) for one in result.documents], dtype=np.int64),
            "units": columns.units,
            "pairs": columns.pairs,
            "highest": columns.highest,
            "elsewhere": columns.elsewhere,
            "set_aside": columns.set_aside,
            "remarks": np.array([len(one.remarks) for one in result.documents], dtype=np.int64),
        },
    )
