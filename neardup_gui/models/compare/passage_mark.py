"""How one passage of a pair is told from the others."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.settings import Unit

__all__ = ["PassageMark"]

SHORT: dict[Unit, int] = {"word": 8, "char": 13}  # a Chinese word has 1.6 characters


@dataclass(frozen=True, slots=True)
class PassageMark:
    """How a passage is told from its neighbours: a number, a hue, an underline.

    Of its `length`, from its beginning to its end, `tokens` are the same in both; both count words,
    or characters where `unit` says so. `pages` say where it stands in A and in B, "p. 12" or
    "pp. 12–13"; they are empty where a text has no pages.
    """

    number: int
    hue: int
    underline: int
    length: int
    tokens: int
    unit: Unit
    moved: bool
    pages: tuple[str, str] = ("", "")

    @property
    def short(self) -> bool:
        """Whether so little is the same that stronger passages come first."""
        return self.tokens < SHORT[self.unit]

    def swapped(self) -> PassageMark:
        """The mark with A and B exchanged."""
        return replace(self, pages=(self.pages[1], self.pages[0]))
