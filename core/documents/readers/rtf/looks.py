"""What text of an RTF file looks like: white and tiny letters are not seen."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.documents.readers.rtf.state import USUAL_SIZE, RtfGroup
from core.documents.readers.shared.faint_text import FaintText

_WHITE = re.compile(rb"\s*\\red255\s*\\green255\s*\\blue255\s*")
_TINY = 2  # half points


class RtfLooks:
    """Knows the colours of a file.

    Attributes:
        faint: Text that nobody sees.
    """

    def __init__(self) -> None:
        self.faint = FaintText()
        self._white: set[int] = set()
        self._has_background = False

    def learn(self, word: bytes, content: bytes) -> None:
        """Take what a group that is not shown says of the looks of text."""
        if word == b"colortbl":
            colours = enumerate(content.split(b";"))
            self._white = {number for number, colour in colours if _WHITE.fullmatch(colour)}
        self._has_background |= word == b"background"

    @staticmethod
    def words(group: Callable[[], RtfGroup]) -> dict[bytes, Callable[[int | None], None]]:
        """What control words say of letters, by their name; each takes its number."""

        def shade(number: int | None) -> None:
            group().is_shaded = number != 0

        def colour(number: int | None) -> None:
            group().colour = number or 0

        def size(number: int | None) -> None:
            group().size = USUAL_SIZE if number is None else number

        shades = dict.fromkeys((b"cb", b"cbpat", b"chcbpat", b"highlight"), shade)
        return {b"cf": colour, b"fs": size, **shades}

    def seen(self, text: str, group: RtfGroup) -> str:
        """What a reader sees of characters; what is behind those in a table is not known."""
        is_tiny = group.size <= _TINY
        is_white = group.colour in self._white and not (group.is_shaded or group.in_table)
        if is_tiny or (is_white and not self._has_background):
            return self.faint.add(text, is_tiny=is_tiny)
        self.faint.end()
        return text
