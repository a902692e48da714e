"""Files that are no documents but programs, or lead somewhere else, by their names."""

from __future__ import annotations

from pathlib import PurePath

# What the systems run, or follow to somewhere else, when it is opened.
ENDINGS = """
    action app appimage application appref-ms bash bat chm cmd com command cpl csh desktop diagcab
    exe fileloc gadget hta inetloc inf jar js jse library-ms lnk msc msi msp out pif pl ps1 psm1 py
    pyw rb reg run scf scpt scr sct search-ms settingcontent-ms sh terminal tool url vb vbe vbs
    webloc website workflow wsf wsh zsh
"""
PROGRAMS = frozenset(f".{ending}" for ending in ENDINGS.split())


def is_program(path: PurePath) -> bool:
    """Whether opening a file may run it, by its name."""
    name = path.name.rstrip(". ")  # Windows leaves these out
    return PurePath(name).suffix.lower() in PROGRAMS
