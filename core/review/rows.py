"""The rows of folders, documents and problems, each with the checksum of its other columns."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import NamedTuple

from core.documents import Document, Problem, ProblemCode, ReadingLimits
from core.documents.model import Absence, AbsenceKind
from core.documents.roles import Role
from core.review.believable import (
    check_folder,
    check_path,
    hash_of,
    json_of,
    language_of,
    sentence_of,
    sha256_of,
    word_of,
)
from core.review.member_rows import members_of
from core.review.packing import decoded, encoded, row_checksum
from core.review.sqlite_bounds import MOST_OF_MEMBERS, MOST_OF_ROW, rows_of

LIMITS = frozenset(field.name for field in fields(ReadingLimits))


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
        """What decides the text: the bytes, and how they were read."""
        return self.file_hash, self.kind, self.encoding, self.characters

    @property
    def checksum(self) -> int:
        """Of all columns."""
        return row_checksum(self[:10], self[10:])


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
        return row_checksum(self[:2], self[2:])

    def path(self) -> Path:
        """The folder as it was given, if that still is the same place; else where it was.

        A relative path means another folder when the review is opened from elsewhere.
        """
        given, absolute = decoded(self.given), decoded(self.absolute)
        return Path(given if absolute_path(given) == absolute else absolute)


class PathSplitter:
    """Paths of documents as a folder and a path relative to it, so that folders can move."""

    def __init__(self, folders: Sequence[FolderRow]) -> None:
        starts = ((folder.id, str(Path(decoded(folder.given)))) for folder in folders)
        self._starts = [(number, prefix_of(start), start) for number, start in starts]

    def split(self, path: Path) -> tuple[int, bytes]:
        """The id of the first folder that holds a path, or 0, and the rest."""
        whole = str(path)
        for number, prefix, folder in self._starts:
            if whole == folder:
                return number, b""
            if whole.startswith(prefix) and (prefix or not path.is_absolute()):
                return number, encoded(whole[len(prefix) :].replace(os.sep, "/"))
        return 0, encoded(whole)


def folder_rows(connection: sqlite3.Connection) -> list[FolderRow]:
    """The stored folders in their order.

    Raises:
        ValueError: A row is damaged.
    """
    rows = []
    for columns in rows_of(
        connection,
        "SELECT id, position, given, absolute, role, checksum FROM folders ORDER BY id",
        2,
    ):
        row = FolderRow(*columns[:-1])
        _verify(row.checksum == columns[-1])
        check_folder(row.given, row.absolute)
        rows.append(row)
    return sorted(rows, key=lambda row: row.position)


def packed_role(role: Role) -> bytes:
    """The role of a folder as a column: nothing for one to review."""
    return b"" if role is Role.REVIEW else encoded(role)


def role_of(row: FolderRow) -> Role:
    """The role of a folder again; one that a newer version made up counts as to review."""
    value = row.role.decode("ascii", "replace")
    return Role(value) if value in Role._value2member_map_ else Role.REVIEW


def document_rows(connection: sqlite3.Connection) -> Iterator[DocumentRow]:
    """The stored documents by their ids.

    Raises:
        ValueError: A row is damaged.
    """
    for columns in rows_of(
        connection,
        "SELECT id, ifnull(folder, 0), size, modified_ns, characters, text, signed, "
        "signed_checksum, shingles, place, path, name, file_hash, kind, encoding, part, remarks, "
        "absence, text_hash, members, language, sha256, checksum FROM documents ORDER BY id",
        10,
        MOST_OF_MEMBERS,
    ):
        row = DocumentRow(*columns[:-1])
        _verify(sum(map(len, row[10:])) - len(row.members) <= MOST_OF_ROW)
        _verify(row.checksum == columns[-1])
        yield row


def document_of(row: DocumentRow, folders: dict[int, str]) -> Document:
    """The document of a row; `folders` are what paths start with, by id of the folder."""
    path = decoded(row.path)
    check_path(path, inside=bool(row.folder))
    return Document(
        path=Path(folders[row.folder] + path),
        name=sentence_of(decoded(row.name)),
        size=row.size,
        modified_ns=row.modified_ns,
        file_hash=word_of(row.file_hash),
        kind=word_of(row.kind),
        encoding=word_of(row.encoding),
        characters=row.characters,
        part=decoded(row.part),
        remarks=_remarks(row.remarks),
        absence=_absence(row.absence),
        text_hash=hash_of(row.text_hash),
        members=members_of(row.members, row.characters),
        language=language_of(row.language),
        sha256=sha256_of(row.sha256),
    )


def packed_remarks(document: Document) -> bytes:
    """The remarks on a document as a column."""
    return json.dumps(document.remarks).encode("ascii") if document.remarks else b""


def _remarks(column: bytes) -> tuple[str, ...]:
    if not column:
        return ()
    remarks = json_of(column)
    _verify(isinstance(remarks, list))
    return tuple(map(sentence_of, remarks))


def packed_absence(document: Document) -> bytes:
    """The absence of a document as a column: a list in JSON, or nothing."""
    if document.absence is None:
        return b""
    kind, since, *flags = document.absence
    return json.dumps([kind, since.isoformat(), *flags]).encode("ascii")


def _absence(column: bytes) -> Absence | None:
    """The absence again; a kind that a newer version made up counts as not read."""
    if not column:
        return None
    kind, since, outdated, removed = json_of(column)
    known = isinstance(kind, str) and kind in AbsenceKind._value2member_map_
    return Absence(
        AbsenceKind(kind) if known else AbsenceKind.NOT_READ,
        date.fromisoformat(since),
        bool(outdated),
        bool(removed),
    )


def problem_rows(problems: Sequence[Problem]) -> list[tuple[int | bytes, ...]]:
    """The rows of `problems`."""
    rows: list[tuple[int | bytes, ...]] = []
    for number, problem in enumerate(problems, 1):
        texts = [encoded(value) for value in problem]
        rows.append((number, *texts, row_checksum((number,), texts)))
    return rows


def problems_of(connection: sqlite3.Connection) -> list[Problem]:
    """The stored problems.

    Raises:
        ValueError: A row is damaged.
    """
    problems = []
    query = "SELECT id, name, code, detail, limit_met, checksum FROM problems ORDER BY id"
    for number, *texts, checksum in rows_of(connection, query, 1):
        _verify(row_checksum((number,), texts) == checksum)
        name, code, detail, limit = map(decoded, texts)
        known = limit if limit in LIMITS else ""
        problems.append(Problem(sentence_of(name), _code(code), sentence_of(detail), known))
    return problems


def _code(value: str) -> ProblemCode:
    """The code of a problem; one that a newer version made up counts as a failure."""
    known = value in ProblemCode._value2member_map_
    return ProblemCode(value) if known else ProblemCode.FAILED


def prefix_of(folder: str) -> str:
    """What the paths below a folder start with."""
    if folder == ".":
        return ""
    return folder if folder.endswith(os.sep) else folder + os.sep


def absolute_path(path: str) -> str:
    """The same path from anywhere."""
    return os.path.abspath(path)


def _verify(right: bool) -> None:  # noqa: FBT001 - a comparison
    if not right:
        raise ValueError("A row is not as it was written.")
