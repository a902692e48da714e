"""The sentences for what can go wrong with a file: what happened, and what can be done.

Where in a document a place is: on page 12, slide 3, sheet 2.

Readers put a form feed between pages, so the page of a place is one more than those before it. It
is the number of the page in the file; what is printed on it may differ.
"""

from __future__ import annotations

import errno
import stat
from collections import defaultdict
from collections.abc import Iterable
from enum import Enum
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from core.base.messages import N_, gettext, stored
from core.documents.model import Problem, ProblemCode

if TYPE_CHECKING:
    from core.documents.readers import PageWords

_MARK = "\f"


def page_words(kind: str) -> PageWords:
    """What the form feeds in the texts of a reader part."""
    from core.documents.readers import PAGES  # noqa: PLC0415
    from core.documents.recognition import reader_of  # noqa: PLC0415 - the window opens before them

    reader = reader_of(kind)
    return reader.pages if reader else PAGES


def cite_location(text: str, kind: str, start: int, end: int) -> str:
    """The pages of a passage, "pp. 12–13"; "" in a text without pages.

    Args:
        text: The text of the document.
        kind: The reader it came from.
        start: First character of the passage.
        end: Behind its last character.
    """
    if _MARK not in text:
        return ""
    first = 1 + text.count(_MARK, 0, start)
    return page_words(kind).cite(first, first + text.count(_MARK, start, end))


@cache
def _suffixes(*, of_pictures: bool) -> frozenset[str]:
    """Names that promise a picture or a text: without its text, only the second is worth a look."""
    from core.documents.recognition import READERS  # noqa: PLC0415 - the window opens before them

    readers = (reader for reader in READERS if reader.is_picture is of_pictures)
    return frozenset(suffix for reader in readers for suffix in reader.suffixes)


class GroupKind(Enum):
    """What happened to a file, from what is most worth a look to what is least.

    Each has a few words for it, a sentence on what can be done, and the codes of such problems.
    """

    LOCKED = (
        N_("Locked with a password"),
        N_("Enter the password, or save copies without one."),
        ProblemCode.ENCRYPTED,
    )
    SCANS = N_("No text: scans"), N_("Their pages are pictures."), ProblemCode.NO_TEXT_LAYER
    ARCHIVES = N_("Archives"), N_("They can be opened like folders."), ProblemCode.ARCHIVE
    SLOW = (
        N_("Took too long"),
        N_("They may be readable with a higher time limit."),
        ProblemCode.TIMEOUT,
    )
    BIG = N_("Too big"), N_("Split them, or raise the limit."), ProblemCode.TOO_BIG
    UNPACKED = (
        N_("Too big unpacked"),
        N_("Raise the limit if you know where they come from."),
        ProblemCode.TOO_BIG_UNPACKED,
    )
    DEEP = N_("Nested too deeply"), N_("Save copies in another format."), ProblemCode.TOO_DEEP
    MEMORY = (
        N_("Needed too much memory"),
        N_("They may be readable with a higher memory limit."),
        ProblemCode.OUT_OF_MEMORY,
    )
    DAMAGED = (
        N_("Damaged"),
        N_("Open them in the program that made them and save them again."),
        ProblemCode.DAMAGED,
    )
    REFUSED = (
        N_("Refused for safety"),
        N_("They use features that can do harm. Save copies in another format."),
        ProblemCode.DTD_REFUSED,
    )
    FAILED = N_("Could not be read"), N_("Save copies in another format.")
    FORMAT = (
        N_("Unsupported formats"),
        N_("Save copies as PDF, docx, odt or plain text."),
        ProblemCode.UNSUPPORTED,
    )
    ACCESS = (
        N_("No permission to read"),
        N_("Check their permissions, then rescan."),
        ProblemCode.NO_PERMISSION,
    )
    GONE = (
        N_("Gone or changed while reading"),
        N_("Rescan once they are back."),
        ProblemCode.VANISHED,
    )
    EMPTY = (
        N_("Without text"),
        N_("Empty, or without a single word."),
        ProblemCode.EMPTY,
        ProblemCode.NO_WORDS,
    )
    NOT_TEXT = N_("Not text, despite their names"), N_("Open them to see.")
    PICTURES = N_("Pictures"), N_("Pictures of pages can be read like scans.")
    OTHER = N_("Not documents"), N_("Programs, films and the like.")
    NOT_FILES = N_("Not files"), N_("Links, pipes and devices."), ProblemCode.NOT_A_FILE

    def __init__(self, heading: str, advice: str, *codes: ProblemCode) -> None:
        self._heading = heading
        self._advice = advice
        self.codes = codes

    def __str__(self) -> str:
        return self.name.lower()

    @property
    def heading(self) -> str:
        """What happened, in a few words."""
        return gettext(self._heading)

    @property
    def advice(self) -> str:
        """What can be done, in a sentence."""
        return gettext(self._advice)

    @property
    def is_calm(self) -> bool:
        """Whether nothing is wrong: such files lie in any folder of documents."""
        return self in {GroupKind.PICTURES, GroupKind.OTHER, GroupKind.NOT_FILES}


_KIND_OF = {code: kind for kind in GroupKind for code in kind.codes}


class ProblemCounts(NamedTuple):
    """How many files gave no text.

    Attributes:
        problems: Those that may be expected to hold one.
        others: The files of calm groups.
    """

    problems: int
    others: int


class ProblemGroup(NamedTuple):
    """Files with the same problem, in their order."""

    kind: GroupKind
    problems: tuple[Problem, ...]


def group_problems(problems: Iterable[Problem]) -> list[ProblemGroup]:
    """The groups that have files, the most urgent first."""
    groups: dict[GroupKind, list[Problem]] = defaultdict(list)
    for problem in problems:
        groups[group_of(problem)].append(problem)
    return [ProblemGroup(kind, tuple(groups[kind])) for kind in GroupKind if groups[kind]]


def count_problems(problems: Iterable[Problem]) -> ProblemCounts:
    """Count files by whether they are worth a look."""
    calm = [group_of(problem).is_calm for problem in problems]
    return ProblemCounts(len(calm) - sum(calm), sum(calm))


def group_of(problem: Problem) -> GroupKind:
    """What happened to a file."""
    suffix = PurePosixPath(problem.name).suffix.lower()
    if problem.code == ProblemCode.BINARY:
        promised = suffix in _suffixes(of_pictures=False)
        return GroupKind.NOT_TEXT if promised else GroupKind.OTHER
    # A scan is a document; photographs lie in many folders, and few of them show a page.
    if problem.code == ProblemCode.NO_TEXT_LAYER and suffix in _suffixes(of_pictures=True):
        return GroupKind.PICTURES
    return _KIND_OF.get(problem.code, GroupKind.FAILED)


_KINDS = (
    (stat.S_ISDIR, N_("a folder")),
    (stat.S_ISFIFO, N_("a named pipe")),
    (stat.S_ISSOCK, N_("a socket")),
    (stat.S_ISBLK, N_("a device")),
    (stat.S_ISCHR, N_("a device")),
)


OUTSIDE = N_(
    "This is a link to a file outside of the folders that were chosen. It is not followed: to "
    "compare that file, put a copy of it here, or choose its folder as well."
)
REPLACED = N_(
    "After this file was found, a link took its place or that of a folder it is in. It is not "
    "followed. Rescan."
)
# What network shares and failing disks answer.
_UNREACHABLE = frozenset(
    getattr(errno, name, None)
    for name in ("EIO", "ESTALE", "ENOTCONN", "EHOSTDOWN", "EHOSTUNREACH", "ETIMEDOUT", "ENODEV")
)
_IN_USE = frozenset({errno.EBUSY, errno.EAGAIN, errno.EDEADLK})
_SHARING_VIOLATIONS = frozenset({32, 33})  # ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION


class RefusalSentences(NamedTuple):
    """The sentences on a file, a folder or a link that the operating system refuses."""

    locked: str
    unreachable: str
    forbidden: str
    gone: str
    failed: str


FILE = RefusalSentences(
    N_("This file is locked by another program. Close it there and rescan."),
    N_(
        "The disk or network share of this file does not answer ({why}). Connect it again and "
        "rescan."
    ),
    N_("You don’t have permission to read this file."),
    N_("This file disappeared during the scan."),
    N_("This file could not be read: {why}."),
)
FOLDER = RefusalSentences(
    N_("This folder is locked by another program. Close it there and rescan."),
    N_(
        "The disk or network share of this folder does not answer ({why}). Connect it again and "
        "rescan."
    ),
    N_("You don’t have permission to read this folder."),
    N_("This folder disappeared during the scan."),
    N_("This folder could not be read: {why}."),
)
LINK = RefusalSentences(
    N_("This link is locked by another program. Close it there and rescan."),
    N_(
        "The disk or network share of this link does not answer ({why}). Connect it again and "
        "rescan."
    ),
    N_("You don’t have permission to read this link."),
    N_("This is a link to a file that does not exist."),
    N_("This link could not be read: {why}."),
)


def from_os_error(name: str, error: OSError, thing: RefusalSentences = FILE) -> Problem:
    """The problem of a file, folder or link that the operating system refuses."""
    if error.errno in _IN_USE or getattr(error, "winerror", None) in _SHARING_VIOLATIONS:
        return Problem(name, ProblemCode.NO_PERMISSION, thing.locked)
    if error.errno in _UNREACHABLE:
        detail = stored(thing.unreachable, why=error.strerror)
        return Problem(name, ProblemCode.VANISHED, detail)
    if isinstance(error, PermissionError):
        return Problem(name, ProblemCode.NO_PERMISSION, thing.forbidden)
    if isinstance(error, FileNotFoundError):
        return Problem(name, ProblemCode.VANISHED, thing.gone)
    why = error.strerror or type(error).__name__
    return Problem(name, ProblemCode.FAILED, stored(thing.failed, why=why))


def not_a_file(name: str, mode: int, *, link: bool = False) -> Problem:
    """The problem of what is no regular file, or a link that leads nowhere new."""
    return Problem(name, ProblemCode.NOT_A_FILE, why_not_a_file(mode, link=link))


def why_not_a_file(mode: int, *, link: bool = False) -> str:
    """What something is that is no regular file, in a sentence."""
    kind = next((kind for is_kind, kind in _KINDS if is_kind(mode)), N_("something unknown"))
    if not link:
        return stored("This is {kind}, not a file.", kind=kind)
    if stat.S_ISDIR(mode):
        return N_("This is a link to a folder. Links to folders are not followed.")
    if stat.S_ISREG(mode):
        return N_("This is a link to a file that is read under its own name.")
    return stored("This is a link to {kind}, not to a file.", kind=kind)
