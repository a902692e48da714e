"""Which files are opened without a question: what is in folders that the user has chosen here.

A review names the files it was made of, and its author can name any file of the computer it
is opened on, a program or one of another computer among them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePath

__all__ = ["is_chosen", "is_program"]

# What the systems run, or follow to somewhere else, when it is opened.
ENDINGS = """
    action app appimage application appref-ms bash bat chm cmd com command cpl csh desktop diagcab
    exe fileloc gadget hta inetloc inf jar js jse library-ms lnk msc msi msp out pif pl ps1 psm1 py
    pyw rb reg run scf scpt scr sct search-ms settingcontent-ms sh terminal tool url vb vbe vbs
    webloc website workflow wsf wsh zsh
"""
PROGRAMS = frozenset(f".{ending}" for ending in ENDINGS.split())


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


def is_program(path: PurePath) -> bool:
    """Whether opening a file may run it, by its name."""
    name = path.name.rstrip(". ")  # Windows leaves these out
    return PurePath(name).suffix.lower() in PROGRAMS
