"""One sentence to the user, and what can be done about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, auto
from pathlib import Path
from typing import NamedTuple

from core.base.wording import printable_text


class Offer(StrEnum):
    """What the link of a message does, where it leads to no place."""

    TAKE_OVER = auto()
    FIND_FOLDER = auto()
    KEEP_MISSING = auto()
    REMOVE_MISSING = auto()
    UNDO = auto()
    START_ANEW = auto()
    OPEN_ANYWAY = auto()
    RESCAN = auto()


class OpenOffer(NamedTuple):
    """The file that was written is opened."""

    path: Path


class CopyOffer(NamedTuple):
    """A text is copied: where a file is, say."""

    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence; `target` is what its link leads to: the `Path` of a file, or an `Offer`.

    What was done may have several `links`, each with its target: an `OpenOffer` or a `CopyOffer`
    besides.

    A question has several `answers` instead. It waits behind other messages until it is answered
    or dismissed. One that stands before what the user has just asked for is `urgent`: it takes the
    keyboard, and Esc says no. A `lasting` message stays when other folders are opened.
    """

    text: str
    warning: bool = False
    link: str = ""
    target: object = None
    links: tuple[tuple[str, object], ...] = ()
    answers: tuple[tuple[str, Offer], ...] = ()
    urgent: bool = False
    lasting: bool = False

    def __post_init__(self) -> None:
        """Names of files are shown so that nothing in them is hidden or turned round."""
        object.__setattr__(self, "text", printable_text(self.text))
