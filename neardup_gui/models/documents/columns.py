"""The columns of the list of documents: their names, meanings and what they say of a document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import Qt

from neardup_gui.models.documents.listed import DocumentList
from neardup_gui.models.words.numbers import count, resemblance, share

__all__ = ["COLUMNS", "DocumentColumn", "DocumentColumnWords", "title_of"]

LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class DocumentColumn(IntEnum):
    """The columns, from left to right."""

    NAME = 0
    ROLE = 1
    WORDS = 2
    PAIRS = 3
    HIGHEST = 4
    ELSEWHERE = 5
    SET_ASIDE = 6
    REMARKS = 7


@dataclass(frozen=True, slots=True)
class DocumentColumnWords:
    """One column.

    Attributes:
        title: What stands above it.
        name: The column of the `DocumentList` that it shows and sorts by; "" for names.
        sample: The widest text it usually holds, to give it its width.
        shown: What it says of the document with a number.
        meaning: What it says, in a sentence.
        alignment: Of what it says.
        optional: Whether it is hidden while it says nothing of any document.
    """

    title: str
    name: str
    sample: str
    shown: Callable[[DocumentList, int], str]
    meaning: str
    alignment: int = RIGHT
    optional: bool = False

    @property
    def largest_first(self) -> bool:
        """Whether a first click on the title sorts from large to small: numbers, not names."""
        return self.name not in ("", "role")


def _number(name: str) -> Callable[[DocumentList, int], str]:
    def shown(listed: DocumentList, document: int) -> str:
        return count(int(listed.column(name)[document])) if listed.numbers else ""

    return shown


def _share(name: str, mark: str = "") -> Callable[[DocumentList, int], str]:
    def shown(listed: DocumentList, document: int) -> str:
        value = float(listed.column(name)[document])
        return f"{mark}{share(value)}" if value else ""

    return shown


def _highest(listed: DocumentList, document: int) -> str:
    value = float(listed.column("highest")[document])
    return resemblance(value) if value else ""


COLUMNS = (
    DocumentColumnWords(
        "Document",
        "",
        "",
        lambda listed, document: listed.names.shown[document],
        "Every document that was compared.",
        LEFT,
    ),
    DocumentColumnWords(
        "Role",
        "role",
        "reference ▾",
        lambda listed, document: str(listed.documents[document].role),
        "What the document is for: it is reviewed, others are compared with it, or its text is "
        "set aside everywhere.",
        LEFT,
        optional=True,
    ),
    DocumentColumnWords(
        "Words", "units", "9,999,999", _number("units"), "How long the text is that counts."
    ),
    DocumentColumnWords(
        "Pairs", "pairs", "99,999", _number("pairs"), "In how many listed pairs the document is."
    ),
    DocumentColumnWords(
        "Highest",
        "highest",
        ">0.000",
        _highest,
        "The highest resemblance |A∩B| / |A∪B| of these pairs, exact.",
        LEFT,
    ),
    DocumentColumnWords(
        "In others",
        "elsewhere",
        "In others ▾",
        _share("elsewhere", "≈ "),
        "How much of the text stands in other documents, estimated from samples of it. Choose the "
        "document, and it is measured.",
    ),
    DocumentColumnWords(
        "Set aside",
        "set_aside",
        "Set aside ▾",
        _share("set_aside"),
        "How much of the text does not count.",
        optional=True,
    ),
    DocumentColumnWords(
        "Remarks",
        "remarks",
        "Remarks ▾",
        lambda listed, document: (
            count(len(listed.documents[document].remarks))
            if listed.documents[document].remarks
            else ""
        ),
        "What is not in the text, or is not sure.",
        optional=True,
    ),
)


def title_of(column: DocumentColumn, listed: DocumentList) -> str:
    """What stands above a column, in the unit of the settings."""
    is_letters = column is DocumentColumn.WORDS and listed.settings.unit == "char"
    return "Characters" if is_letters else COLUMNS[column].title
