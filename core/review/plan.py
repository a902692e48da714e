"""Which rows a save needs: what is there already keeps its number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from core.documents import Document
from core.progress import Cancelled, stop_if
from core.review.packing import SignedRows, checksum_of, encoded
from core.review.rows import DocumentRow, FolderRow, PathSplitter, packed_absence, packed_remarks
from core.scan_state import ScanState

__all__ = ["Plan", "make_plan"]

Key = TypeVar("Key")

ROWS_AT_ONCE = 4096


class Plan(NamedTuple):
    """The rows of `documents` after a save, and what other tables need for them.

    Attributes:
        rows: By position of the document.
        stored: The rows that are there, by id.
        new_texts: Number and position of the texts that are not there.
        new_signed: Number and position of the signed rows that are not there.
        signed: The bytes of all signed rows, by position.
    """

    rows: list[DocumentRow]
    stored: dict[int, DocumentRow]
    new_texts: list[tuple[int, int]]
    new_signed: list[tuple[int, int]]
    signed: SignedRows


def make_plan(
    state: ScanState,
    folders: Sequence[FolderRow],
    stored: Sequence[DocumentRow],
    last_id: int,
    cancelled: Cancelled,
    *,
    same_texts: bool,
) -> Plan:
    """Compare a scan with what is stored.

    Args:
        state: The scan.
        folders: The rows of its folders.
        stored: The documents that are there.
        last_id: The highest id that a document ever had.
        cancelled: Polled between documents.
        same_texts: Whether the texts that are there are those that these documents would have.
    """
    ids = _ids(state.documents, stored, last_id)
    splitter = PathSplitter(folders)
    last_text = max((row.text for row in stored), default=0)
    texts = _Numbers({row.reading: row.text for row in stored} if same_texts else {}, last_text)
    last_signed = max((row.signed for row in stored), default=0)
    signed_numbers = _Numbers({row.signed_checksum: row.signed for row in stored}, last_signed)
    signed = SignedRows(state.signed)
    rows = []
    places: defaultdict[Path, int] = defaultdict(lambda: -1)
    for position, document in enumerate(state.documents):
        if position % ROWS_AT_ONCE == 0:
            stop_if(cancelled)
        folder, path = splitter.split(document.path)
        checksum = checksum_of(signed[position])
        reading = (
            encoded(document.file_hash),
            encoded(document.kind),
            encoded(document.encoding),
            document.characters,
        )
        places[document.path] += 1
        row = DocumentRow(
            id=ids[position],
            folder=folder,
            size=document.size,
            modified_ns=document.modified_ns,
            characters=document.characters,
            text=texts.of(reading, position),
            signed=signed_numbers.of(checksum, position),
            signed_checksum=checksum,
            shingles=int(state.evidence.sizes[position]),
            place=places[document.path],
            path=path,
            name=encoded(document.name),
            file_hash=reading[0],
            kind=reading[1],
            encoding=reading[2],
            part=encoded(document.part),
            remarks=packed_remarks(document),
            absence=packed_absence(document),
        )
        rows.append(row)
    by_id = {row.id: row for row in stored}
    return Plan(rows, by_id, texts.new, signed_numbers.new, signed)


class _Numbers(Generic[Key]):
    """Numbers of things that are stored once; those that come up for the first time get new ones.

    Attributes:
        new: Number and position of each that was not stored.
    """

    def __init__(self, known: dict[Key, int], last: int) -> None:
        self.new: list[tuple[int, int]] = []
        self._known = known
        self._last = last

    def of(self, key: Key, position: int) -> int:
        """The number of what stands at a position."""
        if key not in self._known:
            self._last += 1
            self._known[key] = self._last
            self.new.append((self._last, position))
        return self._known[key]


def _ids(documents: Sequence[Document], stored: Sequence[DocumentRow], last_id: int) -> list[int]:
    """Ids by position: that of the same name, else of the same bytes under a name that is gone."""
    by_name = {row.name: row.id for row in stored}
    ids = [by_name.pop(encoded(document.name), 0) for document in documents]
    gone = set(by_name.values())
    by_bytes: dict[bytes, list[int]] = {}
    for row in stored:
        if row.id in gone:
            by_bytes.setdefault(row.file_hash, []).append(row.id)
    last = max([last_id, *(row.id for row in stored)])
    for position, document in enumerate(documents):
        if not ids[position] and by_bytes.get(encoded(document.file_hash)):
            ids[position] = by_bytes[encoded(document.file_hash)].pop()
        elif not ids[position]:
            last += 1
            ids[position] = last
    return ids
