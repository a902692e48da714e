"""The list of documents: columns with an order array, as for the pairs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

import numpy as np
from PySide6.QtCore import QObject

from core.base.arrays import Float64Array, Int64Array
from core.base.messages import N_, as_shown, gettext, ngettext
from core.base.wording import LANGUAGE_NAMES, UNKNOWN, comma_list, count, language_name, share
from core.documents.model import Document, DocumentKey
from core.documents.model import Role as FolderRole
from core.documents.properties import (
    CREATED,
    MINUTES,
    SAVED_BY,
    PropertyKind,
    contradicting,
    is_possible,
    moment_of,
)
from core.reports.properties_words import values_in_words
from core.settings import ScanSettings
from neardup_gui.models import table_model
from neardup_gui.models.compare.side import Origin, PassageMark, Side, lay_out
from neardup_gui.models.pairs.columns import Role
from neardup_gui.models.scan_result import DocumentNames, ListedPair
from neardup_gui.models.words import documents as languages
from neardup_gui.models.words.numbers import full_name

if TYPE_CHECKING:
    from core.scan.document_list import DocumentColumns, SharedParts
    from core.scan.properties import FolderProperties
    from core.text.set_aside import SetAside
    from neardup_gui.models.scan_result import ScanResult

NO_NAMES = DocumentNames(())
USUAL = ScanSettings()
OF_FILES = N_("What the file says, as a program wrote it. Anybody can change it.")


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
        detected: The language of each document as it was told from its text.
        of_files: What the files tell besides their texts, in words, by the code of the property.
    """

    documents: Sequence[Document] = ()
    names: DocumentNames = NO_NAMES
    settings: ScanSettings = USUAL
    numbers: dict[str, Int64Array | Float64Array] | None = None
    languages: Sequence[str] = ()
    detected: Sequence[str] = ()
    of_files: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def column(self, name: str) -> Int64Array | Float64Array:
        """The column of a name; zeros before it is known."""
        if self.numbers is None or name not in self.numbers:
            return np.zeros(len(self.documents), dtype=np.int64)
        return self.numbers[name]

    def has_any(self, name: str) -> bool:
        """Whether a column has a value for a document."""
        return bool(self.column(name).any())

    def language_of(self, document: int) -> str:
        """The code of the language of a document, or `UNKNOWN`."""
        rank = int(self.column("language")[document])
        return self.languages[rank - 1] if rank else UNKNOWN

    def most_common(self, most: int) -> list[str]:
        """The codes of the languages that most documents have, by their names."""
        counts = np.bincount(self.column("language"), minlength=len(self.languages) + 1)[1:]
        ranks = np.sort(np.argsort(-counts, kind="stable")[:most])
        return [self.languages[rank] for rank in ranks.tolist()]

    def detected_language_of(self, document: int) -> str:
        """The code of the language that was detected in the text of a document."""
        return self.detected[document] if self.detected else UNKNOWN


def with_languages(
    listed: DocumentList, languages: Sequence[str], detected: Sequence[str]
) -> DocumentList:
    """The documents of a list with the codes of their languages, and of the detected ones."""
    codes = sorted({*languages} - {UNKNOWN}, key=language_name)
    rank_of = {code: rank for rank, code in enumerate(codes, 1)}
    ranks = np.array([rank_of.get(code, 0) for code in languages], dtype=np.int64)
    numbers = {**(listed.numbers or {}), "language": ranks}
    return replace(listed, numbers=numbers, languages=codes, detected=detected)


def with_measured(listed: DocumentList, shares: Mapping[int, float]) -> DocumentList:
    """The documents of a list with measured shares of each that are in others."""
    if listed.numbers is None:
        return listed
    elsewhere, measured = (listed.column(name).copy() for name in ("elsewhere", "measured"))
    for document, share_in_others in shares.items():
        elsewhere[document], measured[document] = share_in_others, 1
    numbers = {**listed.numbers, "elsewhere": elsewhere, "measured": measured}
    return replace(listed, numbers=numbers)


def _to_the_minute(date: str) -> str:
    """A date of a file in UTC to the minute, so that all are in order; other texts as they are."""
    moment = moment_of(date) if is_possible(CREATED, date) else None
    return date if moment is None else f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M}"


def with_properties(listed: DocumentList, folder: FolderProperties) -> DocumentList:
    """The documents of a list with the properties of their files."""
    columns, numbers = {}, dict(listed.numbers or {})
    contradicted = [contradicting(document.properties) for document in folder.documents]
    for kind in (CREATED, SAVED_BY, MINUTES):
        values = [document.properties.get(kind.code, ()) for document in folder.documents]
        if kind is CREATED:
            values = [tuple(dict.fromkeys(map(_to_the_minute, of_file))) for of_file in values]
        words = columns[kind.code] = [
            values_in_words(kind, of_file, contradicted=contradictions.get(kind))
            for of_file, contradictions in zip(values, contradicted, strict=True)
        ]
        ranks = {word: rank for rank, word in enumerate(sorted({*words, ""}, key=str.casefold))}
        numbers[kind.code] = np.array(
            [
                max((int(value) + 1 for value in of_file if is_possible(kind, value)), default=0)
                if kind is MINUTES
                else ranks[word]
                for of_file, word in zip(values, words, strict=True)
            ],
            dtype=np.int64,
        )
    return replace(listed, numbers=numbers, of_files=columns)


def document_list(
    result: ScanResult, columns: DocumentColumns, shares: Mapping[int, float]
) -> DocumentList:
    """The documents of a list with the numbers that were counted, without their languages.

    Args:
        result: The list.
        columns: What was counted.
        shares: How much of some documents was measured to stand in others.
    """
    roles = list(FolderRole)
    counted = DocumentList(
        result.documents,
        result.names,
        result.settings,
        {
            "role": np.array(
                [roles.index(document.role) for document in result.documents], dtype=np.int64
            ),
            "units": columns.units,
            "pairs": columns.pairs,
            "highest": columns.highest,
            "elsewhere": columns.elsewhere,
            "measured": np.zeros(len(result.documents), dtype=np.int64),
            "set_aside": columns.set_aside,
            "remarks": np.array(
                [len(document.remarks) for document in result.documents], dtype=np.int64
            ),
        },
    )
    return with_measured(counted, shares)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentColumnWords(table_model.TableColumn):
    """One column.

    Attributes:
        attribute: The column of the `DocumentList` that it shows and sorts by; "" for names.
        optional: Whether it is hidden while it says nothing of any document.
    """

    attribute: str
    optional: bool = False


number_column = partial(DocumentColumnWords, alignment=table_model.RIGHT, largest_first=True)


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


def _of_file(
    kind: PropertyKind, column: Callable[..., DocumentColumnWords], sample: str = ""
) -> DocumentColumnWords:
    """The column of a property of the files."""

    def shown(listed: DocumentList, document: int) -> str:
        words = listed.of_files.get(kind.code)
        return words[document] if words else ""

    return column(
        title=kind.label,
        attribute=kind.code,
        sample=sample,
        shown=shown,
        meaning=OF_FILES,
        optional=True,
    )


def _remarks(listed: DocumentList, document: int) -> str:
    remarks = listed.documents[document].remarks
    return count(len(remarks)) if remarks else ""


class DocumentColumn(table_model.Columns):
    """The columns, from left to right."""

    words: DocumentColumnWords

    NAME = DocumentColumnWords(
        title=N_("Document"),
        attribute="",
        shown=lambda listed, document: listed.names.shown[document],
        meaning=N_("Every document that was compared."),
    )
    ELSEWHERE = DocumentColumnWords(
        title=N_("In others"),
        attribute="elsewhere",
        sample="≈ 100% and a bar",
        shown=_elsewhere,
        meaning=N_(
            "How much of the text also occurs in other documents, word for word or reworded. "
            "Documents to review come first, the largest share at the top.\n≈ is an estimate "
            "from samples of the text; click the row to measure it."
        ),
        largest_first=True,
    )
    HIGHEST = number_column(
        title=N_("In one"),
        attribute="highest",
        shown=_share("highest"),
        meaning=N_(
            "The largest share found in a single other document: its side of the overlap of a pair."
        ),
    )
    ROLE = DocumentColumnWords(
        title=N_("Role"),
        attribute="role",
        sample=N_("reference"),
        shown=lambda listed, document: gettext(listed.documents[document].role),
        meaning=N_(
            "The role of the document: to review, a reference for comparison, or a template "
            "whose text is ignored."
        ),
        optional=True,
    )
    LANGUAGE = DocumentColumnWords(
        title=N_("Language"),
        attribute="language",
        sample="Indonesian ▾",
        shown=lambda listed, document: language_name(listed.language_of(document)),
        meaning=N_(
            "The main language of the text. Where it is known, words with the same stem count "
            "as similar. Right-click a row to change it."
        ),
        optional=True,
    )
    WORDS = number_column(
        title=N_("Words"),
        attribute="units",
        sample="9,999,999",
        shown=_number("units"),
        meaning=N_("The length of the text that counts."),
    )
    PAIRS = number_column(
        title=N_("Pairs"),
        attribute="pairs",
        sample="99,999",
        shown=_number("pairs"),
        meaning=N_("The number of listed pairs with this document."),
    )
    SET_ASIDE = number_column(
        title=N_("Set aside"),
        attribute="set_aside",
        shown=_share("set_aside"),
        meaning=N_("How much of the text is not counted."),
        optional=True,
    )
    REMARKS = number_column(
        title=N_("Remarks"),
        attribute="remarks",
        shown=_remarks,
        meaning=N_("What is missing from the text, or uncertain."),
        optional=True,
    )
    CREATED = _of_file(CREATED, DocumentColumnWords, sample="2026-12-31 23:59")
    SAVED_BY = _of_file(SAVED_BY, DocumentColumnWords, sample="Christopher Wren")
    MINUTES = _of_file(MINUTES, number_column)


MOST = 9  # of the languages of the folder that are offered at once
PARTS = 6  # in which the others are


class NamedLanguage(NamedTuple):
    """A language to choose; `code` is None for the detected one."""

    code: str | None
    name: str


class LanguageChoice(NamedTuple):
    """The languages that are offered for documents.

    Attributes:
        title: What it is about, with the language that they have.
        now: The code of that; None where they have several.
        near: Those of the folder, and that it is not known.
        all: Every language, in parts by their names.
        detected: To go back to what the text tells; None where nothing else was said.
    """

    title: str
    now: str | None
    near: Sequence[NamedLanguage]
    all: Sequence[tuple[str, Sequence[NamedLanguage]]]
    detected: NamedLanguage | None


def language_choice(listed: DocumentList, documents: Sequence[int]) -> LanguageChoice:
    """The choice for documents of a list with known languages."""
    codes = {listed.language_of(number) for number in documents}
    now = codes.pop() if len(codes) == 1 else None
    detected = {listed.detected_language_of(number) for number in documents}
    differ = any(
        listed.language_of(document) != listed.detected_language_of(document)
        for document in documents
    )
    back = NamedLanguage(
        None, languages.detected_language(detected.pop() if len(detected) == 1 else None)
    )
    return LanguageChoice(
        gettext("Language")
        if now is None
        else gettext("Language: {language}", language=languages.name_of(now)),
        now,
        [_named(code) for code in (*listed.most_common(MOST), UNKNOWN)],
        _in_parts(),
        back if differ else None,
    )


def _in_parts() -> list[tuple[str, list[NamedLanguage]]]:
    """All languages in parts of the same size: "Afrikaans – Croatian"."""
    named = sorted(map(_named, LANGUAGE_NAMES), key=_order)
    size = -(-len(named) // PARTS)
    parts = (named[start : start + size] for start in range(0, len(named), size))
    return [(f"{part[0].name} – {part[-1].name}", part) for part in parts]


def _order(language: NamedLanguage) -> str:
    """The sort key of a name, as in dictionaries: accents beside their letters."""
    return normalize("NFKD", language.name).casefold()


def _named(code: str) -> NamedLanguage:
    return NamedLanguage(code, languages.name_of(code))


STEPS = (1, 2, 5, 20)  # numbers of documents at which a part has the next colour
LEAST_BADGED = 20  # letters of a part beside another; shorter ones have no number


class Holder(NamedTuple):
    """A document that shares a part.

    Attributes:
        name: Its own.
        pair: It and the document that is read.
        is_listed: Whether they are a listed pair.
        share: How much of the document stands in it, as the pair says; None where no pair does.
        alike: What most names begin with.
    """

    name: str
    pair: ListedPair
    is_listed: bool
    share: float | None
    alike: str


UNLISTED = N_("not a listed pair")
NOT_MEASURED = N_("a listed pair, not measured yet")


class HolderColumn(table_model.RowColumns):
    """The only column."""

    NAME = table_model.text_column("", lambda holder: holder.name)


class HoldersModel(table_model.RowsModel[Holder, None]):
    """Documents with the share of the text that is in each."""

    columns = tuple(HolderColumn)

    def sentence(self, row: Holder) -> str:
        """The name of a document, and the share of the text in it."""
        return f"{row.name}, {_shared_with(row)}"

    def hint(self, row: Holder, _column: table_model.RowColumn) -> str:
        """The share of the text in a document, with its full name."""
        return f"{full_name(row.name)}\n{_shared_with(row)}"

    def _besides(self, role: int, row: int, column: table_model.RowColumns) -> object:
        if role == Role.MARK:
            holder = self.row_at(row)
            return "" if holder.share is None else share(holder.share)
        if role == Role.ALIKE:
            return self.row_at(row).alike
        return super()._besides(role, row, column)


def _shared_with(holder: Holder) -> str:
    if holder.share is None:
        return gettext(NOT_MEASURED if holder.is_listed else UNLISTED)
    return gettext("{share} of the text stands in it", share=share(holder.share))


def comparing(compared: int, total: int) -> str:
    """The progress of comparing a document with others."""
    return gettext(
        "Comparing with others: {compared} of {total}", compared=count(compared), total=count(total)
    )


@dataclass(frozen=True, eq=False)
class DocumentReading:
    """A document that is ready to be shown.

    Attributes:
        document: Its number in the list.
        side: Its text; a passage is a part that the same documents share.
        marks: Of each part how many do.
        parts: What was found; None while it is looked for.
        names: Of all documents.
        shares: How much of it stands in each document with which it is a listed pair; None where
            that was not measured.
    """

    document: int
    side: Side
    marks: tuple[PassageMark, ...]
    parts: SharedParts | None
    names: DocumentNames
    shares: Mapping[int, float | None]

    @property
    def sentence(self) -> str:
        """How much is shared with how many."""
        if self.parts is None:
            return ""
        if not self.parts.parts:
            return gettext("No other document shares a longer stretch of it word for word.")
        return ngettext(
            "{share} of its words also occur in {n} other document.",
            "{share} of its words also occur in {n} other documents.",
            self.parts.documents,
            share=share(self.parts.share),
        )

    def part_at(self, position: int) -> int | None:
        """The part at a display position."""
        return self.side.passages.at(position)

    def step(self, position: int, by: int) -> int | None:
        """The next part from a display position, or the one before."""
        starts = [start for start, _ in self.side.extents]
        if not starts:
            return None
        current = bisect_right(starts, position) - 1
        if (
            by < 0
            and current >= 0
            and starts[current] < position
            and self.part_at(position) != current
        ):
            return current
        return min(max(current + by, 0), len(starts) - 1)

    def holders(self, part: int) -> list[Holder]:
        """The documents that share a part, by how much of this one stands in them."""
        return self._by_share(self.parts.who(self.parts.parts[part]) if self.parts else ())

    def everyone(self) -> list[Holder]:
        """The documents that share any part, by how much of this one stands in them."""
        if self.parts is None:
            return []
        texts = sorted(set(self.parts.spans[:, 2].tolist()))
        return self._by_share(number for text in texts for number in self.parts.holders[text])

    def _by_share(self, numbers: Iterable[int]) -> list[Holder]:
        return sorted(map(self._holder, numbers), key=lambda holder: -(holder.share or 0))

    def _holder(self, number: int) -> Holder:
        pair = self.names.key(*sorted((self.document, number)))
        is_listed, name = number in self.shares, self.names.shown[number]
        return Holder(name, pair, is_listed, self.shares.get(number), self.names.alike)


def read_alone(
    result: ScanResult,
    document: int,
    text: str,
    set_aside: Sequence[SetAside],
    parts: SharedParts | None = None,
) -> DocumentReading:
    """A document of a list, ready to be shown before its parts are known or afterwards."""
    all_parts = parts.parts if parts else ()
    spans = [(part.start, part.end) for part in all_parts]
    runs = [(start, end, owner) for owner, (start, end) in enumerate(spans)]
    counts = [part.documents for part in all_parts]
    side = lay_out(
        result.names.shown[document],
        text,
        spans,
        runs,
        _badges(spans, counts),
        Origin.of(result.documents[document]),
        set_aside,
    )
    marks = tuple(_mark(number, side, *span) for number, span in zip(counts, spans, strict=True))
    shares = _shares_in_others(result, document)
    return DocumentReading(document, side, marks, parts, result.names, shares)


def _badges(spans: Sequence[tuple[int, int]], counts: Sequence[int]) -> list[str]:
    """The number before a part; none if the part is short and continues another."""
    badges = []
    reached = -2
    for (start, end), documents in zip(spans, counts, strict=True):
        beside = start - reached <= 1
        badges.append("" if beside and end - start < LEAST_BADGED else count(documents))
        reached = end
    return badges


def _mark(documents: int, side: Side, start: int, end: int) -> PassageMark:
    return PassageMark(
        documents, pages=(side.cite(start, end), ""), step=bisect_right(STEPS, documents)
    )


def _shares_in_others(result: ScanResult, document: int) -> dict[int, float | None]:
    pairs = result.pairs
    by_document: dict[int, float | None] = {}
    for documents, partners, side in (
        (pairs.a, pairs.b, pairs.overlap_a),
        (pairs.b, pairs.a, pairs.overlap_b),
    ):
        rows = documents == document
        shares = (value if value >= 0 else None for value in side[rows].tolist())
        by_document |= zip(partners[rows].tolist(), shares, strict=True)
    return by_document


class DocumentsModel(
    table_model.SearchedModel[DocumentColumn, DocumentKey],
    table_model.SortedModel[DocumentColumn, DocumentKey],
):
    """Documents as rows; `_rows` maps a row shown to the number of its document.

    Attributes:
        listed: The documents and what is said of them.
    """

    columns = tuple(DocumentColumn)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.listed = DocumentList()
        self._sorted_by = (DocumentColumn.ELSEWHERE, table_model.DESCENDING)
        self._rows: Int64Array = np.zeros(0, dtype=np.int64)

    # For the window

    @property
    def total(self) -> int:
        """The number of documents, shown or not."""
        return len(self.listed.documents)

    def clear(self) -> None:
        """Show nothing, for another folder."""
        self.set_documents(DocumentList())

    def set_documents(self, listed: DocumentList) -> None:
        """Show other documents, in the same order and through the same filter."""
        with self.resetting():
            self.listed = listed
            self._sort()

    def set_measured(self, document: int, share: float) -> None:
        """Show the measured share of a document that is in others; its row stays where it is."""
        self.listed = with_measured(self.listed, {document: share})
        for row in np.flatnonzero(self._rows == document).tolist():
            cell = self.index(row, DocumentColumn.ELSEWHERE)
            self.dataChanged.emit(cell, cell)

    def is_hidden(self, column: DocumentColumn) -> bool:
        """Whether a column would be empty."""
        words = column.words
        return words.optional and not self.listed.has_any(words.attribute)

    def number_at(self, row: int) -> int:
        """The number of the document in a row."""
        return int(self._rows[row])

    def key_at(self, row: int) -> DocumentKey:
        """The key of the document in a row, also in another list."""
        return self.listed.names.key_of(self.number_at(row))

    def name_at(self, row: int) -> str:
        """The name of the document in a row."""
        return self.listed.names.shown[self.number_at(row)]

    def role_at(self, row: int) -> FolderRole | None:
        """The role of the document in a row, as `DocumentNames.role_of`."""
        return self.listed.names.role_of(self.name_at(row))

    def row_of(self, key: DocumentKey) -> int | None:
        """The row of a document; None if it is not shown."""
        number = self.listed.names.find(key)
        rows = np.flatnonzero(self._rows == number) if number is not None else self._rows[:0]
        return int(rows[0]) if len(rows) else None

    # Qt's model interface

    def _subject(self, row: int) -> tuple[DocumentList, int]:
        return self.listed, self.number_at(row)

    def _besides(self, role: int, row: int, column: DocumentColumn) -> object:
        number = self.number_at(row)
        if column is DocumentColumn.ELSEWHERE and role == Role.VALUE:
            return float(self.listed.column("elsewhere")[number])
        if role == Role.ALIKE:
            return self.listed.names.alike
        if column is DocumentColumn.NAME and role in (Role.MARK, table_model.ACCESSIBLE):
            mark = self.listed.names.marks.get(number, "")
            return (
                mark if role == Role.MARK else comma_list((self.listed.names.shown[number], mark))
            )
        return None

    def _title(self, section: int) -> str:
        is_letters = section == DocumentColumn.WORDS and self.listed.settings.unit == "char"
        return gettext("Characters") if is_letters else super()._title(section)

    def _sort(self) -> None:
        column, order = self._sorted_by
        name = column.words.attribute
        if not name:
            ranked = np.arange(self.total, dtype=np.int64)
            ranked = ranked if order == table_model.ASCENDING else ranked[::-1]
        else:
            keys = self.listed.column(name)
            ranked = np.argsort(keys if order == table_model.ASCENDING else -keys, kind="stable")
            if column is DocumentColumn.ELSEWHERE:  # only of documents to review: whose work is it
                ranked = ranked[np.argsort(self.listed.column("role")[ranked] > 0, kind="stable")]
        if self._sought:
            ranked = ranked[self.listed.names.containing(self._sought)[ranked]]
        self._rows = ranked

    def _explanation(self, row: int, column: DocumentColumn) -> str:
        number = self.number_at(row)
        document = self.listed.documents[number]
        if column is DocumentColumn.NAME:
            return self.listed.names.in_full(number)
        if column is DocumentColumn.REMARKS and document.remarks:
            return "\n".join(map(as_shown, document.remarks))
        if column is DocumentColumn.LANGUAGE:
            return languages.explained(
                self.listed.language_of(number), self.listed.detected_language_of(number)
            )
        return column.meaning
