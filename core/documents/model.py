"""What is known of a file on its way to text."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from core.base.wording import printable_name
from core.documents.roles import Role

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
    TOO_MANY_MEMBERS = "too_many_members"
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
    CHANGED = "changed"  # in reviews of versions that read a file twice
    NOT_A_FILE = "not_a_file"
    FAILED = "failed"


class Problem(NamedTuple):
    """A file or folder that gave no text.

    Attributes:
        name: What the user sees.
        code: What happened.
        detail: The same in a sentence for the user.
        limit: The field of `ReadingLimits` that was met: with another one the file may be read.
    """

    name: str
    code: ProblemCode
    detail: str
    limit: str = ""


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

    GONE = "gone"  # its place was looked at, and it was not there
    NOT_READ = "not read"  # it, or the folder it is in, could not be read, or was not asked for


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
        return f"{self.kind} since {self.since.isoformat()}"


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


@dataclass(frozen=True, slots=True)
class Document:
    """A document that was read: a file, or a part of one.

    Attributes:
        path: Of the file.
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
        role: What it is for, as the folder is that it is in (see `core.documents.roles`).
        members: The files of a submission, which is a document of its own; empty for others.
        language: Of its text, as `core.text.languages` tells it; "" until it was looked at. What a
            person said of it is a judgement (see `core.scan.languages`).
        sha256: SHA-256 of the bytes of the file in hexadecimal, of a part that of the file it is
            in; "" where no version that takes it has read the file, and for a submission that is a
            folder, whose members have theirs.
    """

    path: Path
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
    def is_hashed(self) -> bool:
        """Whether the SHA-256 of each file it is made of is known."""
        return bool(self.sha256) or bool(self.members and all(one.sha256 for one in self.members))

    @property
    def marked_name(self) -> str:
        """The name with what is to be known of the document: "a.txt [gone since 2026-11-22]"."""
        marks = self.marks
        return f"{self.name} [{', '.join(marks)}]" if marks else self.name

    @property
    def marks(self) -> tuple[str, ...]:
        """What is to be known of the document beside its name, in a few words each."""
        role = () if self.role is Role.REVIEW else (str(self.role),)
        return (*role, self.absence.in_words) if self.absence else role

    @property
    def is_removed(self) -> bool:
        """Whether the user took it off the list."""
        return self.absence is not None and self.absence.removed

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
