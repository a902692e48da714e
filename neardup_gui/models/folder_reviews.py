"""The reviews that scans make: where the review of a folder is kept.

REVIEWS/1f3a…/essays.neardup       of the folder "essays"; the number is that of its path
REVIEWS/1f3a…/essays 2.neardup     begun anew; the one before stays
REVIEWS/1f3a…/essays (window 2).neardup   decided while another window made the first
REVIEWS/1f3a…/elsewhere.txt        where it is since it was saved as another file

Which files are opened without a question: what is in folders that the user has chosen here.

A review names the files it was made of, and its author can name any file of the computer it
is opened on, a program or one of another computer among them.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from typing import NamedTuple

from core.base.files import replaced_bytes
from core.errors import NeardupError

SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]+:")  # a drive of Windows has one letter


class FileLocation(NamedTuple):
    """A file, and the part of it; "" for the whole file."""

    path: Path
    part: str = ""

    @property
    def exists(self) -> bool:
        """Whether the file exists."""
        return _exists(self.path)


def located(folders: Sequence[Path], name: str) -> FileLocation:
    """The location of a name, also of a file that does not exist.

    With several folders names start with the folder's own; after the name of a file that is an
    archive, a mailbox or the like, the name goes on with the path inside it.
    """
    several = len(folders) > 1
    tops = [folder.parent if several else folder for folder in folders]
    for top in tops:
        path = top / name
        if _exists(path):
            return FileLocation(path)
        inside = next((above for above in path.parents if _exists(above)), top)
        if inside.is_file():  # a folder that lacks the file is no container
            return FileLocation(inside, path.relative_to(inside).as_posix())
    return FileLocation(next((top / name for top in tops), Path(name)))


def is_address(path: Path) -> bool:
    """Whether a path is in another file system, as s3://bucket/essay.txt of a cluster run."""
    return bool(path.parts) and SCHEME.fullmatch(path.parts[0]) is not None


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name too long for the system, or one with a null in it
        return False


ENDING = ".neardup"


def is_review(path: Path) -> bool:
    """Whether a path is that of a review, which need not exist; a folder never is."""
    return path.suffix.lower() == ENDING and not path.is_dir()


def is_chosen(path: Path, folders: Iterable[str]) -> bool:
    """Whether a file or folder is one of these folders or inside one, with links followed.

    The system is asked only about paths that are inside as they are written: to look at one of
    another computer would tell that computer who is looking.
    """
    absolute = PurePath(os.path.abspath(path))
    for folder in folders:
        if absolute.is_relative_to(folder) and Path(os.path.realpath(path)).is_relative_to(
            os.path.realpath(folder)
        ):
            return True
    return False


DIGITS = 16  # of the number of a path
MOST_OF_NAME = 120  # bytes; with a number and an ending it fits into a file name
ELSEWHERE = "elsewhere.txt"
NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*\ud800-\udfff]')
# Devices of Windows, with any ending.
RESERVED = re.compile(r"(?=(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))", re.IGNORECASE)


class ReviewLocation(NamedTuple):
    """Where the review of folders is, or will be.

    Attributes:
        path: The file.
        exists: Whether the file exists.
        lost: The file that the review was saved as, if it is missing; else None.
    """

    path: Path
    exists: bool
    lost: Path | None = None


class FolderReviews:
    """Finds the reviews of folders under a root folder, which need not exist yet."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def __contains__(self, path: Path) -> bool:
        """Whether a review is in the root folder."""
        return self._root in path.parents

    def of(self, folders: Sequence[Path]) -> ReviewLocation:
        """The review to continue when folders are opened."""
        folder = self._folder_of(folders)
        elsewhere = _read_pointer(folder / ELSEWHERE)
        if elsewhere is not None and elsewhere.is_file():
            return ReviewLocation(elsewhere, True)
        last = self._last(folders)
        return ReviewLocation(self._named(folders, max(last, 1)), last > 0, elsewhere)

    def anew(self, folders: Sequence[Path]) -> Path:
        """The path of a new review of folders; their earlier reviews stay as they are."""
        with suppress(OSError):
            (self._folder_of(folders) / ELSEWHERE).unlink()
        return self._named(folders, self._last(folders) + 1)

    def beside(self, taken: Path) -> Path:
        """The path of a review beside that of another window, which stays that of the folders."""
        number = 2
        while (path := taken.with_stem(f"{taken.stem} (window {number})")).exists():
            number += 1
        return path

    def saved_elsewhere(self, folders: Sequence[Path], path: Path) -> None:
        """Note that the review of folders is continued in another file.

        If that cannot be noted, the folders keep their earlier review.
        """
        folder = self._folder_of(folders)
        with suppress(OSError, NeardupError):
            folder.mkdir(parents=True, exist_ok=True)
            with replaced_bytes(folder / ELSEWHERE) as file:
                file.write(os.fsencode(os.path.abspath(path)))

    def _last(self, folders: Sequence[Path]) -> int:
        """The number of the newest review; 0 if there is none."""
        first = self._named(folders, 1).stem
        try:
            stems = [path.stem for path in self._folder_of(folders).iterdir() if is_review(path)]
        except OSError:
            return 0
        numbers = [stem.removeprefix(f"{first} ") for stem in stems if stem != first]
        suffixes = [int(number) for number in numbers if number.isdecimal()]
        return max([*suffixes, 1 if first in stems else 0])

    def _named(self, folders: Sequence[Path], number: int) -> Path:
        full_name = NOT_IN_NAMES.sub("_", Path(os.path.abspath(folders[0])).name)
        name = full_name.encode()[:MOST_OF_NAME].decode(errors="ignore").strip() or "folder"
        name = f"_{name}" if RESERVED.match(name) else name
        more = f" and {len(folders) - 1} more" if len(folders) > 1 else ""
        numbered = f" {number}" if number > 1 else ""
        return self._folder_of(folders) / f"{name}{more}{numbered}{ENDING}"

    def _folder_of(self, folders: Sequence[Path]) -> Path:
        paths = sorted({os.path.normcase(os.path.realpath(folder)) for folder in folders})
        digest = hashlib.sha256(b"\0".join(os.fsencode(path) for path in paths))
        return self._root / digest.hexdigest()[:DIGITS]


def _read_pointer(path: Path) -> Path | None:
    try:
        return Path(os.fsdecode(path.read_bytes())) if path.exists() else None
    except (OSError, ValueError):
        return None
