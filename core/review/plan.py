"""Which rows a save needs: what is there already keeps its number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from core.base.tasks import Cancelled, stop_if
from core.documents.model import Document
from core.review.packing import SignedRows, encoded
from core.review.rows import (
    DocumentRow,
    FolderRow,
    PathSplitter,
    packed_absence,
    packed_members,
    packed_remarks,
)
from core.scan.state import ScanState

Key = TypeVar("Key")

Reading = tuple[bytes, bytes, bytes, int]  # see `DocumentRow.reading`

ROWS_AT_ONCE = 4096


class StoredRows(NamedTuple):
    """What a file has.

    Attributes:
        documents: Its documents.
        texts: The numbers of its texts, by what they were made from, of those that today's scan
            has as well.
        last_id: The highest id that a document ever had.
        last_text: The highest number that a text ever had: who reads along must not find another
            text under it.
    """

    documents: Sequence[DocumentRow]
    texts: dict[Reading, int]
    last_id: int
    last_text: int


class SavePlan(NamedTuple):
    """The rows of `documents` after a save, and what other tables need for them.

    Attributes:
        rows: By position of the document.
        stored: The rows that are there, by id.
        new_texts: Number and position of the texts that are not there.
        last_text: The highest number that a text ever had.
        new_signed: Number and position of the signed rows that are not there.
        signed: All signed rows, by position.
    """

    rows: list[DocumentRow]
    stored: dict[int, DocumentRow]
    new_texts: list[tuple[int, int]]
    last_text: int
    new_signed: list[tuple[int, int]]
    signed: SignedRows


def make_plan(
    state: ScanState,
    folders: Sequence[FolderRow],
    stored: StoredRows,
    cancelled: Cancelled,
) -> SavePlan:
    """Compare a scan with what is stored.

    Args:
        state: The scan.
        folders: The rows of its folders.
        stored: What is there.
        cancelled: Polled between documents.
    """
    ids = _ids(state.documents, stored.documents, stored.last_id)
    splitter = PathSplitter(folders)
    texts = _Numbers(stored.texts, stored.last_text)
    last_signed = max((row.signed for row in stored.documents), default=0)
    signatures = {row.signed_checksum: row.signed for row in stored.documents}
    signed_numbers = _Numbers(signatures, last_signed)
    signed = SignedRows(state.signed)
    rows = []
    places: defaultdict[Path, int] = defaultdict(lambda: -1)
    for position, document in enumerate(state.documents):
        if position % ROWS_AT_ONCE == 0:
            stop_if(cancelled)
        checksum = signed[position].checksum
        places[document.path] += 1
        numbers = _RowNumbers(
            id=ids[position],
            text=texts.of(reading_of(document), position),
            signed=signed_numbers.of(checksum, position),
            signed_checksum=checksum,
            shingles=int(state.evidence.sizes[position]),
            place=places[document.path],
        )
        rows.append(_row(document, *splitter.split(document.path), numbers))
    by_id = {row.id: row for row in stored.documents}
    return SavePlan(rows, by_id, texts.new, texts.last, signed_numbers.new, signed)


class _RowNumbers(NamedTuple):
    """What the row of a document has beside the document (see `DocumentRow`)."""

    id: int
    text: int
    signed: int
    signed_checksum: int
    shingles: int
    place: int


def _row(document: Document, folder: int, path: bytes, numbers: _RowNumbers) -> DocumentRow:
    return DocumentRow(
        id=numbers.id,
        folder=folder,
        size=document.size,
        modified_ns=document.modified_ns,
        characters=document.characters,
        text=numbers.text,
        signed=numbers.signed,
        signed_checksum=numbers.signed_checksum,
        shingles=numbers.shingles,
        place=numbers.place,
        path=path,
        name=encoded(document.name),
        file_hash=encoded(document.file_hash),
        kind=encoded(document.kind),
        encoding=encoded(document.encoding),
        part=encoded(document.part),
        remarks=packed_remarks(document),
        absence=packed_absence(document),
        text_hash=encoded(document.text_hash),
        members=packed_members(document),
        language=encoded(document.language),
        sha256=bytes.fromhex(document.sha256),
    )


def reading_of(document: Document) -> Reading:
    """What decides the text of a document: the bytes, and how they were read."""
    return (
        encoded(document.file_hash),
        encoded(document.kind),
        encoded(document.encoding),
        document.characters,
    )


class _Numbers(Generic[Key]):
    """Numbers of things that are stored once; those that come up for the first time get new ones.

    Attributes:
        new: Number and position of each that was not stored.
        last: The highest number that was ever given.
    """

    def __init__(self, known: dict[Key, int], last: int) -> None:
        self.new: list[tuple[int, int]] = []
        self._known = known
        self.last = last

    def of(self, key: Key, position: int) -> int:
        """The number of what stands at a position."""
        if key not in self._known:
            self.last += 1
            self._known[key] = self.last
            self.new.append((self.last, position))
        return self._known[key]


def _ids(documents: Sequence[Document], stored: Sequence[DocumentRow], last_id: int) -> list[int]:
    """Ids by position: that of the same name, else of the same bytes or text under a lost name."""
    by_name = {row.name: row.id for row in stored}
    ids = [by_name.pop(encoded(document.name), 0) for document in documents]
    gone = set(by_name.values())
    lost = [row for row in stored if row.id in gone]
    _take_ids(ids, documents, {row.id: row.file_hash for row in lost}, "file_hash")
    taken = set(ids)
    lost = [row for row in lost if row.id not in taken]
    _take_ids(ids, documents, {row.id: row.text_hash for row in lost}, "text_hash")
    last = max([last_id, *(row.id for row in stored)])
    fresh = count(last + 1)
    return [number or next(fresh) for number in ids]


def _take_ids(
    ids: list[int], documents: Sequence[Document], lost: dict[int, bytes], name: str
) -> None:
    """Give documents without an id that of a lost one with the same hash."""
    by_hash: dict[bytes, list[int]] = {}
    for number, value in lost.items():
        by_hash.setdefault(value, []).append(number)
    by_hash.pop(b"", None)
    for position, document in enumerate(documents):
        if not ids[position] and (numbers := by_hash.get(encoded(getattr(document, name)))):
            ids[position] = numbers.pop()
