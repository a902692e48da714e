"""Presentations (pptx, pptm, ppsx, potx), ECMA-376 part 1, PresentationML."""

from __future__ import annotations

from collections.abc import Callable

from core.base.messages import N_
from core.documents.readers import SLIDES, Extracted, Reader, Reading
from core.documents.readers.ooxml import (
    OfficeFile,
    OfficeHandler,
    Relation,
    graphic_text,
    office_kind,
)
from core.documents.readers.shared.story import Gap, Tally, WordStory
from core.documents.readers.shared.xml import Ends, Starts, attribute, names_of

_TITLES = frozenset({"title", "ctrTitle"})
_BOILERPLATE = frozenset({"dt", "ftr", "hdr", "sldNum", "sldImg"})
_ROW = 228_600  # a quarter of an inch: shapes that begin within it stand in one row
_GROUPS = 64  # deep, beyond which a group is not put together: each is copied into the next
_SHAPES = "p:sp p:cxnSp p:graphicFrame p:grpSp"


class _Shape(WordStory):
    """A shape, or a group of them, while it is read."""

    def __init__(self) -> None:
        super().__init__(Gap.LINE)
        self.parts: list[tuple[tuple[int, int, int], str]] = []
        self.position: tuple[int, int] | None = None
        self.placeholder = ""
        self.number = -1
        self.is_hidden = False

    def order(self) -> tuple[int, int, int]:
        """The title, then what the layout has a place for, then the rest from the top."""
        if self.placeholder in _TITLES:
            return (0, 0, 0)
        if self.number >= 0:
            return (1, self.number, 0)
        x, y = self.position or (0, 0)
        return (2, y // _ROW, x)

    def text(self) -> str:
        """Its own text, and then that of the shapes in it."""
        parts = [text for _, text in sorted(self.parts, key=lambda part: part[0])]
        return "\n\n".join(text for text in (super().text(), *parts) if text)


class Slide(OfficeHandler[_Shape]):
    """Reads a slide, or its notes.

    Attributes:
        is_hidden: It is not shown.
        hidden_shapes: How many shapes with text are not shown.
    """

    def __init__(self, graphic: Callable[[str], str]) -> None:
        """With what reads a chart."""
        super().__init__(_Shape(), graphic, self._all_starts(), self._all_ends())
        self.is_hidden = False
        self.hidden_shapes = 0
        self._reads = False

    def _all_starts(self) -> Starts:
        return {
            "p:sld": self._start_slide,
            _SHAPES: lambda _: self._stories.append(_Shape()),
            "p:cNvPr": self._name,
            "p:ph": self._fill_placeholder,
            "a:off": self._put,
            "a:t m:t": self._set(_reads=True),
            "a:br": lambda _: self._write("\n"),
            "a:fld": self._start_field,
            "a:tbl": self._call_story(WordStory.start_table),
            "a:tc": self._call_story(WordStory.start_cell),
        }

    def _all_ends(self) -> Ends:
        return {
            _SHAPES: self._end_shape,
            "a:t m:t": self._set(_reads=False),
            "a:p": self._call_story(WordStory.end_paragraph),
            "a:tc": self._call_story(WordStory.end_cell),
            "a:tr": self._call_story(WordStory.end_row),
            "a:tbl": self._call_story(WordStory.end_table),
        }

    def text(self, text: str) -> None:
        """Characters, in pieces of any length."""
        if self._reads and not self._skipped:
            self._write(text)

    def finish(self) -> str:
        """The text, also of a part that broke off in the middle."""
        while len(self._stories) > 1:
            self._end_shape()
        return self._stories[0].text()

    def _start_slide(self, attributes: dict[str, str]) -> None:
        self.is_hidden = attributes.get("show") in {"0", "false"}

    def _name(self, attributes: dict[str, str]) -> None:
        self._stories[-1].is_hidden |= attributes.get("hidden") in {"1", "true"}

    def _fill_placeholder(self, attributes: dict[str, str]) -> None:
        shape = self._stories[-1]
        shape.placeholder = attributes.get("type", "obj")
        shape.number = _number(attributes.get("idx", "0"))

    def _put(self, attributes: dict[str, str]) -> None:
        shape = self._stories[-1]
        if shape.position is None:
            shape.position = _number(attributes.get("x", "0")), _number(attributes.get("y", "0"))

    def _start_field(self, attributes: dict[str, str]) -> None:
        """The number of the slide and the date of today are no text."""
        if attributes.get("type", "").startswith(("slidenum", "datetime")):
            self._skip(attributes)

    def _end_shape(self) -> None:
        if len(self._stories) == 1:
            return
        shape = self._stories.pop()
        if len(self._stories) > _GROUPS and not shape.is_hidden:
            self._stories[-1].parts += shape.parts
            shape.parts = []
        text = shape.text()
        if not text or shape.placeholder in _BOILERPLATE:
            return
        if shape.is_hidden:
            self.hidden_shapes += 1
        else:
            self._stories[-1].parts.append((shape.order(), text))


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return 0


_SLIDE = names_of("p:sldId")


def _read(data: bytes, reading: Reading) -> Extracted:
    """Slide by slide, each with its notes; one that is not shown is an empty page."""
    file = OfficeFile(data, reading)
    tally = Tally()
    pages = [_page(file, part, tally) for part in _slides(file)]
    return file.extracted("\f".join(pages), tally.remarks())


def _slides(file: OfficeFile) -> list[str]:
    main = file.main_part("ppt/presentation.xml")
    relations = file.relations(main)
    keys = [attribute(it, "r:id") for name, it in file.elements(main) if name in _SLIDE]
    slides = [relations[key] for key in keys if key in relations]
    if not slides and file.is_damaged:
        return file.parts("ppt/slides/slide")
    return list(dict.fromkeys(it.target for it in slides))


def _page(file: OfficeFile, part: str, tally: Tally) -> str:
    relations = file.relations(part)
    slide, text = _story(file, part, relations)
    if slide.is_hidden:
        tally.hidden_slides += 1
        return ""
    tally.hidden += slide.hidden_shapes
    texts = [text]
    texts += [
        _story(file, relation.target, {})[1]
        for relation in relations.values()
        if relation.kind == "notesSlide"
    ]
    return "\n\n".join(text for text in texts if text)


def _story(file: OfficeFile, part: str, relations: dict[str, Relation]) -> tuple[Slide, str]:
    graphics = dict(relations)
    # Each once, however often it is named.
    slide = Slide(lambda key: graphic_text(file, graphics.pop(key, None)))
    file.parse(part, slide)
    return slide, slide.finish()


READER = Reader(
    "pptx",
    N_("a presentation (pptx)"),
    N_("slides (pptx)"),
    frozenset({".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"}),
    lambda data, _suffix: office_kind(data) == "pptx",
    _read,
    never_text=True,
    pages=SLIDES,
)
