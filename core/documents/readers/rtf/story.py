"""One story of an RTF file: its body, a note, a header or a text box."""

from __future__ import annotations

from collections.abc import Callable

from core.documents.model import ProblemCode
from core.documents.readers.shared.text_flow import Gap, TextFlow
from core.documents.unreadable import UnreadableError

_PADDING = " \t\n"
_MOST = 64  # text boxes in text boxes


class RtfStory:
    """Paragraphs and rows of cells; a cell is told by its end only."""

    def __init__(self) -> None:
        self._flow = TextFlow()
        self._pieces: list[str] = []
        self._boxes: list[str] = []
        self._is_after_row = False

    def write(self, text: str) -> None:
        """Text of the open paragraph."""
        self._pieces.append(text)

    def add_box(self, text: str) -> None:
        """A text box: it is read after the paragraph it is anchored in."""
        if text:
            self._boxes.append(text)

    def end_paragraph(self, *, in_table: bool) -> None:
        """The open paragraph ends; in a table, its paragraphs are lines."""
        if not in_table:
            self._leave_table()
        gap = Gap.LINE if in_table else Gap.PARAGRAPH
        if self._write_pieces():
            self._flow.separate(gap)
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self._flow.separate(gap)
            self._flow.write_verbatim(box)
            self._flow.separate(gap)

    def end_cell(self) -> None:
        """A cell ends, and the open paragraph in it."""
        self._write_pieces()
        self._flow.separate(Gap.CELL)

    def end_row(self) -> None:
        """A row of cells ends."""
        self._write_pieces()
        self._flow.separate(Gap.LINE)
        self._is_after_row = True

    def text(self) -> str:
        """The whole story."""
        self.end_paragraph(in_table=False)
        return self._flow.text()

    def _leave_table(self) -> None:
        if self._is_after_row:
            self._flow.separate(Gap.PARAGRAPH)
            self._is_after_row = False

    def _write_pieces(self) -> bool:
        text = _whole_characters("".join(self._pieces)).strip(_PADDING)
        self._pieces.clear()
        self._flow.write_verbatim(text)
        return bool(text)


class RtfStories:
    """The text of a file, and those beside it, of which one may be in another.

    Attributes:
        headers, footers, footnotes, endnotes: What those said that have ended.
    """

    def __init__(self) -> None:
        self._open = [RtfStory()]
        self._is_endnote = False
        self._headings = 0
        self.headers: list[str] = []
        self.footers: list[str] = []
        self.footnotes: list[str] = []
        self.endnotes: list[str] = []

    @property
    def last(self) -> RtfStory:
        """The one that is read."""
        return self._open[-1]

    @property
    def in_heading(self) -> bool:
        """Whether a header or footer is read."""
        return self._headings > 0

    def start_box(self) -> Callable[[], None]:
        """A text box begins; returns what ends it, as of the others."""
        return self._start(self.last.add_box)

    def start_note(self) -> Callable[[], None]:
        """A note begins: a footnote, unless it says otherwise."""
        self._is_endnote = False

        def close(text: str) -> None:
            (self.endnotes if self._is_endnote else self.footnotes).append(text)
            self._is_endnote = False

        return self._start(close)

    def mark_endnote(self) -> None:
        """The note that is read is an endnote."""
        self._is_endnote = True

    def start_heading(self, *, is_footer: bool) -> Callable[[], None]:
        """A header or a footer begins."""

        def close(text: str) -> None:
            self._headings -= 1
            (self.footers if is_footer else self.headers).append(text)

        end = self._start(close)
        self._headings += 1
        return end

    def _start(self, close: Callable[[str], None]) -> Callable[[], None]:
        if len(self._open) >= _MOST:
            raise UnreadableError(
                ProblemCode.TOO_DEEP,
                f"The text boxes of this file are nested more than {_MOST} deep.",
            )
        self._open.append(RtfStory())
        return lambda: close(self._open.pop().text())


def _whole_characters(text: str) -> str:
    """Halves of a character, as UTF-16 has them, put together; a lone one becomes U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
