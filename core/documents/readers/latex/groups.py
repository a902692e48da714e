"""Groups of LaTeX: the text between two braces, by what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto


class TexGroupKind(Enum):
    """What becomes of a group, the text between two braces."""

    SHOWN = auto()
    UNSEEN = auto()
    HEADING = auto()
    NOTE = auto()
    FRONT = auto()
    MACRO = auto()


@dataclass(slots=True)
class TexGroup:
    """A group that is open, or an argument that a command waits for."""

    kind: TexGroupKind
    name: str = ""
    start: tuple[int, int] = (0, 0)
    following: list[TexGroup] = field(default_factory=list)  # arguments after this one


APART = frozenset({TexGroupKind.NOTE, TexGroupKind.FRONT})
MUTED = frozenset({TexGroupKind.UNSEEN, TexGroupKind.MACRO})
