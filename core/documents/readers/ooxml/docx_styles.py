"""Styles of a Word document that hide what they are applied to.

Hiding is on or off. A style has it from the next style on its way up that says anything, at last
from the defaults of the document; where the style of a paragraph and that of a run both hide, the
characters are seen (ECMA-376 part 1, 17.7.3, toggle properties).
"""

from __future__ import annotations

from core.documents.readers.ooxml.names import is_on, is_yes, named, names_of, word_attribute

_ALL_STYLES = names_of("w:styles")
_DEFAULTS = ""  # as the identifier of a style


class DocxStyles:
    """Reads the part with the styles; most documents hide nothing by them."""

    def __init__(self) -> None:
        self._style = _DEFAULTS  # they come first
        self._based_on: dict[str, str] = {}
        self._hides: dict[str, bool] = {}
        self._default = _DEFAULTS
        self._starts = named({"w:styles": lambda _: self._start_styles()})

    def _start_styles(self) -> None:
        """In a file of Word 2003 they stand before the document."""
        self._starts = named(
            {
                "w:style": self._start,
                "w:basedOn": lambda it: self._base(word_attribute(it, "val")),
                "w:vanish": self._vanish,
            }
        )

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if action := self._starts.get(name):
            action(attributes)

    def end(self, name: str) -> None:
        """An element ends; what follows the styles in one file is the document."""
        if name in _ALL_STYLES:
            self._starts = {}

    def text(self, text: str) -> None:
        """Styles have no text."""

    def _start(self, attributes: dict[str, str]) -> None:
        self._style = word_attribute(attributes, "styleId")
        if word_attribute(attributes, "type") == "paragraph":
            self._based_on.setdefault(self._style, _DEFAULTS)
            if is_yes(word_attribute(attributes, "default")):
                self._default = self._style

    def _base(self, style: str) -> None:
        self._based_on[self._style] = style

    def _vanish(self, attributes: dict[str, str]) -> None:
        self._hides[self._style] = is_on(attributes)

    def hidden(self) -> frozenset[str]:
        """The identifiers of the styles that hide; "" is that of a paragraph without one."""
        known: dict[str, bool] = {}
        styles = {*self._based_on, *self._hides, self._default}
        found = {style for style in styles if self._is_hidden(style, known)}
        is_default_hidden = self._default in found
        found.discard(_DEFAULTS)
        return frozenset({*found, ""} if is_default_hidden else found)

    def _is_hidden(self, style: str, known: dict[str, bool]) -> bool:
        """A style says so, or the next on its way up that says anything."""
        way = []
        while style not in known:
            way.append(style)
            known[style] = self._hides.get(style, False)  # also the answer for a way in a circle
            if style in self._hides or style not in self._based_on:
                break
            style = self._based_on[style]
        hides = known[style]
        known.update(dict.fromkeys(way, hides))
        return hides
