"""Groups of LaTeX: the text between two braces, by what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto

__all__ = ["APART", "MUTED", "Group", "Kind"]


class Kind(Enum):
    """What becomes of a group, the text between two braces."""

    SHOWN = auto()
    UNSEEN = auto()
    HEADING = auto()
    NOTE = auto()
    FRONT = auto()
    MACRO = auto()


@dataclass(slots=True)
class Group:
    """A group that is open, or an argument that a command waits for."""

    kind: Kind
    name: str = ""
    start: tuple[int, int] = (0, 0)
    following: list[Group] = field(default_factory=list)  # arguments after this one


APART = frozenset({Kind.NOTE, Kind.FRONT})
MUTED = frozenset({Kind.UNSEEN, Kind.MACRO})
