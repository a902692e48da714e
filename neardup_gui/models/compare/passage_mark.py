"""How one passage of a pair, or one change between its texts, is told from the others."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.base.wording import count
from core.evidence.hunks import ChangeKind
from core.settings import Unit

SHORT: dict[Unit, int] = {"word": 8, "char": 13}  # a Chinese word has 1.6 characters
SIGNS = {
    ChangeKind.ONLY_A: "−",
    ChangeKind.ONLY_B: "+",
    ChangeKind.EXCHANGED: "⇄",
    ChangeKind.MOVED: "↕",
    ChangeKind.REPEATED_A: "2×",
    ChangeKind.REPEATED_B: "2×",
}
AWAY = frozenset({ChangeKind.MOVED, ChangeKind.REPEATED_A, ChangeKind.REPEATED_B})
TURNED = {
    ChangeKind.ONLY_A: ChangeKind.ONLY_B,
    ChangeKind.ONLY_B: ChangeKind.ONLY_A,
    ChangeKind.REPEATED_A: ChangeKind.REPEATED_B,
    ChangeKind.REPEATED_B: ChangeKind.REPEATED_A,
}


@dataclass(frozen=True, slots=True)
class PassageMark:
    """How a passage is told from its neighbours: a number, a hue, an underline.

    Of its `length`, from its beginning to its end, `tokens` are the same in both; both count words,
    or characters where `unit` says so. `pages` say where it stands in A and in B, "p. 12" or
    "pp. 12–13"; they are empty where a text has no pages. A change has a `kind` and the `words`
    of both texts, which are cut where they are long. `counts` are the words in A and in B, of a
    passage from its beginning to its end: of these `near` stand for another form of the same word,
    `exchanged` for another word, and of those that are the same `moved_words` stand in another
    order within; `chance` says how many other pairs of the folder have as strong a passage. A
    part of a document by itself has a `step` from 1 on, the higher the more documents share
    it, and as its number how many these are.
    """

    number: int
    hue: int
    underline: int
    length: int
    tokens: int
    unit: Unit
    moved: bool
    pages: tuple[str, str] = ("", "")
    kind: ChangeKind | None = None
    words: tuple[str, str] = ("", "")
    counts: tuple[int, int] = (0, 0)
    step: int = 0
    near: int = 0
    exchanged: int = 0
    moved_words: int = 0
    chance: str = ""

    @property
    def short(self) -> bool:
        """Whether so little is the same that stronger passages come first."""
        return self.kind is None and self.tokens < SHORT[self.unit]

    @property
    def badge(self) -> str:
        """What stands at its beginning and on its chip: its number, or the sign of a change."""
        if self.step:
            return count(self.number)
        return str(self.number) if self.kind is None else self.sign_of(self.kind)

    @staticmethod
    def sign_of(kind: ChangeKind) -> str:
        """The sign of a kind of change."""
        return SIGNS[kind]

    def swapped(self) -> PassageMark:
        """The mark with A and B exchanged."""
        kind = TURNED.get(self.kind, self.kind) if self.kind else None
        return replace(
            self,
            pages=self.pages[::-1],
            words=self.words[::-1],
            counts=self.counts[::-1],
            kind=kind,
        )
