"""Sections of a Word document: which headers and footers they show."""

from __future__ import annotations

from typing import NamedTuple

from core.documents.readers.ooxml.names import Starts, named, relation_id, word_attribute


class SectionHeading(NamedTuple):
    """A header or footer that a section shows."""

    relation: str
    is_header: bool
    pages: str  # "default", "first" or "even"


class Sections:
    """Takes the properties of sections.

    Attributes:
        headings: Of the sections that have ended.
        starts: What to do with the elements.
    """

    def __init__(self) -> None:
        self.headings: list[SectionHeading] = []
        self._section: list[SectionHeading] = []
        self._has_title_page = False
        self.starts: Starts = named(
            {
                "w:headerReference": lambda it: self._ask(it, is_header=True),
                "w:footerReference": lambda it: self._ask(it, is_header=False),
                "w:titlePg": lambda _: self._have_title_page(),
            }
        )

    def _ask(self, attributes: dict[str, str], *, is_header: bool) -> None:
        pages = word_attribute(attributes, "type") or "default"
        self._section.append(SectionHeading(relation_id(attributes), is_header, pages))

    def _have_title_page(self) -> None:
        self._has_title_page = True

    def end(self) -> None:
        """A section ends; a first page of its own is shown only if it says so."""
        self.headings += [it for it in self._section if it.pages != "first" or self._has_title_page]
        self._section.clear()
        self._has_title_page = False
