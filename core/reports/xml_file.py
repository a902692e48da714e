"""An XML document while it is written: apart, because the library imports a client for the web."""

from __future__ import annotations

from collections.abc import Mapping
from typing import BinaryIO
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from core.reports.shown_text import visible


class XmlFile:
    """An XML document while it is written, in UTF-8."""

    def __init__(self, file: BinaryIO) -> None:
        self._xml = XMLGenerator(file, "utf-8", short_empty_elements=True)
        self._xml.startDocument()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        shown = {key: visible(value) for key, value in attributes.items()}
        self._xml.startElement(name, AttributesImpl(shown))

    def end(self, name: str) -> None:
        """End an element, and the line."""
        self._xml.endElement(name)
        self._xml.ignorableWhitespace("\n")

    def put(self, name: str, attributes: Mapping[str, str], content: str = "") -> None:
        """Write an element with nothing but text."""
        self.start(name, attributes)
        if content:
            self._xml.characters(visible(content))
        self._xml.endElement(name)

    def break_line(self) -> None:
        """End the line."""
        self._xml.ignorableWhitespace("\n")

    def finish(self) -> None:
        """Write what is not written yet."""
        self._xml.endDocument()
