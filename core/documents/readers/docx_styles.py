"""Styles of a Word document that hide what they are applied to."""

from __future__ import annotations

from core.documents.readers.ooxml_names import is_on, named, word_attribute

__all__ = ["Styles"]


class Styles:
    """Reads the part with the styles; most documents hide nothing by them."""

    def __init__(self) -> None:
        self._style = ""
        self._based_on: dict[str, str] = {}
        self._hides: dict[str, bool] = {}
        self._in_run = False
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

    def _base(self, style: str) -> None:
        self._based_on[self._style] = style

    def _vanish(self, attributes: dict[str, str]) -> None:
        self._hides[self._style] = is_on(attributes)

    def hidden(self) -> frozenset[str]:
        """The identifiers of the styles that hide."""
        return frozenset(
            style for style in {*self._based_on, *self._hides} if self._is_hidden(style)
        )

    def _is_hidden(self, style: str) -> bool:
        """A style says so, or the next on its way up that says anything."""
        seen = set()
        while style and style not in seen:
            if style in self._hides:
                return self._hides[style]
            seen.add(style)
            style = self._based_on.get(style, "")
        return False
