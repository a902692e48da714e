"""The documents of a list and what is said of each: made on a worker thread, then only read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array
from core.documents.model import Document, Role
from core.settings import ScanSettings
from core.text.languages import UNKNOWN, language_name
from neardup_gui.models.scan_result import DocumentNames

if TYPE_CHECKING:
    from core.scan.document_columns import DocumentColumns
    from neardup_gui.models.scan_result import ScanResult

NO_NAMES = DocumentNames(())
USUAL = ScanSettings()


@dataclass(frozen=True, eq=False)
class DocumentList:
    """Documents, and columns of the same length.

    Attributes:
        documents: In the order of their names.
        names: Theirs.
        settings: What the pairs are listed under.
        numbers: Of each document by the name of its column: roles as their places in `ROLES`,
            languages as places in `languages` and 1, or 0 where none is known; `measured` is 1
            where `elsewhere` is no estimate.
        languages: The codes of those that occur, by their names.
        told: The language of each document as it was told from its text.
    """

    documents: Sequence[Document] = ()
    names: DocumentNames = NO_NAMES
    settings: ScanSettings = USUAL
    numbers: dict[str, Int64Array | Float64Array] | None = None
    languages: Sequence[str] = ()
    told: Sequence[str] = ()

    def column(self, name: str) -> Int64Array | Float64Array:
        """A column by its name; zeros before it is known."""
        if self.numbers is None:
            return np.zeros(len(self.documents), dtype=np.int64)
        return self.numbers[name]

    def has_any(self, name: str) -> bool:
        """Whether a column says something of a document."""
        return bool(self.column(name).any())

    def language_of(self, document: int) -> str:
        """The code of the language of a document; `UNKNOWN` where it is not known."""
        place = int(self.column("language")[document])
        return self.languages[place - 1] if place else UNKNOWN

    def most_common(self, most: int) -> list[str]:
        """The codes of the languages that most documents have, by their names."""
        counts = np.bincount(self.column("language"), minlength=len(self.languages) + 1)[1:]
        places = np.sort(np.argsort(-counts, kind="stable")[:most])
        return [self.languages[place] for place in places.tolist()]

    def told_of(self, document: int) -> str:
        """The code of the language that was told from the text of a document."""
        return self.told[document] if self.told else UNKNOWN

    def containing(self, text: str) -> BoolArray:
        """Which names contain a text."""
        return self.names.containing(text)


def with_languages(
    listed: DocumentList, languages: Sequence[str], told: Sequence[str]
) -> DocumentList:
    """The documents of a list with the codes of their languages, and of those that were told."""
    codes = sorted({*languages} - {UNKNOWN}, key=language_name)
    places = {code: place for place, code in enumerate(codes, 1)}
    ranks = np.array([places.get(code, 0) for code in languages], dtype=np.int64)
    numbers = {**(listed.numbers or {}), "language": ranks}
    return replace(listed, numbers=numbers, languages=codes, told=told)


def with_measured(listed: DocumentList, document: int, share: float) -> DocumentList:
    """The documents of a list with what was measured of one: how much of it stands elsewhere."""
    if listed.numbers is None:
        return listed
    elsewhere, measured = (listed.column(name).copy() for name in ("elsewhere", "measured"))
    elsewhere[document], measured[document] = share, 1
    numbers = {**listed.numbers, "elsewhere": elsewhere, "measured": measured}
    return replace(listed, numbers=numbers)


def document_list(result: ScanResult, columns: DocumentColumns) -> DocumentList:
    """The documents of a list with the numbers that were counted, without their languages."""
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
            "measured": np.zeros(len(result.documents), dtype=np.int64),
            "set_aside": columns.set_aside,
            "remarks": np.array([len(one.remarks) for one in result.documents], dtype=np.int64),
        },
    )
