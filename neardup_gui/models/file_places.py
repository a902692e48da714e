"""Where the documents of names are: names are what the user sees, places what the system opens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]+:")  # a drive of Windows has one letter


class FilePlace(NamedTuple):
    """A file, and the part of it that is meant; "" for all of it."""

    path: Path
    part: str = ""

    @property
    def exists(self) -> bool:
        """Whether the file is there."""
        return _exists(self.path)


def located(folders: Sequence[Path], name: str) -> FilePlace:
    """The place of a name; where no such file is, the place it would have.

    With several folders names start with the folder's own; after the name of a file that is an
    archive, a mailbox or the like, the name goes on with the path inside it.
    """
    several = len(folders) > 1
    tops = [folder.parent if several else folder for folder in folders]
    for top in tops:
        path = top / name
        if _exists(path):
            return FilePlace(path)
        inside = next((above for above in path.parents if _exists(above)), top)
        if inside.is_file():  # a folder that lacks the file is no container
            return FilePlace(inside, path.relative_to(inside).as_posix())
    return FilePlace(next((top / name for top in tops), Path(name)))


def is_address(path: Path) -> bool:
    """Whether it is in another file system, as s3://bucket/essay.txt of a run on a cluster."""
    return bool(path.parts) and SCHEME.fullmatch(path.parts[0]) is not None


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name too long for the system, or one with a null in it
        return False
