"""Styles of a Word document that hide what they are applied to.

Hiding is on or off. A style has it from the next style on its way up that says anything, at last
from the defaults of the document; where the style of a paragraph and that of a run both hide, the
characters are seen (ECMA-376 part 1, 17.7.3, toggle properties).
"""

from __future__ import annotations

from core.documents.readers.ooxml_names import is_on, is_yes, named, word_attribute

__all__ = ["Styles"]

_DEFAULTS = ""  # as the identifier of a style


class Styles:
    """Reads the part with the styles; most documents hide nothing by them."""

    def __init__(self) -> None:
        self._style = _DEFAULTS  # they come first
        self._based_on: dict[str, str] = {}
        self._hides: dict[str, bool] = {}
        self._default = _DEFAULTS
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
        """An element ends."""

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
        found = {style for style in {*self._based_on, *self._hides} if self._is_hidden(style)}
        found.discard(_DEFAULTS)
        if self._is_hidden(self._default):
            found.add("")
        return frozenset(found)

    def _is_hidden(self, style: str) -> bool:
        """A style says so, or the next on its way up that says anything."""
        seen = set()
        while style not in seen:
            if style in self._hides:
                return self._hides[style]
            seen.add(style)
            if style not in self._based_on:
                return False
            style = self._based_on[style]
        return False
