"""The rows of folders, documents and problems, each with the checksum of its other columns."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.base.arrays import Int64Array
from core.base.memory import CLOSE_PROGRAMS, require_memory
from core.base.messages import gettext
from core.base.patterns import lazy_pattern
from core.base.tasks import Progress, ProgressReport, Stage, stop_if_cancelled
from core.documents.model import (
    Absence,
    AbsenceKind,
    Document,
    Member,
    Problem,
    ProblemCode,
    Role,
    heading,
)
from core.documents.reading_settings import ReadingLimits
from core.evidence.pairs import OF_PASSAGES, PassageEvidence
from core.exclusions.rules import NO_RULES, ExclusionRules
from core.review import packing, validation
from core.review.header import Facts
from core.signatures.signing import SignedTexts
from core.text.set_aside import Reason, SetAside, check_spans

if TYPE_CHECKING:
    from core.scan.state import ScanState

RULES = 0  # the id of their row
LEVEL = 1  # of zlib
BYTES_IN_MEMORY = 32  # of a byte of JSON, at most


def save_exclusions(connection: sqlite3.Connection, state: ScanState, ids: Sequence[int]) -> int:
    """Write new rows and delete old ones; returns how many rows there are.

    Args:
        connection: The review.
        state: The scan.
        ids: Of the documents.
    """
    rows = {row[0]: row for row in _rows(state, ids)}
    stored = dict(connection.execute("SELECT id, checksum FROM aside"))
    gone = [(number,) for number in sorted(stored.keys() - rows.keys())]
    connection.executemany("DELETE FROM aside WHERE id = ?", gone)
    connection.executemany(
        "INSERT OR REPLACE INTO aside VALUES (?, ?, ?, ?)",
        (row for row in rows.values() if stored.get(row[0]) != row[2]),
    )
    return len(rows)


def load_exclusions(
    connection: sqlite3.Connection, count: int, ids: Int64Array, lengths: Int64Array
) -> tuple[ExclusionRules, dict[int, tuple[SetAside, ...]]]:
    """The rules, and the spans set aside by number of the document.

    Args:
        connection: The review, in a transaction.
        count: How many rows it claims to have.
        ids: int64, of the documents.
        lengths: int64, of their texts in code points.

    Raises:
        TypeError, ValueError: They are damaged, or cannot be so.
        StorageError: There is no memory for so many.
    """
    number_of = {number: index for index, number in enumerate(ids.tolist())}
    rules, spans, seen = NO_RULES, dict[int, tuple[SetAside, ...]](), 0
    for number, value in _stored(connection):
        seen += 1
        if number == RULES:
            rules = ExclusionRules.of_json(value)
            continue
        if number not in number_of:
            raise ValueError("Text is set aside in a document that is not there.")
        index = number_of[number]
        spans[index] = _spans(value, int(lengths[index]))
    if seen != count:
        raise ValueError("Some of what is set aside is missing.")
    return rules, spans


def _rows(state: ScanState, ids: Sequence[int]) -> Iterator[tuple[int, int, int, bytes]]:
    if state.rules:
        yield _row(RULES, state.rules.as_json())
    for position, spans in state.set_aside.items():
        yield _row(ids[position], _packed(spans))


def _row(number: int, value: Mapping[str, Any]) -> tuple[int, int, int, bytes]:
    content = json.dumps(value, separators=(",", ":")).encode("ascii")
    data = zlib.compress(content, LEVEL)
    return number, len(content), packing.checksum_of(data, seed=number), data


def _stored(connection: sqlite3.Connection) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Number and value of each row."""
    size = connection.execute("SELECT ifnull(sum(size), 0) FROM aside").fetchone()[0]
    require_memory(BYTES_IN_MEMORY * size, gettext("What is set aside"), gettext(CLOSE_PROGRAMS))
    room = validation.ReadBudget(connection)
    with validation.at_most(connection, validation.size_of(connection)):
        query = "SELECT id, size, checksum, data FROM aside ORDER BY id"
        for number, length, checksum, data in connection.execute(query):
            room.take(len(data))
            if (
                not RULES <= number <= validation.LARGEST_ID
                or packing.checksum_of(data, seed=number) != checksum
            ):
                raise ValueError("What is set aside is damaged.")
            value = validation.json_of(packing.decompressed(length, data))
            if not isinstance(value, dict):
                raise TypeError("What is set aside is no JSON object.")
            yield number, value


def _packed(spans: Sequence[SetAside]) -> dict[str, list[int]]:
    """Spans by their reason: start and length of each in turn."""
    packed: dict[str, list[int]] = {}
    for start, end, reason in spans:
        packed.setdefault(str(reason), []).extend((start, end - start))
    return packed


def _spans(value: Mapping[str, Any], length: int) -> tuple[SetAside, ...]:
    """The spans again."""
    spans = []
    for name, numbers in value.items():
        if not isinstance(numbers, list) or any(type(number) is not int for number in numbers):
            raise TypeError("Spans that are set aside are no numbers.")
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        spans += [SetAside(start, start + count, Reason(name)) for start, count in pairs]
    check_spans(spans, length)
    if not spans:
        raise ValueError("A document has no span that is set aside.")
    return tuple(sorted(spans))


SHA256 = lazy_pattern("[0-9a-f]{64}")


def packed_list(values: Sequence[object]) -> bytes:
    """The files of a submission, or remarks, as a column: a list in JSON, or nothing."""
    return json.dumps(values).encode("ascii") if values else b""


def members_of(column: bytes, characters: int) -> tuple[Member, ...]:
    """The files again.

    Raises:
        TypeError, ValueError: They cannot be so.
    """
    if not column:
        return ()
    stored = validation.json_of(column)
    _verify(isinstance(stored, list) and all(isinstance(row, list) for row in stored))
    members = tuple(Member(validation.sentence_of(name), *rest) for name, *rest in stored)
    reached = 0
    for index, member in enumerate(members):
        _verify(all(type(number) is int for number in member[1:4]))
        _verify(isinstance(member.file_hash, str) and isinstance(member.sha256, str))
        reached += len(heading(member.name, is_first=not index))
        _verify(reached <= member.start <= characters and member.size >= 0)
        reached = member.start
        validation.word_of(packing.encoded(member.file_hash))
        _verify(not member.sha256 or SHA256.fullmatch(member.sha256) is not None)
    return members


# A model has less than two words and pairs of words for three characters, of 24 bytes at most.
MODEL_OF_CHARACTER = 16
MODEL_OF_DOCUMENT = 64
MODEL_ITSELF = 1 << 16
WORD_MODEL = "word_model"
LARGEST_MODEL = 1 << 30
FORECAST = "forecast"
LARGEST_FORECAST = 1 << 26  # bytes; of 4,096 bands it has half as many


def save_reworked(
    connection: sqlite3.Connection,
    reworked: PassageEvidence,
    ids: Int64Array,
    pool: ThreadPoolExecutor,
) -> int:
    """Replace the rows by those of the evidence; returns the number of models: 0 or 1.

    Args:
        connection: The review.
        reworked: The evidence.
        ids: Those of the documents in order.
        pool: Threads to compress with.
    """
    bits, *shares, words = reworked.columns
    halves = [half for share in shares for half in share.astype("<f8").view("<u4").reshape(-1, 2).T]
    packing.save_pairs(
        connection, packing.REWORKED, reworked.codes, (bits, *halves, words), ids, pool
    )
    packing.save_value(connection, WORD_MODEL, reworked.model)
    return int(len(reworked.model) > 0)


def load_reworked(
    connection: sqlite3.Connection, facts: Facts, ids: Int64Array, lengths: Int64Array
) -> PassageEvidence:
    """The evidence of reworked passages, by positions of the documents.

    Args:
        connection: The review, in a transaction.
        facts: Its facts.
        ids: int64, of the documents.
        lengths: int64, of their texts in code points.

    Raises:
        ValueError, zlib.error: It is damaged, or cannot be so.
        StorageError: There is no memory for so much.
    """
    characters = int(lengths.sum())
    most = MODEL_OF_CHARACTER * characters + MODEL_OF_DOCUMENT * len(ids) + MODEL_ITSELF
    # The model of a run on a cluster was learned from documents outside this review.
    most = min(most, LARGEST_MODEL) if facts.run is None else LARGEST_MODEL
    model = packing.value_of(connection, WORD_MODEL, most)
    if bool(model) != facts.models or (facts.reworked and not model):
        raise ValueError("The model of words is missing.")
    codes, columns = packing.load_pairs(connection, packing.REWORKED, ids, facts.reworked)
    bits, *halves, words = columns
    pairs = (np.stack(pair, axis=1) for pair in zip(halves[::2], halves[1::2], strict=True))
    shares = (pair.astype("<u4").view("<f8").ravel().astype(np.float64) for pair in pairs)
    known = dict(zip(OF_PASSAGES, (bits, *shares, words), strict=True))
    return PassageEvidence(codes, **known, model=model)


def verify_values(connection: sqlite3.Connection) -> None:
    """Raise unless the model of words and the forecast are as they were written.

    Raises:
        ValueError, zlib.error: It is not.
        StorageError: There is no memory for it.
    """
    packing.value_of(connection, WORD_MODEL, LARGEST_MODEL)
    packing.value_of(connection, FORECAST, LARGEST_FORECAST)


ROWS_AT_ONCE = 4096
SIGNATURE_TYPE = "<u4"


class WantedRows(NamedTuple):
    """Which row each document has: their numbers and checksums, int64."""

    numbers: Int64Array
    checksums: Int64Array


def load_signed(
    connection: sqlite3.Connection, wanted: WantedRows, facts: Facts, width: int, progress: Progress
) -> SignedTexts:
    """The signed rows of all documents, of which several may share one.

    Args:
        connection: The review.
        wanted: By document.
        facts: Its facts.
        width: Values of a signature under its settings.
        progress: Told the number of documents, after every few thousand rows.

    Raises:
        ValueError: They are damaged, or some are missing.
        StorageError: There is no memory for so many.
    """
    dtype, count = _type_of(facts, width), len(wanted.numbers)
    order = np.argsort(wanted.numbers, kind="stable")
    numbers, checksums = wanted.numbers[order], wanted.checksums[order]
    _check_sizes(connection, numbers, dtype.itemsize)
    parts, done = [packing.unpack_signed([], dtype)], 0
    for ids, rows in _chunks(connection):
        stop_if_cancelled()
        chunk = slice(done, int(np.searchsorted(numbers, ids[-1], side="right")))
        source = _sources(ids, rows, WantedRows(numbers[chunk], checksums[chunk]))
        parts.append(packing.unpack_signed(rows, dtype).take(source))
        done = chunk.stop
        progress(ProgressReport(Stage.OPEN, done, count))
    if done != count:
        raise ValueError("Some signatures are missing.")
    signed = SignedTexts.join(parts)
    # Mostly the rows are in the order of the names already, and need not be copied once more.
    return signed if (order == np.arange(count)).all() else signed.take(np.argsort(order))


def _chunks(connection: sqlite3.Connection) -> Iterator[tuple[list[int], list[packing.SignedRow]]]:
    """All rows and their numbers, a few thousand at a time."""
    cursor = connection.execute("SELECT id, data, skip_grams FROM signed ORDER BY id")
    while chunk := cursor.fetchmany(ROWS_AT_ONCE):
        yield [row[0] for row in chunk], [packing.SignedRow._make(row[1:]) for row in chunk]


def _type_of(facts: Facts, width: int) -> np.dtype[np.void]:
    """The type of the fixed part of a row."""
    if (facts.signature_type, facts.signature_width) != (SIGNATURE_TYPE, width):
        raise ValueError("The signatures are not those of the settings.")
    return packing.signed_type(np.dtype(SIGNATURE_TYPE), width)


def _sources(
    numbers: Sequence[int], rows: Sequence[packing.SignedRow], wanted: WantedRows
) -> Int64Array:
    """The index of each document's row among rows with these numbers."""
    ids = np.array(numbers, dtype=np.int64)
    sums = np.fromiter((row.checksum for row in rows), np.int64, len(rows))
    source = np.minimum(np.searchsorted(ids, wanted.numbers), len(ids) - 1)
    if not ((ids[source] == wanted.numbers) & (sums[source] == wanted.checksums)).all():
        raise ValueError("Signatures are damaged.")
    return source


def _check_sizes(connection: sqlite3.Connection, numbers: Int64Array, least: int) -> None:
    """Raise before impossible rows are read: only their sizes are looked at.

    Args:
        connection: The review.
        numbers: Of the rows that documents have, ascending.
        least: Bytes of a row without fingerprints.
    """
    room, ids, sizes = validation.ReadBudget(connection), array("q"), array("q")
    query = "SELECT id, length(data), length(skip_grams) FROM signed ORDER BY id"
    for number, size, grams in connection.execute(query):
        if size < least or len(ids) == len(numbers) or (ids and number <= ids[-1]):
            raise ValueError("There are more signatures than documents, or too short ones.")
        room.take(size)
        room.take(grams)
        ids.append(number)
        sizes.append(size + grams)
    if not ids:
        return
    indices = np.searchsorted(np.array(ids), numbers).clip(max=len(ids) - 1)
    needed = 2 * int(np.array(sizes)[indices].sum())
    require_memory(needed, gettext("Opening this review"), gettext(CLOSE_PROGRAMS))


LIMITS = frozenset(field.name for field in fields(ReadingLimits))


Reading = tuple[bytes, bytes, bytes, int]  # see `DocumentRow.reading`


class DocumentRow(NamedTuple):
    """A row of `documents`, in the order in which it is selected; folder 0 stands for none."""

    id: int
    folder: int
    size: int
    modified_ns: int
    characters: int
    text: int
    signed: int
    signed_checksum: int
    shingles: int
    place: int
    path: bytes
    name: bytes
    file_hash: bytes
    kind: bytes
    encoding: bytes
    part: bytes
    remarks: bytes
    absence: bytes
    text_hash: bytes
    members: bytes
    language: bytes
    sha256: bytes

    @property
    def reading(self) -> tuple[bytes, bytes, bytes, int]:
        """The values that decide the text: the bytes, and how they were read."""
        return self.file_hash, self.kind, self.encoding, self.characters

    @property
    def checksum(self) -> int:
        """Of all columns."""
        return packing.row_checksum(self[:10], self[10:])


class FolderRow(NamedTuple):
    """A row of `folders`."""

    id: int
    position: int
    given: bytes
    absolute: bytes
    role: bytes

    @property
    def checksum(self) -> int:
        """Of all columns."""
        return packing.row_checksum(self[:2], self[2:])

    def path(self) -> Path:
        """The folder as it was given, if that still is the same folder; else its absolute path.

        A relative path means another folder when the review is opened from elsewhere.
        """
        given, absolute = packing.decoded(self.given), packing.decoded(self.absolute)
        return Path(given if os.path.abspath(given) == absolute else absolute)


class PathSplitter:
    """Paths of documents as a folder and a path relative to it, so that folders can move."""

    def __init__(self, folders: Sequence[FolderRow]) -> None:
        starts = ((folder.id, str(Path(packing.decoded(folder.given)))) for folder in folders)
        self._starts = [(number, prefix_of(start), start) for number, start in starts]

    def split(self, path: Path) -> tuple[int, bytes]:
        """The id of the first folder that holds a path, or 0, and the rest."""
        full_path = str(path)
        for number, prefix, folder in self._starts:
            if full_path == folder:
                return number, b""
            if full_path.startswith(prefix) and (prefix or not path.is_absolute()):
                return number, packing.encoded(full_path[len(prefix) :].replace(os.sep, "/"))
        return 0, packing.encoded(full_path)


def folder_rows(connection: sqlite3.Connection) -> list[FolderRow]:
    """The stored folders in their order.

    Raises:
        ValueError: A row is damaged.
    """
    rows = []
    for columns in validation.rows_of(
        connection,
        "SELECT id, position, given, absolute, role, checksum FROM folders ORDER BY id",
        2,
    ):
        row = FolderRow(*columns[:-1])
        _verify(row.checksum == columns[-1])
        validation.check_folder(row.given, row.absolute)
        rows.append(row)
    return sorted(rows, key=lambda row: row.position)


def packed_role(role: Role) -> bytes:
    """The role of a folder as a column: empty for one to review."""
    return b"" if role is Role.REVIEW else packing.encoded(role)


def role_of(row: FolderRow) -> Role:
    """The role of a folder again.

    Raises:
        ValueError: It is none.
    """
    return Role(row.role.decode("ascii", "replace")) if row.role else Role.REVIEW


def document_rows(connection: sqlite3.Connection) -> Iterator[DocumentRow]:
    """The stored documents by their ids.

    Raises:
        ValueError: A row is damaged.
    """
    names = ", ".join(DocumentRow._fields).replace("folder", "ifnull(folder, 0)")
    wanted = f"SELECT {names}, checksum FROM documents ORDER BY id"
    for columns in validation.rows_of(connection, wanted, 10, validation.MOST_OF_MEMBERS):
        row = DocumentRow(*columns[:-1])
        _verify(sum(map(len, row[10:])) - len(row.members) <= validation.MOST_OF_ROW)
        _verify(row.checksum == columns[-1])
        yield row


def document_of(row: DocumentRow, folders: dict[int, str]) -> Document:
    """The document of a row; `folders` are what paths start with, by id of the folder."""
    path = packing.decoded(row.path)
    validation.check_path(path, inside=bool(row.folder))
    _verify(len(row.sha256) in {0, 32})
    return Document(
        path=Path(folders[row.folder] + path),
        name=validation.sentence_of(packing.decoded(row.name)),
        size=row.size,
        modified_ns=row.modified_ns,
        file_hash=validation.word_of(row.file_hash),
        kind=validation.word_of(row.kind),
        encoding=validation.word_of(row.encoding),
        characters=row.characters,
        part=packing.decoded(row.part),
        remarks=_remarks(row.remarks),
        absence=_absence(row.absence),
        text_hash=validation.word_of(row.text_hash, validation.HASH),
        members=members_of(row.members, row.characters),
        language=validation.word_of(row.language, validation.LANGUAGE),
        sha256=row.sha256.hex(),
    )


def reading_of(document: Document) -> Reading:
    """The values that decide the text of a document: the bytes, and how they were read."""
    return (
        packing.encoded(document.file_hash),
        packing.encoded(document.kind),
        packing.encoded(document.encoding),
        document.characters,
    )


def _remarks(column: bytes) -> tuple[str, ...]:
    if not column:
        return ()
    remarks = validation.json_of(column)
    _verify(isinstance(remarks, list))
    return tuple(map(validation.sentence_of, remarks))


def packed_absence(document: Document) -> bytes:
    """The absence of a document as a column: a list in JSON, or nothing."""
    if document.absence is None:
        return b""
    kind, since, *flags = document.absence
    return json.dumps([kind, since.isoformat(), *flags]).encode("ascii")


def _absence(column: bytes) -> Absence | None:
    """The absence again."""
    if not column:
        return None
    kind, since, outdated, removed = validation.json_of(column)
    return Absence(AbsenceKind(kind), date.fromisoformat(since), bool(outdated), bool(removed))


def problem_rows(problems: Sequence[Problem]) -> list[tuple[int | bytes, ...]]:
    """The rows of `problems`."""
    rows: list[tuple[int | bytes, ...]] = []
    for number, problem in enumerate(problems, 1):
        texts = [packing.encoded(value) for value in problem]
        rows.append((number, *texts, packing.row_checksum((number,), texts)))
    return rows


def problems_of(connection: sqlite3.Connection) -> list[Problem]:
    """The stored problems.

    Raises:
        ValueError: A row is damaged.
    """
    problems = []
    query = "SELECT id, name, code, detail, limit_met, sha256, checksum FROM problems ORDER BY id"
    for number, *texts, checksum in validation.rows_of(connection, query, 1):
        _verify(packing.row_checksum((number,), texts) == checksum)
        name, code, detail, limit, sha256 = map(packing.decoded, texts)
        _verify(not limit or limit in LIMITS)
        _verify(not sha256 or SHA256.fullmatch(sha256) is not None)
        problems.append(
            Problem(
                validation.sentence_of(name),
                ProblemCode(code),
                validation.sentence_of(detail),
                limit,
                sha256,
            )
        )
    return problems


def prefix_of(folder: str) -> str:
    """The beginning of the paths below a folder."""
    if folder == ".":
        return ""
    return folder if folder.endswith(os.sep) else folder + os.sep


def _verify(right: bool) -> None:  # noqa: FBT001 - a comparison
    if not right:
        raise ValueError("A row is not as it was written.")
