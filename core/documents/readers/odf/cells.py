"""The sheets of an OpenDocument spreadsheet: what their cells show, row by row."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from core.base.wording import readable_count
from core.documents.model import ProblemCode
from core.documents.readers.odf.handler import OpenDocumentHandler
from core.documents.readers.odf.names import BOXES, SKIPPED, attribute, number
from core.documents.readers.odf.story import OdfStory
from core.documents.readers.odf.styles import OdfStyles
from core.documents.readers.reader import Reading
from core.documents.readers.shared.text_flow import Gap, TextFlow
from core.documents.unreadable import UnreadableError

_UNSEEN = frozenset({"collapse", "filter"})
_COVERED = "table:covered-table-cell"  # lies below a wider neighbour
_MASTERS = "office:master-styles"  # with the headers that every sheet has unasked: "Page 1"
_SPACES = 99


class _OdfCell(NamedTuple):
    column: int
    repeated: int
    text: str


class Sheets(OpenDocumentHandler):
    """Collects the sheets.

    Attributes:
        pages: The text of each sheet, that of its shapes last; "" for a hidden one.

    Raises:
        UnreadableError: TOO_BIG when repeated cells make more text than is read.
    """

    _not_read = SKIPPED | {_MASTERS}

    def __init__(self, reading: Reading, styles: OdfStyles) -> None:
        super().__init__(styles)
        self.pages: list[str] = []
        self._limit = self._left = reading.limits.characters
        self._flow = TextFlow()
        self._shapes: list[str] = []
        self._row: list[_OdfCell] = []
        self._row_repeated = self._cell_repeated = 1
        self._is_row_hidden = False
        self._column = 0
        self._hidden_columns: list[range] = []
        self._hidden_seen: set[int] = set()  # starts of those ranges in which there is text
        self._tables = 0
        self._starts = self._make_starts()
        self._ends = self._make_ends()

    def _pass_by(self, short: str, attributes: dict[str, str]) -> None:
        """A covered cell takes the place of a cell."""
        if short == _COVERED:
            self._column += _repeated(attributes, "columns")

    def _make_starts(self) -> dict[str, Callable[[dict[str, str]], None]]:
        return {
            "table:table": self._start_sheet,
            "table:table-column": self._note_column,
            "table:table-row": self._start_row,
            "table:table-cell": self._start_cell,
            "office:annotation": self._start_comment,
            "text:p": lambda _: self._stories[-1].start_paragraph(),
            "text:s": self._spaces,
            "text:tab": lambda _: self._stories[-1].write_verbatim(" "),
            "text:line-break": lambda _: self._stories[-1].write_verbatim("\n"),
            **{name: lambda _: self._stories.append(OdfStory()) for name in BOXES},
        }

    def _make_ends(self) -> dict[str, Callable[[], None]]:
        return {
            "table:table": self._end_sheet,
            "table:table-row": self._end_row,
            "table:table-cell": self._end_cell,
            "text:p": self._end_paragraph,
            **{name: lambda: self._shapes.append(self._stories.pop().text()) for name in BOXES},
        }

    def _start_sheet(self, attributes: dict[str, str]) -> None:
        """A table in a cell goes with the sheet it is in."""
        if not self._tables and self._styles.hides(
            "table", attribute(attributes, "table:style-name")
        ):
            self.tally.hidden_sheets += 1
            self.pages.append("")
            self._skipped = 1
            return
        if not self._tables:
            self._column = 0
            self._hidden_columns.clear()
        self._tables += 1

    def _end_sheet(self) -> None:
        self._tables -= 1
        if self._tables:
            return
        for shape in self._shapes:
            if shape:
                self._flow.separate(Gap.PARAGRAPH)
                self._flow.write_verbatim(shape)
        self._shapes.clear()
        self.pages.append(self._flow.text())
        self.tally.hidden_rows += len(self._hidden_seen)
        self._hidden_seen.clear()
        self._flow = TextFlow()

    def _note_column(self, attributes: dict[str, str]) -> None:
        count = _repeated(attributes, "columns")
        if attribute(attributes, "table:visibility") in _UNSEEN:
            self._hidden_columns.append(range(self._column, self._column + count))
        self._column += count

    def _start_row(self, attributes: dict[str, str]) -> None:
        self._column = 0
        self._row.clear()
        self._row_repeated = _repeated(attributes, "rows")
        self._is_row_hidden = attribute(attributes, "table:visibility") in _UNSEEN

    def _end_row(self) -> None:
        """Write it as often as it stands there; rows without text are one gap."""
        cells = [cell for cell in self._row if cell.text and not self._is_hidden(cell.column)]
        self._row.clear()
        if not cells:
            self._flow.separate(Gap.PARAGRAPH)
        elif self._is_row_hidden:
            self.tally.hidden_rows += self._row_repeated
        else:
            self._write_row(cells)

    def _write_row(self, cells: list[_OdfCell]) -> None:
        length = sum((len(cell.text) + 1) * cell.repeated for cell in cells)
        self._left -= length * self._row_repeated
        if self._left < 0:
            raise UnreadableError(
                ProblemCode.TOO_BIG,
                f"The repeated cells of this file make a text of more than "
                f"{readable_count(self._limit)} characters. Split it, or raise the limit in the "
                f"settings.",
                "characters",
            )
        text = "\t".join("\t".join([cell.text] * cell.repeated) for cell in cells)
        self._flow.separate(Gap.LINE)
        self._flow.write_verbatim("\n".join([text] * self._row_repeated))
        self._flow.separate(Gap.LINE)

    def _is_hidden(self, column: int) -> bool:
        for columns in self._hidden_columns:
            if column in columns:
                self._hidden_seen.add(columns.start)
                return True
        return False

    def _start_cell(self, attributes: dict[str, str]) -> None:
        self._cell_repeated = _repeated(attributes, "columns")

    def _end_cell(self) -> None:
        text = self._stories[0].text().replace("\n\n", "\n")
        self._stories[0] = OdfStory()
        if text:
            self._row.append(_OdfCell(self._column, self._cell_repeated, text))
        self._column += self._cell_repeated

    def _end_paragraph(self) -> None:
        self._stories[-1].end_paragraph()

    def _start_comment(self, _attributes: dict[str, str]) -> None:
        self.tally.comments += 1
        self._skipped = 1

    def _spaces(self, attributes: dict[str, str]) -> None:
        count = number(attribute(attributes, "text:c"))
        self._stories[-1].write_verbatim(" " * min(count, _SPACES))


def _repeated(attributes: dict[str, str], what: str) -> int:
    return number(attribute(attributes, f"table:number-{what}-repeated"))
