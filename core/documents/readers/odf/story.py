"""One story of an OpenDocument file: its body, a note, a header, a slide or a text box."""

from __future__ import annotations

import re

from core.documents.readers.shared.story import Story
from core.documents.readers.shared.text_flow import Gap

_SPACES = re.compile(r"[ \t\n\r]+")
_PADDING = " \t\n"


class OdfStory(Story):
    """Paragraphs, lists and tables, and the text boxes anchored in them.

    White space is treated as ODF 1.3, part 3, 6.1.2 has it: a run of it is one space, and none at
    the start of a paragraph.
    """

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[str] = []
        self._boxes: list[str] = []
        self._lists = 0
        self._drops_space = True
        self.in_paragraph = False

    def start_paragraph(self) -> None:
        """A paragraph or a heading begins."""
        self.end_paragraph()
        self.in_paragraph = True

    def write(self, text: str) -> None:
        """Characters of the open paragraph; outside of one they are nothing but layout."""
        if not self.in_paragraph:
            return
        words = _SPACES.sub(" ", text)
        if self._drops_space and words.startswith(" "):
            words = words[1:]
        if words:
            self._pieces.append(words)
            self._drops_space = words.endswith(" ")

    def write_verbatim(self, text: str) -> None:
        """A tab, a line break, counted spaces or a formula."""
        if self.in_paragraph and text:
            self._pieces.append(text)
            self._drops_space = False

    def drop_paragraph(self) -> bool:
        """Forget what the open paragraph has; returns whether that was anything."""
        had_text = not "".join(self._pieces).isspace() and bool(self._pieces)
        self._pieces.clear()
        self._boxes.clear()
        return had_text

    def end_paragraph(self) -> None:
        """The paragraph ends; text boxes anchored in it follow it."""
        if self._pieces:
            text = "".join(self._pieces).strip(_PADDING)
            self._pieces.clear()
            self._write(text, Gap.LINE if self._lists else Gap.PARAGRAPH)
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self._write(box, Gap.PARAGRAPH)
        self.in_paragraph = False
        self._drops_space = True

    def add_box(self, text: str) -> None:
        """A text box: it is read after the paragraph it is anchored in."""
        if self.in_paragraph:
            self._boxes.append(text)
        else:
            self._write(text, Gap.PARAGRAPH)

    def start_list(self) -> None:
        """A list begins, maybe in another."""
        if not self._lists and not self._cells:
            self._flow.separate(Gap.PARAGRAPH)
        self._lists += 1

    def end_list(self) -> None:
        """A list ends."""
        self._lists -= 1
        if not self._lists and not self._cells:
            self._flow.separate(Gap.PARAGRAPH)
