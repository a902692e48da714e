"""The rows of tables to documents: what is known of each, signed like the text of a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import xxhash

from core.base.memory_claims import ROOM
from core.base.parallel import batches
from core.base.progress import never
from core.base.wording import excerpt, printable_name
from core.documents import Document, Problem, ProblemCode, ReadingLimits
from core.documents.extraction import check_text
from core.documents.roles import Role
from core.documents.unreadable import UnreadableError
from core.scan.signed_documents import sign_documents
from core.settings import ScanSettings
from core.spark.sources.files import PARTS
from core.spark.sources.read_rows import document_batch, problem_batch

# `source` is which of the tables a row is of; `place` is null where the row is damaged.
NUMBERED = "id STRING, text STRING, damaged STRING, source INT, place LONG"
KIND = "text"
DAMAGED = "This row does not have the form of its table, so it is not known what is in it."
NULL = "This row has no text: it is null."
BLANK = "There is no text in this row, only white space."
MARK = "\ufeff"  # of UTF-8, at the start of a text that was a file


class TableOfRows(NamedTuple):
    """A table as a row's document knows it."""

    place: str
    shown: str
    role: Role


class _Row(NamedTuple):
    """A row with a text."""

    id: str
    number: int
    document: Document
    text: str


@dataclass(frozen=True)
class SignRows:
    """Work of an executor: rows as `NUMBERED` to `read_rows.READ`.

    Attributes:
        tables: By source.
        first: The place of the first row among all documents.
        settings: How texts are signed.
        limits: What a text may be.
    """

    tables: tuple[TableOfRows, ...]
    first: int
    settings: ScanSettings
    limits: ReadingLimits

    def __call__(self, parts: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The documents and problems of the rows of a partition."""
        for part in parts:
            yield from self._signed(part)

    def _signed(self, part: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        problems: list[Problem] = []
        rows: list[_Row] = []
        names = ("id", "text", "damaged")
        words = [_strings(part.column(name)) for name in names]
        numbers = [part.column(name).to_pylist() for name in ("source", "place")]
        for own, text, damaged, source, place in zip(*words, *numbers, strict=True):
            made = self._row(own, text, damaged, self.tables[source], place)
            if isinstance(made, Problem):
                problems.append(made)
            else:
                rows.append(made)
        yield from problem_batch(problems)
        for some in batches([len(row.text) for row in rows]):
            yield from self._batch(rows[some])

    def _row(
        self, own: str | None, text: str | None, damaged: str | None, table: TableOfRows, place: int
    ) -> _Row | Problem:
        if damaged is not None or own is None:
            name = own if own is not None else f"{table.shown}: {excerpt(damaged or '')}"
            detail = (
                "This row does not have the form of its table, so it is not known what is in it."
            )
            return Problem(printable_name(name), ProblemCode.DAMAGED, detail)
        name = printable_name(own)
        if text is None:
            return Problem(name, ProblemCode.EMPTY, NULL)
        text, encoding = _whole(text)
        if not text or text.isspace():
            return Problem(
                name, ProblemCode.EMPTY, "There is no text in this row, only white space."
            )
        try:
            check_text(text, self.limits)
        except UnreadableError as error:
            return Problem(name, error.code, error.detail, error.limit)
        number = self.first + place << PARTS
        return _Row(own, number, _document(own, name, text, encoding, table), text)

    def _batch(self, rows: Sequence[_Row]) -> Iterator[pa.RecordBatch]:
        number_of = {row.document.part: (row.id, row.number) for row in rows}
        documents, texts = [row.document for row in rows], [row.text for row in rows]
        with ROOM.claim() as claim:
            signed = sign_documents(
                documents, texts, self.settings, self.limits, claim, never, "row"
            )
        yield from problem_batch(signed.problems)
        if signed.documents:
            ids, numbers = zip(*(number_of[one.part] for one in signed.documents), strict=True)
            yield document_batch(ids, numbers, *signed[:3], {})


def _strings(column: pa.Array) -> list[str | None]:
    """Strings, which may have bytes that are no UTF-8: Spark looks at none."""
    try:
        strings: list[str | None] = column.to_pylist()
    except UnicodeDecodeError:
        raw = column.cast(pa.binary()).to_pylist()
        return [None if one is None else one.decode("utf-8", "surrogateescape") for one in raw]
    return strings


def _whole(text: str) -> tuple[str, str]:
    """A text as a reader of files has it, and its encoding: line ends are LF, there is no mark."""
    encoding = "utf-8"
    if not text.isascii():
        text = text.removeprefix(MARK)
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raw = text.encode("utf-8", "surrogateescape")
            text, encoding = raw.decode("utf-8", "replace"), "utf-8 (damaged)"
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text, encoding


def _document(own: str, name: str, text: str, encoding: str, table: TableOfRows) -> Document:
    data = text.encode("utf-8")
    return Document(
        path=Path(table.place),
        name=name,
        size=len(data),
        modified_ns=0,
        file_hash=xxhash.xxh3_128_hexdigest(data),
        kind=KIND,
        encoding=encoding,
        characters=len(text),
        part=own,
        role=table.role,
    )
