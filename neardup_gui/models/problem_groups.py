"""Files that gave no text, by what happened to them and what can be done about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from core.documents.model import Document, Problem

__all__ = [
    "FileRow",
    "GroupKind",
    "ProblemGroup",
    "Remedy",
    "alarming",
    "grouped",
    "remarked",
]

# Names that promise a text: without one, such a file is worth a look, and a picture is not.
TEXT_SUFFIXES = frozenset(
    [
        ".txt",
        ".text",
        ".md",
        ".markdown",
        ".rst",
        ".tex",
        ".csv",
        ".tsv",
        ".htm",
        ".html",
        ".xhtml",
        ".mht",
        ".mhtml",
        ".xml",
        ".json",
        ".ipynb",
        ".pdf",
        ".doc",
        ".docx",
        ".docm",
        ".rtf",
        ".odt",
        ".ods",
        ".odp",
        ".xls",
        ".xlsx",
        ".ppt",
        ".pptx",
        ".epub",
        ".fb2",
        ".eml",
        ".mbox",
    ]
)


class Remedy(StrEnum):
    """What the user can do about a whole group; the value is what the link says."""

    PASSWORD = "Enter password…"
    OCR = "Read scans with Tesseract"
    GET_OCR = "How to read scans"
    LIMITS = "Try again with other limits…"
    ARCHIVES = "Open archives"


class GroupKind(StrEnum):
    """The groups, from what is most worth a look to what is least."""

    LOCKED = auto()
    SCANS = auto()
    ARCHIVES = auto()
    SLOW = auto()
    BIG = auto()
    UNPACKED = auto()
    PARTS = auto()
    DEEP = auto()
    MEMORY = auto()
    DAMAGED = auto()
    REFUSED = auto()
    FAILED = auto()
    FORMAT = auto()
    ACCESS = auto()
    GONE = auto()
    EMPTY = auto()
    NOT_TEXT = auto()
    REMARKS = auto()
    OTHER = auto()
    NOT_FILES = auto()


class GroupWords(NamedTuple):
    """What is said of a group, and what its link does; `limit` is the field of it, if one."""

    title: str
    advice: str
    remedy: Remedy | None = None
    limit: str = ""


WORDS: dict[GroupKind, GroupWords] = {
    GroupKind.LOCKED: GroupWords(
        "Locked with a password", "Enter it here, or save copies without one.", Remedy.PASSWORD
    ),
    GroupKind.SCANS: GroupWords("No text: scans", "Their pages are pictures.", Remedy.OCR),
    GroupKind.ARCHIVES: GroupWords("Archives", "They can be opened like folders.", Remedy.ARCHIVES),
    GroupKind.SLOW: GroupWords(
        "Took too long", "Given more time, they may be read.", Remedy.LIMITS, "seconds"
    ),
    GroupKind.BIG: GroupWords(
        "Too big", "Split them, or raise the limit.", Remedy.LIMITS, "file_bytes"
    ),
    GroupKind.UNPACKED: GroupWords(
        "Too big unpacked",
        "Raise the limit if you know where they come from.",
        Remedy.LIMITS,
        "unpacked_bytes",
    ),
    GroupKind.PARTS: GroupWords(
        "Too many parts",
        "Raise the limit if you know where they come from.",
        Remedy.LIMITS,
        "members",
    ),
    GroupKind.DEEP: GroupWords(
        "Nested too deeply",
        "Raise the limit if you know where they come from.",
        Remedy.LIMITS,
        "nesting",
    ),
    GroupKind.MEMORY: GroupWords(
        "Needed too much memory", "Given more, they may be read.", Remedy.LIMITS, "memory_bytes"
    ),
    GroupKind.DAMAGED: GroupWords(
        "Damaged", "If the program they were made with opens them, save them there anew."
    ),
    GroupKind.REFUSED: GroupWords(
        "Refused for safety", "They ask for what can do harm. Save copies in another format."
    ),
    GroupKind.FAILED: GroupWords("Could not be read", "Save copies in another format."),
    GroupKind.FORMAT: GroupWords(
        "Formats that are not read", "Save copies as PDF, docx, odt or plain text."
    ),
    GroupKind.ACCESS: GroupWords("May not be read", "Check their permissions, then rescan."),
    GroupKind.GONE: GroupWords("Gone or changed while reading", "Rescan when they are there."),
    GroupKind.EMPTY: GroupWords("Without text", "Empty, or without a single word."),
    GroupKind.NOT_TEXT: GroupWords("Not the text their names promise", "Open them to see."),
    GroupKind.REMARKS: GroupWords(
        "Read, with remarks", "They are compared; something was left out or not sure."
    ),
    GroupKind.OTHER: GroupWords("Not documents", "Pictures, programs and the like."),
    GroupKind.NOT_FILES: GroupWords("Not files", "Links, pipes and devices."),
}
KINDS = {  # by the value of `ProblemCode`
    "encrypted": GroupKind.LOCKED,
    "no_text_layer": GroupKind.SCANS,
    "archive": GroupKind.ARCHIVES,
    "timeout": GroupKind.SLOW,
    "too_big": GroupKind.BIG,
    "too_big_unpacked": GroupKind.UNPACKED,
    "too_many_members": GroupKind.PARTS,
    "too_deep": GroupKind.DEEP,
    "out_of_memory": GroupKind.MEMORY,
    "damaged": GroupKind.DAMAGED,
    "dtd_refused": GroupKind.REFUSED,
    "unsupported": GroupKind.FORMAT,
    "no_permission": GroupKind.ACCESS,
    "vanished": GroupKind.GONE,
    "changed": GroupKind.GONE,
    "empty": GroupKind.EMPTY,
    "no_words": GroupKind.EMPTY,
    "not_a_file": GroupKind.NOT_FILES,
}
NO_ALARM = frozenset({GroupKind.OTHER, GroupKind.NOT_FILES, GroupKind.REMARKS})


class FileRow(NamedTuple):
    """A file and what happened to it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ProblemGroup:
    """Files to which the same happened, by name."""

    kind: GroupKind
    rows: tuple[FileRow, ...]

    @property
    def title(self) -> str:
        """What happened."""
        return WORDS[self.kind].title

    @property
    def advice(self) -> str:
        """What can be done, in a sentence."""
        return WORDS[self.kind].advice

    @property
    def remedy(self) -> Remedy | None:
        """What the user can do about all of them here."""
        return WORDS[self.kind].remedy

    @property
    def limit(self) -> str:
        """The limit they met, a field of `Limits`; empty when there is none."""
        return WORDS[self.kind].limit

    @property
    def is_calm(self) -> bool:
        """Whether nothing is wrong: such files lie in any folder, or were read."""
        return self.kind in NO_ALARM


def grouped(problems: Iterable[Problem], documents: Iterable[Document]) -> list[ProblemGroup]:
    """The groups that have files, in their order; documents are those with remarks."""
    rows: dict[GroupKind, list[FileRow]] = defaultdict(list)
    for problem in problems:
        rows[_kind(problem)].append(FileRow(problem.name, problem.detail))
    for document in documents:
        rows[GroupKind.REMARKS].append(FileRow(document.name, " ".join(document.remarks)))
    return [ProblemGroup(kind, tuple(sorted(rows[kind]))) for kind in GroupKind if rows[kind]]


def alarming(problems: Iterable[Problem]) -> int:
    """How many of the problems are worth a look: pictures among documents are not."""
    return sum(_kind(problem) not in NO_ALARM for problem in problems)


def remarked(documents: Sequence[Document]) -> tuple[Document, ...]:
    """The documents on which something was remarked."""
    return tuple(document for document in documents if document.remarks)


def _kind(problem: Problem) -> GroupKind:
    if problem.code == "binary":
        promised = PurePosixPath(problem.name).suffix.lower() in TEXT_SUFFIXES
        return GroupKind.NOT_TEXT if promised else GroupKind.OTHER
    return KINDS.get(problem.code, GroupKind.FAILED)
