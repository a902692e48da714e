"""Text that is written backwards, behind a mark that shows it forwards."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from core.base.messages import nstored
from core.base.patterns import lazy_pattern

_MARK = "\u202e"  # right-to-left override
# What follows the mark, to the end of the paragraph, its own end or the next mark of direction.
_PASSAGE = lazy_pattern(f"{_MARK}([^\u202a-\u202e\u2066-\u2069\n\r\f]+)\u202c?")
_FROM_RIGHT = lazy_pattern("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")  # is read so anyway
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def seen_forwards(text: str) -> tuple[str, tuple[str, ...]]:
    """A text as it is seen, and a remark where a passage of it was turned round."""
    if _MARK not in text:
        return text, ()
    pieces, end, turned = [], 0, 0
    for match in _PASSAGE.finditer(text):
        if not _FROM_RIGHT.search(match[1]):
            forwards = "".join(reversed(list(_signs(match[1])))).translate(_MIRRORED)
            pieces += [text[end : match.start()], forwards]
            end = match.end()
            turned += 1
    if not turned:
        return text, ()
    remark = nstored(
        "{n} passage is written backwards, behind a mark that shows it forwards: it is read as it "
        "is seen.",
        "{n} passages are written backwards, behind marks that show them forwards: they are read "
        "as they are seen.",
        turned,
    )
    return "".join((*pieces, text[end:])), (remark,)


def _signs(text: str) -> Iterator[str]:
    """Letters, each with the accents that follow it."""
    start = 0
    for index, letter in enumerate(text):
        if index and not unicodedata.combining(letter):
            yield text[start:index]
            start = index
    yield text[start:]
