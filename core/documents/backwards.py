"""Text that is written backwards, behind a mark that shows it forwards."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from core.base.messages import nstored
from core.base.patterns import lazy_pattern
from core.base.wording import RIGHT_TO_LEFT

_MARK = "\u202e"  # right-to-left override
# What follows the mark, to the end of the cell or paragraph, its own end or the next mark of
# direction.
_ENDS = "\t\n\x0b\f\r\x1c-\x1e\x85\u2029\u202a-\u202e\u2066-\u2069"
_PASSAGE = lazy_pattern(f"{_MARK}([^{_ENDS}]+)\u202c?")
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def seen_forwards(text: str) -> tuple[str, tuple[str, ...]]:
    """A text as it is seen, and a remark where a passage of it was turned round."""
    if _MARK not in text:
        return text, ()
    pieces, end, turned = [], 0, 0
    for match in _PASSAGE.finditer(text):
        if not RIGHT_TO_LEFT.search(match[1]):  # else it is read so anyway
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
