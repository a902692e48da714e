"""What is known of a file on its way to text.

What the documents of a folder are for: reviewed, compared against, or set aside.

A document has the role of the innermost folder, of those that were given, that it is in. So an
assignment that lies beside the essays can be a template, and a folder of last year's essays, in the
folder to review, a reference.

Who documents are, from one scan to the next, in whatever file and under any name.

A text is known by its hash. Where several documents have the same text, the hash of the bytes and
then the name tell them apart: these two only choose among copies, so a document that is renamed,
moved or converted is still found.

What is said of a pair is said of its two texts, whatever files they are in: see `PairKey`.

The files of a submission as one text, with the name of each before it.

    Ada Lovelace/essay.docx      "essay.docx ⏎⏎ On engines … ⏎⏎ notes.txt ⏎⏎ To be done …"
    Ada Lovelace/notes.txt        ‾‾‾‾‾‾‾‾‾‾                   ‾‾‾‾‾‾‾‾‾

The names are no text of the person: they are set aside, so that they count nowhere, and no shingle
and no passage goes on from one file to the next.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import xxhash

from core.base.messages import N_, gettext, in_english, stored
from core.base.wording import printable_name, quoted
from core.errors import FolderError


class Role(StrEnum):
    """What a folder, and every document in it, is for; as it is stored and in words."""

    REVIEW = N_("to review")
    REFERENCE = N_("reference")  # compared with the documents to review, never among themselves
    TEMPLATE = N_("template")  # its text is set aside everywhere, and it is compared with nothing


class FolderRoles:
    """The roles of folders, to be asked for those of documents.

    Attributes:
        roles: By folder.
        has_other_roles: Whether any of them is not to review.
    """

    def __init__(self, folders: Sequence[Path], roles: Sequence[Role] = ()) -> None:
        """Folders whose role is not given are to review."""
        missing = max(0, len(folders) - len(roles))
        self.roles = (*roles[: len(folders)], *[Role.REVIEW] * missing)
        self.has_other_roles = any(role is not Role.REVIEW for role in self.roles)
        self._folder_numbers = _folder_numbers(folders)
        self._around: dict[str, tuple[str, int | None]] = {}

    def folder_of(self, location: str) -> int | None:
        """Which of the folders a file is in, the innermost of several; None for none."""
        name = location.rfind(os.sep) + 1
        folder = location[:name]
        if folder not in self._around:
            self._around[folder] = self._in_folder(os.path.abspath(folder))
        start, number = self._around[folder]
        return self._folder_numbers.get(start + location[name:], number)

    def of(self, document: Document) -> Role:
        """The role of a document; one that is in none of the folders keeps its own."""
        number = self.folder_of(document.location)
        return document.role if number is None else self.roles[number]

    def assigned(self, documents: Iterable[Document]) -> Iterator[Document]:
        """The documents with their roles; one that has its role is the very same value."""
        for document in documents:
            is_plain = not self.has_other_roles and document.role is Role.REVIEW
            role = Role.REVIEW if is_plain else self.of(document)
            yield document if document.role is role else document._replace(role=role)

    def _in_folder(self, folder: str) -> tuple[str, int | None]:
        """What the places of the files in a folder start with, and which folder they are in."""
        at = folder
        while at not in self._folder_numbers and at != (above := os.path.split(at)[0]):
            at = above
        return os.path.join(folder, ""), self._folder_numbers.get(at)


def _folder_numbers(folders: Sequence[Path]) -> dict[str, int]:
    """Numbers of folders by absolute path, also by that which leads there from another of them."""
    tops = [(os.path.abspath(folder), os.path.realpath(folder)) for folder in folders]
    real_paths: dict[str, int] = {}
    for number, (given, real) in enumerate(tops):
        real_paths.setdefault(given, number)
        for top, real_top in tops:
            if real.startswith(os.path.join(real_top, "")):
                real_paths.setdefault(os.path.join(top, os.path.relpath(real, real_top)), number)
    return real_paths


def templates_among(documents: Iterable[Document]) -> list[int]:
    """The numbers of the documents that are templates and on the list."""
    return [
        number
        for number, document in enumerate(documents)
        if document.role is Role.TEMPLATE and not document.is_removed
    ]


def check_roles(folders: Sequence[Path], roles: Sequence[Role]) -> None:
    """Refuse folders and roles with which nothing can be compared.

    Raises:
        FolderError: A folder has two roles, or none is to review.
    """
    known: dict[str, Role] = {}
    for folder, role in zip(folders, FolderRoles(folders, roles).roles, strict=True):
        before = known.setdefault(os.path.realpath(folder), role)
        if before is not role:
            raise FolderError(
                "{folder} is given twice, as {before} and as {role}. Give it one of these roles.",
                folder=_shown(folder),
                before=gettext(_role_phrase(before)),
                role=gettext(_role_phrase(role)),
            )
    if Role.REVIEW not in known.values():
        raise FolderError(
            "There is no folder to review. References and templates are compared only with "
            "documents to review, so add one."
        )


def check_found(
    folders: Sequence[Path], roles: FolderRoles, found: Iterable[str], known: Collection[Path] = ()
) -> None:
    """Refuse folders of which one has nothing in it that its role needs.

    Args:
        folders: The folders.
        roles: Theirs; where all are to review, nothing is asked of them.
        found: Where files were found.
        known: Folders that may be empty.

    Raises:
        FolderError: There is nothing to review, or nothing in a reference or template.
    """
    if not roles.has_other_roles:
        return
    used = {roles.folder_of(location) for location in found}
    real_paths = [os.path.realpath(folder) for folder in folders]
    for number, (folder, role) in enumerate(zip(folders, roles.roles, strict=True)):
        is_needed = role is not Role.REVIEW and folder not in known
        is_first = number == real_paths.index(real_paths[number])
        if is_needed and number not in used and is_first:
            raise FolderError(
                "{folder} contains no file that could be {role}.",
                folder=_shown(folder),
                role=gettext(_role_phrase(role)),
            )
    to_review = [number for number, role in enumerate(roles.roles) if role is Role.REVIEW]
    if not used.intersection(to_review) and not any(
        folders[number] in known for number in to_review
    ):
        raise FolderError(
            "There is no file to review. References and templates are compared only with "
            "documents to review."
        )


def nested_in_words(folders: Sequence[Path], roles: Sequence[Role]) -> Iterator[str]:
    """A sentence on each folder that lies in one with another role."""
    both = list(zip(folders, FolderRoles(folders, roles).roles, strict=True))
    for folder, role in both:
        around = [
            (len(os.path.realpath(top)), top, other)
            for top, other in both
            if os.path.realpath(folder).startswith(os.path.join(os.path.realpath(top), ""))
        ]
        if not around:
            continue
        _, top, other = max(around, key=lambda entry: entry[0])
        if other is not role:
            message = N_("{inner} lies in {outer}: what is in it is {role}, not {other}.")
            if folder.is_file():
                message = N_("{inner} lies in {outer}: it is {role}, not {other}.")
            with in_english():
                values = {"inner": _shown(folder), "outer": _shown(top)}
            yield stored(message, role=_role_phrase(role), other=_role_phrase(other), **values)


def _role_phrase(role: Role) -> str:
    names = {Role.REFERENCE: N_("a reference"), Role.TEMPLATE: N_("a template")}
    return names.get(role, role)


def _shown(folder: Path) -> str:
    return quoted(printable_name(folder.name or str(folder)))


LATEST = (1 << 63) - 1


class ProblemCode(StrEnum):
    """Why a file gave no text; the value is the column `problem` of `--problems`."""

    EMPTY = "empty"
    NO_WORDS = "no_words"
    BINARY = "binary"
    UNSUPPORTED = "unsupported"
    ARCHIVE = "archive"
    TOO_BIG = "too_big"
    TOO_BIG_UNPACKED = "too_big_unpacked"
    TOO_DEEP = "too_deep"
    NO_TEXT_LAYER = "no_text_layer"
    ENCRYPTED = "encrypted"
    DAMAGED = "damaged"
    DTD_REFUSED = "dtd_refused"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out_of_memory"
    CRASH = "crash"
    NO_PERMISSION = "no_permission"
    VANISHED = "vanished"
    NOT_A_FILE = "not_a_file"
    FAILED = "failed"


class Problem(NamedTuple):
    """A file or folder that gave no text.

    Attributes:
        name: What the user sees.
        code: What happened.
        detail: The same in a sentence for the user.
        limit: The field of `ReadingLimits` that was met: with another one the file may be read.
        sha256: That of the bytes of its file, or of the file it is a part of; "" where none were
            read.
    """

    name: str
    code: ProblemCode
    detail: str
    limit: str = ""
    sha256: str = ""


class FoundFile(NamedTuple):
    """A file to read.

    `location` is its path as the system knows it; `name` is what the user sees everywhere: the path
    relative to the scanned folder with "/", printable, encodable as UTF-8; with several folders it
    starts with the folder's own name. `sha256` is that of its bytes, once they were read. `real` is
    its path without links, as it was found; "" where nobody looked.
    """

    location: str
    name: str
    size: int
    modified_ns: int
    sha256: str = ""
    real: str = ""

    @property
    def path(self) -> Path:
        """Where it is; made when asked for: a `Path` costs more than the look at a file."""
        return Path(self.location)


class AbsenceKind(StrEnum):
    """What is known of a document that a rescan did not meet, as it is stored and in words."""

    GONE = N_("gone")  # its place was looked at, and it was not there
    NOT_READ = N_("not read")  # it, or the folder it is in, could not be read, or was not asked for


class Absence(NamedTuple):
    """A document that a rescan did not meet: its text is that of an earlier scan.

    Attributes:
        kind: What is known of it.
        since: The day of the first rescan that missed it, where the rescan ran.
        outdated: Whether today's readers may make another text of the file, were it there.
        removed: Whether the user took it off the list. It can be brought back until it is deleted.
    """

    kind: AbsenceKind
    since: date
    outdated: bool = False
    removed: bool = False

    @property
    def in_words(self) -> str:
        """The mark of the document, with the date as every country reads it."""
        day = self.since.isoformat()
        if self.kind is AbsenceKind.GONE:
            return gettext("gone since {day}", day=day)
        return gettext("not read since {day}", day=day)


class Member(NamedTuple):
    """A file of a submission.

    Attributes:
        name: Its name there; before its text stands a line with it.
        start: Where its text begins in that of the document, in code points.
        size: Bytes of the file on disk.
        modified_ns: Of the file.
        file_hash: As that of a document.
        sha256: As that of a document.
    """

    name: str
    start: int
    size: int
    modified_ns: int
    file_hash: str
    sha256: str = ""


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Document(NamedTuple):
    """A document that was read: a file, or a part of one.

    Attributes:
        location: The path of its file, as `str` writes a `Path`.
        name: What the user sees; of a part it goes on with "/" and the name of the part.
        size: Bytes of the file on disk.
        modified_ns: Of the file.
        file_hash: XXH3-128 of the bytes of the file in hexadecimal. Of a part, whose bytes only
            its reader has seen, 32 digits of a hash of that and the text.
        kind: The reader ("text", "pdf").
        encoding: The name of the character encoding, "" where the format leaves no choice.
        characters: Length of the text in code points.
        part: Path inside the file, as written there; "" for the file itself.
        remarks: Sentences on what the file has and the text has not, or what was not sure.
        absence: Since when a rescan has not met it, and why; None for a document that is there.
        text_hash: Who its text is (see `core.text.identity`): the same for the same words in any
            format, under any name; "" until the text is signed, and where that is not known.
        role: What it is for, as the folder is that it is in (see `core.documents.model`).
        members: The files of a submission, which is a document of its own; empty for others.
        language: Of its text, as `core.text.languages` tells it; "" until it was looked at. What a
            person said of it is a judgement (see `core.scan.judgements`).
        sha256: SHA-256 of the bytes of the file in hexadecimal, of a part that of the file it is
            in; "" for a submission that is a folder, whose members have theirs, and for a row of a
            table.
    """

    location: str
    name: str
    size: int
    modified_ns: int
    file_hash: str
    kind: str
    encoding: str
    characters: int
    part: str = ""
    remarks: tuple[str, ...] = ()
    absence: Absence | None = None
    text_hash: str = ""
    role: Role = Role.REVIEW
    members: tuple[Member, ...] = ()
    language: str = ""
    sha256: str = ""

    @property
    def path(self) -> Path:
        """Where its file is; made when asked for, as that of a `FoundFile`."""
        return Path(self.location)

    @property
    def marked_name(self) -> str:
        """The name with what is to be known of the document: "a.txt [gone since 2026-11-22]"."""
        marks = self.marks
        return f"{self.name} [{', '.join(marks)}]" if marks else self.name

    @property
    def marks(self) -> tuple[str, ...]:
        """What is to be known of the document beside its name, in a few words each."""
        role = () if self.role is Role.REVIEW else (gettext(self.role),)
        return (*role, self.absence.in_words) if self.absence else role

    @property
    def is_removed(self) -> bool:
        """Whether the user took it off the list."""
        return self.absence is not None and self.absence.removed

    @property
    def modified(self) -> datetime | None:
        """When its file was last changed, in UTC; None if unknown."""
        changed = EPOCH + timedelta(microseconds=self.modified_ns // 1000)
        return changed if self.modified_ns else None

    @property
    def file_name(self) -> str:
        """The name of the file alone."""
        return self.name.removesuffix("/" + printable_name(self.part)) if self.part else self.name


class ReadDocument(NamedTuple):
    """A document and its text: line ends are LF, nothing else is changed."""

    document: Document
    text: str


def modified_ns(status: os.stat_result) -> int:
    """The time of change in nanoseconds since 1970, from 1677 to 2262 as 64 bits hold it.

    File systems hold other times as well, and a clock that was wrong makes them.
    """
    return max(-LATEST - 1, min(status.st_mtime_ns, LATEST))


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
        self._by_name = {document.name: number for number, document in enumerate(documents)}

    def number_of(self, key: DocumentKey) -> int | None:
        """The number of the document with the text of a key; None where no document has it.

        Of copies the one of that name, else one with the same bytes, else the first. Without a
        hash of the text, the one of that name with the same bytes.
        """
        named = self._named(key)
        if named is not None:
            return named
        copies = self._by_text.get(key.text, []) if key.text else []
        alike = (number for number in copies if self._documents[number].file_hash == key.file)
        return next(alike, copies[0] if copies else None)

    def successor_of(self, key: DocumentKey, before: Documents) -> int | None:
        """The number of what the document of a key in an earlier list is now.

        The one of that name and text; else one with the text that was not there before, with the
        same bytes or the same file name if there is one: it was moved, renamed or converted; else
        the one of that name, which was edited. A copy that was there before is another document.
        """
        named = self._named(key)
        if named is not None:
            return named
        copies = self._by_text.get(key.text, []) if key.text else []
        come = [
            number
            for number in copies
            if before._named(DocumentKey.of(self._documents[number])) is None
        ]
        edited = self._by_name.get(key.name)
        return min(come, key=lambda number: self._unlike(key, number), default=edited)

    def number_at(self, name: str) -> int | None:
        """The number of the document that has a name, whatever its text."""
        return self._by_name.get(name)

    @cached_property
    def _by_text(self) -> dict[str, list[int]]:
        numbers: dict[str, list[int]] = {}
        for number, document in enumerate(self._documents):
            numbers.setdefault(document.text_hash, []).append(number)
        return numbers

    def _named(self, key: DocumentKey) -> int | None:
        """The number of the document with the name and the text of a key."""
        number = self._by_name.get(key.name)
        if number is None:
            return None
        document = self._documents[number]
        is_it = key.text == document.text_hash if key.text else key.file == document.file_hash
        return number if is_it else None

    def _unlike(self, key: DocumentKey, number: int) -> tuple[bool, bool]:
        document = self._documents[number]
        file_names = {name.rpartition("/")[2] for name in (key.name, document.name)}
        return document.file_hash != key.file, len(file_names) > 1


KIND = "submission"
GAP = "\n\n"


class FilePiece(NamedTuple):
    """A file, or a document in one, on its way into a submission, where it has no place yet."""

    member: Member
    text: str
    remarks: tuple[str, ...]


def piece_of(read: ReadDocument, name: str) -> FilePiece:
    """A document that was read, under its name in the submission."""
    document = read.document
    facts = document.size, document.modified_ns, document.file_hash, document.sha256
    return FilePiece(Member(name, 0, *facts), read.text, document.remarks)


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
    for member, text, _ in pieces:
        before = heading(member.name, is_first=not texts)
        members.append(member._replace(start=length + len(before)))
        texts += [before, text]
        length += len(before) + len(text)
        known.update(f"{member.name}\0{member.file_hash}\0".encode("utf-8", "surrogatepass"))
    document = Document(
        location=found.location,
        name=f"{found.name}/{part}" if part else found.name,
        size=found.size,
        modified_ns=found.modified_ns,
        file_hash=known.hexdigest(),
        kind=KIND,
        encoding="",
        characters=length,
        part=part,
        sha256=found.sha256,
        remarks=tuple(f"{piece.member.name}: {it}" for piece in pieces for it in piece.remarks),
        members=tuple(members),
    )
    return ReadDocument(document, "".join(texts))


def pieces_of(document: Document, text: str) -> Iterator[FilePiece]:
    """The files of a submission again."""
    for member, (start, end) in zip(document.members, _texts(document, len(text)), strict=True):
        before = f"{member.name}: "
        remarks = [it.removeprefix(before) for it in document.remarks if it.startswith(before)]
        yield FilePiece(member._replace(start=0), text[start:end], tuple(remarks))


def headings(document: Document) -> Iterator[tuple[int, int]]:
    """Where the names of files stand, with what parts these from each other."""
    for index, member in enumerate(document.members):
        yield member.start - len(heading(member.name, is_first=not index)), member.start


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


class UnreadableError(Exception):
    """A file that gives no text; inside this package only, it becomes a `Problem`.

    It is raised with a message and what stands in it, which make its `detail`.

    Attributes:
        code: As of `Problem`, like the others.
    """

    def __init__(self, code: ProblemCode, message: str, limit: str = "", **values: object) -> None:
        self.detail = stored(message, **values)
        super().__init__(self.detail)
        self.code = code
        self.limit = limit
