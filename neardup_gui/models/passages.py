"""The list of passages as a table; shown rows are read from the engine's list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

from core.base.messages import N_, gettext
from core.base.wording import count
from core.evidence.measures import run_in_words
from neardup_gui.models.pairs.columns import Role
from neardup_gui.models.scan_result import DocumentNames, ListedPair
from neardup_gui.models.table_model import (
    ACCESSIBLE,
    RIGHT,
    Columns,
    SearchedModel,
    TableColumn,
    TableModel,
)
from neardup_gui.models.words.passages import HOLDERS, holders_heading

if TYPE_CHECKING:
    from core.scan.judgements import PassageJudgement
    from core.scan.passage_list import PassageList
    from core.settings import Unit


def _judged_as(passages: PassageList, judged: Mapping[str, PassageJudgement], number: int) -> str:
    judgement = judged.get(passages.keys[number])
    return gettext(judgement.meaning) if judgement else ""


class PassageColumn(Columns):
    """The columns, from left to right."""

    DOCUMENTS = TableColumn(
        title=N_("Documents"),
        shown=lambda passages, _judged, number: count(int(passages.documents[number])),
        sample="9,999",
        meaning=N_("The number of documents with this passage, copies of each other included."),
        alignment=RIGHT,
    )
    WORDS = TableColumn(
        title=N_("Words"),
        shown=lambda passages, _judged, number: count(int(passages.words[number])),
        sample="99,999",
        meaning=N_(
            "How many words it has. Where a script has no spaces between words, they are counted "
            "from its letters."
        ),
        alignment=RIGHT,
    )
    PASSAGE = TableColumn(
        title=N_("Passage"),
        shown=lambda passages, _judged, number: str(passages.beginnings[number]),
        meaning=N_(
            "The first words of the passage. Each is listed once: most widely shared first, then "
            "longest. A longer one in fewer documents is also listed where it adds something."
        ),
    )
    JUDGED_AS = TableColumn(
        title=N_("Judged as"),
        shown=_judged_as,
        sample=N_("assignment text"),
        meaning=N_("What the passage is: copied, a standard clause, or text of the assignment."),
    )


class HolderColumn(Columns):
    """The columns, from left to right."""

    NAME = TableColumn(
        title=HOLDERS, meaning=HOLDERS, shown=lambda names, document: names.shown[document]
    )


class HoldersModel(TableModel[HolderColumn, None]):
    """One row a document.

    Attributes:
        documents: Their numbers, ascending; None where no passage is read.
    """

    columns = tuple(HolderColumn)
    documents: Sequence[int] | None = None
    _rows: Sequence[int] = ()

    def set_documents(self, documents: Sequence[int] | None, names: DocumentNames) -> None:
        """Show other documents; None: no passage is read."""
        with self.resetting():
            self.documents, self._rows, self._names = documents, documents or (), names

    def _title(self, _section: int) -> str:
        return gettext(HOLDERS) if self.documents is None else holders_heading(len(self.documents))

    def _subject(self, row: int) -> tuple[DocumentNames, int]:
        return self._names, self._rows[row]

    def _explanation(self, row: int, _column: HolderColumn) -> str:
        return self._names.in_full(self._rows[row])

    def _besides(self, role: int, row: int, column: HolderColumn) -> object:
        mark = self._names.marks.get(self._rows[row], "")
        if role == Role.MARK:
            return mark
        if role == Role.ALIKE:
            return self._names.alike
        return f"{self._text(row, column)}, {mark}" if role == ACCESSIBLE and mark else None


Span = tuple[int, int]


class LookedUpPassage(NamedTuple):
    """A passage that was looked up, and its documents.

    Attributes:
        key: Identifies the passage.
        text: Its text in the first document.
        documents: The documents that hold it, ascending.
        pair: Two of them to read; None if there are fewer.
        spans: Its first spans in these two.
        is_listed: Whether they are a pair of the list.
    """

    key: str
    text: str
    documents: Sequence[int]
    pair: ListedPair | None
    spans: tuple[Span, Span]
    is_listed: bool


class PassageLocation(NamedTuple):
    """A location in a comparison: spans of two named texts, and its passage that holds them.

    The passage is None where none of them does; the spans may begin far `within` it.
    """

    passage: int | None
    names: tuple[str, str]
    spans: tuple[Span, Span]
    within: bool = False


class PassagesModel(SearchedModel[PassageColumn, str]):
    """One row a passage: in how many documents, how long, how it begins, what it is.

    Attributes:
        passages: The list; None before there is one.
    """

    columns = tuple(PassageColumn)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.passages: PassageList | None = None
        self._unit: Unit = "word"
        self._judged: Mapping[str, PassageJudgement] = {}
        self._rows: Sequence[int] = ()

    @property
    def total(self) -> int:
        """The number of passages, shown or not."""
        return len(self.passages) if self.passages is not None else 0

    def set_passages(self, passages: PassageList | None, unit: Unit = "word") -> None:
        """Show another list, with the same filter; None for no list."""
        with self.resetting():
            self.passages, self._unit = passages, unit
            self._sort()

    def set_judged(self, judged: Mapping[str, PassageJudgement]) -> None:
        """Show the judgements of passages, by key."""
        self._judged = judged
        self._emit_changed(PassageColumn.JUDGED_AS, PassageColumn.JUDGED_AS)

    def number_at(self, row: int) -> int:
        """The index of the passage in a row."""
        return self._rows[row]

    def key_at(self, row: int) -> str:
        """The key of the passage in a row."""
        return self.passages.keys[self._rows[row]] if self.passages is not None else ""

    def row_of(self, key: str) -> int | None:
        """The row of a passage; None if it is not shown."""
        if self.passages is None:
            return None
        keys = self.passages.keys
        return next((row for row, number in enumerate(self._rows) if keys[number] == key), None)

    def next_not_judged(self, row: int) -> int | None:
        """The next row below whose passage is not judged, else the first such row."""
        rows = self._rows
        if self.passages is None:
            return None
        keys = self.passages.keys
        order = (*range(row + 1, len(rows)), *range(row))
        return next(
            (candidate for candidate in order if keys[rows[candidate]] not in self._judged), None
        )

    def _sort(self) -> None:
        """Take the passages with what is looked for among their first words."""
        wanted = self._sought.casefold()
        if not wanted or self.passages is None:
            self._rows = range(self.total)
            return
        beginnings = self.passages.beginnings
        self._rows = [row for row, text in enumerate(beginnings) if wanted in text.casefold()]

    # Qt's model interface

    def _subject(self, row: int) -> tuple[object, ...]:
        return self.passages, self._judged, self._rows[row]

    def _explanation(self, row: int, column: PassageColumn) -> str:
        passages, row = self.passages, self._rows[row]
        if passages is None:
            return ""
        if column is PassageColumn.PASSAGE:
            return str(passages.beginnings[row])
        if column is PassageColumn.WORDS:
            units, words = int(passages.units[row]), int(passages.words[row])
            return f"{run_in_words(units, words, self._unit)}.\n{column.meaning}"
        judged = self._judged.get(passages.keys[row])
        if column is PassageColumn.JUDGED_AS and judged and judged.who:
            return gettext(
                "{meaning}, said {who} on {day}",
                meaning=gettext(judged.meaning),
                who=judged.who,
                day=judged.time[:10],
            )
        return column.meaning
