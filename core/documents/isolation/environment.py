"""What a reader process is told of its surroundings."""

from __future__ import annotations

import os
import sys

# Where programs, libraries and languages of Tesseract are; the language and the time zone.
_NEEDED = frozenset({"PATH", "LD_LIBRARY_PATH", "TESSDATA_PREFIX", "LANG", "LANGUAGE", "TZ"})
_NEEDED_STARTS = ("LC_", "PYTHON")


def needed_environment() -> dict[str, str]:
    """The variables that Python and Tesseract need: no display, no agent of keys, no tokens.

    Only Linux can keep a process from finding out the others, so elsewhere all are given: Windows
    and macOS start no process without some of theirs.
    """
    if sys.platform != "linux":
        return dict(os.environ)
    return {
        name: value
        for name, value in os.environ.items()
        if name in _NEEDED or name.startswith(_NEEDED_STARTS)
    }
