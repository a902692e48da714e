"""The columns of the list of passages: their names, widths and meanings."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from PySide6.QtCore import Qt

__all__ = ["COLUMNS", "PassageColumn", "PassageColumnWords"]

LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class PassageColumn(IntEnum):
    """The columns, from left to right."""

    DOCUMENTS = 0
    WORDS = 1
    PASSAGE = 2
    JUDGED_AS = 3


class PassageColumnWords(NamedTuple):
    """One column: its title, the widest text it usually holds, what it says, how it is aligned."""

    title: str
    sample: str
    meaning: str
    alignment: int = LEFT


COLUMNS = (
    PassageColumnWords(
        "Documents",
        "9,999",
        "In how many documents the passage stands, copies of each other among them.",
        RIGHT,
    ),
    PassageColumnWords(
        "Words",
        "99,999",
        "How many words it has. Where a script has no spaces between words, they are counted from "
        "its letters.",
        RIGHT,
    ),
    PassageColumnWords(
        "Passage",
        "",
        "The first words of the passage. Each is listed once, most widely shared first, then "
        "longest; a longer one in fewer documents is listed too where it says something new.",
    ),
    PassageColumnWords(
        "Judged as",
        "assignment text",
        "What the passage is: copied, a standard clause, or text of the assignment.",
    ),
)
