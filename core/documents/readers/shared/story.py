"""The text of one story of a document: its body, a note, a header, a text box."""

from __future__ import annotations

from abc import ABC, abstractmethod

from core.documents.readers.shared.text_flow import Gap, TextFlow

_PADDING = " \t\n"


class Story(ABC):
    """Paragraphs and tables, cells by tabs and rows by lines; a paragraph is each format's own."""

    def __init__(self) -> None:
        self._flow = TextFlow()
        self._cells: list[bool] = []  # for each open cell, whether it has text already

    @abstractmethod
    def end_paragraph(self) -> None:
        """What was written is a paragraph."""

    def start_table(self) -> None:
        """A table begins; in a cell, one inside of it."""
        self.end_paragraph()
        self._flow.separate(Gap.LINE if self._cells else Gap.PARAGRAPH)

    end_table = start_table

    def start_cell(self) -> None:
        """A cell begins."""
        self._cells.append(False)

    def end_cell(self) -> None:
        """A cell ends."""
        self.end_paragraph()
        if self._cells and self._cells.pop() and self._cells:
            self._cells[-1] = True
        self._flow.separate(Gap.CELL)

    @property
    def is_in_cell(self) -> bool:
        """Whether a cell is open."""
        return bool(self._cells)

    def end_row(self) -> None:
        """A row of a table ends."""
        self._flow.separate(Gap.LINE)

    def text(self) -> str:
        """The whole story."""
        self.end_paragraph()
        return self._flow.text()

    def _write(self, text: str, gap: Gap) -> None:
        """Write a paragraph after a gap; in a cell, paragraphs are lines."""
        if not text:
            return
        if not self._cells:
            self._flow.separate(gap)
        elif self._cells[-1]:
            self._flow.separate(Gap.LINE)
        else:
            self._cells[-1] = True
        self._flow.write_verbatim(text)


class WordStory(Story):
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
