"""What text of an OpenDocument file looks like: white and tiny letters are not seen."""

from __future__ import annotations

import re

from core.documents.readers.odf.styles import OdfStyles
from core.documents.readers.shared.faint_text import FaintText

_TINY = re.compile(r"(?:0|[01](?:\.[0-9]*)?(?:pt|px))")
_WHITE, _NONE = "#ffffff", "transparent"


class OdfLooks:
    """Follows the styles of paragraphs and of the spans in them."""

    def __init__(self, styles: OdfStyles, faint: FaintText) -> None:
        self._styles = styles
        self._faint = faint
        self._open: list[dict[str, str]] = [{}]

    def start_paragraph(self, style: str) -> None:
        """A paragraph begins."""
        self._faint.end()
        self._open = [self._styles.looks("paragraph", style)]

    def start_span(self, style: str) -> None:
        """A span begins, in another or in a paragraph."""
        self._open.append(self._open[-1] | self._styles.looks("text", style))

    def end_span(self) -> None:
        """It ends."""
        if len(self._open) > 1:
            self._open.pop()

    def seen(self, text: str, *, is_on_page: bool) -> str:
        """What a reader sees of characters; what is behind them is known on a page only."""
        look = self._open[-1]
        is_tiny = _TINY.fullmatch(look.get("font-size", "")) is not None
        is_white = look.get("color", "").lower() == _WHITE
        is_shaded = look.get("background-color", _NONE) != _NONE
        if is_tiny or (is_white and is_on_page and not is_shaded):
            return self._faint.add(text, is_tiny=is_tiny)
        if not text.isspace():
            self._faint.end()
        return text
