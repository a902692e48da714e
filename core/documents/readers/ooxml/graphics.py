"""Charts and diagrams (SmartArt): the words in them, each once."""

from __future__ import annotations

from core.documents.readers.ooxml.names import names_of
from core.documents.readers.ooxml.package import OfficeFile, Relation

_KINDS = frozenset({"chart", "diagramData", "drawing"})
_TEXT = names_of("a:t")
_PARAGRAPHS = names_of("a:p")
_VALUES = names_of("c:v")
_NUMBERS = names_of("c:numCache", "c:numLit")


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
        self._numbers += name in _NUMBERS
        self._reads = name in _TEXT or (name in _VALUES and not self._numbers)

    def end(self, name: str) -> None:
        self._numbers -= name in _NUMBERS
        self._reads = False
        if name in _PARAGRAPHS or name in _VALUES:
            self.lines.append("".join(self._pieces).strip())
            self._pieces.clear()

    def text(self, text: str) -> None:
        if self._reads:
            self._pieces.append(text)
