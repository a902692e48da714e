"""One sentence to the user, and what can be done about it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Message"]


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence; `target` is what its link leads to."""

    text: str
    warning: bool = False
    link: str = ""
    target: object = None
