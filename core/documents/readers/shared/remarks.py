"""Sentences on what an office document has and its text has not.

Text that a reader does not see: white letters, and letters of 1 point.

It is part of the file, so it is read, but not where it stands: among the words that are seen it
would part them. So it follows the whole text. What is no longer than two letters is no text but
stands in the place of spaces, and becomes one; letters that are tiny take no room at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.base.messages import N_, nstored
from core.documents.readers.reader import Extracted
from core.documents.readers.shared.packed_files import without_text

_LETTERS_FOR_A_SPACE = 2


class FaintText:
    """Takes the faint passages of a document out of its text."""

    def __init__(self) -> None:
        self._passages: list[str] = []
        self._goes_on = False

    def add(self, text: str, *, is_tiny: bool) -> str:
        """Record invisible characters; returns their replacement."""
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
        return sum(len(passage.strip()) > _LETTERS_FOR_A_SPACE for passage in self._passages)

    @property
    def letters(self) -> int:
        """How many letters stand for spaces, or for nothing."""
        lengths = (len(passage.strip()) for passage in self._passages)
        return sum(length for length in lengths if length <= _LETTERS_FOR_A_SPACE)

    def after(self, text: str) -> str:
        """The text with its invisible text as the last paragraph."""
        parts = (" ".join(passage.split()) for passage in self._passages)
        hidden = " ".join(part for part in parts if len(part) > _LETTERS_FOR_A_SPACE)
        return "\n\n".join(part for part in (text, hidden) if part)


DAMAGED = N_("The file is damaged; its text may be incomplete.")


def as_far_as_whole(text: str, remarks: Sequence[str] = (), *, is_damaged: bool) -> Extracted:
    """What was read of a file; a damaged one has a remark on that, and is refused without text.

    Raises:
        UnreadableError: DAMAGED.
    """
    if is_damaged and not text.strip():
        raise without_text()
    return Extracted(text, remarks=(DAMAGED, *remarks) if is_damaged else tuple(remarks))


def refused_parts(count: int) -> str:
    """The remark on parts that declare a document type."""
    return nstored(
        "A part of this file declares entities (a DOCTYPE), through which it could read other "
        "files; that was not read.",
        "{n} parts of this file declare entities (a DOCTYPE), through which it could read other "
        "files; that was not read.",
        count,
    )


def comments(count: int) -> str:
    """The remark on comments that are left out."""
    return nstored(
        "{n} comment is not part of the text.", "{n} comments are not part of the text.", count
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

    def count(self, what: str) -> None:
        """There was one more of something, by the name of its attribute."""
        setattr(self, what, getattr(self, what) + 1)

    def remarks(self) -> tuple[str, ...]:
        """A sentence for everything that was counted."""
        sentences = [
            refused_parts(self.refusals),
            nstored(
                "{n} tracked deletion is not part of the text.",
                "{n} tracked deletions are not part of the text.",
                self.deletions,
            ),
            nstored(
                "{n} passage of hidden text is not part of the text.",
                "{n} passages of hidden text are not part of the text.",
                self.hidden,
            ),
            comments(self.comments),
            nstored(
                "{n} document inserted as a whole is not part of the text.",
                "{n} documents inserted as a whole are not part of the text.",
                self.inserted,
            ),
            nstored(
                "{n} linked file is not part of the text.",
                "{n} linked files are not part of the text.",
                self.linked,
            ),
            nstored(
                "{n} embedded object is not part of the text.",
                "{n} embedded objects are not part of the text.",
                self.objects,
            ),
            nstored(
                "{n} hidden slide is not part of the text.",
                "{n} hidden slides are not part of the text.",
                self.hidden_slides,
            ),
            nstored(
                "{n} hidden sheet is not part of the text.",
                "{n} hidden sheets are not part of the text.",
                self.hidden_sheets,
            ),
            nstored(
                "{n} hidden row or column is not part of the text.",
                "{n} hidden rows and columns are not part of the text.",
                self.hidden_rows,
            ),
            nstored(
                "{n} passage is written in white or in letters of 1 point: a reader does not see "
                "that. It stands at the end of the text.",
                "{n} passages are written in white or in letters of 1 point: a reader does not see "
                "that. It stands at the end of the text.",
                self.faint.passages,
            ),
            nstored(
                "{n} letter is written in white or of 1 point between words: a reader sees none "
                "there, nor is any read.",
                "{n} letters are written in white or of 1 point between words: a reader sees none "
                "there, nor is any read.",
                self.faint.letters,
            ),
        ]
        # Of what there is none, nothing is said.
        return tuple(sentence for sentence in sentences if not sentence.startswith("0 "))


class OmissionCounts:
    """Counts passages of one story that are left out, neighbours of a kind as one."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._kind = ""

    def add(self, kind: str, text: str) -> None:
        """A piece of text: "deletions" or "hidden", as the tally names it; "" for what is seen."""
        if kind != self._kind and text.strip():
            self._kind = kind
            if kind:
                self._tally.count(kind)
