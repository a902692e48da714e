"""Runs of a Word document: characters, and whether a reader sees them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from core.documents.readers.ooxml.names import Starts, is_on, named, word_attribute
from core.documents.readers.shared.remarks import Tally
from core.documents.readers.shared.symbol_fonts import is_symbol_font, symbols

_SPACE = "http://www.w3.org/XML/1998/namespace space"
_PADDING = " \t\r\n"
_WHITE = "FFFFFF"
_TINY = frozenset({"1", "2"})  # half points


class _RunFormat(NamedTuple):
    is_hidden: bool
    is_white: bool = False
    is_tiny: bool = False
    is_shaded: bool = False
    font: str = ""


class Runs:
    """Takes the elements inside of a paragraph that make its text.

    Attributes:
        properties: What to do with elements in the properties of a run.
        written: How often there was text, shown or hidden.
    """

    def __init__(
        self, write: Callable[[str], None], tally: Tally, hidden_styles: frozenset[str]
    ) -> None:
        self._write = write
        self._tally = tally
        self._hidden_styles = hidden_styles
        self._look = _RunFormat(is_hidden=False)
        self._outer: list[_RunFormat] = []
        self._characters: list[str] | None = None
        self._keeps_spaces = False
        self._part_keeps_spaces = False
        self._passage = ""
        self.written = 0
        self.properties: Starts = named(
            {
                "w:rStyle": self._use_style,
                "w:vanish": lambda it: self._set(is_hidden=is_on(it)),
                "w:color": self._colour,
                "w:sz": self._size,
                "w:shd w:highlight": lambda _: self._set(is_shaded=True),
                "w:rFonts": self._font,
            }
        )

    def start_part(self, attributes: dict[str, str]) -> None:
        """The root of a part may say that white space counts everywhere."""
        self._part_keeps_spaces = attributes.get(_SPACE) == "preserve"

    def start(self, *, is_hidden: bool, is_shaded: bool) -> None:
        """A run begins, in a paragraph whose style may hide it."""
        self._outer.append(self._look)
        self._look = _RunFormat(is_hidden=is_hidden, is_shaded=is_shaded)

    def end(self) -> None:
        """A run ends."""
        if self._outer:
            self._look = self._outer.pop()

    def _set(self, **look: bool | str) -> None:
        self._look = self._look._replace(**look)  # type: ignore[arg-type]

    def _colour(self, attributes: dict[str, str]) -> None:
        if word_attribute(attributes, "val") == _WHITE:
            self._set(is_white=True)

    def _size(self, attributes: dict[str, str]) -> None:
        if word_attribute(attributes, "val") in _TINY:
            self._set(is_tiny=True)

    def _font(self, attributes: dict[str, str]) -> None:
        font = word_attribute(attributes, "ascii")
        if is_symbol_font(font):
            self._set(font=font)

    def _use_style(self, attributes: dict[str, str]) -> None:
        """Hiding is a property that two styles together undo (17.7.3, toggle properties)."""
        if word_attribute(attributes, "val") in self._hidden_styles:
            self._set(is_hidden=not self._look.is_hidden)

    def start_text(self, attributes: dict[str, str]) -> None:
        """The element with the characters begins."""
        self._characters = []
        self._keeps_spaces = attributes.get(_SPACE, "") == "preserve" or self._part_keeps_spaces

    def characters(self, text: str) -> None:
        """Characters anywhere in the part."""
        if self._characters is not None:
            self._characters.append(text)

    def end_text(self) -> None:
        """The element with the characters ends."""
        if self._characters:
            text = "".join(self._characters)
            self.add(text if self._keeps_spaces else text.strip(_PADDING))
        self._characters = None

    def add(self, text: str) -> None:
        """Add characters that look like this run."""
        if not text:
            return
        self.written += 1
        look = self._look
        if look.is_hidden:
            self._pass("hidden", text)
            return
        self._pass("", text)
        text = symbols(text, look.font)
        if look.is_tiny or (look.is_white and not look.is_shaded):
            text = self._tally.faint.add(text, is_tiny=look.is_tiny)
        else:
            self._tally.faint.end()
        self._write(text)

    def delete(self) -> None:
        """Here something was deleted."""
        self._pass("deletions", "-")

    def _pass(self, passage: str, text: str) -> None:
        """Count what is left out or not seen, neighbours as one."""
        if text.isspace() or passage == self._passage:
            return
        self._passage = passage
        if passage:
            setattr(self._tally, passage, getattr(self._tally, passage) + 1)
