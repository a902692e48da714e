"""The text of one story of a document: its body, a note, a header, a text box."""

from __future__ import annotations

from core.documents.readers.shared.story_tables import StoryWithTables
from core.documents.readers.shared.text_flow import Gap

__all__ = ["Story"]

_PADDING = " \t\n"


class Story(StoryWithTables):
    """Paragraphs, tables and the text boxes anchored in them.

    Attributes:
        pieces: Of the paragraph that is being read.
    """

    def __init__(self, gap: Gap = Gap.PARAGRAPH) -> None:
        """With what stands between two paragraphs."""
        super().__init__()
        self._gap = gap
        self.pieces: list[str] = []
        self._boxes: list[str] = []
        self._in_loose_row = False

    def end_paragraph(self) -> None:
        """What was written is a paragraph; text boxes anchored in it follow it."""
        self._in_loose_row = False
        if self.pieces:
            self._write("".join(self.pieces).strip(_PADDING), self._gap)
            self.pieces.clear()
        if self._boxes:
            boxes, self._boxes = self._boxes, []
            for box in boxes:
                self._write(box, self._gap)

    def end_loose_cell(self) -> None:
        """A cell ends although nothing told of a table; one mark after another ends the row."""
        if not "".join(self.pieces).strip(_PADDING):
            self.end_row()
            return
        self._flow.separate(Gap.NOTHING if self._in_loose_row else Gap.PARAGRAPH)
        self.start_cell()
        self.end_cell()
        self._in_loose_row = True

    def add_box(self, text: str) -> None:
        """A text box, to be read after the paragraph it is anchored in."""
        if text:
            self._boxes.append(text)
