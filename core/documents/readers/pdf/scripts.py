"""What PDFium gets wrong in the text of scripts that are not like Latin."""

from __future__ import annotations

import re
from collections.abc import Callable

JOINER = "\u2060"  # stands where a space was none, so that every character keeps its index
_EAST_ASIAN = "\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
_SPACE = re.compile(rf"(?<=[{_EAST_ASIAN}]) (?=\S)|(?<=\S) (?=[{_EAST_ASIAN}])")
_ALEF_LAM = re.compile("[\u0622\u0623\u0625\u0627]\u0644")
_GAP = 0.5  # of the height of a line: less between ideographs is no gap that anyone wrote


def corrected(
    text: str,
    is_made_up: Callable[[int], bool],
    box: Callable[[int], tuple[float, float, float, float]],
) -> str:
    """The text with two faults mended; as long as before.

    A space that stands for the little room between ideographs and other signs becomes `JOINER`. The
    letters lam and alef, which are drawn as one, come out in the order of their drawing: they have
    the same box, and are turned round.

    Args:
        text: Of a page, as PDFium gives it.
        is_made_up: Whether the character of an index is not in the file, but added by PDFium.
        box: The left, bottom, right and top of a character.
    """
    characters: list[str] | None = None
    for match in _SPACE.finditer(text):
        if is_made_up(match.start()) and _is_narrow(box(match.start() - 1), box(match.end())):
            characters = characters or list(text)
            characters[match.start()] = JOINER
    for match in _ALEF_LAM.finditer(text):
        if box(match.start()) == box(match.start() + 1):
            characters = characters or list(text)
            characters[match.start() : match.end()] = reversed(match[0])
    return text if characters is None else "".join(characters)


def _is_narrow(
    before: tuple[float, float, float, float], after: tuple[float, float, float, float]
) -> bool:
    """Whether two characters of a line stand close together."""
    return after[0] - before[2] < _GAP * max(before[3] - before[1], after[3] - after[1])
