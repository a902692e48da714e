"""One sentence to the user, and what can be done about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, auto

__all__ = ["Message", "Offer"]


class Offer(StrEnum):
    """What the link of a message does, where it leads to no place."""

    TAKE_OVER = auto()


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence; `target` is what its link leads to: the `Path` of a file, or an `Offer`."""

    text: str
    warning: bool = False
    link: str = ""
    target: object = None
