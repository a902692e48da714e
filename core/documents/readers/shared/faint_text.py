"""Text that a reader does not see: white letters, and letters of 1 point.

It is part of the file, so it is read, but not where it stands: among the words that are seen it
would part them. So it follows the whole text. What is no longer than two letters is no text but
stands in the place of spaces, and becomes one; letters that are tiny take no room at all.
"""

from __future__ import annotations

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
