"""Which styles of an OpenDocument file hide what they are applied to."""

from __future__ import annotations

from core.documents.readers.odf.names import attribute

_INHERITED = 50  # styles: a chain that is longer goes round in a circle
_HIDING = {
    "style:text-properties": ("text:display", "none"),
    "style:table-properties": ("table:display", "false"),
    "style:drawing-page-properties": ("presentation:visibility", "hidden"),
}
_LOOKS = ("color", "background-color", "font-size")  # of the namespace "fo"
_Key = tuple[str, str]


class OdfStyles:
    """What was read of the styles; automatic ones go before common ones of the same name."""

    def __init__(self) -> None:
        self._hides: dict[_Key, bool] = {}
        self._parents: dict[_Key, str] = {}
        self._looks: dict[_Key, dict[str, str]] = {}
        self._common: tuple[dict[_Key, bool], dict[_Key, str], dict[_Key, dict[str, str]]]
        self._common = ({}, {}, {})
        self._open: _Key | None = None
        self.master_pages: set[str] = set()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins, "style:style" or another."""
        if name == "style:style":
            family = attribute(attributes, "style:family")
            self._open = (family, attribute(attributes, "style:name"))
            self._parents[self._open] = attribute(attributes, "style:parent-style-name")
            self._hides.pop(self._open, None)
            self._looks.pop(self._open, None)
            self.master_pages.add(attribute(attributes, "style:master-page-name"))
        elif self._open is not None and name in _HIDING:
            key, hiding = _HIDING[name]
            if value := attribute(attributes, key):
                self._hides[self._open] = value == hiding
            said = {one: attribute(attributes, f"xsl-fo-compatible:{one}") for one in _LOOKS}
            if any(said.values()):
                self._looks[self._open] = {one: value for one, value in said.items() if value}

    def end(self, name: str) -> None:
        """An element ends."""
        if name == "style:style":
            self._open = None
        elif name == "office:styles":
            self._common = (self._hides.copy(), self._parents.copy(), self._looks.copy())

    def forget_automatic(self) -> None:
        """Those of one part of the package mean nothing in the next."""
        hides, parents, looks = self._common
        self._hides, self._parents, self._looks = hides.copy(), parents.copy(), looks.copy()

    def hides(self, family: str, name: str) -> bool:
        """Whether a style, or one it is derived from, hides."""
        for _ in range(_INHERITED):
            if not name:
                break
            found = self._hides.get((family, name))
            if found is not None:
                return found
            name = self._parents.get((family, name), "")
        return False

    def looks(self, family: str, name: str) -> dict[str, str]:
        """The colours and the size of letters, as a style says or one it is derived from."""
        found: dict[str, str] = {}
        for _ in range(_INHERITED):
            if not name:
                break
            found = self._looks.get((family, name), {}) | found
            name = self._parents.get((family, name), "")
        return found
