"""Tables in a story, the body of a document or a note: cells by tabs, rows by lines."""

from __future__ import annotations

from abc import ABC, abstractmethod

from core.documents.readers.shared.text_flow import Gap, TextFlow

__all__ = ["StoryWithTables"]


class StoryWithTables(ABC):
    """Paragraphs and tables as text; what makes up a paragraph is the matter of each format."""

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
