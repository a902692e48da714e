"""Charts and diagrams (SmartArt): the words in them, each once."""

from __future__ import annotations

from core.documents.readers.ooxml import OfficeFile, Relation, names_in

__all__ = ["graphic_text"]

_OPEN = "http://schemas.openxmlformats.org/drawingml/2006/"
_STRICT = "http://purl.oclc.org/ooxml/drawingml/"
_KINDS = frozenset({"chart", "diagramData"})


def _names(part: str, *names: str) -> frozenset[str]:
    return frozenset(names_in((_OPEN + part, _STRICT + part), *names))


_TEXT = _names("main", "t")
_PARAGRAPHS = _names("main", "p")
_VALUES = _names("chart", "v")
_NUMBERS = _names("chart", "numCache", "numLit")


def graphic_text(file: OfficeFile, relation: Relation) -> str:
    """The titles and labels of a chart, or the boxes of a diagram, a line each."""
    if relation.is_external or relation.kind not in _KINDS:
        return ""
    graphic = _Graphic()
    file.parse(relation.target, graphic)
    return "\n".join(dict.fromkeys(line for line in graphic.lines if line))


class _Graphic:
    """Collects the lines of text; the numbers behind a chart are not shown in it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._pieces: list[str] = []
        self._reads = False
        self._numbers = 0

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        """An element begins."""
        self._numbers += name in _NUMBERS
        self._reads = name in _TEXT or (name in _VALUES and not self._numbers)

    def end(self, name: str) -> None:
        """An element ends."""
        self._numbers -= name in _NUMBERS
        self._reads = False
        if name in _PARAGRAPHS or name in _VALUES:
            self.lines.append("".join(self._pieces).strip())
            self._pieces.clear()

    def text(self, text: str) -> None:
        """Characters, in pieces of any length."""
        if self._reads:
            self._pieces.append(text)
