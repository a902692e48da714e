"""Who documents are, from one scan to the next, in whatever file and under any name.

A text is known by its hash. Where several documents have the same text, the hash of the bytes and
then the name tell them apart: these two only choose among copies, so a document that is renamed,
moved or converted is still found.

What is said of a pair is said of its two texts, whatever files they are in: see `PairKey`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from core.documents.model import Document


class DocumentKey(NamedTuple):
    """A document; `text` and `file` are hashes (see `Document`)."""

    text: str
    file: str
    name: str

    @staticmethod
    def of(document: Document) -> DocumentKey:
        """The key of a document."""
        return DocumentKey(document.text_hash, document.file_hash, document.name)


class PairKey(NamedTuple):
    """Two texts, whatever files they are in: pairs of copies have the same key.

    Attributes:
        low: The key of a text (see `text_key`), the lesser of both.
        high: The other one; the same where both texts are the same.
    """

    low: str
    high: str

    @staticmethod
    def of(a: Document, b: Document) -> PairKey:
        """The key of a pair, in whatever order."""
        return PairKey.between(text_key(a), text_key(b))

    @staticmethod
    def between(one: str, other: str) -> PairKey:
        """The key of two texts by their keys."""
        return PairKey(one, other) if one <= other else PairKey(other, one)


def text_key(document: Document) -> str:
    """Who the text of a document is: its hash, or, where that is not known, that of the bytes."""
    return document.text_hash or f"file:{document.file_hash}"


class Documents:
    """The documents of a scan, to be found by their keys."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._by_name = {one.name: number for number, one in enumerate(documents)}

    def number_of(self, key: DocumentKey) -> int | None:
        """The number of the document with the text of a key; None where no document has it.

        Of copies the one of that name, else one with the same bytes, else the first. Without a
        hash of the text, the one of that name with the same bytes.
        """
        named = self._by_name.get(key.name)
        copies = self._by_text.get(key.text, []) if key.text else []
        if named is not None and self._is(key, named):
            return named
        alike = (number for number in copies if self._documents[number].file_hash == key.file)
        return next(alike, copies[0] if copies else None)

    def successor_of(self, key: DocumentKey, before: Documents) -> int | None:
        """The number of what the document of a key in an earlier list is now.

        The one of that name and text; else one with the text that was not there before, with the
        same bytes or the same file name if there is one: it was moved, renamed or converted; else
        the one of that name, which was edited. A copy that was there before is another document.
        """
        named = self._by_name.get(key.name)
        if named is not None and self._is(key, named):
            return named
        copies = self._by_text.get(key.text, []) if key.text else []
        come = [number for number in copies if not before._has(self._documents[number])]
        return min(come, key=lambda number: self._unlike(key, number), default=named)

    def number_at(self, name: str) -> int | None:
        """The number of the document that has a name, whatever its text."""
        return self._by_name.get(name)

    @cached_property
    def _by_text(self) -> dict[str, list[int]]:
        numbers: dict[str, list[int]] = {}
        for number, one in enumerate(self._documents):
            numbers.setdefault(one.text_hash, []).append(number)
        return numbers

    def _has(self, document: Document) -> bool:
        number = self._by_name.get(document.name)
        return number is not None and self._is(DocumentKey.of(document), number)

    def _unlike(self, key: DocumentKey, number: int) -> tuple[bool, bool]:
        one = self._documents[number]
        file_names = {name.rpartition("/")[2] for name in (key.name, one.name)}
        return one.file_hash != key.file, len(file_names) > 1

    def _is(self, key: DocumentKey, number: int) -> bool:
        one = self._documents[number]
        return key.text == one.text_hash if key.text else key.file == one.file_hash
