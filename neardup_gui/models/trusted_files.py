"""Which files are opened without a question: what is in folders that the user has chosen here.

A review names the files it was made of, and its author can name any file of the computer it
is opened on, a program or one of another computer among them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePath


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
