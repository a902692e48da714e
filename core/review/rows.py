"""The rows of folders, documents and problems, each with the checksum of its other columns."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from core.base.patterns import lazy_pattern
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
from core.review import packing, validation

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

    def split(self, full_path: str) -> tuple[int, bytes]:
        """The id of the first folder that holds a path, or 0, and the rest."""
        for number, prefix, folder in self._starts:
            if full_path == folder:
                return number, b""
            below = full_path[len(prefix) :]
            if not full_path.startswith(prefix) or validation.leads_up(below):
                continue  # "../b/a.txt" is not in "."
            if prefix or not Path(full_path).is_absolute():
                return number, packing.encoded(below.replace(os.sep, "/"))
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


_usual_word = lru_cache(maxsize=64)(validation.word_of)  # nearly all documents have the same few


def document_of(row: DocumentRow, folders: dict[int, str]) -> Document:
    """The document of a row; `folders` are what paths start with, by id of the folder."""
    path = packing.decoded(row.path)
    validation.check_path(path, inside=bool(row.folder))
    _verify(len(row.sha256) in {0, 32})
    return Document(
        location=_location(folders[row.folder], path),
        name=validation.sentence_of(packing.decoded(row.name)),
        size=row.size,
        modified_ns=row.modified_ns,
        file_hash=validation.word_of(row.file_hash),
        kind=_usual_word(row.kind),
        encoding=_usual_word(row.encoding),
        characters=row.characters,
        part=packing.decoded(row.part),
        remarks=_remarks(row.remarks),
        absence=_absence(row.absence),
        text_hash=validation.word_of(row.text_hash, validation.HASH),
        members=members_of(row.members, row.characters),
        language=_usual_word(row.language, validation.LANGUAGE),
        sha256=row.sha256.hex(),
    )


def _location(start: str, path: str) -> str:
    """The path of a file; a folder that was given may be the file itself."""
    return start + path.replace("/", os.sep) if path else start.removesuffix(os.sep)


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
