"""Sentences on what an office document has and its text has not.

Text that a reader does not see: white letters, and letters of 1 point.

It is part of the file, so it is read, but not where it stands: among the words that are seen it
would part them. So it follows the whole text. What is no longer than two letters is no text but
stands in the place of spaces, and becomes one; letters that are tiny take no room at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_LETTERS_FOR_A_SPACE = 2


class FaintText:
    """Takes the faint passages of a document out of its text."""

    def __init__(self) -> None:
        self._passages: list[str] = []
        self._goes_on = False

    def add(self, text: str, *, is_tiny: bool) -> str:
        """Take characters that nobody sees; what stands in their place returns."""
        if text.isspace():
            if self._goes_on:
                self._passages[-1] += text
            return "" if is_tiny else text
        if self._goes_on:
            self._passages[-1] += text
            return ""
        self._passages.append(text)
        self._goes_on = True
        return "" if is_tiny else " "

    def end(self) -> None:
        """Something follows that is seen, or another paragraph."""
        self._goes_on = False

    @property
    def passages(self) -> int:
        """How many are longer than letters that stand for a space."""
        return sum(len(one.strip()) > _LETTERS_FOR_A_SPACE for one in self._passages)

    @property
    def letters(self) -> int:
        """How many letters stand for spaces, or for nothing."""
        lengths = (len(one.strip()) for one in self._passages)
        return sum(length for length in lengths if length <= _LETTERS_FOR_A_SPACE)

    def after(self, text: str) -> str:
        """The text with what is not seen as its last paragraph."""
        parts = (" ".join(passage.split()) for passage in self._passages)
        hidden = " ".join(part for part in parts if len(part) > _LETTERS_FOR_A_SPACE)
        return "\n\n".join(part for part in (text, hidden) if part)


DAMAGED = "The file is damaged; its text may be incomplete."


def counted(count: int, one: str, several: str) -> str:
    """How many, with the verb: "1 comment is" or "1,200 comments are"."""
    return f"{count:,} {one} is" if count == 1 else f"{count:,} {several} are"


def refused_parts(count: int) -> str:
    """That so many parts declare a document type."""
    which = (
        "A part of this file declares" if count == 1 else f"{count:,} parts of this file declare"
    )
    return (
        f"{which} entities (a DOCTYPE), through which it could read other files; that was not read."
    )


@dataclass(slots=True)
class Tally:
    """Counts what a document has beside its text; `refusals` are parts that declare entities."""

    refusals: int = 0
    deletions: int = 0
    hidden: int = 0
    comments: int = 0
    inserted: int = 0
    linked: int = 0
    objects: int = 0
    hidden_slides: int = 0
    hidden_sheets: int = 0
    hidden_rows: int = 0
    faint: FaintText = field(default_factory=FaintText)

    def remarks(self) -> tuple[str, ...]:
        """A sentence for everything that was counted."""
        left_out = (
            (self.deletions, "tracked deletion", "tracked deletions"),
            (self.hidden, "passage of hidden text", "passages of hidden text"),
            (self.comments, "comment", "comments"),
            (self.inserted, "document inserted as a whole", "documents inserted as a whole"),
            (self.linked, "linked file", "linked files"),
            (self.objects, "embedded object", "embedded objects"),
            (self.hidden_slides, "hidden slide", "hidden slides"),
            (self.hidden_sheets, "hidden sheet", "hidden sheets"),
            (self.hidden_rows, "hidden row or column", "hidden rows and columns"),
        )
        sentences = [refused_parts(self.refusals)] if self.refusals else []
        sentences += [
            f"{counted(count, one, several)} not part of the text."
            for count, one, several in left_out
            if count
        ]
        if self.faint.passages:
            passages = counted(self.faint.passages, "passage", "passages")
            sentences.append(
                f"{passages} written in white or in letters of 1 point: a reader does not see "
                f"that. It stands at the end of the text."
            )
        if self.faint.letters:
            places = counted(self.faint.letters, "letter", "letters")
            sentences.append(
                f"{places} written in white or of 1 point between words: a reader sees none "
                f"there, nor is any read."
            )
        return tuple(sentences)
