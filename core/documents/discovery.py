"""Which files there are to read, in a stable order and under names that can be shown.

Hidden files and folders (a leading dot) are no documents, nor is what Python keeps beside sources
in `__pycache__`, as it does in an installed sample, nor what lies beside an open review. Links to
folders are not followed. A link to a file in the folders stands for that file, unless the file is
found without it; one that leads out of them would bring somebody's other files into a report that
is sent on, and is not followed. Everything else that cannot be read as a file becomes a `Problem`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from core.base.messages import gettext
from core.base.tasks import Progress, ProgressReport, Stage, ignore, stop_if_cancelled
from core.base.wording import printable_name, quoted
from core.documents.model import FoundFile, Problem, ProblemCode, modified_ns
from core.documents.problems import FOLDER, LINK, OUTSIDE, from_os_error, not_a_file
from core.errors import FolderError

CACHE = "__pycache__"
PROGRESS_EVERY = 256  # files
# What SQLite and `core.review.lock` keep beside NAME.neardup while it is open.
COMPANIONS = (".neardup-wal", ".neardup-shm", ".neardup-journal", ".neardup-lock")


def find_documents(
    folders: Sequence[Path],
    *,
    progress: Progress = ignore,
    unusable: dict[Path, str] | None = None,
    named: Sequence[str] | None = None,
) -> tuple[list[FoundFile], list[Problem]]:
    """Find the files in folders and in the folders below them, each list sorted by name.

    With one folder a name is the path relative to it; with several it starts with the folder's
    own name, numbered where two folders share it. Where folders overlap, a file is returned once,
    under the folder that was given first.

    Args:
        folders: Folders to search. A file is allowed and stands for itself.
        progress: Told now and then how many files there are so far.
        unusable: Filled with the folders that do not exist or may not be read, and why.
        named: What the names below each folder start with, where that is not for this to say.

    Raises:
        FolderError: There is one such, and `unusable` is left out.
    """
    search = _Walk(progress)
    for folder, label in zip(folders, named or labels(folders), strict=True):
        try:
            search.add(folder, label)
        except FolderError as error:
            if unusable is None:
                raise
            unusable[folder] = str(error)
    search.add_links()
    return (
        sorted(search.files, key=lambda file: file.name),
        sorted(search.problems, key=lambda problem: problem.name),
    )


class _Folder(NamedTuple):
    """A folder to look into: its path as given, without links, and as the start of a name."""

    path: str
    real: str
    prefix: str


class _Walk:
    """What has been found so far; folders are walked without recursion, however deep."""

    def __init__(self, progress: Progress) -> None:
        self.files: list[FoundFile] = []
        self.problems: list[Problem] = []
        self._progress = progress
        self._links: list[tuple[str, str]] = []
        self._seen: set[str] = set()
        self._tops: set[str] = set()

    def add(self, folder: Path, label: str) -> None:
        try:
            status = folder.stat()
            real = os.path.realpath(folder)
            is_folder = stat.S_ISDIR(status.st_mode)
            if not is_folder and not stat.S_ISREG(status.st_mode):
                raise FolderError("{folder} is neither a folder nor a file.", folder=_shown(folder))
            self._tops.add(real)
            if is_folder:
                self._add_top(_Folder(str(folder), real, f"{label}/" if label else ""))
            else:
                self._add_file(str(folder), real, label or printable_name(folder.name), status)
        except (OSError, ValueError) as error:
            raise FolderError(_why_unusable(folder, error)) from error

    def add_links(self) -> None:
        for name, path in sorted(self._links):
            try:
                status = os.stat(path)  # noqa: PTH116 - a Path costs three times as much
                problem = self._add_target(name, path, status)
            except OSError as error:
                problem = from_os_error(name, error, LINK)
            if problem:
                self.problems.append(problem)

    def _add_top(self, top: _Folder) -> None:
        """Walk a folder that was given; it alone must be readable."""
        pending = self._look_into(top)
        while pending:
            folder = pending.pop()
            try:
                pending += self._look_into(folder)
            except OSError as error:
                name = folder.prefix.removesuffix("/")
                self.problems.append(from_os_error(name, error, FOLDER))

    def _look_into(self, folder: _Folder) -> list[_Folder]:
        """Take in the files of one folder; return the folders in it."""
        if not self._is_new(folder.real):
            return []
        below: list[_Folder] = []
        real_prefix = os.path.join(folder.real, "")
        prefix = "" if folder.path == "." else os.path.join(folder.path, "")
        with os.scandir(folder.path) as entries:
            for entry in entries:
                stop_if_cancelled()
                if is_passed_over(entry.name):
                    continue
                name = folder.prefix + printable_name(entry.name)
                real = real_prefix + entry.name
                if entry.is_dir(follow_symlinks=False):
                    below.append(_Folder(prefix + entry.name, real, f"{name}/"))
                else:
                    self._add_entry(entry, prefix + entry.name, real, name)
        return below

    def _add_entry(self, entry: os.DirEntry[str], path: str, real: str, name: str) -> None:
        try:
            if entry.is_symlink():
                self._links.append((name, path))
                return
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            self.problems.append(from_os_error(name, error))
            return
        if stat.S_ISREG(status.st_mode):
            self._add_file(path, real, name, status)
        else:
            self.problems.append(not_a_file(name, status.st_mode))

    def _add_file(self, path: str, real: str, name: str, status: os.stat_result) -> bool:
        if not self._is_new(real):
            return False
        real = path if real == path else real  # mostly, and then it is kept once
        self.files.append(FoundFile(path, name, status.st_size, modified_ns(status), real=real))
        if len(self.files) % PROGRESS_EVERY == 0:
            self._progress(ProgressReport(Stage.DISCOVER, len(self.files), 0))
        return True

    def _add_target(self, name: str, path: str, status: os.stat_result) -> Problem | None:
        if stat.S_ISREG(status.st_mode):
            real = os.path.realpath(path)
            tops = self._tops  # the file must be one of these, or in one of them
            if not any(real == top or real.startswith(os.path.join(top, "")) for top in tops):
                return Problem(name, ProblemCode.NOT_A_FILE, OUTSIDE)
            if self._add_file(path, real, name, status):
                return None
        return not_a_file(name, status.st_mode, link=True)

    def _is_new(self, real: str) -> bool:
        before = len(self._seen)
        self._seen.add(real)
        return len(self._seen) > before


def labels(folders: Sequence[Path]) -> Iterator[str]:
    """What the names below each folder start with: nothing when there is one only."""
    return labels_of([*map(label_of, folders)])


def label_of(folder: Path) -> str:
    """A folder as names below it start with, where there are several."""
    return printable_name(folder.name if folder.name not in {"", ".."} else folder.resolve().name)


def labels_of(names: Sequence[str]) -> Iterator[str]:
    """The same for folders by their printable names."""
    used = {""}
    for name in names:
        folder_name = name.strip("/") or "root"
        label, number = folder_name if len(names) > 1 else "", 2
        while len(names) > 1 and label in used:
            label, number = f"{folder_name} ({number})", number + 1
        used.add(label)
        yield label


def _shown(folder: Path) -> str:
    return quoted(printable_name(str(folder)))


def _why_unusable(folder: Path, error: OSError | ValueError) -> str:
    """The sentence for a folder that cannot be searched at all."""
    shown = _shown(folder)
    if isinstance(error, PermissionError):
        return gettext("You don’t have permission to read {name}.", name=shown)
    if isinstance(error, FileNotFoundError) and set("*?[") & set(str(folder)):
        return gettext(
            "{name} does not exist. Patterns such as * are not expanded: give a folder.", name=shown
        )
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return gettext("{name} does not exist. Check the path.", name=shown)
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return gettext("{name} cannot be read: {reason}.", name=shown, reason=reason)


def is_passed_over(name: str) -> bool:
    """Whether a file or folder with this name is no document: hidden, or a program's own."""
    return name.startswith(".") or name == CACHE or name.lower().endswith(COMPANIONS)
