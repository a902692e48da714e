"""The columns of the list of documents: their names, meanings and what they say of a document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.base.wording import count, resemblance, share
from core.text.languages import language_name
from neardup_gui.models.documents.listed import DocumentList
from neardup_gui.models.table_model import RIGHT, Columns, TableColumn


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentColumnWords(TableColumn):
    """One column.

    Attributes:
        attribute: The column of the `DocumentList` that it shows and sorts by; "" for names.
        shown: What it says of the document with a number.
        optional: Whether it is hidden while it says nothing of any document.
    """

    attribute: str
    shown: Callable[[DocumentList, int], str]
    optional: bool = False


def _number(name: str) -> Callable[[DocumentList, int], str]:
    def shown(listed: DocumentList, document: int) -> str:
        return count(int(listed.column(name)[document])) if listed.numbers else ""

    return shown


def _share(name: str) -> Callable[[DocumentList, int], str]:
    def shown(listed: DocumentList, document: int) -> str:
        value = float(listed.column(name)[document])
        return share(value) if value else ""

    return shown


def _elsewhere(listed: DocumentList, document: int) -> str:
    value = float(listed.column("elsewhere")[document])
    if listed.numbers is not None and listed.column("measured")[document]:
        return share(value)
    return f"≈ {share(value)}" if value else ""


def _remarks(listed: DocumentList, document: int) -> str:
    remarks = listed.documents[document].remarks
    return count(len(remarks)) if remarks else ""


def _highest(listed: DocumentList, document: int) -> str:
    value = float(listed.column("highest")[document])
    return resemblance(value) if value else ""


class DocumentColumn(Columns):
    """The columns, from left to right."""

    words: DocumentColumnWords

    NAME = DocumentColumnWords(
        title="Document",
        attribute="",
        shown=lambda listed, document: listed.names.shown[document],
        meaning="Every document that was compared.",
    )
    ROLE = DocumentColumnWords(
        title="Role",
        attribute="role",
        sample="reference ▾",
        shown=lambda listed, document: str(listed.documents[document].role),
        meaning="What the document is for: it is reviewed, others are compared with it, or its "
        "text is set aside everywhere.",
        optional=True,
    )
    LANGUAGE = DocumentColumnWords(
        title="Language",
        attribute="language",
        sample="Indonesian ▾",
        shown=lambda listed, document: language_name(listed.language_of(document)),
        meaning="The language of most of the text. Words of one stem count as near where it is "
        "known. The menu of a row corrects it.",
        optional=True,
    )
    WORDS = DocumentColumnWords(
        title="Words",
        attribute="units",
        sample="9,999,999",
        shown=_number("units"),
        meaning="How long the text is that counts.",
        alignment=RIGHT,
        largest_first=True,
    )
    PAIRS = DocumentColumnWords(
        title="Pairs",
        attribute="pairs",
        sample="99,999",
        shown=_number("pairs"),
        meaning="In how many listed pairs the document is.",
        alignment=RIGHT,
        largest_first=True,
    )
    HIGHEST = DocumentColumnWords(
        title="Highest",
        attribute="highest",
        sample="0.000 a bar beside it",
        shown=_highest,
        meaning="The highest resemblance |A∩B| / |A∪B| of these pairs, exact.",
        largest_first=True,
    )
    ELSEWHERE = DocumentColumnWords(
        title="In others",
        attribute="elsewhere",
        sample="In others ▾",
        shown=_elsewhere,
        meaning="How much of the text stands in other documents: ≈ is estimated from samples of "
        "it. Choose the document, and it is measured.",
        alignment=RIGHT,
        largest_first=True,
    )
    SET_ASIDE = DocumentColumnWords(
        title="Set aside",
        attribute="set_aside",
        sample="Set aside ▾",
        shown=_share("set_aside"),
        meaning="How much of the text does not count.",
        alignment=RIGHT,
        largest_first=True,
        optional=True,
    )
    REMARKS = DocumentColumnWords(
        title="Remarks",
        attribute="remarks",
        sample="Remarks ▾",
        shown=_remarks,
        meaning="What is not in the text, or is not sure.",
        alignment=RIGHT,
        largest_first=True,
        optional=True,
    )


COLUMNS = tuple(DocumentColumn)


def title_of(column: DocumentColumn, listed: DocumentList) -> str:
    """What stands above a column, in the unit of the settings."""
    is_letters = column is DocumentColumn.WORDS and listed.settings.unit == "char"
    return "Characters" if is_letters else column.words.title
