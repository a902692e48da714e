"""Presentations (pptx, pptm, ppsx, potx), ECMA-376 part 1, PresentationML."""

from __future__ import annotations

from core.base.wording import first_read
from core.documents.readers.ooxml.graphics import graphic_text
from core.documents.readers.ooxml.names import names_of, relation_id
from core.documents.readers.ooxml.package import OfficeFile, Relation, office_kind
from core.documents.readers.ooxml.pptx_slide import Slide
from core.documents.readers.reader import SLIDES, Extracted, Reader, Reading
from core.documents.readers.shared.remarks import Tally

_SUFFIXES = frozenset({".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"})
_SLIDE = names_of("p:sldId")


def _recognises(data: bytes, _suffix: str) -> bool:
    return office_kind(data) == "pptx"


def _read(data: bytes, reading: Reading) -> Extracted:
    """Slide by slide, each with its notes; one that is not shown is an empty page."""
    file = OfficeFile(data, reading)
    tally = Tally()
    slides = _slides(file)
    most = reading.limits.pages
    pages = [_page(file, part, tally) for part in slides[:most]]
    remarks = tally.remarks()
    if len(slides) > most:
        remarks += (first_read(most, len(slides), "slides"),)
    return file.extracted("\f".join(pages), remarks)


def _slides(file: OfficeFile) -> list[str]:
    main = file.main_part("officeDocument", "ppt/presentation.xml")
    relations = file.relations(main)
    listing = _SlideList()
    file.parse(main, listing)
    found = [relations[key] for key in listing.slides if key in relations]
    if not found and file.is_damaged:
        return file.parts("ppt/slides/slide")
    return list(dict.fromkeys(it.target for it in found if not it.is_external))


class _SlideList:
    def __init__(self) -> None:
        self.slides: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in _SLIDE:
            self.slides.append(relation_id(attributes))

    def end(self, name: str) -> None:
        """An element ends."""

    def text(self, text: str) -> None:
        """A presentation has no text of its own."""


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
        if relation.kind == "notesSlide" and not relation.is_external
    ]
    return "\n\n".join(text for text in texts if text)


def _story(file: OfficeFile, part: str, relations: dict[str, Relation]) -> tuple[Slide, str]:
    graphics = dict(relations)

    def graphic(key: str) -> str:
        relation = graphics.pop(key, None)  # each once, however often it is named
        return graphic_text(file, relation) if relation else ""

    slide = Slide(graphic)
    file.parse(part, slide)
    return slide, slide.finish()


READER = Reader(
    "pptx",
    "a presentation (pptx)",
    "slides (pptx)",
    _SUFFIXES,
    _recognises,
    _read,
    never_text=True,
    pages=SLIDES,
)
