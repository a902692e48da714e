"""The files of a submission as one text, with the name of each before it.

    Ada Lovelace/essay.docx      "essay.docx ⏎⏎ On engines … ⏎⏎ notes.txt ⏎⏎ To be done …"
    Ada Lovelace/notes.txt        ‾‾‾‾‾‾‾‾‾‾                   ‾‾‾‾‾‾‾‾‾

The names are no text of the person: they are set aside, so that they count nowhere, and no shingle
and no passage goes on from one file to the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import xxhash

from core.base.wording import printable_name
from core.documents.model import Document, FoundFile, Member, ReadDocument

KIND = "submission"
GAP = "\n\n"


class FilePiece(NamedTuple):
    """A file, or a document in one, on its way into a submission."""

    name: str
    size: int
    modified_ns: int
    file_hash: str
    sha256: str
    text: str
    remarks: tuple[str, ...]


def piece_of(read: ReadDocument, name: str) -> FilePiece:
    """A document that was read, under its name in the submission."""
    one = read.document
    hashes = one.file_hash, one.sha256
    return FilePiece(name, one.size, one.modified_ns, *hashes, read.text, one.remarks)


def merge(pieces: Sequence[FilePiece], found: FoundFile, part: str = "") -> ReadDocument:
    """One document of some files, which are in order.

    Args:
        pieces: The files.
        found: Where the submission is, its name, size and latest change.
        part: Its name inside the file, where it is in an archive.
    """
    members: list[Member] = []
    texts: list[str] = []
    length = 0
    known = xxhash.xxh3_128()
    for piece in pieces:
        before = heading(piece.name, is_first=not texts)
        length += len(before)
        own = Member(piece.name, length, *piece[1:5])
        members.append(own)
        texts += [before, piece.text]
        length += len(piece.text)
        known.update(f"{own.name}\0{own.file_hash}\0".encode("utf-8", "surrogatepass"))
    document = Document(
        path=found.path,
        name=f"{found.name}/{part}" if part else found.name,
        size=found.size,
        modified_ns=found.modified_ns,
        file_hash=known.hexdigest(),
        kind=KIND,
        encoding="",
        characters=length,
        part=part,
        sha256=found.sha256,
        remarks=tuple(f"{piece.name}: {remark}" for piece in pieces for remark in piece.remarks),
        members=tuple(members),
    )
    return ReadDocument(document, "".join(texts))


def pieces_of(document: Document, text: str) -> Iterator[FilePiece]:
    """The files of a submission again."""
    for member, (start, end) in zip(document.members, _texts(document, len(text)), strict=True):
        before = f"{member.name}: "
        remarks = [one.removeprefix(before) for one in document.remarks if one.startswith(before)]
        yield FilePiece(
            member.name,
            member.size,
            member.modified_ns,
            member.file_hash,
            member.sha256,
            text[start:end],
            tuple(remarks),
        )


def headings(document: Document) -> Iterator[tuple[int, int]]:
    """Where the names of files stand, with what parts these from each other."""
    for place, member in enumerate(document.members):
        yield member.start - len(heading(member.name, is_first=not place)), member.start


def own_text(document: Document, text: str) -> str:
    """The text without the names of files; of a document that has no members, all of it."""
    if not document.members:
        return text
    return GAP.join(text[start:end] for start, end in _texts(document, len(text)))


def _texts(document: Document, length: int) -> Iterator[tuple[int, int]]:
    spans = list(headings(document))
    ends = [*(start for start, _ in spans[1:]), length]
    return zip((end for _, end in spans), ends, strict=True)


def heading(name: str, *, is_first: bool) -> str:
    """What stands before the text of a file: its name, and what parts it from the file before."""
    shown = f"{printable_name(name)}{GAP}"
    return shown if is_first else f"{GAP}{shown}"
