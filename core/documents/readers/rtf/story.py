"""One story of an RTF file: its body, a note, a header or a text box."""

from __future__ import annotations

from core.documents.readers.shared.text_flow import Gap, TextFlow

__all__ = ["RtfStory"]

_PADDING = " \t\n"


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


def _whole_characters(text: str) -> str:
    """Halves of a character, as UTF-16 has them, put together; a lone one becomes U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
