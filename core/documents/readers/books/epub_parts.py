"""Which parts of an EPUB are its text, in what order (EPUB 3.3, 4.2 and 5; OPF 2.0.1)."""

from __future__ import annotations

import posixpath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

_PAGES = frozenset({"application/xhtml+xml", "text/html", "text/x-oeb1-document", "image/svg+xml"})
# These scramble fonts, which are no text (EPUB 3.3, 4.4).
_OBFUSCATION = frozenset({"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})


class Elements:
    """Collects the elements of a short document: local names and attributes, in their order."""

    def __init__(self) -> None:
        self.found: list[tuple[str, dict[str, str]]] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        self.found.append((name.rpartition(" ")[2], attributes))

    def end(self, name: str) -> None:
        """An element ends."""

    def text(self, text: str) -> None:
        """Characters."""


class Item(NamedTuple):
    """A part of the book."""

    name: str
    media_type: str


class BookParts(NamedTuple):
    """The parts to read."""

    linear: list[Item]
    others: list[Item]

    @staticmethod
    def of(package: Elements, folder: str) -> BookParts:
        """The spine of a package document that lies in a folder."""
        items = {
            attributes.get("id", ""): Item(
                resolved(folder, attributes.get("href", "")),
                attributes.get("media-type", "").lower(),
            )
            for name, attributes in package.found
            if name == "item"
        }
        parts = BookParts([], [])
        read: set[str] = set()
        for name, attributes in package.found:
            item = items.get(attributes.get("idref", "")) if name == "itemref" else None
            if item is not None and item.media_type in _PAGES and item.name not in read:
                read.add(item.name)
                (parts.others if attributes.get("linear") == "no" else parts.linear).append(item)
        return parts


def resolved(folder: str, href: str) -> str:
    """The name in the package that a reference means."""
    try:
        path = unquote(urlsplit(href).path)
    except ValueError:
        path = href
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")


def root_file(container: Elements) -> str | None:
    """The name of the first package document that a container lists."""
    return next(
        (
            resolved("", attributes["full-path"])
            for name, attributes in container.found
            if name == "rootfile" and attributes.get("full-path")
        ),
        None,
    )


def encrypted_parts(encryption: Elements) -> frozenset[str]:
    """The parts that are encrypted so that only the shop's own program opens them."""
    algorithm = ""
    found = set()
    for name, attributes in encryption.found:
        if name == "EncryptionMethod":
            algorithm = attributes.get("Algorithm", "")
        elif name == "CipherReference" and algorithm not in _OBFUSCATION:
            found.add(resolved("", attributes.get("URI", "")))
    return frozenset(found)
