"""Pieces of a document's text as they are shown: every format gets them here."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Withheld(NamedTuple):
    """A place of a text that is not shown as it is: a name, for instance.

    Attributes:
        start: Its first character.
        end: Behind its last character.
        label: What is shown instead.
    """

    start: int
    end: int
    label: str


def shown_pieces(text: str, cuts: Sequence[int], withheld: Sequence[Withheld] = ()) -> list[str]:
    """The text between each two cuts that follow each other, as it is shown.

    What is withheld and lies across a cut is shown once, in the piece in which it begins.

    Args:
        text: The whole text.
        cuts: Offsets in it, ascending.
        withheld: What is not shown, in the order of the text, without overlaps.
    """
    if not withheld:
        return [text[start:end] for start, end in pairwise(cuts)]
    return [
        _piece(text, start, end, withheld, is_first=place == 0)
        for place, (start, end) in enumerate(pairwise(cuts))
    ]


def _piece(text: str, start: int, end: int, withheld: Sequence[Withheld], *, is_first: bool) -> str:
    parts = []
    position = start
    for one in withheld:
        if one.end <= start or one.start >= end:
            continue
        parts.append(text[position : max(one.start, position)])
        if one.start >= start or is_first:
            parts.append(one.label)
        position = max(position, min(one.end, end))
    parts.append(text[position:end])
    return "".join(parts)
